package io.vertxrdma.soft;

import io.vertxrdma.core.ConnParam;
import io.vertxrdma.core.UdParam;
import io.vertxrdma.soft.cm.SidrRequest;
import io.vertxrdma.soft.transport.SoftQueuePair;
import io.vertxrdma.soft.wire.CmSidrRep;
import java.util.function.BooleanSupplier;

/** The side whose datagram queue pair a peer looks for; it is done once it has answered. */
final class PassiveDatagram extends Conversation {

  private final SidrRequest request;

  PassiveDatagram(SoftCmId id, SoftDevice device, SidrRequest request) {
    super(id, device);
    this.request = request;
  }

  @Override
  void accept(ConnParam parameters, SoftQueuePair queuePair) {
    byte[] data = parameters.privateData();
    if (data.length > CmSidrRep.PRIVATE_DATA_LENGTH) {
      // The kernel rejects the peer when it can't send the reply.
      device.call(() -> request.reject(NO_DATA));
      if (queuePair != null) {
        queuePair.toError();
      }
    }
    int number = queuePair == null ? parameters.queuePairNumber() : queuePair.number();
    answer("rdma_accept", data, () -> request.accept(number, UdParam.DEFAULT_QUEUE_KEY, data));
  }

  @Override
  void reject(byte[] privateData) {
    answer("rdma_reject", privateData, () -> request.reject(privateData));
  }

  private void answer(String operation, byte[] data, BooleanSupplier answering) {
    if (data.length > CmSidrRep.PRIVATE_DATA_LENGTH || !device.call(answering::getAsBoolean)) {
      throw SoftErrors.invalid(operation, "private data of " + data.length + " bytes");
    }
  }

  @Override
  void disconnect() {
    // Nothing is connected.
  }

  @Override
  void destroy() {
    device.engine().execute(() -> request.reject(NO_DATA));
  }
}
