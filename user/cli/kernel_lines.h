/* SPDX-License-Identifier: GPL-2.0 */
/* Definitions as lines of the kernel's own files, on stdout: --format. */
#ifndef KTAP_CLI_KERNEL_LINES_H
#define KTAP_CLI_KERNEL_LINES_H

#include "define/define.h"

#define FORMAT_KERNEL "kprobe_events"

/* format_option() - whether @value of --format is known. Return: 0, -EINVAL. */
int format_option(const char *value, struct diag *d);

/* kernel_lines_print() - one line for each point of @def, or none at all. */
int kernel_lines_print(const struct definer *df, const struct definition *def,
		       struct diag *d);

#endif /* KTAP_CLI_KERNEL_LINES_H */
