/* What all parts of the C peer use: calls that end the program when they fail, and the steps of connecting. */
#ifndef STEPS_H
#define STEPS_H

#include <rdma/rdma_cma.h>
#include <stdbool.h>
#include <stdint.h>

enum { CALL_FAILED = 1, WRONG_EVENT = 2, WRONG_COMPLETION = 3, WRONG_DATA = 4, WRONG_ARGUMENTS = 64 };

enum {
  RESOLVE_MS = 2000,
  GOODBYE_MS = 5000 /* how long to wait for the other side to disconnect */
};

void fail(const char *call);

/* For calls that return the error number. */
void check(const char *call, int error);

/* The next event, which must be of that type. */
struct rdma_cm_event *await(struct rdma_event_channel *events, enum rdma_cm_event_type wanted);
void await_and_ack(struct rdma_event_channel *events, enum rdma_cm_event_type wanted);

struct rdma_conn_param parameters(const void *data, uint8_t length);
struct rdma_event_channel *new_channel(void);
struct rdma_cm_id *new_id(struct rdma_event_channel *events);

/* Binds, listens and says so. */
void start_listening(struct rdma_event_channel *events, const char *address, const char *port);

/* A new id that knows its device and its way to a peer. */
struct rdma_cm_id *resolve(struct rdma_event_channel *events, const char *address, const char *port);

/*
 * Ends the connection without cutting off an acknowledgement under way: the side that wrote last knows, from its last
 * completion, that everything has arrived, so it disconnects, and the other waits for that. Either may be another
 * program with other habits, so the wait is bounded and what comes is not judged.
 */
void part(struct rdma_event_channel *events, struct rdma_cm_id *id, bool wrote_last);

/* A whole number from least to most, or the end of the program. */
uint32_t number(const char *text, unsigned long least, unsigned long most);

/* Which of two words it is: true for the first. */
bool either(const char *text, const char *first, const char *second);

#endif
