package io.vertxrdma.benchmarks;

import io.vertxrdma.soft.wire.Headers;
import io.vertxrdma.soft.wire.Opcode;
import io.vertxrdma.soft.wire.PacketCheck;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** The headers of a write with immediate in one packet. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class HeadersBenchmark {

  private static final int PAYLOAD = 8;

  private final ByteBuffer packet = ByteBuffer.allocateDirect(64);
  private int psn;

  /** A packet to decode. */
  @Setup
  public void prepare() {
    encode();
  }

  /** Writes BTH, RETH and immediate. */
  @Benchmark
  public ByteBuffer encode() {
    packet.clear();
    psn = psn + 1 & Headers.MASK_24;
    Headers.putBth(packet, Opcode.RC_WRITE_ONLY_IMM, false, 0, 0x123456, true, psn);
    Headers.putReth(packet, 0x1000_0000_0000L, 0x5EED_5EED, PAYLOAD);
    packet.putInt(psn);
    packet.position(packet.position() + PAYLOAD);
    return packet.flip();
  }

  /** Checks the packet and reads every field. */
  @Benchmark
  public long decode() {
    if (PacketCheck.check(packet) != PacketCheck.Result.OK) {
      throw new IllegalStateException("the packet is not in order");
    }
    int reth = Headers.BTH_LENGTH;
    return Headers.pkey(packet, 0)
        ^ Headers.destinationQpn(packet, 0)
        ^ Headers.psn(packet, 0)
        ^ (Headers.acknowledgeRequest(packet, 0) ? 1 : 0)
        ^ Headers.rethAddress(packet, reth)
        ^ Headers.rethRkey(packet, reth)
        ^ Headers.rethLength(packet, reth)
        ^ Headers.immediate(packet, reth + Headers.RETH_LENGTH)
        ^ PacketCheck.payloadLength(packet);
  }
}
