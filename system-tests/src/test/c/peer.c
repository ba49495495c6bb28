/*
 * The plain C peer: write-with-immediate over librdmacm and libibverbs. The system tests talk to it and measure against it.
 *
 *   cc -O2 -Wall -Wextra -Werror -o peer *.c -lrdmacm -libverbs
 *
 *   peer server ADDRESS COUNT LENGTH pingpong|rate|checked poll|event
 *   peer client ADDRESS COUNT LENGTH pingpong|rate|checked poll|event
 *   peer silent-server ADDRESS PORT
 *   peer refusing-server ADDRESS PORT WORDS
 *   peer refused-client ADDRESS PORT WORDS
 *   peer operating-server|operating-client ADDRESS PORT
 *
 * server and client use port 18515. Both carry private data of 16 bytes, big-endian: address (8 bytes), rkey (4) and
 * length (4) of the memory the other side may write to. Every immediate is a number: 0, 1, 2 and so on in each direction.
 *   pingpong  the client writes, the server answers each immediate with its own; the client prints half the round trip.
 *   rate      only the client writes; the server counts and prints immediates per second.
 *   checked   pingpong with data that differ from write to write, which both sides compare.
 *   poll      spins on the completion queue.
 *   event     sleeps on the completion channel.
 * silent-server accepts whoever comes and never posts a receive: a writer sees what an unready receiver looks like.
 * refusing-server rejects one request with the words, and prints what the request said. refused-client wants to be
 * rejected; it sends the words and prints reason and answer. operating-server and operating-client do atomics, reads and
 * sends on each other, check all they find, and print what the other side has left behind.
 *
 * Servers print "listening" when a client may come. Exit status: 0 all as it should be, 1 a call failed, 2 an unexpected
 * connection event, 3 a failed completion, 4 a wrong immediate or length, 64 wrong arguments.
 */
#include <arpa/inet.h>
#include <endian.h>
#include <errno.h>
#include <rdma/rdma_cma.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "manners.h"
#include "operations.h"
#include "steps.h"

enum {
  RECEIVES = 256,        /* kept posted; a rate client has no more than this under way, so they suffice */
  BATCH = 16,            /* rate: writes per signaled completion */
  SIGNAL_EVERY = 64,     /* pingpong: often enough that the send queue never fills */
  MEMORY = 1 << 16,
  RNR_TIMER_10_US = 1    /* code 1 of the IBTA's RNR NAK timer table: 0.01 ms */
};

/* The private data of both sides, as it travels. */
struct invitation {
  uint64_t address;
  uint32_t rkey;
  uint32_t length;
};

struct connection {
  struct rdma_event_channel *events;
  struct rdma_cm_id *id;
  struct ibv_comp_channel *completions;
  struct ibv_cq *cq;
  struct ibv_mr *region;
  char *memory;
  struct invitation theirs; /* in host order */
  uint32_t length;          /* of each write */
  bool sleeps;              /* event, not poll */
  bool checks;              /* data are filled and compared */
  bool server;
  uint32_t sent;            /* writes posted; the next one's immediate */
  uint32_t received;        /* immediates seen; the next one's expected value */
  uint32_t written;         /* signaled writes completed */
};

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Reads the invitation out of an event, and acknowledges the event: its private data are gone after that. */
static struct invitation take_invitation(struct rdma_cm_event *event) {
  struct invitation wire;
  if (event->param.conn.private_data_len < sizeof wire) {
    fprintf(stderr, "peer: %u bytes of private data, need %zu\n", event->param.conn.private_data_len, sizeof wire);
    exit(WRONG_DATA);
  }
  memcpy(&wire, event->param.conn.private_data, sizeof wire);
  rdma_ack_cm_event(event);
  return (struct invitation){be64toh(wire.address), be32toh(wire.rkey), be32toh(wire.length)};
}

