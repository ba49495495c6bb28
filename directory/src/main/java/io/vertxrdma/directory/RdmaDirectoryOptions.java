package io.vertxrdma.directory;

import io.vertx.core.json.JsonObject;
import java.util.Objects;
import java.util.TreeSet;

/** How a directory is kept. All members of a cluster should have the same. */
public final class RdmaDirectoryOptions {

  /** The name of the clustered map, if no other is set. */
  public static final String DEFAULT_MAP_NAME = "io.vertxrdma.directory";

  /** Milliseconds an entry outlives its owner, if nobody sees that one leave. */
  public static final int DEFAULT_LEASE = 15_000;

  /** Milliseconds between two looks for what nobody announced. */
  public static final int DEFAULT_WATCH_INTERVAL = 1_000;

  private String mapName = DEFAULT_MAP_NAME;
  private int lease = DEFAULT_LEASE;
  private int watchInterval = DEFAULT_WATCH_INTERVAL;

  /** The defaults. */
  public RdmaDirectoryOptions() {}

  /** Copies. */
  public RdmaDirectoryOptions(RdmaDirectoryOptions other) {
    this.mapName = other.mapName;
    this.lease = other.lease;
    this.watchInterval = other.watchInterval;
  }

  /**
   * Reads what {@link #toJson} made; what is missing stays at its default.
   *
   * @throws IllegalArgumentException for an unknown key or a value out of range
   */
  public RdmaDirectoryOptions(JsonObject json) {
    TreeSet<String> unknown = new TreeSet<>();
    for (String key : json.fieldNames()) {
      switch (key) {
        case "mapName" -> setMapName(json.getString(key));
        case "lease" -> setLease(json.getInteger(key));
        case "watchInterval" -> setWatchInterval(json.getInteger(key));
        default -> unknown.add(key);
      }
    }
    if (!unknown.isEmpty()) {
      throw new IllegalArgumentException("unknown options: " + unknown);
    }
  }

  /** As JSON. */
  public JsonObject toJson() {
    return new JsonObject()
        .put("mapName", mapName)
        .put("lease", lease)
        .put("watchInterval", watchInterval);
  }

  private static int range(String name, int value, int least, int most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          name + " must be " + least + ".." + most + ", was " + value);
    }
    return value;
  }

  /** The clustered map that holds the entries. */
  public String getMapName() {
    return mapName;
  }

  /** Sets it: directories of different names don't see each other. */
  public RdmaDirectoryOptions setMapName(String mapName) {
    this.mapName = Objects.requireNonNull(mapName, "mapName");
    return this;
  }

  /** Milliseconds an entry lives without being refreshed. */
  public int getLease() {
    return lease;
  }

  /**
   * Sets it, 1,000..600,000 milliseconds. The owner refreshes its entries three times in that time.
   * It matters only when the cluster does not see that a node is gone, or sees it late.
   */
  public RdmaDirectoryOptions setLease(int lease) {
    this.lease = range("lease", lease, 1_000, 600_000);
    return this;
  }

  /** Milliseconds between two looks at the map, of those who watch. */
  public int getWatchInterval() {
    return watchInterval;
  }

  /**
   * Sets it, 100..60,000 milliseconds. Registrations and their ends are announced and seen at once;
   * nodes that were killed, and leases that ran out, at the next look.
   */
  public RdmaDirectoryOptions setWatchInterval(int watchInterval) {
    this.watchInterval = range("watchInterval", watchInterval, 100, 60_000);
    return this;
  }
}
