/* See steps.h. */
#include "steps.h"

#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void fail(const char *call) {
  fprintf(stderr, "peer: %s: %s\n", call, strerror(errno));
  exit(CALL_FAILED);
}

/* For calls that return the error number. */
void check(const char *call, int error) {
  if (error) {
    errno = error;
    fail(call);
  }
}

struct rdma_cm_event *await(struct rdma_event_channel *events, enum rdma_cm_event_type wanted) {
  struct rdma_cm_event *event;
  if (rdma_get_cm_event(events, &event)) fail("rdma_get_cm_event");
  if (event->event != wanted) {
    fprintf(stderr, "peer: %s instead of %s, status %d\n", rdma_event_str(event->event), rdma_event_str(wanted), event->status);
    exit(WRONG_EVENT);
  }
  return event;
}

void await_and_ack(struct rdma_event_channel *events, enum rdma_cm_event_type wanted) {
  rdma_ack_cm_event(await(events, wanted));
}

struct rdma_conn_param parameters(const void *data, uint8_t length) {
  return (struct rdma_conn_param){.private_data = data, .private_data_len = length, .retry_count = 7, .rnr_retry_count = 7};
}

static struct addrinfo *look_up(const char *address, const char *port) {
  struct addrinfo hints = {.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV, .ai_socktype = SOCK_STREAM}, *found;
  int error = getaddrinfo(address, port, &hints, &found);
  if (error) {
    fprintf(stderr, "peer: %s port %s: %s\n", address, port, gai_strerror(error));
    exit(WRONG_ARGUMENTS);
  }
  return found;
}

struct rdma_cm_id *new_id(struct rdma_event_channel *events) {
  struct rdma_cm_id *id;
  if (rdma_create_id(events, &id, NULL, RDMA_PS_TCP)) fail("rdma_create_id");
  return id;
}

struct rdma_event_channel *new_channel(void) {
  struct rdma_event_channel *events = rdma_create_event_channel();
  if (!events) fail("rdma_create_event_channel");
  return events;
}

void start_listening(struct rdma_event_channel *events, const char *address, const char *port) {
  struct addrinfo *where = look_up(address, port);
  struct rdma_cm_id *listener = new_id(events);
  if (rdma_bind_addr(listener, where->ai_addr)) fail("rdma_bind_addr");
  if (rdma_listen(listener, 8)) fail("rdma_listen");
  freeaddrinfo(where);
  puts("listening");
  fflush(stdout);
}

struct rdma_cm_id *resolve(struct rdma_event_channel *events, const char *address, const char *port) {
  struct addrinfo *where = look_up(address, port);
  struct rdma_cm_id *id = new_id(events);
  if (rdma_resolve_addr(id, NULL, where->ai_addr, RESOLVE_MS)) fail("rdma_resolve_addr");
  freeaddrinfo(where);
  await_and_ack(events, RDMA_CM_EVENT_ADDR_RESOLVED);
  if (rdma_resolve_route(id, RESOLVE_MS)) fail("rdma_resolve_route");
  await_and_ack(events, RDMA_CM_EVENT_ROUTE_RESOLVED);
  return id;
}

void part(struct rdma_event_channel *events, struct rdma_cm_id *id, bool wrote_last) {
  if (!wrote_last) {
    struct pollfd readable = {.fd = events->fd, .events = POLLIN};
    struct rdma_cm_event *event;
    if (poll(&readable, 1, GOODBYE_MS) > 0 && !rdma_get_cm_event(events, &event)) rdma_ack_cm_event(event);
  }
  rdma_disconnect(id);
  rdma_destroy_qp(id);
}

/* A whole number from least to most, or the end of the program. */
uint32_t number(const char *text, unsigned long least, unsigned long most) {
  char *end;
  errno = 0;
  unsigned long value = strtoul(text, &end, 10);
  if (errno || *end || end == text || *text == '-' || value < least || value > most) {
    fprintf(stderr, "peer: %s is not a number from %lu to %lu\n", text, least, most);
    exit(WRONG_ARGUMENTS);
  }
  return (uint32_t)value;
}

/* Which of two words it is: true for the first. */
bool either(const char *text, const char *first, const char *second) {
  if (!strcmp(text, first)) return true;
  if (!strcmp(text, second)) return false;
  fprintf(stderr, "peer: %s is neither %s nor %s\n", text, first, second);
  exit(WRONG_ARGUMENTS);
}
