package io.vertxrdma.systemtests.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Promise;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RegisteredBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** When an immediate is handed over, every byte of its write can be seen. */
class I6_PayloadBeforeImmediateContractTest {

  private static final int SIZE = 64 * 1024;
  private static final int ROUNDS = 300;

  @RegisterExtension final ContractRig rig = new ContractRig();

  @Test
  void the_whole_payload_is_visible_in_the_handler_of_its_immediate() {
    ContractRig.Pair pair = rig.pair();
    RdmaConnection client = pair.client();
    RegisteredBuffer inbox = rig.await(pair.server().memory().allocateInbox(SIZE));
    RegisteredBuffer source = rig.await(client.memory().allocate(SIZE));
    List<String> wrong = new CopyOnWriteArrayList<>();
    Promise<Void> finished = Promise.promise();

    pair.server()
        .immediateHandler(
            (server, round, length) -> {
              for (int index : new int[] {0, SIZE / 2, SIZE - 1}) {
                byte found = inbox.byteBuffer().get(index);
                if (found != pattern(round)) {
                  wrong.add("round " + round + ", byte " + index + ": " + found);
                }
              }
              if (length != SIZE) {
                wrong.add("round " + round + " has length " + length);
              }
              server.writeImmediate(round).onFailure(finished::tryFail);
            });
    client.immediateHandler(
        (connection, acknowledged, length) -> {
          if (acknowledged + 1 == ROUNDS) {
            finished.tryComplete();
          } else {
            write(client, source, inbox, acknowledged + 1).onFailure(finished::tryFail);
          }
        });
    write(client, source, inbox, 0).onFailure(finished::tryFail);

    rig.await(finished.future());
    assertThat(wrong).isEmpty();
    assertThat(pair.server().counters().immediatesReceived()).isEqualTo(ROUNDS);
    assertThat(inbox.getBytes(0, SIZE)).containsOnly(pattern(ROUNDS - 1));
  }

  private static io.vertx.core.Future<Void> write(
      RdmaConnection client, RegisteredBuffer source, RegisteredBuffer inbox, int round) {
    byte[] bytes = new byte[SIZE];
    Arrays.fill(bytes, pattern(round));
    source.setBytes(0, bytes);
    return client.writeWithImmediate(source, inbox.remote(), round);
  }

  /** Never 0, which is what fresh memory holds, and never what the round before had. */
  private static byte pattern(int round) {
    return (byte) (1 + round % 251);
  }
}
