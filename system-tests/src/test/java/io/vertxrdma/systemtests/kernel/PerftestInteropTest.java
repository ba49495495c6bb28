package io.vertxrdma.systemtests.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** The programs of perftest and the soft provider, at the other end of the wire. */
class PerftestInteropTest extends PerftestInterop {

  PerftestInteropTest() {
    super(Command.SOFT_ADDRESS);
  }

  @Override
  OurSide start() throws Exception {
    return OurSide.soft();
  }

  /** The bytes have to come from us, in packets of at most 1024. */
  @Test
  void ib_read_bw_reads_our_memory() throws Exception {
    Map<String, Long> before = ours().counters(Command.SOFT_ADDRESS);
    serve("ib_read_bw", 64, 8192, "^the memory was there to be read, reported: 64 of 8192 bytes$");
    Map<String, Long> after = ours().counters(Command.SOFT_ADDRESS);
    assertThat(after.get("sent_pkts") - before.get("sent_pkts")).isGreaterThanOrEqualTo(64 * 8);
  }
}
