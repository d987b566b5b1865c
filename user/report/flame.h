/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A flame graph: call paths and their weights as an SVG file that needs no other file. A
 * browser searches and zooms it by the script in the file; viewers without scripts show it
 * as a picture.
 */
#ifndef KTAP_REPORT_FLAME_H
#define KTAP_REPORT_FLAME_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

/**
 * struct flame - paths that were added
 * @path: paths; owned
 * @nr: how many
 */
struct flame {
	struct flame_path *path;
	size_t nr;
};

/**
 * flame_add() - add a path
 * @f: graph; zeros when it has no path
 * @text: names from the outermost frame to the innermost one, with a NUL after each
 * @nr: number of names
 * @weight: its width
 *
 * Return: 0 or -ENOMEM.
 */
int flame_add(struct flame *f, const char *text, size_t nr, uint64_t weight);

/**
 * flame_svg() - draw a graph
 * @f: graph; its paths are sorted
 * @title: text above the graph
 * @unit: what weights are, such as "hits"
 * @out: the file is appended
 *
 * Frames that are narrower than a tenth of a pixel are omitted. Paths with one name in the
 * same place share a frame.
 *
 * Return: 0; -ENOMEM; -EOVERFLOW: the sum of all weights has more than 64 bits.
 */
int flame_svg(struct flame *f, const char *title, const char *unit,
	      struct buf *out);

/**
 * flame_deinit() - release a graph
 * @f: graph
 */
void flame_deinit(struct flame *f);

#endif /* KTAP_REPORT_FLAME_H */
