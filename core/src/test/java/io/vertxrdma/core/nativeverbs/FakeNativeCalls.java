package io.vertxrdma.core.nativeverbs;

import java.util.List;

/**
 * The C functions, played by a small model of librdmacm, libibverbs and the kernel in real native
 * memory. How to script it is in {@link FakeScripting}, its base.
 */
public final class FakeNativeCalls extends FakeScripting implements NativeCalls {

  private static final byte[] NOTHING = {};

  /** A fake with one RoCE device {@code fake0} that has the addresses 10.0.0.1 and 10.0.0.2. */
  public FakeNativeCalls() {
    device("fake0").address("10.0.0.1").address("10.0.0.2");
  }

  private int intCall(FakeCall call, IntBody body) {
    return (int) run(call, body::run);
  }

  private interface IntBody {
    int run();
  }

  private static FakeCall call(String name, long... arguments) {
    return new FakeCall(name, arguments, List.of(), NOTHING);
  }

  private FakeCall withStruct(String name, byte[] struct, byte[] data, long... arguments) {
    return new FakeCall(name, arguments, struct.length == 0 ? List.of() : List.of(struct), data);
  }

  private byte[] struct(long pointer, int size) {
    return pointer == 0 ? NOTHING : memory.read(pointer, size);
  }

  private FakeCall withParam(String name, long id, long param) {
    collectGarbageIfAsked();
    byte[] bytes = struct(param, FakeAbi.PARAM_SIZE);
    byte[] data = NOTHING;
    if (bytes.length > 0) {
      long pointer = memory.i64(param);
      data = pointer == 0 ? NOTHING : memory.read(pointer, bytes[FakeAbi.PARAM_PRIVATE_LEN] & 0xFF);
    }
    return withStruct(name, bytes, data, id, param);
  }

  @Override
  public int errno() {
    return currentErrno();
  }

  @Override
  public boolean hasSymbol(String name) {
    return !isMissing(name);
  }

  @Override
  public long rdma_create_event_channel() {
    return run(call("rdma_create_event_channel"), cm::createChannel);
  }

  @Override
  public void rdma_destroy_event_channel(long channel) {
    run(call("rdma_destroy_event_channel", channel), () -> cm.destroyChannel(channel));
  }

  @Override
  public int rdma_get_cm_event(long channel, long eventOut) {
    FakeCall call = call("rdma_get_cm_event", channel, eventOut);
    return intCall(call, () -> events.get(channel, eventOut));
  }

  @Override
  public int rdma_ack_cm_event(long event) {
    return intCall(call("rdma_ack_cm_event", event), () -> events.ack(event));
  }

  @Override
  public int rdma_create_id(long channel, long idOut, long context, int portSpace) {
    FakeCall call = call("rdma_create_id", channel, idOut, context, portSpace);
    return intCall(call, () -> cm.createId(channel, idOut, context, portSpace));
  }

  @Override
  public int rdma_destroy_id(long id) {
    return intCall(call("rdma_destroy_id", id), () -> cm.destroyId(id));
  }

  @Override
  public int rdma_migrate_id(long id, long channel) {
    return intCall(call("rdma_migrate_id", id, channel), () -> cm.migrate(id, channel));
  }

  @Override
  public int rdma_set_option(long id, int level, int name, long value, long length) {
    byte[] bytes = struct(value, (int) Math.min(length, 256));
    FakeCall call = withStruct("rdma_set_option", bytes, NOTHING, id, level, name, value, length);
    return intCall(call, () -> cm.setOption(id, level, name, length));
  }

  @Override
  public int rdma_bind_addr(long id, long sockaddr) {
    byte[] bytes = memory.sockaddr(sockaddr);
    FakeCall call = withStruct("rdma_bind_addr", bytes, NOTHING, id, sockaddr);
    return intCall(call, () -> cm.bind(id, bytes));
  }

  @Override
  public int rdma_listen(long id, int backlog) {
    return intCall(call("rdma_listen", id, backlog), () -> cm.listen(id));
  }

  @Override
  public int rdma_resolve_addr(long id, long source, long destination, int timeoutMillis) {
    byte[] from = memory.sockaddr(source);
    byte[] to = memory.sockaddr(destination);
    FakeCall call =
        withStruct("rdma_resolve_addr", to, from, id, source, destination, timeoutMillis);
    return intCall(call, () -> cm.resolveAddress(id, from, to));
  }

  @Override
  public int rdma_resolve_route(long id, int timeoutMillis) {
    FakeCall call = call("rdma_resolve_route", id, timeoutMillis);
    return intCall(call, () -> cm.resolveRoute(id, timeoutMillis));
  }

  @Override
  public int rdma_create_qp(long id, long pd, long initAttr) {
    byte[] init = struct(initAttr, FakeAbi.QP_INIT_ATTR_SIZE);
    FakeCall call = withStruct("rdma_create_qp", init, NOTHING, id, pd, initAttr);
    return intCall(call, () -> verbs.createQp(id, pd, initAttr, init));
  }

