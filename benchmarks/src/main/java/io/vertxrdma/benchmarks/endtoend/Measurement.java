package io.vertxrdma.benchmarks.endtoend;

/**
 * One figure.
 *
 * @param subject what was measured, for example {@code soft, two processes}
 * @param quantity what about it, for example {@code round trip p50}
 * @param value how much
 * @param unit of what
 */
public record Measurement(String subject, String quantity, double value, String unit) {}
