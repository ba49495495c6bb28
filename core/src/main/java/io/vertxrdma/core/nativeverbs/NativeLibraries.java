package io.vertxrdma.core.nativeverbs;

/** The shared libraries' functions as jnr-ffi binds them; see {@link NativeCalls}. */
final class NativeLibraries {

  private NativeLibraries() {}

  /** Functions of libibverbs.so.1. Public, since jnr-ffi implements it in a loader of its own. */
  public interface Verbs {

    long ibv_get_device_name(long device);

    int ibv_query_device(long context, long attr);

    int ibv_query_port(long context, int port, long attr);

    int ibv_query_gid(long context, int port, int index, long gid);

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

    long ibv_create_ah_from_wc(long pd, long workCompletion, long grh, int port);

    int ibv_destroy_ah(long ah);

    int ibv_get_async_event(long context, long event);

    void ibv_ack_async_event(long event);
  }

  /** Functions of librdmacm.so.1. */
  public interface Cm {

    long rdma_create_event_channel();

    void rdma_destroy_event_channel(long channel);

    int rdma_get_cm_event(long channel, long eventOut);

    int rdma_ack_cm_event(long event);

    int rdma_create_id(long channel, long idOut, long context, int portSpace);

    int rdma_destroy_id(long id);

    int rdma_migrate_id(long id, long channel);

    int rdma_set_option(long id, int level, int name, long value, long length);

    int rdma_bind_addr(long id, long sockaddr);

    int rdma_listen(long id, int backlog);

    int rdma_resolve_addr(long id, long source, long destination, int timeoutMillis);

    int rdma_resolve_route(long id, int timeoutMillis);

    int rdma_create_qp(long id, long pd, long initAttr);

    void rdma_destroy_qp(long id);

    int rdma_connect(long id, long connParam);

    int rdma_accept(long id, long connParam);

    int rdma_reject(long id, long privateData, int length);

    int rdma_disconnect(long id);

    long rdma_get_devices(long countOut);

    void rdma_free_devices(long list);
  }

  /** Functions of the C library. */
  public interface C {

    int fcntl(int fd, int command, int argument);
  }
}
