package io.vertxrdma.core.nativeverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertxrdma.core.Availability;
import io.vertxrdma.core.Availability.Cause;
import io.vertxrdma.core.CmEventType;
import io.vertxrdma.core.CmId;
import io.vertxrdma.core.ProviderUnavailableException;
import io.vertxrdma.core.RdmaProvider;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The struct layouts, against numbers a C compiler printed, and what happens when they differ. */
class B1_StructLayoutTest {

  /** Printed by gcc against rdma-core's headers on 64-bit little-endian Linux. */
  private static final String MEASURED =
      """
      CHANNEL_FD 0
      ID_SIZE 416
      ID_VERBS 0
      ID_CHANNEL 8
      ID_CONTEXT 16
      ID_QP 24
      ID_SRC_ADDR 32
      ID_DST_ADDR 160
      ID_PS 344
      ID_PORT_NUM 348
      ID_QP_TYPE 408
      EVENT_SIZE 80
      EVENT_ID 0
      EVENT_LISTEN_ID 8
      EVENT_TYPE 16
      EVENT_STATUS 20
      EVENT_PARAM 24
      EVENT_PRIVATE_DATA 24
      EVENT_PRIVATE_DATA_LEN 32
      EVENT_RESPONDER_RESOURCES 33
      EVENT_INITIATOR_DEPTH 34
      EVENT_FLOW_CONTROL 35
      EVENT_RETRY_COUNT 36
      EVENT_RNR_RETRY_COUNT 37
      EVENT_SRQ 38
      EVENT_QP_NUM 40
      EVENT_UD_AH_ATTR 40
      EVENT_UD_QP_NUM 72
      EVENT_UD_QKEY 76
      PARAM_SIZE 24
      PARAM_PRIVATE_DATA 0
      PARAM_PRIVATE_DATA_LEN 8
      PARAM_RESPONDER_RESOURCES 9
      PARAM_INITIATOR_DEPTH 10
      PARAM_FLOW_CONTROL 11
      PARAM_RETRY_COUNT 12
      PARAM_RNR_RETRY_COUNT 13
      PARAM_SRQ 14
      PARAM_QP_NUM 16
      CONTEXT_DEVICE 0
      CONTEXT_POLL_CQ 96
      CONTEXT_REQ_NOTIFY_CQ 104
      CONTEXT_POST_SRQ_RECV 168
      CONTEXT_POST_SEND 208
      CONTEXT_POST_RECV 216
      CONTEXT_CMD_FD 264
      CONTEXT_ASYNC_FD 268
      DEVICE_NODE_TYPE 16
      DEVICE_TRANSPORT_TYPE 20
      DEVICE_NAME 24
      DEVICE_ATTR_SIZE 232
      DEVICE_ATTR_FW_VER 0
      DEVICE_ATTR_NODE_GUID 64
      DEVICE_ATTR_MAX_MR_SIZE 80
      DEVICE_ATTR_VENDOR_ID 96
      DEVICE_ATTR_VENDOR_PART_ID 100
      DEVICE_ATTR_MAX_QP 108
      DEVICE_ATTR_MAX_QP_WR 112
      DEVICE_ATTR_MAX_SGE 120
      DEVICE_ATTR_MAX_CQ 128
      DEVICE_ATTR_MAX_CQE 132
      DEVICE_ATTR_MAX_MR 136
      DEVICE_ATTR_MAX_QP_RD_ATOM 144
      DEVICE_ATTR_MAX_QP_INIT_RD_ATOM 156
      DEVICE_ATTR_ATOMIC_CAP 164
      DEVICE_ATTR_MAX_SRQ 212
      DEVICE_ATTR_MAX_SRQ_WR 216
      DEVICE_ATTR_PHYS_PORT_CNT 227
      PORT_ATTR_STATE 0
      PORT_ATTR_MAX_MTU 4
      PORT_ATTR_ACTIVE_MTU 8
      PORT_ATTR_GID_TBL_LEN 12
      PORT_ATTR_MAX_MSG_SZ 20
      PORT_ATTR_LID 34
      PORT_ATTR_LINK_LAYER 46
      SGE_SIZE 16
      SGE_ADDR 0
      SGE_LENGTH 8
      SGE_LKEY 12
      SEND_WR_SIZE 128
      SEND_WR_WR_ID 0
      SEND_WR_NEXT 8
      SEND_WR_SG_LIST 16
      SEND_WR_NUM_SGE 24
      SEND_WR_OPCODE 28
      SEND_WR_SEND_FLAGS 32
      SEND_WR_IMM_DATA 36
      SEND_WR_REMOTE_ADDR 40
      SEND_WR_RKEY 48
      SEND_WR_ATOMIC_COMPARE_ADD 48
      SEND_WR_ATOMIC_SWAP 56
      SEND_WR_ATOMIC_RKEY 64
      SEND_WR_UD_AH 40
      SEND_WR_UD_REMOTE_QPN 48
      SEND_WR_UD_REMOTE_QKEY 52
      AH_ATTR_SIZE 32
      AH_ATTR_DGID 0
      AH_ATTR_FLOW_LABEL 16
      AH_ATTR_SGID_INDEX 20
      AH_ATTR_HOP_LIMIT 21
      AH_ATTR_TRAFFIC_CLASS 22
      AH_ATTR_DLID 24
      AH_ATTR_SL 26
      AH_ATTR_SRC_PATH_BITS 27
      AH_ATTR_STATIC_RATE 28
      AH_ATTR_IS_GLOBAL 29
      AH_ATTR_PORT_NUM 30
      AH_CONTEXT 0
      AH_PD 8
      RECV_WR_SIZE 32
      RECV_WR_WR_ID 0
      RECV_WR_NEXT 8
      RECV_WR_SG_LIST 16
      RECV_WR_NUM_SGE 24
      WC_SIZE 48
      WC_WR_ID 0
      WC_STATUS 8
      WC_OPCODE 12
      WC_VENDOR_ERR 16
      WC_BYTE_LEN 20
      WC_IMM_DATA 24
      WC_QP_NUM 28
      WC_SRC_QP 32
      WC_FLAGS 36
      QP_INIT_ATTR_SIZE 64
      QP_INIT_ATTR_SEND_CQ 8
      QP_INIT_ATTR_RECV_CQ 16
      QP_INIT_ATTR_SRQ 24
      QP_INIT_ATTR_CAP 32
      QP_INIT_ATTR_QP_TYPE 52
      QP_INIT_ATTR_SQ_SIG_ALL 56
      QP_ATTR_SIZE 144
      QP_ATTR_QP_STATE 0
      QP_ATTR_PATH_MTU 8
      QP_ATTR_DEST_QP_NUM 28
      QP_ATTR_MAX_RD_ATOMIC 126
      QP_ATTR_MAX_DEST_RD_ATOMIC 127
      QP_ATTR_MIN_RNR_TIMER 128
      QP_ATTR_TIMEOUT 130
      QP_ATTR_RETRY_CNT 131
      QP_ATTR_RNR_RETRY 132
      QP_CONTEXT 0
      QP_PD 16
      QP_SEND_CQ 24
      QP_RECV_CQ 32
      QP_SRQ 40
      QP_QP_NUM 52
      QP_QP_TYPE 60
      CQ_CONTEXT 0
      CQ_CHANNEL 8
      CQ_CQ_CONTEXT 16
      CQ_CQE 28
      SRQ_INIT_ATTR_SIZE 24
      SRQ_INIT_ATTR_MAX_WR 8
      SRQ_INIT_ATTR_MAX_SGE 12
      SRQ_INIT_ATTR_LIMIT 16
      SRQ_ATTR_SIZE 12
      SRQ_ATTR_MAX_WR 0
      SRQ_ATTR_MAX_SGE 4
      SRQ_ATTR_LIMIT 8
      MR_CONTEXT 0
      MR_PD 8
      MR_ADDR 16
      MR_LENGTH 24
      MR_LKEY 36
      MR_RKEY 40
      PD_CONTEXT 0
      COMP_CHANNEL_CONTEXT 0
      COMP_CHANNEL_FD 8
      ASYNC_EVENT_SIZE 16
      ASYNC_EVENT_ELEMENT 0
      ASYNC_EVENT_TYPE 8
      SOCKADDR_SIZE 128
      SOCKADDR_FAMILY 0
      SOCKADDR_PORT 2
      SOCKADDR_IN_ADDR 4
      SOCKADDR_IN6_ADDR 8
      SOCKADDR_IN6_SCOPE 24
      AF_INET 2
      AF_INET6 10
      F_GETFL 3
      F_SETFL 4
      O_NONBLOCK 2048
      """;