static void post_receives(struct ibv_qp *qp, unsigned count) {
  /* Nothing is scattered: a write-with-immediate takes a receive for its immediate alone. */
  struct ibv_recv_wr receives[RECEIVES] = {{0}}, *bad;
  if (!count) return;
  for (unsigned i = 0; i + 1 < count; i++) receives[i].next = &receives[i + 1];
  check("ibv_post_recv", ibv_post_recv(qp, receives, &bad));
}

/* Byte index of a write of the client (side 0) or server (1). */
static char pattern(unsigned side, uint32_t write, uint32_t index) {
  return (char)(write * 31 + index * 7 + (index >> 8) + side * 13);
}

static void fill(struct connection *c) {
  for (uint32_t i = 0; i < c->length; i++) c->memory[i] = pattern(c->server, c->sent, i);
}

static void compare(struct connection *c) {
  for (uint32_t i = 0; i < c->length; i++) {
    if (c->memory[i] != pattern(!c->server, c->received, i)) {
      fprintf(stderr, "peer: write %u came with byte %u wrong\n", c->received, i);
      exit(WRONG_DATA);
    }
  }
}

static void post_write(struct connection *c, bool signaled) {
  if (c->checks) fill(c);
  struct ibv_sge from = {.addr = (uintptr_t)c->memory, .length = c->length, .lkey = c->region->lkey};
  struct ibv_send_wr write = {
      .sg_list = &from,
      .num_sge = c->length ? 1 : 0,
      .opcode = IBV_WR_RDMA_WRITE_WITH_IMM,
      .send_flags = signaled ? IBV_SEND_SIGNALED : 0,
      .imm_data = htonl(c->sent),
      .wr.rdma = {.remote_addr = c->theirs.address, .rkey = c->theirs.rkey},
  };
  struct ibv_send_wr *bad;
  check("ibv_post_send", ibv_post_send(c->id->qp, &write, &bad));
  c->sent++;
}

static int poll_cq(struct connection *c, struct ibv_wc *wc, int most) {
  int count = ibv_poll_cq(c->cq, most, wc);
  if (count < 0) {
    errno = EIO;
    fail("ibv_poll_cq");
  }
  return count;
}

/* At least one completion, waited for in the chosen way. */
static int next_completions(struct connection *c, struct ibv_wc *wc, int most) {
  for (;;) {
    int count = poll_cq(c, wc, most);
    if (count) return count;
    if (!c->sleeps) continue;
    check("ibv_req_notify_cq", ibv_req_notify_cq(c->cq, 0));
    /* What arrived before the queue was armed raises no event. */
    if ((count = poll_cq(c, wc, most))) return count;
    struct ibv_cq *which;
    void *context;
    if (ibv_get_cq_event(c->completions, &which, &context)) fail("ibv_get_cq_event");
    ibv_ack_cq_events(which, 1);
  }
}

/* Takes completions in and says how many immediates were among them; their receives are posted again. */
static unsigned take_completions(struct connection *c) {
  struct ibv_wc wc[32];
  unsigned immediates = 0;
  int count = next_completions(c, wc, 32);
  for (int i = 0; i < count; i++) {
    if (wc[i].status != IBV_WC_SUCCESS) {
      fprintf(stderr, "peer: completion failed: %s (after %u sent, %u received)\n", ibv_wc_status_str(wc[i].status), c->sent, c->received);
      exit(WRONG_COMPLETION);
    }
    if (wc[i].opcode != IBV_WC_RECV_RDMA_WITH_IMM) {
      c->written++;
      continue;
    }
    if (ntohl(wc[i].imm_data) != c->received || wc[i].byte_len != c->length) {
      fprintf(stderr, "peer: immediate %u of %u bytes, expected %u of %u bytes\n", ntohl(wc[i].imm_data), wc[i].byte_len, c->received, c->length);
      exit(WRONG_DATA);
    }
    if (c->checks) compare(c);
    c->received++;
    immediates++;
  }
  post_receives(c->id->qp, immediates);
  return immediates;
}

