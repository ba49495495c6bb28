package io.vertxrdma.reactive;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertxrdma.cm.ConnectionParameters;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FlightRecorderTest {

  @TempDir Path folder;

  @Test
  void a_recording_shows_attempts_clamps_and_closes() throws Exception {
    Path file = folder.resolve("rdma.jfr");
    try (Recording recording = new Recording()) {
      recording.enable("io.vertxrdma.ConnectAttempt");
      recording.enable("io.vertxrdma.Clamp");
      recording.enable("io.vertxrdma.ConnectionClose");
      recording.start();
      try (Bench bench =
          new Bench(fake -> fake.device("fake0").address(Bench.HOST).maxQpRdAtom(4))) {
        RdmaClientOptions options =
            new RdmaClientOptions()
                .setParameters(ConnectionParameters.DEFAULT.withResponderResources(16));
        Bench.get(bench.connection(options).close());
        bench.fake.replyTo("rdma_connect").type(8).status(28);
        Bench.failure(bench.client().connect(Bench.PORT, Bench.HOST));
      }
      recording.stop();
      recording.dump(file);
    }
    List<RecordedEvent> events = RecordingFile.readAllEvents(file);

    assertThat(of(events, "io.vertxrdma.ConnectAttempt"))
        .extracting(event -> event.getString("outcome"))
        .containsExactlyInAnyOrder("ESTABLISHED", "REJECTED");
    assertThat(of(events, "io.vertxrdma.Clamp"))
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.getString("field")).isEqualTo("responderResources");
              assertThat(event.getInt("wanted")).isEqualTo(16);
              assertThat(event.getInt("used")).isEqualTo(4);
            });
    assertThat(of(events, "io.vertxrdma.ConnectionClose"))
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.getString("peer")).isEqualTo(Bench.HOST + ':' + Bench.PORT);
              assertThat(event.getDuration("lifetime")).isPositive();
            });
  }

  private static List<RecordedEvent> of(List<RecordedEvent> events, String name) {
    return events.stream().filter(event -> event.getEventType().getName().equals(name)).toList();
  }
}
