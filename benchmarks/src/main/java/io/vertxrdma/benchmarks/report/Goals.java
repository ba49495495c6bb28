package io.vertxrdma.benchmarks.report;

import io.vertxrdma.benchmarks.endtoend.BaselineComparison;
import io.vertxrdma.benchmarks.report.Figures.Kind;
import java.util.ArrayList;
import java.util.List;

/** What the figures should be, and what is known to be in the way where they are not. */
final class Goals {

  /** JMH's subject of a consumer and a number of connections. */
  static String completion(String consumer, int connections) {
    return "CompletionBenchmark.immediate, connections " + connections + ", consumer " + consumer;
  }

  static final String PROCESSOR_TIME = "processor time";
  static final String ALLOCATED = "allocated";
  static final String FLAT = "1,000 connections / 1 connection";

  private static final double GROWTH = 1.2;
  private static final String PROTOCOL =
      "each message is acknowledged, checked by CRC and given to two state machines and two"
          + " completion queues, which bare datagrams are not";

  private Goals() {}

  /** All goals. */
  static List<Goal> all() {
    List<Goal> goals = new ArrayList<>();
    completions(goals);
    baseline(goals);
    soft(goals);
    growth(goals);
    return goals;
  }

  private static void completions(List<Goal> goals) {
    String because =
        "of what else the machine did, if it did: a short run on a busy one measures the compiler, too";
    goals.add(
        most(
            Kind.JMH,
            "poll to handler",
            40,
            "ns",
            completion("HANDLER", 1),
            PROCESSOR_TIME,
            because));
    goals.add(
        most(
            Kind.JMH,
            "poll to handler, allocated",
            0,
            "B",
            completion("HANDLER", 1),
            ALLOCATED,
            ""));
    goals.add(
        most(
            Kind.JMH,
            "poll to Flowable",
            80,
            "ns",
            completion("FLOWABLE", 1),
            PROCESSOR_TIME,
            because));
  }

  private static void baseline(List<Goal> goals) {
    String quantity = "half round trip / " + BaselineComparison.C_WITH_C;
    String rate = "immediates per second / " + BaselineComparison.C_WITH_C;
    String signals =
        "probably: each of our writes is signalled, for its Future, where C signals every 64th: a second"
            + " completion and, with events, often a second wake-up for each message";
    String code = "code for an emulated processor, compiled by C1 alone, stands beside optimized C";
    for (String who : List.of(BaselineComparison.WE_SERVE, BaselineComparison.WE_CONNECT)) {
      goals.add(beside("pingpong, event: " + who, 1.1, true, quantity, signals));
      goals.add(beside("pingpong, poll: " + who, 1.1, true, quantity, signals + "; and " + code));
      goals.add(beside("rate, event: " + who, 1, false, rate, code));
      goals.add(beside("rate, poll: " + who, 0.95, false, rate, code));
    }
  }

  private static void soft(List<Goal> goals) {
    String two = "soft, two processes";
    goals.add(
        most(
            Kind.END_TO_END,
            "two processes: round trip / raw UDP",
            1.3,
            "",
            two,
            "round trip p50 / udp, two processes",
            PROTOCOL));
    goals.add(
        new Goal(
            Kind.END_TO_END,
            "two processes: packets per second / raw UDP",
            0.8,
            false,
            "",
            figures ->
                figures.value(Kind.END_TO_END, two, "packets per second / udp, two processes"),
            PROTOCOL));
    goals.add(
        new Goal(
            Kind.END_TO_END,
            "same device: immediates per second",
            2_000_000,
            false,
            "1/s",
            figures ->
                figures.value(
                    Kind.END_TO_END, "soft, same device, one event loop", "messages per second"),
            "one event loop is both sides: packets are still written and read, though no socket has"
                + " them, and each write has its own Future"));
  }

  private static void growth(List<Goal> goals) {
    String because =
        "when each of many connections has one completion in a poll, what is done once for a"
            + " connection and poll is shared no more, and their state is in no cache";
    for (String consumer : List.of("HANDLER", "FLOWABLE")) {
      goals.add(
          flat(
              Kind.JMH,
              "poll to " + (consumer.equals("HANDLER") ? "handler" : "Flowable"),
              figures ->
                  figures.value(Kind.JMH, completion(consumer, 1_000), PROCESSOR_TIME)
                      / figures.value(Kind.JMH, completion(consumer, 1), PROCESSOR_TIME),
              because));
    }
    goals.add(
        flat(
            Kind.END_TO_END,
            "soft, same device",
            figures ->
                ofMany(figures, Kind.END_TO_END, 1_000) / ofMany(figures, Kind.END_TO_END, 1),
            because));
    goals.add(
        flat(
            Kind.GROWTH,
            "native in the guest",
            figures -> ofMany(figures, Kind.GROWTH, 1_000) / ofMany(figures, Kind.GROWTH, 1),
            because));
  }

  /** What a message takes with many connections. */
  static double ofMany(Figures figures, Kind kind, int connections) {
    return kind == Kind.GROWTH
        ? figures.value(kind, connections + " connections", "time per message")
        : figures.value(
            kind,
            "soft, " + connections + " connections on the same device",
            "processor time per message");
  }

  private static Goal most(
      Kind kind,
      String words,
      double limit,
      String unit,
      String subject,
      String quantity,
      String because) {
    return new Goal(
        kind, words, limit, true, unit, figures -> figures.value(kind, subject, quantity), because);
  }

  private static Goal beside(
      String subject, double limit, boolean atMost, String quantity, String because) {
    return new Goal(
        Kind.BASELINE,
        subject + " / " + BaselineComparison.C_WITH_C,
        limit,
        atMost,
        "",
        figures -> figures.value(Kind.BASELINE, subject, quantity),
        because);
  }

  private static Goal flat(
      Kind kind,
      String words,
      java.util.function.ToDoubleFunction<Figures> figure,
      String because) {
    return new Goal(kind, words + ", " + FLAT, GROWTH, true, "", figure, because);
  }
}
