package io.vertxrdma.core.nativeverbs;

import com.kenai.jffi.CallContext;
import com.kenai.jffi.CallingConvention;
import com.kenai.jffi.Invoker;
import com.kenai.jffi.LastError;
import com.kenai.jffi.Library;
import com.kenai.jffi.Type;
import io.vertxrdma.core.Availability;
import io.vertxrdma.core.ProviderUnavailableException;
import java.lang.reflect.Method;
import java.util.Arrays;
import jnr.ffi.LibraryLoader;

/**
 * The real calls: cold functions through jnr-ffi, the hot path through jffi's {@link Invoker} on
 * the function pointers of the device, with plain longs, so that a call allocates nothing.
 *
 * <p>Unsigned bytes go as zero-extended ints: some compilers let the callee rely on that.
 */
final class JnrCalls implements NativeCalls {

  static final String VERBS = "libibverbs.so.1";
  static final String CM = "librdmacm.so.1";

  private final Library verbsLibrary;
  private final Library cmLibrary;
  private final NativeLibraries.Verbs verbs;
  private final NativeLibraries.Cm cm;
  private final NativeLibraries.C c;
  private final Invoker invoker = Invoker.getInstance();
  private final LastError lastError = LastError.getInstance();
  private final CallContext two = context(2, false);
  private final CallContext three = context(3, false);
  // Posts keep errno: some drivers return -1 and set it.
  private final CallContext post = context(3, true);

  private JnrCalls(Library verbsLibrary, Library cmLibrary, String verbsName, String cmName) {
    this.verbsLibrary = verbsLibrary;
    this.cmLibrary = cmLibrary;
    this.verbs = LibraryLoader.create(NativeLibraries.Verbs.class).load(verbsName);
    this.cm = LibraryLoader.create(NativeLibraries.Cm.class).load(cmName);
    this.c = LibraryLoader.create(NativeLibraries.C.class).load("c");
  }

  /**
   * Loads the libraries.
   *
   * @throws ProviderUnavailableException saying which library or function is missing
   */
  static JnrCalls load() {
    return load(VERBS, CM);
  }

  static JnrCalls load(String verbsName, String cmName) {
    // libibverbs first, and visible to those loaded later: librdmacm and the drivers need it.
    Library verbs = open(verbsName, Library.GLOBAL, "libibverbs1 (Debian, Ubuntu) or libibverbs");
    Library cm = open(cmName, Library.LOCAL, "librdmacm1 (Debian, Ubuntu) or librdmacm");
    requireAll(verbs, verbsName, NativeLibraries.Verbs.class);
    requireAll(cm, cmName, NativeLibraries.Cm.class);
    return new JnrCalls(verbs, cm, verbsName, cmName);
  }

  private static Library open(String name, int visibility, String packages) {
    Library library = Library.getCachedInstance(name, Library.LAZY | visibility);
    if (library == null) {
      throw missing(
          name
              + " can't be loaded: "
              + Library.getLastError()
              + "; install the package "
              + packages
              + " (Fedora, RHEL, SUSE)");
    }
    return library;
  }

  private static void requireAll(Library library, String name, Class<?> functions) {
    Arrays.stream(functions.getMethods())
        .map(Method::getName)
        .sorted()
        .filter(function -> !has(library, function))
        .findFirst()
        .ifPresent(
            function -> {
              throw missing(name + " has no function " + function + "; a newer rdma-core has it");
            });
  }

  private static boolean has(Library library, String function) {
    try {
      return library.getSymbolAddress(function) != 0;
    } catch (UnsatisfiedLinkError e) {
      return false;
    }
  }

  private static ProviderUnavailableException missing(String reason) {
    return new ProviderUnavailableException(
        NativeProvider.NAME, Availability.unavailable(Availability.Cause.LIBRARY_MISSING, reason));
  }

