package io.vertxrdma.soft;

import java.util.EnumMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * What a soft device counted since it was made: traffic, retransmissions, and every dropped packet
 * by its reason. Names follow the kernel's {@code hw_counters} of rxe where it has the same one.
 * Thread-safe; counting takes no lock.
 */
public final class SoftCounters {

  /** What is counted. */
  public enum Name {
    /** Packets handed to the link. */
    SENT_PACKETS("sent_pkts"),
    /** Packets whose CRC was right. */
    RECEIVED_PACKETS("rcvd_pkts"),
    /** Payload and header bytes handed to the link. */
    SENT_BYTES("sent_bytes"),
    /** Payload and header bytes received. */
    RECEIVED_BYTES("rcvd_bytes"),
    /** Packets sent again. */
    RETRANSMITTED("retransmitted_pkts"),
    /** The acknowledgement timer ran out. */
    ACK_TIMEOUT("completer_retry_err"),
    /** Work requests failed with "retry exceeded". */
    RETRY_EXCEEDED("retry_exceeded_err"),
    /** Work requests failed with "RNR retry exceeded". */
    RNR_RETRY_EXCEEDED("retry_rnr_exceeded_err"),
    /** RNR NAKs sent: nothing was posted to receive into. */
    SEND_RNR_NAK("send_rnr_err"),
    /** RNR NAKs received. */
    RECEIVED_RNR_NAK("rcvd_rnr_err"),
    /** NAKs sent, of the other kinds. */
    SEND_NAK("send_nak"),
    /** NAKs received, of the other kinds. */
    RECEIVED_NAK("rcvd_nak"),
    /** Requests ahead of the expected packet sequence number. */
    OUT_OF_SEQUENCE("out_of_seq_request"),
    /** Requests behind the expected packet sequence number. */
    DUPLICATE_REQUEST("duplicate_request"),
    /** Sequence-error NAKs received. */
    RECEIVED_SEQUENCE_ERROR("rcvd_seq_err"),
    /** Datagrams the socket did not take. */
    SEND_ERROR("send_err"),
    /** SEND requests that succeeded; writes and reads are not among them. */
    RDMA_SENDS("rdma_sends"),
    /** Messages that used up a receive. */
    RDMA_RECEIVES("rdma_recvs"),
    /** Acknowledgements put off: the soft device never does. */
    ACK_DEFERRED("ack_deferred"),
    /** Times the port went down: the soft device's never does. */
    LINK_DOWNED("link_downed"),
    /** Completions lost because the completion queue was full. */
    COMPLETION_QUEUE_OVERRUN("cq_overrun"),
    /** Too short for its headers. */
    DROP_SHORT("drop_short"),
    /** Longer than any packet of the path MTU. */
    DROP_LONG("drop_long"),
    /** Invariant CRC wrong. */
    DROP_BAD_ICRC("drop_bad_icrc"),
    /** Transport version not 0. */
    DROP_BAD_VERSION("drop_bad_version"),
    /** Another partition key. */
    DROP_BAD_PKEY("drop_bad_pkey"),
    /** No such queue pair. */
    DROP_BAD_QPN("drop_bad_qpn"),
    /** Another queue key. */
    DROP_BAD_QKEY("drop_bad_qkey"),
    /** From another address than the connection's peer. */
    DROP_BAD_SOURCE("drop_bad_source"),
    /** Opcode unknown or not of the queue pair's transport. */
    DROP_BAD_OPCODE("drop_bad_opcode"),
    /** Length does not agree with the headers. */
    DROP_BAD_LENGTH("drop_bad_length"),
    /** Acknowledgement or response outside of the window. */
    DROP_OUT_OF_WINDOW("drop_out_of_window"),
    /** The queue pair's state does not take it. */
    DROP_BAD_STATE("drop_bad_state"),
    /** Datagram without a receive posted. */
    DROP_NO_RECEIVE("drop_no_receive"),
    /** Management datagram that makes no sense. */
    DROP_BAD_MAD("drop_bad_mad"),
    /** Management datagram for no connection of ours, or not from its peer. */
    DROP_STRANGE_MAD("drop_strange_mad"),
    /** Connection request over the backlog or the half-open bounds. */
    DROP_BACKLOG("drop_backlog"),
    /** Anything else. */
    DROP_OTHER("drop_other"),
    /** Connection management messages sent. */
    CM_SENT("cm_tx_msgs"),
    /** Connection management messages sent again. */
    CM_RETRIES("cm_tx_retries"),
    /** Connection management messages received. */
    CM_RECEIVED("cm_rx_msgs"),
    /** Connection management messages received again. */
    CM_DUPLICATES("cm_rx_duplicates");

    private final String label;

    Name(String label) {
      this.label = label;
    }

    /** The name as the kernel or a metrics system would write it. */
    public String label() {
      return label;
    }
  }

  private final LongAdder[] values = new LongAdder[Name.values().length];

  /** All at 0. */
  public SoftCounters() {
    for (int i = 0; i < values.length; i++) {
      values[i] = new LongAdder();
    }
  }

  /** Adds one. */
  public void increment(Name name) {
    values[name.ordinal()].increment();
  }

  /** Adds an amount. */
  public void add(Name name, long amount) {
    values[name.ordinal()].add(amount);
  }

  /** The value now. */
  public long get(Name name) {
    return values[name.ordinal()].sum();
  }

  /** All values that are not 0, now. */
  public Map<Name, Long> snapshot() {
    Map<Name, Long> all = new EnumMap<>(Name.class);
    for (Name name : Name.values()) {
      long value = get(name);
      if (value != 0) {
        all.put(name, value);
      }
    }
    return all;
  }

  /** All values now by their labels, also those that are 0. */
  SortedMap<String, Long> byLabel() {
    SortedMap<String, Long> all = new TreeMap<>();
    for (Name name : Name.values()) {
      all.put(name.label(), get(name));
    }
    return all;
  }

  @Override
  public String toString() {
    return snapshot().toString();
  }
}
