// SPDX-License-Identifier: GPL-2.0
/* Events to stdout. */
#include "base/array.h"
#include "base/cleanup.h"
#include "cli/output.h"
#include "cli/pager.h"
#include "cli/print.h"
#include "record/datafile.h"

#include <errno.h>
#include <string.h>

/* Of --depth. No type has as many. */
#define DEPTH_MAX 100

static int set_time(struct output *o, const char *value, struct diag *d)
{
	static const char *const names[] = {
		[SINK_TIME_MONO] = "mono",
		[SINK_TIME_WALL] = "wall",
		[SINK_TIME_REL] = "rel",
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (strcmp(value, names[i]))
			continue;
		o->time = i;
		return 0;
	}
	diag_set(d, -EINVAL, DIAG_OPTION_BAD_VALUE, value, "--time");
	diag_hint(d, "it takes mono, wall or rel");
	return -EINVAL;
}

static int set_ints(struct output *o, const char *value, struct diag *d)
{
	o->ints_text = !strcmp(value, "string");
	if (o->ints_text || !strcmp(value, "number"))
		return 0;
	diag_set(d, -EINVAL, DIAG_OPTION_BAD_VALUE, value, "--json-ints");
	diag_hint(d, "it takes number or string");
	return -EINVAL;
}

int output_option(struct output *o, int key, const char *value, struct diag *d)
{
	uint64_t depth;
	int err;

	switch (key) {
	case OPT_JSON:
		o->json = true;
		return 0;
	case OPT_JSON_INTS:
		return set_ints(o, value, d);
	case OPT_PRETTY:
		o->pretty = true;
		return 0;
	case OPT_TIME:
		return set_time(o, value, d);
	case OPT_DEPTH:
		err = option_count(value, "--depth", NULL, DEPTH_MAX, d,
				   &depth);
		if (!err)
			o->depth = depth;
		return err;
	default:
		return 1;
	}
}

int output_open(struct output *o, int64_t wall_offset, struct diag *d)
{
	const struct sink_options opt = {
		.out = stdout,
		.exporter = o->json ? &exporter_json : &exporter_text,
		.aligned = on_terminal(),
		.ints_text = o->ints_text,
		.time = o->time,
		.wall_offset = wall_offset,
		.ks = o->ks,
		.depth = o->depth,
		.pretty = o->pretty,
	};

	return sink_create(&opt, d, &o->sink);
}

/* That output cannot be written was reported where it was flushed before. */
void output_close(struct output *o)
{
	if (o->sink)
		sink_end(o->sink);
	sink_destroy(o->sink);
	o->sink = NULL;
	ksyms_free(take_ptr(o->ks));
	naming_deinit(&o->naming);
}

int output_symbols(struct output *o, const struct datafile *f, struct diag *d)
{
	struct ksyms *ks = NULL;
	int err;

	err = naming_symbols(&o->naming, f, d, &ks);
	if (err)
		return err;
	if (o->sink)
		sink_symbols(o->sink, ks);
	ksyms_free(o->ks);
	o->ks = ks;
	return 0;
}

int output_event(void *output, const struct event *event)
{
	struct output *o = output;

	/* marks would make the lines more than the records */
	if (event->lost && !o->lost)
		return 0;
	o->any = true;
	return sink_event(o->sink, event);
}

void output_block(const struct output *o)
{
	if (o->any && !o->json)
		print_block();
}

int output_flush(struct output *o)
{
	return sink_flush(o->sink);
}
