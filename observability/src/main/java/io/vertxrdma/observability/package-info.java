/** What an operator sees of RDMA connections: meters for Micrometer, a health check for Vert.x. */
package io.vertxrdma.observability;
