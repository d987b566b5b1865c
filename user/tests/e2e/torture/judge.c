// SPDX-License-Identifier: GPL-2.0
/*
 * Whether a round was as it had to be: hits as many as calls, the sum of what
 * became of them, all records decoded, rows of maps that add up, state that is
 * the right one, and no time that goes back on a CPU. In C, since a shell takes
 * a minute for it under sanitizers.
 */
#include <stdlib.h>
#include <string.h>

#include "../tell/tell.h"
#include "torture.h"

#define EVENTS_MAX 64
#define CPUS_MAX   64

/* The numbers of 'ktap stat --json' that count. */
#define KEYS(X)                                                             \
	X(hits) X(filtered) X(limited) X(counted) X(recorded) X(aggregated)   \
	X(other) X(full) X(deep) X(big) X(no_ring) X(missed) X(entries)        \
	X(stores) X(unstored) X(loads)

#define KEY(name) KEY_##name,
enum key { KEYS(KEY) NR_KEYS };

#undef KEY

#define KEY(name) "\"" #name "\":",
static const char *const keys[] = { KEYS(KEY) };
#undef KEY

/**
 * struct event - what is known of one
 * @name: its
 * @calls: how often its function was called, by the load's own count
 * @is_return: its hits are the returns of its entries
 * @has_stack: each record of it has a stack
 * @is_timer: nobody counts its calls
 * @is_map: its hits are rows of a map
 * @is_store: its hits store state and are nothing else
 * @is_nmissed: the kernel counts what it misses, and not exactly
 * @all: its numbers at the end, those of earlier rounds included
 * @now: by how much they grew in this round
 * @decoded: records of it, or the counts of its rows
 * @stacks: those of them with a frame
 * @seen: it is in both lists of numbers
 */
struct event {
	char name[32];
	long calls;
	bool is_return, has_stack, is_timer, is_map, is_store, is_nmissed;
	long all[NR_KEYS], now[NR_KEYS];
	long decoded, stacks;
	int seen;
};

static struct event events[EVENTS_MAX];
static unsigned int nr_events;

static struct event *find(const char *name, size_t len)
{
	unsigned int i;

	for (i = 0; i < nr_events; i++)
		if (strlen(events[i].name) == len &&
		    !memcmp(events[i].name, name, len))
			return &events[i];
	return NULL;
}

static FILE *open_file(const char *path)
{
	FILE *f = fopen(path, "re");

	if (!f)
		die(path);
	return f;
}

/* Lines 'NAME CALLS KIND', where KIND has some of: return,stack,timer,map,store,nmissed. */
static void read_events(const char *path)
{
	FILE *f = open_file(path);
	struct event *e;
	char line[128], kind[40];

	while (fgets(line, sizeof(line), f)) {
		if (nr_events == EVENTS_MAX)
			die("too many events");
		e = &events[nr_events++];
		kind[0] = 0;
		if (sscanf(line, "%31s %ld %39s", e->name, &e->calls, kind) < 2)
			die(line);
		e->is_return = strstr(kind, "return");
		e->has_stack = strstr(kind, "stack");
		e->is_timer = strstr(kind, "timer");
		e->is_map = strstr(kind, "map");
		e->is_store = strstr(kind, "store");
		e->is_nmissed = strstr(kind, "nmissed");
	}
	fclose(f);
}

/* Adds @times each number to what grew. */
static void read_stat(const char *path, int times)
{
	FILE *f = open_file(path);
	char *line = NULL, *name, *at;
	struct event *e;
	size_t room = 0;
	long n;
	int i;

	while (getline(&line, &room, f) > 0) {
		name = strstr(line, "\"name\":\"");
		e = name ? find(name + 8, strcspn(name + 8, "\"")) : NULL;
		if (!e)
			continue;
		e->seen++;
		for (i = 0; i < NR_KEYS; i++) {
			at = strstr(line, keys[i]);
			n = at ? atol(at + strlen(keys[i])) : 0;
			e->all[i] = n;
			e->now[i] += times * n;
		}
	}
	free(line);
	fclose(f);
}

