/*
 * See operations.h. Each side has memory for the other: a counter, a cell and a pattern; the private data say where. The
 * client asks first: adds, swaps, reads, sends; the server answers and then asks in its turn. What every operation has to
 * find follows from the constants here, which the other program has, too.
 */
#include "operations.h"

#include <arpa/inet.h>
#include <endian.h>
#include <inttypes.h>
#include <rdma/rdma_cma.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "steps.h"

enum {
  ATOMICS = 24,   /* of each kind, posted at once: more than may be outstanding */
  OUTSTANDING = 16,
  SENDS = 20,
  MESSAGE = 3000, /* the longest */
  PATTERN = 4096, /* where it begins */
  PATTERN_LENGTH = 1 << 15,
  SHARED = PATTERN + PATTERN_LENGTH,
  READS = 6
};

static const uint64_t COUNTER_START = UINT64_MAX - 9; /* so that it wraps */
static const uint64_t CELL_START = 0x0123456789abcdef;
static const uint64_t CELL_STEP = 0x1111111111111111;
static const uint32_t FIRST_IMMEDIATE = 0x80000001;
static const uint32_t FAREWELL = 0xfeedbeef;
static const uint32_t READ_LENGTHS[READS] = {1, 1023, 1024, 1025, 0, PATTERN_LENGTH};

/* The private data of both sides, as they travel. */
struct invitation {
  uint64_t address;
  uint32_t rkey;
  uint32_t length;
};

/* What the other side may use. */
struct shared {
  uint64_t counter;
  uint64_t cell;
  uint8_t unused[PATTERN - 16];
  uint8_t pattern[PATTERN_LENGTH];
};

/* What only this side uses. */
struct own {
  uint64_t results[2 * ATOMICS];
  uint8_t read[READS][PATTERN_LENGTH];
  uint64_t final[2];
  uint8_t sent[SENDS][MESSAGE];
  uint8_t received[SENDS + 1][MESSAGE];
};

struct side {
  struct rdma_event_channel *events;
  struct rdma_cm_id *id;
  struct ibv_cq *send_cq;
  struct ibv_cq *receive_cq;
  struct shared *shared;
  struct own *own;
  struct ibv_mr *shared_region;
  struct ibv_mr *own_region;
  struct invitation theirs; /* in host order */
  bool server;
};

static void require(bool holds, const char *what, uint64_t found, uint64_t expected) {
  if (!holds) {
    fprintf(stderr, "peer: %s: %" PRIx64 ", expected %" PRIx64 "\n", what, found, expected);
    exit(WRONG_DATA);
  }
}

static void require_equal(const char *what, uint64_t found, uint64_t expected) { require(found == expected, what, found, expected); }

static uint8_t pattern(bool server, uint32_t index) { return (uint8_t)(index * 7 + (index >> 8) + (server ? 13 : 0)); }

static uint8_t message_byte(uint32_t message, uint32_t index) { return (uint8_t)(message * 31 + index * 3 + (index >> 8)); }

/* From nothing to the longest. */
static uint32_t message_length(uint32_t message) { return message * MESSAGE / (SENDS - 1); }

static bool has_immediate(uint32_t message) { return message % 2; }

static uint64_t counter_after(uint32_t adds) { return COUNTER_START + (uint64_t)adds * (adds + 1) / 2; }

/* Every second swap compares with something else, and changes nothing. */
static uint64_t cell_after(uint32_t swaps) { return CELL_START + CELL_STEP * ((swaps + 1) / 2); }

static struct ibv_wc next_completion(struct ibv_cq *cq, enum ibv_wc_opcode wanted) {
  struct ibv_wc wc;
  int count;
  do {
    count = ibv_poll_cq(cq, 1, &wc);
  } while (!count);
  if (count < 0 || wc.status != IBV_WC_SUCCESS) {
    fprintf(stderr, "peer: completion %" PRIu64 " failed: %s\n", wc.wr_id, count < 0 ? "ibv_poll_cq" : ibv_wc_status_str(wc.status));
    exit(WRONG_COMPLETION);
  }
  require_equal("opcode of a completion", wc.opcode, wanted);
  return wc;
}

static void post(struct side *s, struct ibv_send_wr *request, void *at, uint32_t length) {
  struct ibv_sge local = {.addr = (uintptr_t)at, .length = length, .lkey = s->own_region->lkey};
  struct ibv_send_wr *bad;
  request->sg_list = &local;
  request->num_sge = length ? 1 : 0;
  request->send_flags = IBV_SEND_SIGNALED;
  check("ibv_post_send", ibv_post_send(s->id->qp, request, &bad));
}

