/* See manners.h. */
#include "manners.h"

#include <stdio.h>
#include <string.h>

#include "steps.h"

/* Private data come padded with zeros, so the words end there. */
static void print_words(const char *before, const struct rdma_conn_param *from) {
  printf("%s%.*s\n", before, (int)from->private_data_len, from->private_data ? (const char *)from->private_data : "");
  fflush(stdout);
}

int refuse(const char *address, const char *port, const char *words) {
  struct rdma_event_channel *events = new_channel();
  start_listening(events, address, port);
  struct rdma_cm_event *event = await(events, RDMA_CM_EVENT_CONNECT_REQUEST);
  print_words("asked: ", &event->param.conn);
  if (rdma_reject(event->id, words, (uint8_t)strlen(words))) fail("rdma_reject");
  struct rdma_cm_id *id = event->id;
  rdma_ack_cm_event(event);
  rdma_destroy_id(id);
  return 0;
}

int be_refused(const char *address, const char *port, const char *words) {
  struct rdma_event_channel *events = new_channel();
  struct rdma_cm_id *id = resolve(events, address, port);
  struct ibv_qp_init_attr attributes = {
      .qp_type = IBV_QPT_RC,
      .cap = {.max_send_wr = 1, .max_recv_wr = 1, .max_send_sge = 1, .max_recv_sge = 1},
  };
  if (rdma_create_qp(id, NULL, &attributes)) fail("rdma_create_qp");
  struct rdma_conn_param with = parameters(words, (uint8_t)strlen(words));
  if (rdma_connect(id, &with)) fail("rdma_connect");
  struct rdma_cm_event *event = await(events, RDMA_CM_EVENT_REJECTED);
  printf("reason %d, ", event->status);
  print_words("answered: ", &event->param.conn);
  rdma_ack_cm_event(event);
  rdma_destroy_qp(id);
  rdma_destroy_id(id);
  return 0;
}
