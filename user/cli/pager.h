/* SPDX-License-Identifier: GPL-2.0 */
/* A pager for what is longer than the terminal. */
#ifndef KTAP_CLI_PAGER_H
#define KTAP_CLI_PAGER_H

#include <stdbool.h>

/**
 * pager_start() - have a pager show what is written to stdout from now on
 *
 * Where stdout is a terminal: the command in $KTAP_PAGER, or in $PAGER, or less, where
 * that is installed; "cat" and an empty one are none.
 */
void pager_start(void);

/**
 * pager_wait() - wait until the user has left the pager
 *
 * stdout must have been closed, because the pager reads it to its end. Without a pager this
 * function returns at once.
 */
void pager_wait(void);

/**
 * on_terminal() - whether stdout is shown on a terminal, directly or in a pager
 *
 * Return: true if it is.
 */
bool on_terminal(void);

#endif /* KTAP_CLI_PAGER_H */
