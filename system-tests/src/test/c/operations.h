/* Atomics, reads and sends with and without immediate, of which both sides know the outcome. */
#ifndef OPERATIONS_H
#define OPERATIONS_H

#include <stdbool.h>

/* Returns the program's exit status. */
int operate(bool server, const char *address, const char *port);

#endif
