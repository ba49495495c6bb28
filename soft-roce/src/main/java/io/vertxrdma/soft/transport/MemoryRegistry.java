package io.vertxrdma.soft.transport;

import io.netty.util.collection.IntObjectHashMap;
import java.security.SecureRandom;
import java.util.Map;
import java.util.TreeMap;

/**
 * The registered memory of a device: hands out addresses and keys, finds regions by them. Device
 * lock held.
 *
 * <p>Addresses are not those of the process: they only have to be unique. Keys are random, because
 * a remote key is what keeps a peer that was never told it out of the memory.
 */
final class MemoryRegistry {

  private static final long PAGE = 4096;
  private static final long FIRST_ADDRESS = 0x1000_0000_0000L;

  private final SecureRandom random = new SecureRandom();
  private final IntObjectHashMap<SoftMemoryRegion> byLocalKey = new IntObjectHashMap<>();
  private final IntObjectHashMap<SoftMemoryRegion> byRemoteKey = new IntObjectHashMap<>();
  private final TreeMap<Long, SoftMemoryRegion> byAddress = new TreeMap<>();
  private long nextAddress = FIRST_ADDRESS;

  /** A page-aligned address for so many bytes, with a page that belongs to nobody behind them. */
  long allocateAddress(long length) {
    long address = nextAddress;
    nextAddress += (length + PAGE - 1) / PAGE * PAGE + PAGE;
    return address;
  }

  /** A key that no region has, and never 0. */
  int allocateKey() {
    int key;
    do {
      key = random.nextInt();
    } while (key == 0 || byLocalKey.containsKey(key) || byRemoteKey.containsKey(key));
    return key;
  }

  void add(SoftMemoryRegion region) {
    byLocalKey.put(region.lkey, region);
    byRemoteKey.put(region.rkey, region);
    byAddress.put(region.start, region);
  }

  void remove(SoftMemoryRegion region) {
    byLocalKey.remove(region.lkey);
    byRemoteKey.remove(region.rkey);
    byAddress.remove(region.start);
  }

  int size() {
    return byLocalKey.size();
  }

  /** The region of a local key if it allows the access, else null. */
  SoftMemoryRegion local(
      int localKey, SoftProtectionDomain domain, long address, long length, int access) {
    return allowed(byLocalKey.get(localKey), domain, address, length, access);
  }

  /** The region of a remote key if it allows the access, else null. */
  SoftMemoryRegion remote(
      int remoteKey, SoftProtectionDomain domain, long address, long length, int access) {
    return allowed(byRemoteKey.get(remoteKey), domain, address, length, access);
  }

  private static SoftMemoryRegion allowed(
      SoftMemoryRegion region, SoftProtectionDomain domain, long address, long length, int access) {
    return region != null
            && region.domain == domain
            && (region.access & access) == access
            && region.contains(address, length)
        ? region
        : null;
  }

  /** The region that has those bytes, whatever its rights, or null. */
  SoftMemoryRegion containing(long address, long length) {
    Map.Entry<Long, SoftMemoryRegion> entry = byAddress.floorEntry(address);
    return entry != null && entry.getValue().contains(address, length) ? entry.getValue() : null;
  }
}