  private static CallContext context(int parameters, boolean saveErrno) {
    Type[] types = new Type[parameters];
    Arrays.fill(types, Type.SINT64);
    return CallContext.getCallContext(Type.SINT64, types, CallingConvention.DEFAULT, saveErrno);
  }

  @Override
  public int errno() {
    return lastError.get();
  }

  @Override
  public boolean hasSymbol(String name) {
    return has(verbsLibrary, name) || has(cmLibrary, name);
  }

  @Override
  public long rdma_create_event_channel() {
    return cm.rdma_create_event_channel();
  }

  @Override
  public void rdma_destroy_event_channel(long channel) {
    cm.rdma_destroy_event_channel(channel);
  }

  @Override
  public int rdma_get_cm_event(long channel, long eventOut) {
    return cm.rdma_get_cm_event(channel, eventOut);
  }

  @Override
  public int rdma_ack_cm_event(long event) {
    return cm.rdma_ack_cm_event(event);
  }

  @Override
  public int rdma_create_id(long channel, long idOut, long context, int portSpace) {
    return cm.rdma_create_id(channel, idOut, context, portSpace);
  }

  @Override
  public int rdma_destroy_id(long id) {
    return cm.rdma_destroy_id(id);
  }

  @Override
  public int rdma_migrate_id(long id, long channel) {
    return cm.rdma_migrate_id(id, channel);
  }

  @Override
  public int rdma_set_option(long id, int level, int name, long value, long length) {
    return cm.rdma_set_option(id, level, name, value, length);
  }

  @Override
  public int rdma_bind_addr(long id, long sockaddr) {
    return cm.rdma_bind_addr(id, sockaddr);
  }

  @Override
  public int rdma_listen(long id, int backlog) {
    return cm.rdma_listen(id, backlog);
  }

  @Override
  public int rdma_resolve_addr(long id, long source, long destination, int timeoutMillis) {
    return cm.rdma_resolve_addr(id, source, destination, timeoutMillis);
  }

  @Override
  public int rdma_resolve_route(long id, int timeoutMillis) {
    return cm.rdma_resolve_route(id, timeoutMillis);
  }

  @Override
  public int rdma_create_qp(long id, long pd, long initAttr) {
    return cm.rdma_create_qp(id, pd, initAttr);
  }

  @Override
  public void rdma_destroy_qp(long id) {
    cm.rdma_destroy_qp(id);
  }

  @Override
  public int rdma_connect(long id, long connParam) {
    return cm.rdma_connect(id, connParam);
  }

  @Override
  public int rdma_accept(long id, long connParam) {
    return cm.rdma_accept(id, connParam);
  }

  @Override
  public int rdma_reject(long id, long privateData, byte length) {
    return cm.rdma_reject(id, privateData, length & 0xFF);
  }

  @Override
  public int rdma_disconnect(long id) {
    return cm.rdma_disconnect(id);
  }

  @Override
  public long rdma_get_devices(long countOut) {
    return cm.rdma_get_devices(countOut);
  }

  @Override
  public void rdma_free_devices(long list) {
    cm.rdma_free_devices(list);
  }

  @Override
  public long ibv_get_device_name(long device) {
    return verbs.ibv_get_device_name(device);
  }

  @Override
  public int ibv_query_device(long context, long attr) {
    return verbs.ibv_query_device(context, attr);
  }

  @Override
  public int ibv_query_port(long context, byte port, long attr) {
    return verbs.ibv_query_port(context, port & 0xFF, attr);
  }

  @Override
  public int ibv_query_gid(long context, byte port, int index, long gid) {
    return verbs.ibv_query_gid(context, port & 0xFF, index, gid);
  }

  @Override
  public long ibv_alloc_pd(long context) {
    return verbs.ibv_alloc_pd(context);
  }

  @Override
  public int ibv_dealloc_pd(long pd) {
    return verbs.ibv_dealloc_pd(pd);
  }

