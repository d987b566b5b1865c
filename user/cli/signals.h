/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The wish to end. The first SIGINT, SIGTERM or SIGHUP makes a descriptor
 * readable, so that a recording ends with all that it has; a SIGINT after
 * that ends the process on the spot.
 */
#ifndef KTAP_CLI_SIGNALS_H
#define KTAP_CLI_SIGNALS_H

#include <sys/types.h>

/* signals_open() - from here on. Return: descriptor to poll, or -errno. */
int signals_open(void);

/* signals_forward() - what was sent to us alone goes to @pid too; 0: to none. */
void signals_forward(pid_t pid);

/* signals_seen() - the signal that asks ktap to end, or 0. */
int signals_seen(void);

/**
 * signals_at_exit() - have a function called before a second SIGINT ends the process
 * @fn: called in a signal handler; NULL: nothing is called
 */
void signals_at_exit(void (*fn)(void));

/* signals_reset() - in a child: as they were before signals_open(). */
void signals_reset(void);

#endif /* KTAP_CLI_SIGNALS_H */
