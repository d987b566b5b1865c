// SPDX-License-Identifier: GPL-2.0
/* Recordings that were cut or spoiled, from the file to the events. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "decode/decode.h"
#include "event_log.h"
#include "ring_builder.h"

#define SUBBUF	256

static const struct machine machine = {
	.nr_cpus = 2, .clock_hz = 1000000000, .clock = KTAP_CLOCK_TSC,
	.subbuf_size = SUBBUF,
};

/* struct saved - a recording as bytes, and where its records end in them */
struct saved {
	unsigned char *bytes;
	size_t size;
	size_t end[64];
	uint64_t n[64];
	size_t nr;
};

static void note_records(struct saved *s)
{
	struct datafile *f = NULL;
	struct ktap_rec_head h;
	const unsigned char *p, *end;
	size_t i;

	assert_int_equal(datafile_parse("s", s->bytes, s->size, NULL, &f), 0);
	assert_true(f->complete);
	for (i = 0; i < f->nr_batches; i++) {
		p = f->batches[i].data;
		end = p + f->batches[i].size;
		for (; p < end; p += h.size) {
			memcpy(&h, p, sizeof(h));
			if (h.id != 16)
				continue;
			memcpy(&s->n[s->nr], p + sizeof(h), sizeof(*s->n));
			s->end[s->nr++] = p + h.size - s->bytes;
		}
	}
	datafile_close(f);
}

/* Two CPUs, 40 records of which each carries its own number. */
static void write_file(const char *path, struct ring_builder *rb)
{
	_cleanup_free_ void *blob = NULL;
	const struct ktap_session_state end = { .raw = 2000, .mono = 2000 };
	struct datafile_writer *w = NULL;
	uint64_t i, to, from[2] = {};
	size_t size;
	int cpu;

	blob = log_blob(&log_layout_u64, &size);
	assert_int_equal(datafile_create(path, &machine, NULL, &w), 0);
	assert_int_equal(datafile_probe(w, 16, "n", blob, size, NULL), 0);
	for (i = 0; i < 40; i++) {
		cpu = i % 2;
		rb_event(&rb[cpu], 16, 1000 + i, &i, sizeof(i));
		if (i % 5 != 4 && i < 38)
			continue;
		/* a sub-buffer holds 12: none is crossed by more than one batch */
		while (from[cpu] < rb[cpu].head) {
			to = (from[cpu] / SUBBUF + 1) * SUBBUF;
			if (to > rb[cpu].head)
				to = rb[cpu].head;
			assert_int_equal(datafile_data(w, cpu, from[cpu],
						       rb[cpu].bytes + from[cpu],
						       to - from[cpu], NULL), 0);
			from[cpu] = to;
		}
	}
	assert_int_equal(datafile_clock(w, &end, NULL), 0);
	assert_int_equal(datafile_finish(w, NULL, NULL), 0);
}

static void make_saved(struct saved *s)
{
	_cleanup_close_ int fd = -1;
	char path[] = "/tmp/ktap-decode-XXXXXX";
	struct ring_builder rb[2];
	struct stat st;

	fd = mkstemp(path);
	assert_true(fd >= 0);
	close(fd);
	rb_init(&rb[0], SUBBUF);
	rb_init(&rb[1], SUBBUF);
	write_file(path, rb);
	rb_deinit(&rb[0]);
	rb_deinit(&rb[1]);
	fd = open(path, O_RDONLY);
	assert_int_equal(fstat(fd, &st), 0);
	*s = (struct saved){ .bytes = malloc(st.st_size), .size = st.st_size };
	assert_int_equal(read(fd, s->bytes, s->size), s->size);
	unlink(path);
	note_records(s);
	assert_int_equal(s->nr, 40);
}

/* struct found - which of the numbers came out */
struct found {
	unsigned char seen[64];
	size_t nr;
};

static int find(void *ctx, const struct event *e)
{
	struct found *f = ctx;
	uint64_t n = e->values[0].number;

	assert_true(n < 64);
	assert_int_equal(f->seen[n], 0);
	f->seen[n] = 1;
	f->nr++;
	return 0;
}

/* Decode @size bytes; false when they are no recording. */
static bool decode_bytes(const void *bytes, size_t size, struct found *found,
			 struct decode_summary *summary)
{
	_cleanup_free_ void *copy = malloc(size ? size : 1);
	struct datafile *f = NULL;

	memcpy(copy, bytes, size);
	*found = (struct found){};
	*summary = (struct decode_summary){};
	if (datafile_parse("s", copy, size, NULL, &f))
		return false;
	assert_int_equal(decode_file(f, find, found, summary, NULL), 0);
	datafile_close(f);
	return true;
}

/* Every record whose last byte is before the cut comes out, and no other. */
static void test_cut_at_every_byte(void **state)
{
	struct decode_summary summary;
	struct found found;
	struct saved s;
	size_t cut, i;

	make_saved(&s);
	for (cut = 0; cut <= s.size; cut++) {
		if (!decode_bytes(s.bytes, cut, &found, &summary)) {
			/* nothing can be read before the machine is known */
			assert_true(cut < 24 + 32 + 208);
			continue;
		}
		assert_int_equal(summary.damaged, 0);
		for (i = 0; i < s.nr; i++)
			assert_int_equal(found.seen[s.n[i]], s.end[i] <= cut);
	}
	free(s.bytes);
}

/* A wrong bit never gives a wrong event: those before it, and no others. */
static void test_every_bit(void **state)
{
	struct decode_summary summary;
	struct found found;
	struct saved s;
	size_t bit, i;

	make_saved(&s);
	for (bit = 0; bit < 8 * s.size; bit++) {
		s.bytes[bit / 8] ^= 1 << bit % 8;
		if (decode_bytes(s.bytes, s.size, &found, &summary)) {
			for (i = 0; i < s.nr; i++)
				assert_true(!found.seen[s.n[i]] || s.end[i] <= bit / 8);
			assert_int_equal(summary.damaged, 0);
		}
		s.bytes[bit / 8] ^= 1 << bit % 8;
	}
	free(s.bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cut_at_every_byte),
		cmocka_unit_test(test_every_bit),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