  private static Map<String, Integer> measured() {
    Map<String, Integer> numbers = new TreeMap<>();
    MEASURED
        .lines()
        .map(line -> line.split(" "))
        .forEach(words -> numbers.put(words[0], Integer.valueOf(words[1])));
    return numbers;
  }

  private static Map<String, Integer> used() throws IllegalAccessException {
    Map<String, Integer> numbers = new TreeMap<>();
    for (Field field : Layout.class.getDeclaredFields()) {
      if (Modifier.isStatic(field.getModifiers()) && field.getType() == int.class) {
        numbers.put(field.getName(), field.getInt(null));
      }
    }
    return numbers;
  }

  @Test
  void every_size_and_offset_is_the_one_the_compiler_printed() throws IllegalAccessException {
    Map<String, Integer> used = used();
    // How much is allocated is our choice, not the compiler's.
    assertThat(used.remove("PORT_ATTR_ALLOCATE")).isGreaterThanOrEqualTo(56);
    Map<String, Integer> expected = measured();
    expected.keySet().retainAll(used.keySet());
    assertThat(used).isEqualTo(expected);
  }

  @Test
  void no_field_of_the_table_overlaps_the_end_of_its_struct() throws IllegalAccessException {
    Map<String, Integer> used = used();
    for (String struct :
        Arrays.asList("ID", "EVENT", "PARAM", "SEND_WR", "RECV_WR", "WC", "AH_ATTR")) {
      int size = used.get(struct + "_SIZE");
      used.forEach(
          (name, offset) -> {
            if (name.startsWith(struct + "_") && !name.equals(struct + "_SIZE")) {
              assertThat(offset).as(name).isLessThan(size);
            }
          });
    }
  }

