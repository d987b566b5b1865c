/* SPDX-License-Identifier: GPL-2.0 */
/* Rows of a report as a call tree on stdout: indented lines, or JSON. */
#ifndef KTAP_CLI_TREED_H
#define KTAP_CLI_TREED_H

#include "cli/reported.h"
#include "report/paths.h"

/**
 * treed_show() - print a tree
 * @look: how
 * @paths: of the rows, from row_path_add(); they are sorted
 *
 * Return: 0 or -ENOMEM.
 */
int treed_show(const struct reported_look *look, struct paths *paths);

#endif /* KTAP_CLI_TREED_H */