  @Override
  public void rdma_destroy_qp(long id) {
    run(call("rdma_destroy_qp", id), () -> verbs.destroyQp(id));
  }

  @Override
  public int rdma_connect(long id, long connParam) {
    FakeCall call = withParam("rdma_connect", id, connParam);
    return intCall(call, () -> cm.connect(id, call.struct(), call.data()));
  }

  @Override
  public int rdma_accept(long id, long connParam) {
    FakeCall call = withParam("rdma_accept", id, connParam);
    return intCall(call, () -> cm.accept(id, call.struct(), call.data()));
  }

  @Override
  public int rdma_reject(long id, long privateData, byte length) {
    collectGarbageIfAsked();
    byte[] data = struct(privateData, length & 0xFF);
    if ((privateData == 0) != (length == 0)) {
      violation("rdma_reject with private data " + privateData + " and length " + length);
    }
    FakeCall call = withStruct("rdma_reject", NOTHING, data, id, privateData, length);
    return intCall(call, () -> cm.reject(id, data));
  }

  @Override
  public int rdma_disconnect(long id) {
    return intCall(call("rdma_disconnect", id), () -> cm.disconnect(id));
  }

  @Override
  public long rdma_get_devices(long countOut) {
    return run(call("rdma_get_devices", countOut), () -> deviceList(countOut));
  }

  @Override
  public void rdma_free_devices(long list) {
    run(call("rdma_free_devices", list), () -> freeDeviceList(list));
  }

  @Override
  public long ibv_get_device_name(long device) {
    return run(call("ibv_get_device_name", device), () -> device + FakeAbi.DEVICE_NAME);
  }

  @Override
  public int ibv_query_device(long context, long attr) {
    FakeCall call = call("ibv_query_device", context, attr);
    return intCall(call, () -> known(context, call.name(), device -> device.query(attr)));
  }

  @Override
  public int ibv_query_port(long context, byte port, long attr) {
    FakeCall call = call("ibv_query_port", context, port, attr);
    return intCall(
        call, () -> known(context, call.name(), device -> device.queryPort(port & 0xFF, attr)));
  }

  @Override
  public int ibv_query_gid(long context, byte port, int index, long gid) {
    FakeCall call = call("ibv_query_gid", context, port, index, gid);
    return intCall(
        call,
        () ->
            known(context, call.name(), device -> device.queryGid(port, index, gid) ? 0 : 1) == 0
                ? 0
                : fail(22, -1));
  }

  @Override
  public long ibv_alloc_pd(long context) {
    return run(call("ibv_alloc_pd", context), () -> verbs.allocPd(context));
  }

  @Override
  public int ibv_dealloc_pd(long pd) {
    return intCall(call("ibv_dealloc_pd", pd), () -> verbs.deallocPd(pd));
  }

  @Override
  public long ibv_reg_mr(long pd, long address, long length, int access) {
    FakeCall call = call("ibv_reg_mr", pd, address, length, access);
    return run(call, () -> verbs.regMr(pd, address, length, access));
  }

  @Override
  public int ibv_dereg_mr(long mr) {
    return intCall(call("ibv_dereg_mr", mr), () -> verbs.deregMr(mr));
  }

  @Override
  public long ibv_create_comp_channel(long context) {
    FakeCall call = call("ibv_create_comp_channel", context);
    return run(call, () -> verbs.createCompChannel(context));
  }

  @Override
  public int ibv_destroy_comp_channel(long channel) {
    FakeCall call = call("ibv_destroy_comp_channel", channel);
    return intCall(call, () -> verbs.destroyCompChannel(channel));
  }

  @Override
  public long ibv_create_cq(long context, int entries, long cqContext, long channel, int vector) {
    FakeCall call = call("ibv_create_cq", context, entries, cqContext, channel, vector);
    return run(call, () -> verbs.createCq(context, entries, cqContext, channel));
  }

  @Override
  public int ibv_resize_cq(long cq, int entries) {
    return intCall(call("ibv_resize_cq", cq, entries), () -> verbs.resizeCq(cq, entries));
  }

  @Override
  public int ibv_destroy_cq(long cq) {
    return intCall(call("ibv_destroy_cq", cq), () -> verbs.destroyCq(cq));
  }

  @Override
  public int ibv_get_cq_event(long channel, long cqOut, long contextOut) {
    FakeCall call = call("ibv_get_cq_event", channel, cqOut, contextOut);
    return intCall(call, () -> data.getEvent(channel, cqOut, contextOut));
  }

  @Override
  public void ibv_ack_cq_events(long cq, int count) {
    run(call("ibv_ack_cq_events", cq, count), () -> data.ackEvents(cq, count));
  }