static void await_all(struct side *s, uint32_t count, enum ibv_wc_opcode opcode) {
  for (uint32_t i = 0; i < count; i++) {
    require_equal("order of completions", next_completion(s->send_cq, opcode).wr_id, i);
  }
}

static void add(struct side *s) {
  for (uint32_t i = 0; i < ATOMICS; i++) {
    struct ibv_send_wr request = {
        .wr_id = i,
        .opcode = IBV_WR_ATOMIC_FETCH_AND_ADD,
        .wr.atomic = {.remote_addr = s->theirs.address + offsetof(struct shared, counter), .compare_add = i + 1, .rkey = s->theirs.rkey},
    };
    post(s, &request, &s->own->results[i], 8);
  }
  await_all(s, ATOMICS, IBV_WC_FETCH_ADD);
  for (uint32_t i = 0; i < ATOMICS; i++) require_equal("counter before an add", s->own->results[i], counter_after(i));
}

static void swap(struct side *s) {
  for (uint32_t i = 0; i < ATOMICS; i++) {
    struct ibv_send_wr request = {
        .wr_id = i,
        .opcode = IBV_WR_ATOMIC_CMP_AND_SWP,
        .wr.atomic = {.remote_addr = s->theirs.address + offsetof(struct shared, cell),
                      .compare_add = i % 2 ? ~cell_after(i) : cell_after(i),
                      .swap = i % 2 ? 0 : cell_after(i + 1),
                      .rkey = s->theirs.rkey},
    };
    post(s, &request, &s->own->results[ATOMICS + i], 8);
  }
  await_all(s, ATOMICS, IBV_WC_COMP_SWAP);
  for (uint32_t i = 0; i < ATOMICS; i++) require_equal("cell before a swap", s->own->results[ATOMICS + i], cell_after(i));
}

static void read_all(struct side *s) {
  for (uint32_t i = 0; i < READS; i++) {
    struct ibv_send_wr request = {
        .wr_id = i,
        .opcode = IBV_WR_RDMA_READ,
        .wr.rdma = {.remote_addr = s->theirs.address + PATTERN, .rkey = s->theirs.rkey},
    };
    post(s, &request, s->own->read[i], READ_LENGTHS[i]);
  }
  struct ibv_send_wr both = {.wr_id = READS, .opcode = IBV_WR_RDMA_READ, .wr.rdma = {.remote_addr = s->theirs.address, .rkey = s->theirs.rkey}};
  post(s, &both, s->own->final, sizeof s->own->final);
  await_all(s, READS + 1, IBV_WC_RDMA_READ);
  for (uint32_t i = 0; i < READS; i++) {
    for (uint32_t j = 0; j < READ_LENGTHS[i]; j++) require_equal("a byte read", s->own->read[i][j], pattern(!s->server, j));
  }
  require_equal("counter read", s->own->final[0], counter_after(ATOMICS));
  require_equal("cell read", s->own->final[1], cell_after(ATOMICS));
}

static void send_all(struct side *s) {
  for (uint32_t i = 0; i < SENDS; i++) {
    for (uint32_t j = 0; j < message_length(i); j++) s->own->sent[i][j] = message_byte(i, j);
    struct ibv_send_wr request = {
        .wr_id = i,
        .opcode = has_immediate(i) ? IBV_WR_SEND_WITH_IMM : IBV_WR_SEND,
        .imm_data = htonl(FIRST_IMMEDIATE + i),
    };
    post(s, &request, s->own->sent[i], message_length(i));
  }
  struct ibv_send_wr last = {.wr_id = SENDS, .opcode = IBV_WR_SEND_WITH_IMM, .imm_data = htonl(FAREWELL)};
  post(s, &last, NULL, 0);
  await_all(s, SENDS + 1, IBV_WC_SEND);
}

static void ask(struct side *s) {
  add(s);
  swap(s);
  read_all(s);
  send_all(s);
}

/* Takes the other side's messages, the last of which says that it is done; judges what it left in this side's memory. */
static void answer(struct side *s) {
  for (uint32_t i = 0; i <= SENDS; i++) {
    struct ibv_wc wc = next_completion(s->receive_cq, IBV_WC_RECV);
    bool last = i == SENDS;
    uint32_t length = last ? 0 : message_length(i);
    require_equal("order of messages", wc.wr_id, i);
    require_equal("length of a message", wc.byte_len, length);
    bool immediate = last || has_immediate(i);
    require_equal("flag of an immediate", wc.wc_flags & IBV_WC_WITH_IMM, immediate ? IBV_WC_WITH_IMM : 0);
    if (immediate) require_equal("immediate", ntohl(wc.imm_data), last ? FAREWELL : FIRST_IMMEDIATE + i);
    for (uint32_t j = 0; j < length; j++) require_equal("a byte received", s->own->received[i][j], message_byte(i, j));
  }
  require_equal("own counter", s->shared->counter, counter_after(ATOMICS));
  require_equal("own cell", s->shared->cell, cell_after(ATOMICS));
  printf("counter %" PRIx64 ", cell %" PRIx64 ", %d messages\n", s->shared->counter, s->shared->cell, SENDS);
  fflush(stdout);
}