/* The number behind @key, which is the last one where there are several; @none without it. */
static long last_number(const char *line, const char *key, long none)
{
	const char *at;

	while ((at = strstr(line, key))) {
		line = at + strlen(key);
		none = atol(line);
	}
	return none;
}

/* Rows whose sum is known, and rows with what was loaded: there are some in each round. */
static unsigned int nr_products, nr_loaded;

/* What is wrong with a row of @count hits, or NULL. */
static const char *row_problem(const char *line, long count)
{
	const char *buckets = strstr(line, "\"buckets\":"), *at;
	long n = last_number(line, "\"n\":", count), sum = 0;
	long each = last_number(line, "\"each\":", 0);

	nr_products += !!each;
	nr_loaded += !last_number(line, "\"wrong\":", 1);
	if (n + last_number(line, "\"faulted\":", 0) != count)
		return "there is not a value for each hit";
	for (at = buckets; at && (at = strstr(at, "\"count\":")); at += 8)
		sum += atol(at + 8);
	if (buckets && sum != n)
		return "the buckets do not have all values";
	if (each && last_number(line, "\"sum\":", 0) != each * count)
		return "the sum is not the product";
	/* the program compares it with the value that was stored */
	if (last_number(line, "\"wrong\":", 0))
		return "the value is not the stored one";
	return NULL;
}

/* Rows of maps, as 'ktap count --json' prints them. */
static void read_maps(const char *path)
{
	FILE *f = open_file(path);
	const char *problem;
	char name[32];
	struct event *e;
	char *line = NULL;
	size_t room = 0;
	long count;

	while (getline(&line, &room, f) > 0) {
		if (sscanf(line, "{\"v\":1,\"name\":\"%31[^\"]\",\"count\":%ld,",
			   name, &count) != 2)
			die(line);
		e = find(name, strlen(name));
		if (!e)
			die(line);
		e->decoded += count;
		problem = row_problem(line, count);
		if (problem)
			printf("%s: %s: %s", name, problem, line);
	}
	free(line);
	fclose(f);
}

/* ---- records ------------------------------------------------------------------- */

static unsigned long back, odd;

/*
 * Lines are 'COMM-TID [CPU] SECONDS.FRACTION: NAME: (...'. Those of one CPU
 * come in the order in which they lie in its ring. A frame of the stack of a record
 * follows it, behind a tab.
 */
static void read_line(const char *line)
{
	static unsigned long long last[CPUS_MAX];
	static struct event *without_frame;
	unsigned long long sec, frac, at;
	const char *p = strstr(line, " [");
	unsigned int cpu;
	struct event *e;
	int used;

	if (*line == '\t') {
		if (without_frame)
			without_frame->stacks++;
		without_frame = NULL;
		return;
	}
	if (!p ||
	    sscanf(p, " [%u] %llu.%llu: %n", &cpu, &sec, &frac, &used) != 3 ||
	    cpu >= CPUS_MAX) {
		odd++;
		return;
	}
	p += used;
	e = find(p, strcspn(p, ":"));
	/* the loop 'tool' writes marks; they are in the order of time, too */
	if (!e && strncmp(p, "mark: ", 6)) {
		odd++;
		return;
	}
	at = sec * 1000000 + frac;
	if (at < last[cpu] && !back++)
		printf("time goes back from %llu.%06llu: %s",
		       last[cpu] / 1000000, last[cpu] % 1000000, line);
	last[cpu] = at;
	without_frame = e && e->has_stack ? e : NULL;
	if (e)
		e->decoded++;
}

static void read_records(void)
{
	char *line = NULL;
	size_t room = 0;

	while (getline(&line, &room, stdin) > 0)
		read_line(line);
	free(line);
}

/* ---- judging --------------------------------------------------------------------- */

