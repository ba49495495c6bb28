package io.vertxrdma.benchmarks;

import io.vertxrdma.soft.wire.InvariantCrc;
import io.vertxrdma.soft.wire.IpPath;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** The invariant CRC of one packet: computing it, checking it, and finding an identification. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class InvariantCrcBenchmark {

  private static final int PORT = 4791;

  /** A packet's bytes, BTH through pad: an ACK, a small write with immediate, a full packet. */
  @Param({"16", "40", "1040", "4112"})
  public int length;

  private final InvariantCrc crc = new InvariantCrc();
  private IpPath path;
  private ByteBuffer packet;
  private int right;
  private int withIdentification;

  /** Prepares a packet and its CRCs. */
  @Setup
  public void prepare() throws UnknownHostException {
    path = IpPath.of(InetAddress.getByName("10.0.0.1"), InetAddress.getByName("10.0.0.2"));
    packet = ByteBuffer.allocateDirect(length);
    for (int i = 0; i < length; i++) {
      packet.put(i, (byte) (i * 7 + 3));
    }
    right = crc.compute(path, PORT, PORT, packet);
    // Any CRC that some identification leads to; tried out because only the kernel sets one.
    withIdentification = right;
    for (int candidate = 1; withIdentification == right; candidate++) {
      int damaged = right ^ candidate * 0x9E3779B9;
      if (crc.identification(path, PORT, PORT, packet, damaged) > 0) {
        withIdentification = damaged;
      }
    }
  }

  /** For a packet to send. */
  @Benchmark
  public int compute() {
    return crc.compute(path, PORT, PORT, packet);
  }

  /** For a packet of a soft peer, whose identification is 0. */
  @Benchmark
  public int check() {
    return crc.identification(path, PORT, PORT, packet, right);
  }

  /** For a packet of a kernel peer, whose identification is unknown. */
  @Benchmark
  public int checkAnyIdentification() {
    return crc.identification(path, PORT, PORT, packet, withIdentification);
  }
}