  @Test
  void a_library_that_looks_as_expected_is_available() {
    try (FakeNativeCalls fake = new FakeNativeCalls()) {
      Availability availability = FakeProvider.over(fake).availability();
      assertThat(availability.isAvailable()).as(availability.reason()).isTrue();
      fake.assertClean();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "rdma_cm_id.context, 24",
    "rdma_cm_id.channel, 24",
    "rdma_cm_id.ps, 352",
    "ibv_context.ops.poll_cq, 88",
    "ibv_context.ops.post_send, 224",
    "ibv_context.ops.post_recv, 224",
    "ibv_context.cmd_fd, 276",
    "ibv_context.async_fd, 276",
    "ibv_pd.context, 8",
    "ibv_mr.pd, 24",
    "ibv_mr.addr, 32",
    "ibv_mr.length, 40",
    "ibv_cq.context, 32",
    "ibv_cq.channel, 32",
    "ibv_cq.cq_context, 32",
    "ibv_cq.cqe, 32",
    "ibv_comp_channel.fd, 12"
  })
  void a_field_somewhere_else_makes_the_provider_unavailable_and_is_named(
      String field, int offset) {
    try (FakeNativeCalls fake = new FakeNativeCalls().noDevices().misplace(field, offset)) {
      fake.device("odd0").address("10.0.0.1");
      RdmaProvider provider = FakeProvider.over(fake);
      Availability availability = provider.availability();
      assertThat(availability.cause()).as(availability.reason()).isEqualTo(Cause.LAYOUT_MISMATCH);
      assertThat(availability.reason()).contains(field);
      assertThatThrownBy(provider::createEventChannel)
          .isInstanceOf(ProviderUnavailableException.class)
          .hasMessageContaining(field);
      assertThatThrownBy(provider::devices).isInstanceOf(ProviderUnavailableException.class);
      fake.assertClean();
    }
  }

  @ParameterizedTest
  @CsvSource({"rdma_cm_id.qp, 400", "ibv_qp.send_cq, 64", "ibv_qp.qp_num, 64"})
  void a_queue_pair_that_looks_different_is_refused_and_destroyed(String field, int offset) {
    try (FakeRig rig = new FakeRig()) {
      CmId id = rig.id();
      id.resolveAddress(null, FakeRig.SERVER, 1000);
      rig.next(CmEventType.ADDR_RESOLVED);
      rig.fake.misplace(field, offset);
      assertThatThrownBy(() -> rig.queuePair(id))
          .isInstanceOf(ProviderUnavailableException.class)
          .hasMessageContaining(field);
      assertThat(id.queuePair()).isNull();
      assertThat(rig.fake.queuePairs()).isEmpty();
    }
  }
}