/* Queue pair, memory and receives: all of it before connect or accept, since data may come at once. */
static struct invitation prepare(struct connection *c) {
  c->completions = ibv_create_comp_channel(c->id->verbs);
  if (!c->completions) fail("ibv_create_comp_channel");
  c->cq = ibv_create_cq(c->id->verbs, 4 * RECEIVES, NULL, c->completions, 0);
  if (!c->cq) fail("ibv_create_cq");
  struct ibv_qp_init_attr attributes = {
      .send_cq = c->cq,
      .recv_cq = c->cq,
      .qp_type = IBV_QPT_RC,
      .cap = {.max_send_wr = 2 * RECEIVES, .max_recv_wr = 2 * RECEIVES, .max_send_sge = 1, .max_recv_sge = 1},
  };
  if (rdma_create_qp(c->id, c->id->pd, &attributes)) fail("rdma_create_qp");
  c->memory = aligned_alloc(4096, MEMORY);
  if (!c->memory) fail("aligned_alloc");
  memset(c->memory, 0, MEMORY);
  c->region = ibv_reg_mr(c->id->pd, c->memory, MEMORY, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE);
  if (!c->region) fail("ibv_reg_mr");
  post_receives(c->id->qp, RECEIVES);
  return (struct invitation){htobe64((uintptr_t)c->memory), htobe32(c->region->rkey), htobe32(MEMORY)};
}

static void accept_one(struct connection *c, const char *address) {
  start_listening(c->events, address, "18515");
  struct rdma_cm_event *request = await(c->events, RDMA_CM_EVENT_CONNECT_REQUEST);
  c->id = request->id;
  c->theirs = take_invitation(request);
  struct invitation mine = prepare(c);
  struct rdma_conn_param with = parameters(&mine, sizeof mine);
  if (rdma_accept(c->id, &with)) fail("rdma_accept");
  await_and_ack(c->events, RDMA_CM_EVENT_ESTABLISHED);
}

static void connect_to(struct connection *c, const char *address) {
  c->id = resolve(c->events, address, "18515");
  struct invitation mine = prepare(c);
  struct rdma_conn_param with = parameters(&mine, sizeof mine);
  if (rdma_connect(c->id, &with)) fail("rdma_connect");
  c->theirs = take_invitation(await(c->events, RDMA_CM_EVENT_ESTABLISHED));
}

static void ping(struct connection *c, uint32_t count, const char *how) {
  double start = now();
  while (c->received < count) {
    post_write(c, c->sent % SIGNAL_EVERY == SIGNAL_EVERY - 1);
    while (!take_completions(c)) continue;
  }
  printf("pingpong %s: %u of %u bytes, half round trip %.2f us\n", how, count, c->length, (now() - start) / count / 2 * 1e6);
}

static void pong(struct connection *c, uint32_t count) {
  uint32_t due = 0, signaled = 0;
  while (c->sent < count) {
    for (; due && c->sent < count; due--) {
      /* The last one is signaled, so as to know when it has arrived. */
      bool signal = c->sent % SIGNAL_EVERY == SIGNAL_EVERY - 1 || c->sent == count - 1;
      signaled += signal;
      post_write(c, signal);
    }
    if (c->sent < count) due = take_completions(c);
  }
  while (c->written < signaled) take_completions(c);
}

static void send_many(struct connection *c, uint32_t count) {
  uint32_t signaled = 0;
  while (c->sent < count || c->written < signaled) {
    while (c->sent < count && signaled - c->written < RECEIVES / BATCH) {
      bool last;
      do {
        last = c->sent % BATCH == BATCH - 1 || c->sent == count - 1;
        post_write(c, last);
      } while (!last);
      signaled++;
    }
    take_completions(c);
  }
}

static void count_many(struct connection *c, uint32_t count, const char *how) {
  double start = now();
  while (c->received < count) take_completions(c);
  printf("rate %s: %u of %u bytes, %.0f immediates/s\n", how, count, c->length, count / (now() - start));
}

