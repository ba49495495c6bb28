package io.vertxrdma.reactive;

import io.vertx.core.json.JsonObject;
import java.util.Objects;
import java.util.TreeSet;

/**
 * A pool of receives that the connections of a server or client share ({@code struct ibv_srq}), on
 * each event loop and device one.
 *
 * <p>Without it each connection posts {@link RdmaOptions#getReceiveDepth()} receives, used or not.
 * With it {@link #getDepth()} of them serve all; {@link ReceivePlan} finds the number. A device
 * gives the receives of a shared queue to whoever sends first, so one talker whose subscriber is
 * slow could take them all. Therefore the receives that a connection holds beyond its {@link
 * #getShare()} are replaced at once, as long as all that is posted or held stays within {@link
 * #getMaxDepth()}; beyond that its peers wait (RNR) until something was handed over.
 */
public final class SharedReceiveOptions {

  /** The value of an option that follows from others, see its getter. */
  public static final int DERIVED = RdmaOptions.DERIVED;

  /** The default number of receives posted. */
  public static final int DEFAULT_DEPTH = 1_024;

  private static final int MAX_DEPTH = 1 << 20;

  private int depth = DEFAULT_DEPTH;
  private int maxDepth = DERIVED;
  private int share = DERIVED;
  private int lowWatermark = DERIVED;

  /** A pool of {@value #DEFAULT_DEPTH}. */
  public SharedReceiveOptions() {}

  /** Copies. */
  public SharedReceiveOptions(SharedReceiveOptions other) {
    this.depth = other.depth;
    this.maxDepth = other.maxDepth;
    this.share = other.share;
    this.lowWatermark = other.lowWatermark;
  }

  /**
   * Reads what {@link #toJson} made; what is missing stays at its default.
   *
   * @throws IllegalArgumentException for an unknown key or a value out of range
   */
  public SharedReceiveOptions(JsonObject json) {
    TreeSet<String> unknown = new TreeSet<>();
    for (String key : json.fieldNames()) {
      switch (key) {
        case "depth" -> setDepth(JsonValues.number(key, json));
        case "maxDepth" -> setMaxDepth(JsonValues.number(key, json));
        case "share" -> setShare(JsonValues.number(key, json));
        case "lowWatermark" -> setLowWatermark(JsonValues.number(key, json));
        default -> unknown.add(key);
      }
    }
    JsonValues.unknown(unknown);
    checked();
  }

  /** All values as JSON. */
  public JsonObject toJson() {
    return new JsonObject()
        .put("depth", depth)
        .put("maxDepth", maxDepth)
        .put("share", share)
        .put("lowWatermark", lowWatermark);
  }

  /**
   * Checks what spans several values.
   *
   * @throws IllegalArgumentException naming the values that contradict
   */
  SharedReceiveOptions checked() {
    if (getMaxDepth() < depth) {
      throw new IllegalArgumentException(
          "maxDepth must be at least the depth, " + depth + ", was " + maxDepth);
    }
    if (getShare() > depth) {
      throw new IllegalArgumentException(
          "share must be at most the depth, " + depth + ", was " + share);
    }
    if (getLowWatermark() >= depth) {
      throw new IllegalArgumentException(
          "lowWatermark must be below the depth, " + depth + ", was " + lowWatermark);
    }
    return this;
  }

  /** Receives posted when none is used. */
  public int getDepth() {
    return depth;
  }

  /** Sets the receives posted, 1..1048576; the device may have less. */
  public SharedReceiveOptions setDepth(int depth) {
    this.depth = JsonValues.range("depth", depth, 1, MAX_DEPTH);
    return this;
  }

  /** Receives posted or held by connections, at most; derived: twice the depth. */
  public int getMaxDepth() {
    return maxDepth == DERIVED ? Math.min(MAX_DEPTH, 2 * depth) : maxDepth;
  }

  /** Sets the bound of the pool's growth, the depth up to 1048576, or {@link #DERIVED}. */
  public SharedReceiveOptions setMaxDepth(int maxDepth) {
    this.maxDepth =
        maxDepth == DERIVED ? DERIVED : JsonValues.range("maxDepth", maxDepth, 1, MAX_DEPTH);
    return this;
  }

  /**
   * Receives that a connection may hold, come and not handed over yet, before they are replaced
   * from the pool's reserve; derived: a quarter of the depth.
   */
  public int getShare() {
    return share == DERIVED ? Math.max(1, depth / 4) : share;
  }

  /** Sets the share of a connection, 1 up to the depth, or {@link #DERIVED}. */
  public SharedReceiveOptions setShare(int share) {
    this.share = share == DERIVED ? DERIVED : JsonValues.range("share", share, 1, MAX_DEPTH);
    return this;
  }

  /**
   * The device tells ({@code IBV_EVENT_SRQ_LIMIT_REACHED}, see {@link RdmaServer#deviceEvents()})
   * when fewer receives are posted; derived: a quarter of the depth.
   */
  public int getLowWatermark() {
    return lowWatermark == DERIVED ? depth / 4 : lowWatermark;
  }

  /** Sets the low watermark, 0 (none) up to one below the depth, or {@link #DERIVED}. */
  public SharedReceiveOptions setLowWatermark(int lowWatermark) {
    this.lowWatermark = JsonValues.range("lowWatermark", lowWatermark, DERIVED, MAX_DEPTH);
    return this;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SharedReceiveOptions that
        && depth == that.depth
        && maxDepth == that.maxDepth
        && share == that.share
        && lowWatermark == that.lowWatermark;
  }

  @Override
  public int hashCode() {
    return Objects.hash(depth, maxDepth, share, lowWatermark);
  }

  @Override
  public String toString() {
    return toJson().encode();
  }
}
