/**
 * RDMA endpoints of several machines find each other through a Vert.x cluster manager, which
 * carries names and addresses and none of the data.
 */
package io.vertxrdma.directory;