static void tell_event(const struct event *e, const char *what)
{
	int i;

	printf("%s: %s: %ld calls, %ld decoded;", e->name, what, e->calls,
	       e->decoded);
	for (i = 0; i < NR_KEYS; i++)
		printf(" %.*s %ld", (int)strlen(keys[i]) - 3, keys[i] + 1,
		       e->now[i]);
	putchar('\n');
}

static long sum_of(const long *n)
{
	return n[KEY_filtered] + n[KEY_limited] + n[KEY_counted] +
	       n[KEY_recorded] + n[KEY_aggregated] + n[KEY_other] +
	       n[KEY_full] + n[KEY_deep] + n[KEY_big] + n[KEY_no_ring];
}

/* The kernel counts what it missed: how many of those its counter may have lost. */
static long lost_of_missed(const struct event *e)
{
	return e->is_nmissed ? (e->now[KEY_missed] + 99) / 100 : 0;
}

static void judge_calls(const struct event *e, long came)
{
	long lost = e->calls - came - e->now[KEY_missed];

	if (lost < 0 || lost > lost_of_missed(e))
		tell_event(e, "calls are no hits");
	else if (lost)
		printf("# %s: %ld missed, and %ld more that the kernel did not count\n",
		       e->name, e->now[KEY_missed], lost);
}

static void judge_event(const struct event *e, bool overwrites)
{
	const long *n = e->now;
	long came = e->is_return ? n[KEY_entries] : n[KEY_hits];
	long kept = e->is_map ? n[KEY_aggregated] + n[KEY_other] :
				n[KEY_recorded];

	if (e->seen != 2)
		tell_event(e, "not in the list");
	if (!e->calls && !e->is_timer)
		tell_event(e, "it was not called");
	if (!e->is_timer)
		judge_calls(e, came);
	if (e->is_return && n[KEY_hits] != n[KEY_entries])
		tell_event(e, "returns are not entries");
	if (n[KEY_hits] != sum_of(n) || e->all[KEY_hits] != sum_of(e->all))
		tell_event(e, "hits are not the sum");
	if (overwrites && !e->is_map ? e->decoded > kept : e->decoded != kept)
		tell_event(e, "not what was recorded was decoded");
	if (e->has_stack && e->stacks != e->decoded)
		tell_event(e, "a record has no stack");
	if (e->is_store && n[KEY_stores] + n[KEY_unstored] != n[KEY_counted])
		tell_event(e, "a hit stored nothing");
}

static long total(enum key key)
{
	unsigned int i;
	long sum = 0;

	for (i = 0; i < nr_events; i++)
		sum += events[i].now[key];
	return sum;
}

/* All that is wrong, one line each; what begins with '#' is only told. */
int judge(char **files, long overwritten)
{
	unsigned int i;
	long decoded = 0;

	read_events(files[0]);
	read_stat(files[1], -1);
	read_stat(files[2], 1);
	read_maps(files[3]);
	read_records();
	for (i = 0; i < nr_events; i++) {
		judge_event(&events[i], overwritten >= 0);
		if (!events[i].is_map)
			decoded += events[i].decoded;
	}
	if (overwritten >= 0 && decoded + overwritten != total(KEY_recorded))
		printf("%ld recorded, but %ld decoded and %ld overwritten\n",
		       total(KEY_recorded), decoded, overwritten);
	if (!nr_products || !nr_loaded)
		printf("%u rows with a product, %u with a loaded value\n", nr_products, nr_loaded);
	if (back || odd)
		printf("%lu times back, %lu lines not understood\n", back, odd);
	printf("# hits %ld, recorded %ld, filtered %ld, limited %ld, missed %ld, lost %ld full, %ld deep, %ld big, %ld without a ring; %ld decoded\n",
	       total(KEY_hits), total(KEY_recorded), total(KEY_filtered),
	       total(KEY_limited), total(KEY_missed), total(KEY_full),
	       total(KEY_deep), total(KEY_big), total(KEY_no_ring), decoded);
	return 0;
}
