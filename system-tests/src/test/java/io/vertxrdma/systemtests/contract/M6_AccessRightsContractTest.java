package io.vertxrdma.systemtests.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.buffer.Buffer;
import io.vertxrdma.core.AccessFlag;
import io.vertxrdma.core.WorkCompletionException;
import io.vertxrdma.core.WorkCompletionStatus;
import io.vertxrdma.reactive.RdmaConnection;
import io.vertxrdma.reactive.RegisteredBuffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Memory has the rights it was given and no others. */
class M6_AccessRightsContractTest {

  @RegisterExtension final ContractRig rig = new ContractRig();
  private RdmaConnection server;
  private RdmaConnection client;

  @BeforeEach
  void connect() {
    ContractRig.Pair pair = rig.pair();
    server = pair.server();
    client = pair.client();
  }

  @Test
  void remote_write_without_local_write_is_refused_before_anything_native() {
    assertThatThrownBy(() -> server.memory().allocate(64, Set.of(AccessFlag.REMOTE_WRITE)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("LOCAL_WRITE");
    assertThatThrownBy(
            () ->
                server
                    .memory()
                    .register(ByteBuffer.allocateDirect(64), Set.of(AccessFlag.REMOTE_ATOMIC)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("LOCAL_WRITE");
  }

  @Test
  void a_read_only_buffer_can_not_be_given_to_writers() {
    ByteBuffer readOnly = ByteBuffer.allocateDirect(64).asReadOnlyBuffer();
    assertThatThrownBy(
            () ->
                server
                    .memory()
                    .register(readOnly, Set.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("read-only");
  }

  @Test
  void a_mapped_file_can_be_sent_with_the_right_to_read_locally_alone(@TempDir Path folder)
      throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "from a file");
    RegisteredBuffer inbox = rig.await(server.memory().allocateInbox(64));
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      // Private: before Linux 6.2 the kernel pinned every page for writing, a shared one in vain.
      ByteBuffer mapped = channel.map(FileChannel.MapMode.PRIVATE, 0, 11).asReadOnlyBuffer();
      RegisteredBuffer source = rig.await(client.memory().register(mapped, Set.of()));
      rig.await(client.write(source.all(), inbox.remote()));
      rig.await(source.close());
    }
    assertThat(inbox.getBuffer(0, 11)).hasToString("from a file");
  }

  @Test
  void a_peer_can_not_write_to_memory_that_is_for_sending() {
    RegisteredBuffer staging = rig.await(server.memory().copyOf(Buffer.buffer("mine alone")));
    RegisteredBuffer source = rig.await(client.memory().copyOf(Buffer.buffer("intruder!!")));

    Throwable failure = rig.awaitFailure(client.write(source.all(), staging.remote()));

    assertThat(failure).isInstanceOf(WorkCompletionException.class);
    assertThat(((WorkCompletionException) failure).status())
        .isEqualTo(WorkCompletionStatus.REM_ACCESS_ERR);
    rig.await(client.closed());
    rig.await(server.closed());
    assertThat(staging.getBuffer(0, 10)).hasToString("mine alone");
  }
}
