package io.vertxrdma.soft.transport;

/** A posted receive. */
final class ReceiveRequest {
  final ScatterList memory = new ScatterList();
  long workRequestId;
}
