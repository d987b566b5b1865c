// SPDX-License-Identifier: GPL-2.0
/* Options that trace, record and stat share. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/capture.h"

const struct option_row capture_rows[] = {
	OPTION_FILE,
	OPTION_MODULE,
	OPTION_KERNEL,
	OPTION_SOURCE,
	OPTION_HOOK,
	OPTION_WAIT,
	OPTION_SKIP,
	OPTION_ROOT,
	OPTION_PARAM,
	{ 'p', "pid", "PID", "only the hits of this process and its descendants" },
	{ 'a', "all", NULL, "the hits of all processes, even with a command" },
	{ OPT_SELF, "self", NULL, "also the hits that ktap itself causes" },
	{ OPT_TIMEOUT, "timeout", "SEC", "end after SEC seconds; the command gets SIGTERM" },
	{ OPT_EVERY, "every", "N", "record the first of every N hits on each CPU" },
	{ OPT_RATE, "rate", "N/s", "record at most N hits of each probe per second" },
	{ OPT_MAX, "max", "N", "record at most N hits of each probe, then end" },
	{ OPT_STRICT, "strict", NULL, "fail if a hit or a mark was lost" },
	{ 'v', "verbose", NULL, "print the accounting at the end" },
	OPTION_QUIET,
	{ 0 }
};

void capture_options_deinit(struct capture_options *o)
{
	free(o->events.word);
	free(o->pids);
	params_deinit(&o->params);
	verdict_options_deinit(&o->verdict);
}

static int add_pid(struct capture_options *o, const char *value,
		   struct diag *d)
{
	pid_t *pids = reallocarray(o->pids, o->nr_pids + 1, sizeof(*pids));

	if (!pids)
		return diag_no_memory(d);
	o->pids = pids;
	return option_pid(value, "-p", d, &pids[o->nr_pids++]);
}

static int add_event(struct capture_options *o, const char *value,
		     struct diag *d)
{
	char **word = reallocarray(o->events.word, o->events.nr + 1,
				   sizeof(*word));

	if (!word)
		return diag_no_memory(d);
	o->events.word = word;
	word[o->events.nr++] = (char *)value;
	return 0;
}

/* The kernel wants a power of two: take the next one. */
static int set_ring_size(struct capture_options *o, const char *value,
			 struct diag *d)
{
	uint64_t size;
	int err;

	err = option_size(value, "-b", d, &size);
	if (err)
		return err;
	o->ring_size = 1;
	while (o->ring_size < size && o->ring_size < 1ULL << 62)
		o->ring_size <<= 1;
	return 0;
}

/* Once it was the size of rings. */
static int set_module(struct capture_options *o, const char *value,
		      struct diag *d)
{
	uint64_t size;

	if (!option_size(value, "-m", NULL, &size)) {
		diag_set(d, -EINVAL, DIAG_OPTION_BAD_VALUE, value, "-m");
		diag_hint(d, "it takes a module; the size of rings is -b");
		return -EINVAL;
	}
	o->module = value;
	return 0;
}

static int set_rate(struct capture_options *o, int key, const char *value,
		    struct diag *d)
{
	struct ktap_session_rates *r = &o->rates;
	uint64_t n = 0;
	int err;

	switch (key) {
	case OPT_EVERY:
		err = option_count(value, "--every", NULL, UINT32_MAX, d, &n);
		r->every = n;
		return err;
	case OPT_RATE:
		err = option_count(value, "--rate", "/s", UINT32_MAX, d, &n);
		r->per_second = n;
		return err;
	default:
		err = option_count(value, "--max", NULL, INT64_MAX, d, &n);
		r->max = n;
		return err;
	}
}

static bool *flag_of(struct capture_options *o, int key)
{
	switch (key) {
	case 'a':
		return &o->all;
	case 'q':
		return &o->quiet;
	case 'v':
		return &o->verbose;
	case OPT_SKIP:
		return &o->skip;
	case 'g':
		return &o->stacks;
	case OPT_WAIT:
		return &o->wait;
	case OPT_SELF:
		return &o->self;
	case OPT_OVERWRITE:
		return &o->overwrite;
	default:
		return &o->strict;
	}
}

int capture_option(struct capture_options *o, int key, const char *value,
		   struct diag *d)
{
	switch (key) {
	case 'e':
		return add_event(o, value, d);
	case 'b':
		return set_ring_size(o, value, d);
	case 'm':
		return set_module(o, value, d);
	case 'x':
		o->file = value;
		return 0;
	case 'k':
		o->vmlinux = value;
		return 0;
	case 's':
		o->source = value;
		return 0;
	case OPT_ROOT:
		o->root = value;
		return 0;
	case OPT_HOOK:
		o->hook = value;
		return 0;
	case OPT_PARAM:
		return params_take_option(&o->params, value, d);
	case 'p':
		return add_pid(o, value, d);
	case OPT_EVERY:
	case OPT_RATE:
	case OPT_MAX:
		return set_rate(o, key, value, d);
	case OPT_EXPECT:
	case OPT_MAX_LOST:
	case OPT_JUNIT:
		return verdict_option(&o->verdict, key, value, d);
	case OPT_ROWS:
		return option_count(value, "--rows", NULL, KTAP_MAP_SLOTS_MAX, d,
				    &o->nr_rows);
	case OPT_TIMEOUT:
		return option_seconds(value, "--timeout", d, &o->timeout_ns);
	default:
		*flag_of(o, key) = true;
		return 0;
	}
}
