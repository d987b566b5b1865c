/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The wish to end. The first SIGINT, SIGTERM or SIGHUP makes a descriptor
 * readable, so that a recording ends with all that it has; a SIGINT after
 * that ends the process on the spot.
 */
#ifndef KTAP_CLI_SIGNALS_H
#define KTAP_CLI_SIGNALS_H

#include <sys/types.h>

/**
 * signals_open() - have SIGINT, SIGTERM and SIGHUP ask the process to end
 *
 * The first of them makes a descriptor readable. A SIGINT that follows after more than 0.3
 * seconds ends the process with status 128 + SIGINT. SIGHUP stays ignored if it is ignored
 * now, as under nohup(1). There is no function that undoes this.
 *
 * Return: descriptor to poll, which must stay open and is not to be read; or a negative
 * errno: then signals have the effect that they had before.
 */
int signals_open(void);

/**
 * signals_forward() - send signals that this process gets to another process too
 * @pid: process; 0: none
 *
 * It concerns the signals of signals_open(). A signal that the terminal sent is not
 * forwarded: the other process is in the same group and gets it anyway.
 */
void signals_forward(pid_t pid);

/**
 * signals_seen() - get the signal that asks ktap to end
 *
 * Return: number of the first signal since signals_open(); 0: there was none.
 */
int signals_seen(void);

/**
 * signals_at_exit() - have a function called before a second SIGINT ends the process
 * @fn: called in a signal handler; NULL: nothing is called
 */
void signals_at_exit(void (*fn)(void));

/**
 * signals_reset() - prepare the signals of a child for exec
 *
 * SIGPIPE, which main() ignores, gets its default action. The handlers of signals_open() are
 * not changed here: exec removes them, and leaves signals ignored that are ignored.
 */
void signals_reset(void);

#endif /* KTAP_CLI_SIGNALS_H */