  @Override
  public long ibv_create_srq(long pd, long initAttr) {
    byte[] init = struct(initAttr, FakeAbi.SRQ_INIT_ATTR_SIZE);
    FakeCall call = withStruct("ibv_create_srq", init, NOTHING, pd, initAttr);
    return run(call, () -> verbs.createSrq(pd, initAttr, init));
  }

  @Override
  public int ibv_modify_srq(long srq, long attr, int mask) {
    byte[] bytes = struct(attr, FakeAbi.SRQ_ATTR_SIZE);
    FakeCall call = withStruct("ibv_modify_srq", bytes, NOTHING, srq, attr, mask);
    return intCall(call, () -> verbs.modifySrq(srq, bytes, mask));
  }

  @Override
  public int ibv_query_srq(long srq, long attr) {
    return intCall(call("ibv_query_srq", srq, attr), () -> verbs.querySrq(srq, attr));
  }

  @Override
  public int ibv_destroy_srq(long srq) {
    return intCall(call("ibv_destroy_srq", srq), () -> verbs.destroySrq(srq));
  }

  @Override
  public int ibv_modify_qp(long qp, long attr, int mask) {
    byte[] bytes = struct(attr, FakeAbi.QP_ATTR_SIZE);
    FakeCall call = withStruct("ibv_modify_qp", bytes, NOTHING, qp, attr, mask);
    return intCall(call, () -> verbs.modifyQp(qp, bytes, mask));
  }

  @Override
  public int ibv_query_qp(long qp, long attr, int mask, long initAttr) {
    FakeCall call = call("ibv_query_qp", qp, attr, mask, initAttr);
    return intCall(call, () -> verbs.queryQp(qp, attr, initAttr));
  }

  @Override
  public long ibv_create_ah(long pd, long attr) {
    byte[] bytes = struct(attr, FakeAbi.AH_ATTR_SIZE);
    FakeCall call = withStruct("ibv_create_ah", bytes, NOTHING, pd, attr);
    return run(call, () -> datagrams.createAh(pd, bytes));
  }

  @Override
  public long ibv_create_ah_from_wc(long pd, long workCompletion, long grh, byte port) {
    byte[] completion = struct(workCompletion, FakeAbi.WC_SIZE);
    byte[] header = struct(grh, 40);
    FakeCall call =
        withStruct("ibv_create_ah_from_wc", completion, header, pd, workCompletion, grh, port);
    return run(call, () -> datagrams.createAhFromCompletion(pd, completion, header, port & 0xFF));
  }

  @Override
  public int ibv_destroy_ah(long ah) {
    return intCall(call("ibv_destroy_ah", ah), () -> datagrams.destroyAh(ah));
  }

  @Override
  public int ibv_get_async_event(long context, long event) {
    return intCall(call("ibv_get_async_event", context, event), () -> getAsync(context, event));
  }

  @Override
  public void ibv_ack_async_event(long event) {
    run(call("ibv_ack_async_event", event), this::ackAsync);
  }

  @Override
  public int fcntl(int fd, int command, int argument) {
    return intCall(
        call("fcntl", fd, command, argument), () -> descriptorControl(fd, command, argument));
  }

  @Override
  public int poll_cq(long function, long cq, int entries, long workCompletions) {
    FakeCall call = call("poll_cq", function, cq, entries, workCompletions);
    checkFunction("poll_cq", function);
    return intCall(call, () -> data.poll(cq, entries, workCompletions));
  }

  @Override
  public int req_notify_cq(long function, long cq, int solicitedOnly) {
    checkFunction("req_notify_cq", function);
    return intCall(call("req_notify_cq", function, cq, solicitedOnly), () -> data.arm(cq));
  }

  @Override
  public int post_send(long function, long qp, long workRequest, long badOut) {
    List<Long> chain = chain("post_send", function, workRequest, badOut);
    FakeCall call = posting("post_send", chain, FakeAbi.SEND_WR_SIZE, function, qp, badOut);
    return intCall(call, () -> data.postSend(qp, chain, call.structs(), badOut));
  }

  @Override
  public int post_recv(long function, long qp, long workRequest, long badOut) {
    List<Long> chain = chain("post_recv", function, workRequest, badOut);
    FakeCall call = posting("post_recv", chain, FakeAbi.RECV_WR_SIZE, function, qp, badOut);
    return intCall(call, () -> data.postReceive(qp, chain, call.structs(), badOut));
  }

  @Override
  public int post_srq_recv(long function, long srq, long workRequest, long badOut) {
    List<Long> chain = chain("post_srq_recv", function, workRequest, badOut);
    FakeCall call = posting("post_srq_recv", chain, FakeAbi.RECV_WR_SIZE, function, srq, badOut);
    return intCall(call, () -> data.postSrqReceive(srq, chain, call.structs(), badOut));
  }
}
