/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Formats that events are written in. A format is one file that defines a struct
 * exporter, and a row of exporters[] in sink.c.
 */
#ifndef KTAP_EXPORT_EXPORTER_H
#define KTAP_EXPORT_EXPORTER_H

#include "base/buf.h"
#include "export/sink.h"

/**
 * enum exporter_option - members of struct sink_options
 * @EXPORTER_TIME: time and wall_offset
 * @EXPORTER_SYMBOLS: ks
 * @EXPORTER_DEPTH: depth
 * @EXPORTER_PRETTY: pretty
 * @EXPORTER_ALIGNED: aligned
 * @EXPORTER_INTS: ints_text
 */
enum exporter_option {
	EXPORTER_TIME = 1 << 0,
	EXPORTER_SYMBOLS = 1 << 1,
	EXPORTER_DEPTH = 1 << 2,
	EXPORTER_PRETTY = 1 << 3,
	EXPORTER_ALIGNED = 1 << 4,
	EXPORTER_INTS = 1 << 5,
};

/**
 * struct exporting - one output that an exporter is writing
 * @opt: options; those that the exporter does not declare have their default
 * @out: the exporter appends to it; the sink writes it and makes it empty
 * @state: the exporter's own, zeroed at first
 */
struct exporting {
	struct sink_options opt;
	struct buf out;
	void *state;
};

/**
 * struct exporter - a format
 * @name: of the format
 * @options: of enum exporter_option: what it looks at
 * @state_size: bytes of its state
 * @begin: what comes before the first event. Return: 0, -ENOMEM.
 * @event: append one event; marks where records were lost are events, too, and so are the
 *	texts of 'ktap mark'. Where
 *	memory runs out @out.failed is set.
 * @end: append what comes after the last event, and release what the state holds;
 *	called once, also where writing failed
 */
struct exporter {
	const char *name;
	unsigned int options;
	size_t state_size;
	int (*begin)(struct exporting *x);
	void (*event)(struct exporting *x, const struct event *e);
	void (*end)(struct exporting *x);
};

#endif /* KTAP_EXPORT_EXPORTER_H */
