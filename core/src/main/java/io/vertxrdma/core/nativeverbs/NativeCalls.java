package io.vertxrdma.core.nativeverbs;

/**
 * The C functions the native provider calls, one method each, pointers as {@code long}.
 *
 * <p>Results are raw: what the C function returns, sign and all. {@link #errno()} belongs to the
 * last call of the same thread and must be read before the next one. The calls of the hot path take
 * the function pointer found in {@code ibv_context.ops}. The real implementation is {@link
 * JnrCalls}; tests script another.
 */
interface NativeCalls {

  /** The errno left by this thread's last call. */
  int errno();

  /** Whether an optional symbol exists. */
  boolean hasSymbol(String name);

  // librdmacm: event channel

  long rdma_create_event_channel();

  void rdma_destroy_event_channel(long channel);

  int rdma_get_cm_event(long channel, long eventOut);

  int rdma_ack_cm_event(long event);

  // librdmacm: ids

  int rdma_create_id(long channel, long idOut, long context, int portSpace);

  int rdma_destroy_id(long id);

  int rdma_migrate_id(long id, long channel);

  int rdma_set_option(long id, int level, int name, long value, long length);

  int rdma_bind_addr(long id, long sockaddr);

  int rdma_listen(long id, int backlog);

  int rdma_resolve_addr(long id, long source, long destination, int timeoutMillis);

  int rdma_resolve_route(long id, int timeoutMillis);

  /** Sets {@code rdma_cm_id.qp} and writes the capacities given back into the init attributes. */
  int rdma_create_qp(long id, long pd, long initAttr);

  void rdma_destroy_qp(long id);

  int rdma_connect(long id, long connParam);

  int rdma_accept(long id, long connParam);

  int rdma_reject(long id, long privateData, byte length);

  int rdma_disconnect(long id);

  // librdmacm: devices

  /**
   * The contexts librdmacm itself opened, so that objects made on them fit its ids: a
   * null-terminated array of {@code ibv_context} pointers, their number in an int at {@code
   * countOut}; 0 with errno on failure.
   */
  long rdma_get_devices(long countOut);

  /** Gives back the array, and the references on the devices that came with it. */
  void rdma_free_devices(long list);

  // libibverbs: devices

  /** A C string, given an {@code ibv_device}. */
  long ibv_get_device_name(long device);

  int ibv_query_device(long context, long attr);

  int ibv_query_port(long context, byte port, long attr);

  int ibv_query_gid(long context, byte port, int index, long gid);

  // libibverbs: objects

  long ibv_alloc_pd(long context);

  int ibv_dealloc_pd(long pd);

  long ibv_reg_mr(long pd, long address, long length, int access);

  int ibv_dereg_mr(long mr);

  long ibv_create_comp_channel(long context);

  int ibv_destroy_comp_channel(long channel);

  long ibv_create_cq(long context, int entries, long cqContext, long channel, int vector);

  int ibv_resize_cq(long cq, int entries);

  int ibv_destroy_cq(long cq);

  int ibv_get_cq_event(long channel, long cqOut, long contextOut);

  void ibv_ack_cq_events(long cq, int count);

  long ibv_create_srq(long pd, long initAttr);

  int ibv_modify_srq(long srq, long attr, int mask);

  int ibv_query_srq(long srq, long attr);

  int ibv_destroy_srq(long srq);

  int ibv_modify_qp(long qp, long attr, int mask);

  int ibv_query_qp(long qp, long attr, int mask, long initAttr);

  long ibv_create_ah(long pd, long attr);

  long ibv_create_ah_from_wc(long pd, long workCompletion, long grh, byte port);

  int ibv_destroy_ah(long ah);

  int ibv_get_async_event(long context, long event);

  void ibv_ack_async_event(long event);

  // libc

  /** {@code fcntl(fd, command, argument)}. */
  int fcntl(int fd, int command, int argument);

  // the hot path: through ibv_context.ops

  int poll_cq(long function, long cq, int entries, long workCompletions);

  int req_notify_cq(long function, long cq, int solicitedOnly);

  int post_send(long function, long qp, long workRequest, long badOut);

  int post_recv(long function, long qp, long workRequest, long badOut);

  int post_srq_recv(long function, long srq, long workRequest, long badOut);
}
