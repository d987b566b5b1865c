// SPDX-License-Identifier: GPL-2.0
/*
 * How fast recordings are read: makes one with RECORDS of three arguments on a
 * number of CPUs, and times opening it, decoding it, and writing it as text
 * and as JSON to nowhere. To be built with -O2 and without sanitizers.
 *
 *	bench_decode [RECORDS [CPUS [FILE]]]
 *	bench_decode make RECORDS CPUS FILE	only makes it
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "decode/decode.h"
#include "event_log.h"
#include "export/sink.h"
#include "ring_builder.h"

#define SUBBUF		65536
#define CPUS_MAX	64

static struct field fields[] = {
	{ "dfd", FIELD_INT, FORMAT_SIGNED, 4, 12, FIELD_NO_FAULT },
	{ "file", FIELD_STRING, FORMAT_TEXT, 4, 8, FIELD_NO_FAULT },
	{ "flags", FIELD_INT, FORMAT_HEX, 8, 0, 0 },
};

static const struct layout layout = {
	.definition = "d", .symbol = "do_sys_openat2", .fields = fields,
	.nr_fields = 3, .fixed_size = 24, .faults_offset = 16, .faults_size = 8,
};

/* As the program of such a probe lays it out. */
struct payload {
	uint64_t flags;
	struct ktap_string file;
	int32_t dfd;
	uint64_t faults;
	char text[12];
};

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

/* ---- the recording ---- */

/* All full sub-buffers, or all there is, go to the file. */
static void empty(struct ring_builder *rb, unsigned int cpu,
		  struct datafile_writer *w)
{
	uint64_t at, end;

	for (at = rb->base; at < rb->head; at = end) {
		end = (at / SUBBUF + 1) * SUBBUF;
		if (end > rb->head)
			end = rb->head;
		if (datafile_data(w, cpu, at, rb->bytes + at - rb->base,
				  end - at, NULL))
			die("datafile_data");
	}
	rb_forget(rb);
}

static void add(struct ring_builder *rb, unsigned int cpu, uint64_t i,
		struct datafile_writer *w)
{
	struct payload p = {
		.flags = i, .file = { 12, 0 }, .dfd = -100, .text = "/etc/passwd",
	};

	if (i % 1000 == 0)
		rb_task(rb, 1000 + i % 7777, 1000, i % 2000 ? "cat" : "bash");
	rb_event(rb, 16, 1000 + 150 * i, &p, 24 + 12);
	if (rb->head - rb->base > 4 * SUBBUF)
		empty(rb, cpu, w);
}

static void make(const char *path, uint64_t records, unsigned int cpus)
{
	const struct machine m = {
		.release = "bench", .nr_cpus = cpus, .clock = KTAP_CLOCK_TSC,
		.clock_hz = 3000000000, .subbuf_size = SUBBUF,
	};
	struct ktap_session_state end = { .raw = 2000 + 150 * records };
	static struct ring_builder rb[CPUS_MAX];
	struct datafile_writer *w = NULL;
	unsigned int cpu;
	size_t size;
	void *blob;
	uint64_t i;

	blob = log_blob(&layout, &size);
	if (datafile_create(path, &m, NULL, &w) ||
	    datafile_probe(w, 16, "open", blob, size, NULL))
		die(path);
	for (cpu = 0; cpu < cpus; cpu++) {
		rb_init(&rb[cpu], SUBBUF);
		rb[cpu].mono_den = 3;
	}
	for (i = 0; i < records; i++)
		add(&rb[i % cpus], i % cpus, i, w);
	end.mono = rb_mono(&rb[0], end.raw);
	for (cpu = 0; cpu < cpus; cpu++) {
		empty(&rb[cpu], cpu, w);
		rb_deinit(&rb[cpu]);
	}
	if (datafile_clock(w, &end, NULL) || datafile_finish(w, NULL, NULL))
		die(path);
	free(blob);
}

/* ---- reading it ---- */

static int count(void *ctx, const struct event *e)
{
	uint64_t *n = ctx;

	++*n;
	return 0;
}

static void report(const char *what, uint64_t records, double seconds)
{
	printf("%-14s %7.3f s %8.2f M records/s %7.1f ns each\n", what, seconds,
	       records / seconds / 1e6, seconds * 1e9 / records);
}

static void time_count(struct datafile *f, uint64_t records)
{
	struct decode_summary summary = {};
	uint64_t n = 0;
	double t = now();

	if (decode_file(f, count, &n, &summary, NULL) || n != records ||
	    summary.damaged)
		die("decode_file");
	report("decode", records, now() - t);
}

static void time_sink(struct datafile *f, uint64_t records, bool json)
{
	struct sink_options opt = {
		.exporter = json ? &exporter_json : &exporter_text,
	};
	struct decode_summary summary = {};
	struct sink *s = NULL;
	double t = now();

	opt.out = fopen("/dev/null", "w");
	if (!opt.out || sink_create(&opt, NULL, &s) ||
	    decode_file(f, sink_event, s, &summary, NULL) || sink_flush(s))
		die("decode_file");
	report(json ? "decode, JSON" : "decode, text", records, now() - t);
	sink_destroy(s);
	fclose(opt.out);
}

static void read_it(const char *path, uint64_t records)
{
	struct datafile *f = NULL;
	struct rusage usage;
	struct stat st;
	double t = now();

	if (datafile_open(path, NULL, &f))
		die(path);
	report("open, check", records, now() - t);
	time_count(f, records);
	time_sink(f, records, false);
	time_sink(f, records, true);
	datafile_close(f);
	if (!stat(path, &st) && !getrusage(RUSAGE_SELF, &usage))
		printf("%-14s %7.1f MB, peak memory %.1f MB\n", "file",
		       st.st_size / 1e6, usage.ru_maxrss / 1e3);
}

int main(int argc, char **argv)
{
	bool only_make = argc == 5 && !strcmp(argv[1], "make");
	char **arg = argv + only_make;
	uint64_t records = argc > 1 ? strtoull(arg[1], NULL, 0) : 10000000;
	unsigned int cpus = argc > 2 ? strtoul(arg[2], NULL, 0) : 4;
	const char *path = argc > 3 ? arg[3] : "bench.data";
	double t = now();

	if (!records || !cpus || cpus > CPUS_MAX) {
		fprintf(stderr, "usage: bench_decode [make] [RECORDS [CPUS [FILE]]]\n");
		return 2;
	}
	make(path, records, cpus);
	if (only_make)
		return 0;
	report("build, write", records, now() - t);
	read_it(path, records);
	unlink(path);
	return 0;
}
