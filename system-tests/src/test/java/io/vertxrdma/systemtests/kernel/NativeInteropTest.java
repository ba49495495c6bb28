package io.vertxrdma.systemtests.kernel;

import org.junit.jupiter.api.Test;

/** C programs and the native provider, in both roles, on one device. */
class NativeInteropTest extends PerftestInterop {

  private static final String COUNT = "1000";

  /** The largest that rping takes. */
  private static final String SIZE = "65535";

  NativeInteropTest() {
    super(Command.ADDRESS);
  }

  @Override
  OurSide start() throws Exception {
    return OurSide.ofKernel();
  }

  @Test
  void ib_read_bw_reads_our_memory() throws Exception {
    serve("ib_read_bw", 64, 8192, "^the memory was there to be read, reported: 64 of 8192 bytes$");
  }

  @Test
  void rping_and_our_ping_exchange_large_pings() throws Exception {
    String options = " -S " + SIZE + " --timeout 280";
    ours()
        .serves(
            "ping serve --address " + Command.ADDRESS + options,
            "^answered " + COUNT + " pings$",
            () ->
                Command.program(
                    "rping", "rping", "-c", "-a", Command.ADDRESS, "-C", COUNT, "-S", SIZE, "-V"));
    ours()
        .connects(
            "ping connect --address " + Command.ADDRESS + options + " -V -C " + COUNT,
            "^" + COUNT + " pings of " + SIZE + " bytes, all as sent, ",
            Command.program("rping", "rping", "-s", "-a", Command.ADDRESS, "-C", COUNT, "-S", SIZE)
                .listensOn(7174));
  }

  @Test
  void ucmatose_and_we_understand_each_other() throws Exception {
    String answer = "^10 messages of 100 bytes came$";
    ours()
        .serves(
            "ucmatose serve " + Command.ADDRESS + " 7471",
            answer,
            () -> Command.program("ucmatose", "ucmatose", "-s", Command.ADDRESS));
    ours()
        .connects(
            "ucmatose connect " + Command.ADDRESS + " 7471",
            answer,
            Command.program("ucmatose", "ucmatose", "-b", Command.ADDRESS).listensOn(7471));
  }

  @Test
  void rdma_client_and_rdma_server_understand_us() throws Exception {
    String answer = "^a message of 16 bytes came, their sum is 0$";
    ours()
        .serves(
            "simple serve " + Command.ADDRESS + " 7472",
            answer,
            () ->
                Command.program("rdma_client", "rdma_client", "-s", Command.ADDRESS, "-p", "7472"));
    ours()
        .connects(
            "simple connect " + Command.ADDRESS + " 7473",
            answer,
            Command.program("rdma_server", "rdma_server", "-s", Command.ADDRESS, "-p", "7473")
                .listensOn(7473));
  }
}
