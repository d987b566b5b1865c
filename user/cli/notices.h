/* SPDX-License-Identifier: GPL-2.0 */
/* What the library reports while it defines probes, as lines on stderr. */
#ifndef KTAP_CLI_NOTICES_H
#define KTAP_CLI_NOTICES_H

#include <stdbool.h>

#include "cli/say.h"
#include "define/define.h"

/**
 * struct notices - how a command shows them
 * @quiet: not at all
 * @progress: a line on the terminal while many probes are added
 * @adding: @progress is in use
 */
struct notices {
	bool quiet;
	struct progress progress;
	bool adding;
};

/**
 * notices_show() - a define_notice_fn
 * @ctx: struct notices
 * @n: notice
 *
 * Return: true when a signal has asked the command to end.
 */
bool notices_show(void *ctx, const struct define_notice *n);

#endif /* KTAP_CLI_NOTICES_H */
