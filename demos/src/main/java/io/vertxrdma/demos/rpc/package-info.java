/**
 * Request and response over RDMA: {@code vertx-rdma rpc}, and the small library it is made of.
 *
 * <p>{@link io.vertxrdma.demos.rpc.RpcServer} and {@link io.vertxrdma.demos.rpc.RpcClient} exchange
 * bytes by opcode; {@link io.vertxrdma.demos.rpc.RpcServices} makes both out of an interface. A
 * request is one write with immediate into a slot of the server's, its answer one into a slot of
 * the client's; the immediate has the opcode and the call's id.
 */
package io.vertxrdma.demos.rpc;
