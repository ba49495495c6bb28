package io.vertxrdma.soft.wire;

import java.net.InetAddress;
import java.util.Objects;

/** Makes a {@link CmReq}, whose record components the setters are named after. */
public final class CmReqBuilder {
  private int localCommId;
  private long serviceId;
  private long localCaGuid;
  private int localQpn;
  private int responderResources;
  private int initiatorDepth;
  private int transport = CmReq.TRANSPORT_RC;
  private boolean flowControl;
  private int startingPsn;
  private int remoteCmResponseTimeout = 20;
  private int localCmResponseTimeout = 20;
  private int retryCount;
  private int rnrRetryCount;
  private int pkey = Headers.DEFAULT_PKEY;
  private int pathMtu = 3;
  private int maxCmRetries = 15;
  private boolean srq;
  private InetAddress localGid;
  private InetAddress remoteGid;
  private int flowLabel;
  private int trafficClass;
  private int hopLimit = 64;
  private int localAckTimeout;
  private byte[] privateData = new byte[0];

  CmReqBuilder() {}

  /** The message. */
  public CmReq build() {
    return new CmReq(
        localCommId,
        serviceId,
        localCaGuid,
        localQpn,
        responderResources,
        initiatorDepth,
        transport,
        flowControl,
        startingPsn,
        remoteCmResponseTimeout,
        localCmResponseTimeout,
        retryCount,
        rnrRetryCount,
        pkey,
        pathMtu,
        maxCmRetries,
        srq,
        Objects.requireNonNull(localGid, "localGid"),
        Objects.requireNonNull(remoteGid, "remoteGid"),
        flowLabel,
        trafficClass,
        hopLimit,
        localAckTimeout,
        privateData);
  }

  /** See {@link CmReq#localCommId()}. */
  public CmReqBuilder localCommId(int localCommId) {
    this.localCommId = localCommId;
    return this;
  }

  /** See {@link CmReq#serviceId()}. */
  public CmReqBuilder serviceId(long serviceId) {
    this.serviceId = serviceId;
    return this;
  }

  /** See {@link CmReq#localCaGuid()}. */
  public CmReqBuilder localCaGuid(long localCaGuid) {
    this.localCaGuid = localCaGuid;
    return this;
  }

  /** See {@link CmReq#localQpn()}. */
  public CmReqBuilder localQpn(int localQpn) {
    this.localQpn = localQpn;
    return this;
  }

  /** See {@link CmReq#responderResources()}. */
  public CmReqBuilder responderResources(int responderResources) {
    this.responderResources = responderResources;
    return this;
  }

  /** See {@link CmReq#initiatorDepth()}. */
  public CmReqBuilder initiatorDepth(int initiatorDepth) {
    this.initiatorDepth = initiatorDepth;
    return this;
  }

  /** See {@link CmReq#transport()}. */
  public CmReqBuilder transport(int transport) {
    this.transport = transport;
    return this;
  }

  /** See {@link CmReq#flowControl()}. */
  public CmReqBuilder flowControl(boolean flowControl) {
    this.flowControl = flowControl;
    return this;
  }

  /** See {@link CmReq#startingPsn()}. */
  public CmReqBuilder startingPsn(int startingPsn) {
    this.startingPsn = startingPsn;
    return this;
  }

  /** See {@link CmReq#remoteCmResponseTimeout()}. */
  public CmReqBuilder remoteCmResponseTimeout(int remoteCmResponseTimeout) {
    this.remoteCmResponseTimeout = remoteCmResponseTimeout;
    return this;
  }

  /** See {@link CmReq#localCmResponseTimeout()}. */
  public CmReqBuilder localCmResponseTimeout(int localCmResponseTimeout) {
    this.localCmResponseTimeout = localCmResponseTimeout;
    return this;
  }

  /** See {@link CmReq#retryCount()}. */
  public CmReqBuilder retryCount(int retryCount) {
    this.retryCount = retryCount;
    return this;
  }

  /** See {@link CmReq#rnrRetryCount()}. */
  public CmReqBuilder rnrRetryCount(int rnrRetryCount) {
    this.rnrRetryCount = rnrRetryCount;
    return this;
  }

  /** See {@link CmReq#pkey()}. */
  public CmReqBuilder pkey(int pkey) {
    this.pkey = pkey;
    return this;
  }

  /** See {@link CmReq#pathMtu()}. */
  public CmReqBuilder pathMtu(int pathMtu) {
    this.pathMtu = pathMtu;
    return this;
  }

  /** See {@link CmReq#maxCmRetries()}. */
  public CmReqBuilder maxCmRetries(int maxCmRetries) {
    this.maxCmRetries = maxCmRetries;
    return this;
  }

  /** See {@link CmReq#srq()}. */
  public CmReqBuilder srq(boolean srq) {
    this.srq = srq;
    return this;
  }

  /** See {@link CmReq#localGid()}. */
  public CmReqBuilder localGid(InetAddress localGid) {
    this.localGid = localGid;
    return this;
  }

  /** See {@link CmReq#remoteGid()}. */
  public CmReqBuilder remoteGid(InetAddress remoteGid) {
    this.remoteGid = remoteGid;
    return this;
  }

  /** See {@link CmReq#flowLabel()}. */
  public CmReqBuilder flowLabel(int flowLabel) {
    this.flowLabel = flowLabel;
    return this;
  }

  /** See {@link CmReq#trafficClass()}. */
  public CmReqBuilder trafficClass(int trafficClass) {
    this.trafficClass = trafficClass;
    return this;
  }

  /** See {@link CmReq#hopLimit()}. */
  public CmReqBuilder hopLimit(int hopLimit) {
    this.hopLimit = hopLimit;
    return this;
  }

  /** See {@link CmReq#localAckTimeout()}. */
  public CmReqBuilder localAckTimeout(int localAckTimeout) {
    this.localAckTimeout = localAckTimeout;
    return this;
  }

  /** See {@link CmReq#privateData()}. */
  public CmReqBuilder privateData(byte[] privateData) {
    this.privateData = privateData;
    return this;
  }
}
