/* SPDX-License-Identifier: GPL-2.0 */
/* Definitions as lines of the kernel's own files, on stdout: --format. */
#ifndef KTAP_CLI_KERNEL_LINES_H
#define KTAP_CLI_KERNEL_LINES_H

#include "define/define.h"

#define FORMAT_KERNEL "kprobe_events"

/**
 * format_option() - check the value of --format
 * @value: value
 * @d: on failure
 *
 * Return: 0; -EINVAL: it is not FORMAT_KERNEL.
 */
int format_option(const char *value, struct diag *d);

/**
 * kernel_lines_print() - print a definition as lines of kprobe_events or uprobe_events
 * @df: definer that compiled it
 * @def: first point; each point is one line
 * @d: on failure: what these lines cannot say
 *
 * The lines go to stdout, which is not flushed. On failure no line is printed.
 *
 * Return: 0; -EINVAL: a point cannot be written in that syntax; -ENOMEM.
 */
int kernel_lines_print(const struct definer *df, const struct definition *def,
		       struct diag *d);

#endif /* KTAP_CLI_KERNEL_LINES_H */
