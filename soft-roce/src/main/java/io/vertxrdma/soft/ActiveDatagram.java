package io.vertxrdma.soft;

import io.vertxrdma.core.AddressHandleAttributes;
import io.vertxrdma.core.CmEventType;
import io.vertxrdma.core.ConnParam;
import io.vertxrdma.core.UdParam;
import io.vertxrdma.soft.cm.SidrLookup;
import io.vertxrdma.soft.wire.CmSidrRep;
import io.vertxrdma.soft.wire.CmSidrReq;
import io.vertxrdma.soft.wire.CmaHeader;
import io.vertxrdma.soft.wire.ServiceId;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** The side that looks for a peer's datagram queue pair. */
final class ActiveDatagram extends Conversation implements SidrLookup.User {

  static final int MAX_PRIVATE_DATA = CmSidrReq.PRIVATE_DATA_LENGTH - CmaHeader.LENGTH;

  private SidrLookup lookup;

  private final InetAddress peer;

  private ActiveDatagram(SoftCmId id, SoftDevice device, InetAddress peer) {
    super(id, device);
    this.peer = peer;
  }

  static ActiveDatagram start(SoftCmId id, IdAddress address, ConnParam parameters) {
    SoftDevice device = address.device();
    InetSocketAddress local = address.local();
    InetSocketAddress remote = address.remote();
    if (parameters.privateDataLength() > MAX_PRIVATE_DATA) {
      throw SoftErrors.invalid("rdma_connect", parameters.toString());
    }
    ActiveDatagram made = new ActiveDatagram(id, device, remote.getAddress());
    CmaHeader header = new CmaHeader(local.getPort(), local.getAddress(), remote.getAddress());
    boolean anybody = device.isAnybodyAt(remote.getAddress());
    device
        .engine()
        .execute(
            () -> {
              if (anybody) {
                made.lookup =
                    device
                        .agent()
                        .sidr()
                        .lookup(
                            remote.getAddress(),
                            ServiceId.of(id.portSpace(), remote.getPort()),
                            header.before(parameters.privateData()),
                            made);
              } else {
                made.unreachable(CmSidrRep.STATUS_UNSUPPORTED, NO_DATA);
              }
            });
    return made;
  }

  @Override
  public void resolved(CmSidrRep reply) {
    id.events()
        .post(
            device,
            id.events()
                .event(
                    CmEventType.ESTABLISHED,
                    0,
                    new ConnParam(reply.privateData(), 0, 0, 0, 0, 0, false, reply.qpn()),
                    new UdParam(
                        AddressHandleAttributes.toAddress(peer, 0, 1), reply.qpn(), reply.qkey())));
  }

  @Override
  public void unreachable(int status, byte[] privateData) {
    post(CmEventType.UNREACHABLE, status, dataOnly(privateData));
  }

  @Override
  void disconnect() {
    // Nothing is connected.
  }

  @Override
  void destroy() {
    if (lookup != null) {
      device.engine().execute(() -> lookup.cancel());
    }
  }
}
