package io.vertxrdma.docs;

import io.vertxrdma.reactive.RdmaClientOptions;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.WorkRequest;
import java.util.ArrayList;
import java.util.List;

/** The code of the chapter on performance. */
public final class Performance {

  private Performance() {}

  /** For latency: polls a while before it sleeps, and small writes travel with their request. */
  public static RdmaClientOptions latency() {
    // tag::latency[]
    return new RdmaClientOptions().setPollSpinMicros(50).setMaxInlineData(64);
    // end::latency[]
  }

  /** For rate: many under way, posted as one chain. */
  public static void burst(RdmaConnection connection, int count) {
    // tag::rate[]
    List<WorkRequest> chain = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      chain.add(WorkRequest.writeWithImmediate(null, i));
    }
    connection.postAll(chain); // one call, one signalled request
    // end::rate[]
  }
}
