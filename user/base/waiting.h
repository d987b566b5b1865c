/* SPDX-License-Identifier: GPL-2.0 */
/* Others that the library waits for, told to whoever called it. */
#ifndef KTAP_BASE_WAITING_H
#define KTAP_BASE_WAITING_H

#include <stdbool.h>

/**
 * waiting_watch() - have a function called while the library waits for others
 * @fn: gets what is waited for, about once per second; returns whether to give up; NULL: none
 *
 * It is one for the whole process, as the libraries that wait have no place for more.
 */
void waiting_watch(bool (*fn)(const char *what));

/**
 * waiting_for() - tell that something is waited for, still
 * @what: what
 *
 * Return: whether to give up.
 */
bool waiting_for(const char *what);

#endif /* KTAP_BASE_WAITING_H */
