/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A flame graph: call paths and their weights as an SVG file that needs no other file. A
 * browser searches and zooms it by the script in the file; viewers without scripts show it
 * as a picture.
 */
#ifndef KTAP_REPORT_FLAME_H
#define KTAP_REPORT_FLAME_H

#include "base/buf.h"
#include "report/paths.h"

/**
 * flame_svg() - draw a graph
 * @p: paths, whose weights are not negative; they are sorted
 * @title: text above the graph
 * @unit: what weights are, such as "hits"
 * @out: the file is appended
 *
 * Frames that are narrower than a tenth of a pixel are omitted. Paths with one name in the
 * same place share a frame.
 *
 * Return: 0; -ENOMEM; -EOVERFLOW: the sum of all weights has more than 64 bits.
 */
int flame_svg(struct paths *p, const char *title, const char *unit,
	      struct buf *out);

#endif /* KTAP_REPORT_FLAME_H */