static void *zeroed(size_t size) {
  void *memory = aligned_alloc(4096, (size + 4095) / 4096 * 4096);
  if (!memory) fail("aligned_alloc");
  return memset(memory, 0, size);
}

/* Queue pair, memory and receives: all of it before connect or accept, since the other side may begin at once. */
static struct invitation prepare(struct side *s) {
  s->send_cq = ibv_create_cq(s->id->verbs, 2 * ATOMICS, NULL, NULL, 0);
  s->receive_cq = ibv_create_cq(s->id->verbs, SENDS + 1, NULL, NULL, 0);
  if (!s->send_cq || !s->receive_cq) fail("ibv_create_cq");
  struct ibv_qp_init_attr attributes = {
      .send_cq = s->send_cq,
      .recv_cq = s->receive_cq,
      .qp_type = IBV_QPT_RC,
      .cap = {.max_send_wr = ATOMICS, .max_recv_wr = SENDS + 1, .max_send_sge = 1, .max_recv_sge = 1},
  };
  if (rdma_create_qp(s->id, s->id->pd, &attributes)) fail("rdma_create_qp");
  s->shared = zeroed(sizeof *s->shared);
  s->own = zeroed(sizeof *s->own);
  s->shared->counter = COUNTER_START;
  s->shared->cell = CELL_START;
  for (uint32_t i = 0; i < PATTERN_LENGTH; i++) s->shared->pattern[i] = pattern(s->server, i);
  s->shared_region = ibv_reg_mr(s->id->pd, s->shared, sizeof *s->shared, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC);
  s->own_region = ibv_reg_mr(s->id->pd, s->own, sizeof *s->own, IBV_ACCESS_LOCAL_WRITE);
  if (!s->shared_region || !s->own_region) fail("ibv_reg_mr");
  for (uint32_t i = 0; i <= SENDS; i++) {
    struct ibv_sge to = {.addr = (uintptr_t)s->own->received[i], .length = MESSAGE, .lkey = s->own_region->lkey};
    struct ibv_recv_wr receive = {.wr_id = i, .sg_list = &to, .num_sge = 1}, *bad;
    check("ibv_post_recv", ibv_post_recv(s->id->qp, &receive, &bad));
  }
  return (struct invitation){htobe64((uintptr_t)s->shared), htobe32(s->shared_region->rkey), htobe32(SHARED)};
}

/* Reads the invitation out of an event, and acknowledges the event: its private data are gone after that. */
static void take_invitation(struct side *s, struct rdma_cm_event *event) {
  struct invitation wire;
  if (event->param.conn.private_data_len < sizeof wire) fail("private data");
  memcpy(&wire, event->param.conn.private_data, sizeof wire);
  rdma_ack_cm_event(event);
  s->theirs = (struct invitation){be64toh(wire.address), be32toh(wire.rkey), be32toh(wire.length)};
  require_equal("length of the other side's memory", s->theirs.length, SHARED);
}

static struct rdma_conn_param with(const struct invitation *mine) {
  struct rdma_conn_param with = parameters(mine, sizeof *mine);
  with.responder_resources = OUTSTANDING;
  with.initiator_depth = OUTSTANDING;
  return with;
}

int operate(bool server, const char *address, const char *port) {
  struct side s = {.events = new_channel(), .server = server};
  if (server) {
    start_listening(s.events, address, port);
    struct rdma_cm_event *request = await(s.events, RDMA_CM_EVENT_CONNECT_REQUEST);
    s.id = request->id;
    take_invitation(&s, request);
    struct invitation mine = prepare(&s);
    struct rdma_conn_param accepting = with(&mine);
    if (rdma_accept(s.id, &accepting)) fail("rdma_accept");
    await_and_ack(s.events, RDMA_CM_EVENT_ESTABLISHED);
    answer(&s);
    ask(&s);
  } else {
    s.id = resolve(s.events, address, port);
    struct invitation mine = prepare(&s);
    struct rdma_conn_param connecting = with(&mine);
    if (rdma_connect(s.id, &connecting)) fail("rdma_connect");
    take_invitation(&s, await(s.events, RDMA_CM_EVENT_ESTABLISHED));
    ask(&s);
    answer(&s);
  }
  part(s.events, s.id, server);
  return 0;
}
