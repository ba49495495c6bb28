package io.vertxrdma.core.nativeverbs;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;
import java.util.function.ToIntFunction;

/**
 * The inside of the fake: state, lock, call log, errno, devices. Every call runs script, model and
 * after-hook in this order; only the model runs under the lock, so scripts may block.
 */
abstract class FakeEngine {

  private static final int LOGGED = 100_000;
  private static final int F_GETFL = 3;

  final Object lock = new Object();
  final FakeMemory memory = new FakeMemory();
  final FakeAbi abi = new FakeAbi(memory);
  final FakeModel model = new FakeModel();
  final FakeScripts scripts = new FakeScripts();
  final Map<String, FakeDevice> devices = new LinkedHashMap<>();
  final FakeCm cm;
  final FakeCmEvents events;
  final FakePeers peers;
  final FakeVerbs verbs;
  final FakeDataPath data;
  final FakeWire wire;
  final FakeDatagrams datagrams;

  volatile Duration patience = Duration.ofSeconds(2);
  volatile boolean strictAddresses;
  volatile boolean loopbackOnly;
  volatile boolean timewaitExit;
  volatile boolean holdSends;
  volatile boolean flushReceivesPostedInError;
  volatile boolean roundCapacities;
  volatile boolean garbageCollection;
  volatile long memoryLockLimit = Long.MAX_VALUE;

  private final ThreadLocal<Integer> errno = ThreadLocal.withInitial(() -> 0);
  private final Deque<FakeCall> calls = new ArrayDeque<>();
  private final List<String> violations = new CopyOnWriteArrayList<>();
  private final Set<String> missing = new LinkedHashSet<>();
  private final Set<Long> lists = new LinkedHashSet<>();

  FakeEngine() {
    // The parts know the public type, which is the only subclass.
    FakeNativeCalls self = (FakeNativeCalls) this;
    cm = new FakeCm(self);
    events = new FakeCmEvents(self);
    peers = new FakePeers(self);
    verbs = new FakeVerbs(self);
    data = new FakeDataPath(self);
    wire = new FakeWire(self);
    datagrams = new FakeDatagrams(self);
  }

  long run(FakeCall call, LongSupplier body) {
    synchronized (calls) {
      calls.add(call);
      if (calls.size() > LOGGED) {
        calls.removeFirst();
      }
    }
    FakeScripts.Outcome outcome = scripts.outcome(call);
    long result;
    if (outcome != null) {
      errno.set(outcome.errno());
      result = outcome.value();
    } else {
      synchronized (lock) {
        // A call that succeeds may leave anything here; whoever reads errno late gets this.
        errno.set(0);
        result = body.getAsLong();
      }
    }
    scripts.finished(call);
    return result;
  }

  void run(FakeCall call, Runnable body) {
    run(
        call,
        () -> {
          body.run();
          return 0;
        });
  }

  int currentErrno() {
    return errno.get();
  }

  void setErrno(int number) {
    errno.set(number);
  }

  int fail(int number, int result) {
    errno.set(number);
    return result;
  }

  void violation(String what) {
    violations.add(what);
  }

  /** Records the use of something that is not there, or no more; EINVAL as a value. */
  int misuse(String function, long pointer) {
    violation(
        function
            + (memory.wasFreed(pointer) ? " on a freed pointer 0x" : " on an unknown pointer 0x")
            + Long.toHexString(pointer));
    return fail(22, 22);
  }

  List<FakeCall> callLog() {
    synchronized (calls) {
      return List.copyOf(calls);
    }
  }

  void forgetCalls() {
    synchronized (calls) {
      calls.clear();
    }
  }

  List<String> violationList() {
    return violations;
  }

  boolean isMissing(String symbol) {
    return missing.contains(symbol);
  }

  void addMissing(String symbol) {
    missing.add(symbol);
  }

  void collectGarbageIfAsked() {
    if (garbageCollection) {
      System.gc();
    }
  }

  int rounded(int wanted) {
    return roundCapacities && wanted > 0 ? Integer.highestOneBit(wanted) * 2 - 1 : wanted;
  }

  // devices

  FakeDevice firstDevice() {
    return devices.values().stream().filter(device -> !device.isRemoved()).findFirst().orElse(null);
  }

  FakeDevice device(long context, String function) {
    for (FakeDevice device : devices.values()) {
      if (device.context == context) {
        return device;
      }
    }
    misuse(function, context);
    return null;
  }

