/* Saying no, and being told no. */
#ifndef MANNERS_H
#define MANNERS_H

/* Both return the program's exit status. */
int refuse(const char *address, const char *port, const char *words);
int be_refused(const char *address, const char *port, const char *words);

#endif