static _Noreturn void stay_silent(const char *address, const char *port) {
  struct rdma_event_channel *events = new_channel();
  start_listening(events, address, port);
  for (;;) {
    struct rdma_cm_event *event;
    if (rdma_get_cm_event(events, &event)) fail("rdma_get_cm_event");
    struct rdma_cm_id *id = event->id;
    enum rdma_cm_event_type type = event->event;
    rdma_ack_cm_event(event);
    if (type == RDMA_CM_EVENT_CONNECT_REQUEST) {
      struct ibv_qp_init_attr attributes = {
          .qp_type = IBV_QPT_RC,
          .cap = {.max_send_wr = 1, .max_recv_wr = 1, .max_send_sge = 1, .max_recv_sge = 1},
      };
      /* The memory is there to be written to: only the receive is missing. */
      static char memory[MEMORY];
      if (rdma_create_qp(id, NULL, &attributes)) fail("rdma_create_qp");
      struct ibv_mr *region = ibv_reg_mr(id->pd, memory, MEMORY, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE);
      if (!region) fail("ibv_reg_mr");
      struct invitation mine = {htobe64((uintptr_t)memory), htobe32(region->rkey), htobe32(MEMORY)};
      struct rdma_conn_param with = parameters(&mine, sizeof mine);
      if (rdma_accept(id, &with)) fail("rdma_accept");
    } else if (type == RDMA_CM_EVENT_DISCONNECTED) {
      rdma_disconnect(id);
    }
  }
}

int main(int argc, char **argv) {
  if (argc == 4 && !strcmp(argv[1], "silent-server")) stay_silent(argv[2], argv[3]);
  if (argc == 5 && !strcmp(argv[1], "refusing-server")) return refuse(argv[2], argv[3], argv[4]);
  if (argc == 5 && !strcmp(argv[1], "refused-client")) return be_refused(argv[2], argv[3], argv[4]);
  if (argc == 4 && !strcmp(argv[1], "operating-server")) return operate(true, argv[2], argv[3]);
  if (argc == 4 && !strcmp(argv[1], "operating-client")) return operate(false, argv[2], argv[3]);
  if (argc != 7) {
    fputs("peer server|client ADDRESS COUNT LENGTH pingpong|rate|checked poll|event\n"
          "peer silent-server ADDRESS PORT\n"
          "peer refusing-server|refused-client ADDRESS PORT WORDS\n"
          "peer operating-server|operating-client ADDRESS PORT\n",
          stderr);
    return WRONG_ARGUMENTS;
  }
  bool server = either(argv[1], "server", "client");
  uint32_t count = number(argv[3], 1, INT32_MAX);
  bool checked = !strcmp(argv[5], "checked");
  bool rate = !checked && either(argv[5], "rate", "pingpong");
  struct connection c = {
      .events = new_channel(),
      .length = number(argv[4], 0, MEMORY),
      .sleeps = either(argv[6], "event", "poll"),
      .checks = checked,
      .server = server,
  };
  if (server) accept_one(&c, argv[2]);
  else connect_to(&c, argv[2]);
  if (c.length > c.theirs.length) {
    fprintf(stderr, "peer: %u bytes don't fit the other side's %u\n", c.length, c.theirs.length);
    return WRONG_DATA;
  }
  /* The CM leaves this timer at 655 ms, and then one missing receive would decide the figure. */
  struct ibv_qp_attr timer = {.min_rnr_timer = RNR_TIMER_10_US};
  check("ibv_modify_qp", ibv_modify_qp(c.id->qp, &timer, IBV_QP_MIN_RNR_TIMER));

  if (rate && server) count_many(&c, count, argv[6]);
  else if (rate) send_many(&c, count);
  else if (server) pong(&c, count);
  else ping(&c, count, argv[6]);
  fflush(stdout);
  part(c.events, c.id, rate != server);
  return 0;
}
