package io.vertxrdma.tools.bench;

import io.vertxrdma.cm.ConnectionParameters;
import io.vertxrdma.reactive.RdmaOptions;
import io.vertxrdma.tools.ProviderOption;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that both sides of a measurement take; a mixin. */
final class BenchOptions {

  /** Bytes of each side's inbox, and so of a write at most. */
  static final int INBOX = 1 << 16;

  /** The pollSpinMicros of {@code --spin} without a number. */
  static final String DEFAULT_SPIN = "1000";

  /** Operations under way in rate, unless said otherwise; as many as the yardstick in C has. */
  private static final int DEFAULT_DEPTH = 256;

  /** The same of what needs initiator depth: what common devices have of it. */
  private static final int DEFAULT_READ_DEPTH = 16;

  private static final int MOST_DEPTH = 4096;

  /** RNR timer code 1, 0.01 ms: otherwise one missing receive would decide the figure. */
  static final int RNR_TIMER = 1;

  @Option(
      names = "--address",
      required = true,
      paramLabel = "A",
      description = "Address of the serving side's RDMA device.")
  String address;

  @Option(
      names = "--port",
      paramLabel = "P",
      defaultValue = "18515",
      description = "Its port; default: ${DEFAULT-VALUE}.")
  int port;

  @Option(
      names = "--count",
      paramLabel = "N",
      defaultValue = "10000",
      description = "Operations, or round trips; default: ${DEFAULT-VALUE}.")
  int count;

  @Option(
      names = "--length",
      paramLabel = "L",
      defaultValue = "8",
      description = "Bytes of each, 0 to 65536; default: ${DEFAULT-VALUE}.")
  int length;

  @Option(
      names = "--verb",
      paramLabel = "VERB",
      converter = Words.Verbs.class,
      defaultValue = "write-with-immediate",
      description =
          "What is measured, the same on both sides: write-with-immediate, write, send, read or"
              + " fetch-and-add; default: ${DEFAULT-VALUE}.")
  Verb verb;

  @Option(
      names = "--mode",
      paramLabel = "MODE",
      converter = Words.Modes.class,
      description =
          "The same on both sides. rate: the client keeps operations under way. pingpong: each is"
              + " answered by one; of write-with-immediate only, and its default.")
  private Mode mode;

  @Option(
      names = "--depth",
      paramLabel = "D",
      description =
          "Operations under way at most, in rate, 1 to 4096; default: 256, of reads and"
              + " fetch-and-add 16.")
  private Integer depth;

  @Option(
      names = "--check",
      description = "Fill and compare the data of each write, on both sides; pingpong only.")
  boolean check;

  @Option(
      names = "--spin",
      arity = "0..1",
      fallbackValue = DEFAULT_SPIN,
      defaultValue = "0",
      paramLabel = "MICROS",
      description =
          "Keep polling that long before sleeping, up to 10000; alone: " + DEFAULT_SPIN + ".")
  int spin;

  @Option(
      names = "--timeout",
      paramLabel = "S",
      defaultValue = "60",
      description =
          "Seconds to wait for the peer, and again for the end; default: ${DEFAULT-VALUE}.")
  int timeout;

  @Option(names = "--json", description = "Print the figures as one JSON object.")
  boolean json;

  @Mixin ProviderOption provider;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  /** Refuses numbers out of range. */
  void check() {
    range("--port", port, 1, 65_535);
    range("--count", count, 1, Integer.MAX_VALUE);
    range("--length", length, 0, INBOX);
    range("--spin", spin, 0, 10_000);
    range("--timeout", timeout, 1, 86_400);
    if (mode == Mode.PINGPONG && verb != Verb.WRITE_WITH_IMMEDIATE) {
      throw wrong("--mode pingpong needs --verb write-with-immediate, was " + verb);
    }
    if (depth != null) {
      range("--depth", depth, 1, MOST_DEPTH);
      if (mode() == Mode.PINGPONG) {
        throw wrong("--depth needs --mode rate: in pingpong one is under way");
      }
    }
    if (verb == Verb.FETCH_AND_ADD && length != Long.BYTES) {
      throw wrong("--length of fetch-and-add must be 8, was " + length);
    }
    if (check && mode() != Mode.PINGPONG) {
      throw wrong("--check needs --mode pingpong: otherwise writes replace each other unseen");
    }
  }

  private ParameterException wrong(String sentence) {
    return new ParameterException(command.commandLine(), sentence);
  }

  private void range(String name, int value, int least, int most) {
    if (value < least || value > most) {
      throw wrong(name + " must be " + least + ".." + most + ", was " + value);
    }
  }

  <T extends RdmaOptions<T>> T apply(T options) {
    if (verb.needsInitiatorDepth()) {
      options.setParameters(ConnectionParameters.READ_HEAVY);
    }
    if (verb == Verb.SEND) {
      options.setReceiveBufferSize(Math.max(1, length));
    }
    return options
        .setPollSpinMicros(spin)
        .setSendDepth(Math.max(options.getSendDepth(), depth()))
        .setReceiveDepth(Math.max(options.getReceiveDepth(), depth()))
        .setParameters(options.getParameters().withMinRnrTimer(RNR_TIMER));
  }

  /** Which way of measuring. */
  Mode mode() {
    if (mode != null) {
      return mode;
    }
    return verb == Verb.WRITE_WITH_IMMEDIATE ? Mode.PINGPONG : Mode.RATE;
  }

  /** Operations under way at most. */
  int depth() {
    if (mode() == Mode.PINGPONG) {
      return 1;
    }
    if (depth != null) {
      return depth;
    }
    return verb.needsInitiatorDepth() ? DEFAULT_READ_DEPTH : DEFAULT_DEPTH;
  }

  /** How completions are waited for. */
  String waiting() {
    return spin == 0 ? "event" : "spin";
  }

  long timeoutMillis() {
    return timeout * 1_000L;
  }

  /** The same for one step of connecting, for which the library takes ten minutes at most. */
  int stepMillis() {
    return Math.min(timeout, 600) * 1_000;
  }
}