  int known(long context, String function, ToIntFunction<FakeDevice> body) {
    FakeDevice device = device(context, function);
    return device == null ? 22 : body.applyAsInt(device);
  }

  long deviceList(long countOut) {
    List<FakeDevice> present = new ArrayList<>(devices.values());
    present.removeIf(FakeDevice::isRemoved);
    if (present.isEmpty()) {
      return fail(19, 0);
    }
    long list = memory.allocate(8 * (present.size() + 1));
    for (int i = 0; i < present.size(); i++) {
      memory.put(list + 8L * i, 8, present.get(i).context);
    }
    if (countOut != 0) {
      memory.put(countOut, 4, present.size());
    }
    lists.add(list);
    return list;
  }

  void freeDeviceList(long list) {
    if (!lists.remove(list)) {
      misuse("rdma_free_devices", list);
      return;
    }
    memory.free(list);
  }

  // asynchronous events

  void async(FakeDevice device, long element, int type) {
    ByteBuffer event = ByteBuffer.allocate(16).order(ByteOrder.nativeOrder());
    device.asyncEvents.add(event.putLong(0, element).putInt(8, type).array());
    device.async.setReadable(true);
  }

  int getAsync(long context, long target) {
    FakeDevice device = device(context, "ibv_get_async_event");
    if (device == null) {
      return fail(22, -1);
    }
    byte[] event = device.asyncEvents.poll();
    device.async.setReadable(!device.asyncEvents.isEmpty());
    if (event == null) {
      if (!device.async.isNonBlocking()) {
        violation("ibv_get_async_event blocks: the descriptor is not O_NONBLOCK");
      }
      return fail(11, -1);
    }
    device.fetchedAsync++;
    memory.write(target, event);
    return 0;
  }

  void ackAsync() {
    for (FakeDevice device : devices.values()) {
      if (device.ackedAsync < device.fetchedAsync) {
        device.ackedAsync++;
        return;
      }
    }
    violation("ibv_ack_async_event without an event");
  }

  // descriptors and function pointers

  int descriptorControl(int fd, int command, int argument) {
    List<FakeDescriptor> all = new ArrayList<>();
    model.channels.values().forEach(channel -> all.add(channel.descriptor));
    model.compChannels.values().forEach(channel -> all.add(channel.descriptor));
    devices.values().forEach(device -> all.add(device.async));
    devices.values().forEach(device -> all.add(device.command));
    for (FakeDescriptor descriptor : all) {
      if (descriptor.number() == fd) {
        return descriptor.fcntl(command, argument);
      }
    }
    if (command == F_GETFL) {
      // A look at a number that may be no descriptor at all harms nobody.
      return FakeLibc.LIBC.fcntl(fd, command, argument) < 0 ? fail(9, -1) : 0;
    }
    violation("fcntl changes descriptor " + fd + ", which is nobody's");
    return fail(9, -1);
  }

  void checkFunction(String name, long function) {
    for (FakeDevice device : devices.values()) {
      if (device.function(name) == function) {
        return;
      }
    }
    violation("crash: " + name + " through function pointer 0x" + Long.toHexString(function));
  }

  /** The work requests of a chain, after a look at what a driver takes on trust. */
  List<Long> chain(String name, long function, long first, long badOut) {
    checkFunction(name, function);
    if (badOut == 0) {
      violation("crash: " + name + " without room for bad_wr");
    }
    List<Long> chain = new ArrayList<>();
    for (long at = first; at != 0 && chain.size() < 1_000_000; at = memory.i64(at + 8)) {
      chain.add(at);
    }
    return chain;
  }

  FakeCall posting(String name, List<Long> chain, int size, long function, long on, long bad) {
    List<byte[]> requests = new ArrayList<>(chain.size());
    List<FakeModel.Sge> entries = new ArrayList<>();
    for (long at : chain) {
      requests.add(memory.read(at, size));
      entries.addAll(data.entries(memory.i64(at + 16), memory.i32(at + 24)));
    }
    ByteBuffer all = ByteBuffer.allocate(entries.size() * 16).order(ByteOrder.nativeOrder());
    entries.forEach(sge -> all.putLong(sge.address()).putInt(sge.length()).putInt(sge.lkey()));
    long[] arguments = {function, on, chain.isEmpty() ? 0 : chain.get(0), bad};
    return new FakeCall(name, arguments, requests, all.array());
  }
}
