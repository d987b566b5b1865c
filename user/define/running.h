/* SPDX-License-Identifier: GPL-2.0 */
/* The symbols of the kernel that runs, read no more often than they change. */
#ifndef KTAP_DEFINE_RUNNING_H
#define KTAP_DEFINE_RUNNING_H

#include <stdbool.h>

#include "base/diag.h"

struct ctl;
struct ksyms;

/**
 * running_symbols() - get the symbols of the running kernel
 * @ctl: the module knows when they change; NULL: nobody does, and /proc/kallsyms is read
 * @d: on failure
 * @ret: see ksyms_load_running()
 *
 * Return: as ksyms_load().
 */
int running_symbols(struct ctl *ctl, struct diag *d, struct ksyms **ret);

/**
 * running_symbols_follow() - have symbols follow the set of modules
 * @ctl: the module knows that; NULL: nobody does
 * @ks: see ksyms_follow(); or NULL
 *
 * Return: whether addresses may have other names than they had.
 */
bool running_symbols_follow(struct ctl *ctl, struct ksyms *ks);

#endif /* KTAP_DEFINE_RUNNING_H */