  @Override
  public long ibv_reg_mr(long pd, long address, long length, int access) {
    return verbs.ibv_reg_mr(pd, address, length, access);
  }

  @Override
  public int ibv_dereg_mr(long mr) {
    return verbs.ibv_dereg_mr(mr);
  }

  @Override
  public long ibv_create_comp_channel(long context) {
    return verbs.ibv_create_comp_channel(context);
  }

  @Override
  public int ibv_destroy_comp_channel(long channel) {
    return verbs.ibv_destroy_comp_channel(channel);
  }

  @Override
  public long ibv_create_cq(long context, int entries, long cqContext, long channel, int vector) {
    return verbs.ibv_create_cq(context, entries, cqContext, channel, vector);
  }

  @Override
  public int ibv_resize_cq(long cq, int entries) {
    return verbs.ibv_resize_cq(cq, entries);
  }

  @Override
  public int ibv_destroy_cq(long cq) {
    return verbs.ibv_destroy_cq(cq);
  }

  @Override
  public int ibv_get_cq_event(long channel, long cqOut, long contextOut) {
    return verbs.ibv_get_cq_event(channel, cqOut, contextOut);
  }

  @Override
  public void ibv_ack_cq_events(long cq, int count) {
    verbs.ibv_ack_cq_events(cq, count);
  }

  @Override
  public long ibv_create_srq(long pd, long initAttr) {
    return verbs.ibv_create_srq(pd, initAttr);
  }

  @Override
  public int ibv_modify_srq(long srq, long attr, int mask) {
    return verbs.ibv_modify_srq(srq, attr, mask);
  }

  @Override
  public int ibv_query_srq(long srq, long attr) {
    return verbs.ibv_query_srq(srq, attr);
  }

  @Override
  public int ibv_destroy_srq(long srq) {
    return verbs.ibv_destroy_srq(srq);
  }

  @Override
  public int ibv_modify_qp(long qp, long attr, int mask) {
    return verbs.ibv_modify_qp(qp, attr, mask);
  }

  @Override
  public int ibv_query_qp(long qp, long attr, int mask, long initAttr) {
    return verbs.ibv_query_qp(qp, attr, mask, initAttr);
  }

  @Override
  public long ibv_create_ah(long pd, long attr) {
    return verbs.ibv_create_ah(pd, attr);
  }

  @Override
  public long ibv_create_ah_from_wc(long pd, long workCompletion, long grh, byte port) {
    return verbs.ibv_create_ah_from_wc(pd, workCompletion, grh, port & 0xFF);
  }

  @Override
  public int ibv_destroy_ah(long ah) {
    return verbs.ibv_destroy_ah(ah);
  }

  @Override
  public int ibv_get_async_event(long context, long event) {
    return verbs.ibv_get_async_event(context, event);
  }

  @Override
  public void ibv_ack_async_event(long event) {
    verbs.ibv_ack_async_event(event);
  }

  @Override
  public int fcntl(int fd, int command, int argument) {
    return c.fcntl(fd, command, argument);
  }

  @Override
  public int poll_cq(long function, long cq, int entries, long workCompletions) {
    return (int) invoker.invokeL3NoErrno(three, function, cq, entries, workCompletions);
  }

  @Override
  public int req_notify_cq(long function, long cq, int solicitedOnly) {
    return (int) invoker.invokeL2NoErrno(two, function, cq, solicitedOnly);
  }

  @Override
  public int post_send(long function, long qp, long workRequest, long badOut) {
    return (int) invoker.invokeL3(post, function, qp, workRequest, badOut);
  }

  @Override
  public int post_recv(long function, long qp, long workRequest, long badOut) {
    return (int) invoker.invokeL3(post, function, qp, workRequest, badOut);
  }

  @Override
  public int post_srq_recv(long function, long srq, long workRequest, long badOut) {
    return (int) invoker.invokeL3(post, function, srq, workRequest, badOut);
  }
}
