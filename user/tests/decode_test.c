// SPDX-License-Identifier: GPL-2.0
/* Decoding batches as they come: values, state, time, and forged bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <errno.h>

#include "base/cleanup.h"
#include "decode/decode.h"
#include "event_log.h"
#include "one_batch.h"
#include "ring_builder.h"

#define SUBBUF	256

static const struct machine small = {
	.nr_cpus = 4,
	.clock = KTAP_CLOCK_TSC,
	.clock_hz = 1000000000,
	.subbuf_size = SUBBUF,
	.ring_size = 16 * SUBBUF,
};

/* struct setup - a decoder that knows probe 16, "n", and a ring to fill */
struct setup {
	struct decoder *dec;
	struct ring_builder rb;
	struct event_log log;
	struct diag d;
};

static void add_probe(struct decoder *dec, uint32_t id, const char *name,
		      const struct layout *layout)
{
	_cleanup_free_ void *blob = NULL;
	size_t size;

	blob = log_blob(layout, &size);
	assert_int_equal(decoder_probe(dec, id, name, blob, size, NULL), 0);
}

static int start(void **state)
{
	struct setup *s = calloc(1, sizeof(*s));

	if (!s || decoder_create(&small, NULL, &s->dec))
		return -1;
	add_probe(s->dec, 16, "n", &log_layout_u64);
	rb_init(&s->rb, SUBBUF);
	*state = s;
	return 0;
}

static int stop(void **state)
{
	struct setup *s = *state;

	decoder_destroy(s->dec);
	rb_deinit(&s->rb);
	buf_deinit(&s->log.text);
	diag_clear(&s->d);
	free(s);
	return 0;
}

static uint64_t event(struct setup *s, uint64_t raw, uint64_t n)
{
	return rb_event(&s->rb, 16, raw, &n, sizeof(n));
}

/* One batch: bytes [@from, @to) of the ring. */
static int batch(struct setup *s, uint64_t from, uint64_t to)
{
	_cleanup_free_ unsigned char *copy = malloc(to - from);

	/* exactly this size, so that a read behind it is caught */
	memcpy(copy, s->rb.bytes + from, to - from);
	diag_clear(&s->d);
	return one_batch(s->dec, 1, from, copy, to - from, event_log_add,
			 &s->log, &s->d);
}

/* All of the ring from @from on, cut at the borders of sub-buffers. */
static void batches(struct setup *s, uint64_t from)
{
	uint64_t to;

	for (; from < s->rb.head; from = to) {
		to = (from / s->rb.subbuf_size + 1) * s->rb.subbuf_size;
		if (to > s->rb.head)
			to = s->rb.head;
		assert_int_equal(batch(s, from, to), 0);
	}
}

static void expect(struct setup *s, const char *text)
{
	assert_string_equal(buf_str(&s->log.text), text);
	buf_clear(&s->log.text);
}

/* ---- values ---- */

#define INT(name, format, size, offset, fault) \
	{ name, FIELD_INT, FORMAT_##format, size, offset, fault }

static struct field int_fields[] = {
	INT("u64", UNSIGNED, 8, 0, FIELD_NO_FAULT),
	INT("s64", SIGNED, 8, 8, 0),
	INT("u32", HEX, 4, 16, 1),
	INT("s32", SIGNED, 4, 20, 2),
	INT("u16", UNSIGNED, 2, 24, 3),
	INT("s16", SIGNED, 2, 26, 4),
	INT("u8", CHAR, 1, 28, 5),
	INT("s8", SIGNED, 1, 29, 8),
};

static const struct layout int_layout = {
	.definition = "d", .fields = int_fields, .nr_fields = 8,
	.fixed_size = 32, .faults_offset = 30, .faults_size = 2,
};

static struct field frame_fields[] = {
	{ "a", FIELD_INT, FORMAT_HEX, 8, 0, 0, .frame = true },
	{ "b", FIELD_INT, FORMAT_HEX, 8, 8, 1 },
	{ "s", FIELD_STRING, FORMAT_TEXT, 4, 20, FIELD_NO_FAULT, .frame = true },
};

static const struct layout frame_layout = {
	.definition = "d", .fields = frame_fields, .nr_fields = 3,
	.fixed_size = 24, .faults_offset = 16, .faults_size = 1,
	.has_frame = true, .no_entry = 2,
};

/* Only what depends on the entry lacks it. */
static void test_frames(void **state)
{
	struct setup *s = *state;
	struct {
		uint64_t a, b;
		uint32_t faults;
		struct ktap_string s;
		char text[8];
	} p = { .a = 1, .b = 2, .s.flags = KTAP_STRING_F_FAULT };
	size_t size = offsetof(typeof(p), text);

	add_probe(s->dec, 17, "f", &frame_layout);
	p.faults = 3;
	rb_event(&s->rb, 17, 1000, &p, size);
	p.faults = 7;
	rb_event(&s->rb, 17, 1001, &p, size);
	p.faults = 0;
	p.s = (struct ktap_string){ 3, 0 };
	memcpy(p.text, "hi", 3);
	rb_event(&s->rb, 17, 1002, &p, size + 3);
	batches(s, 0);
	assert_non_null(strstr(buf_str(&s->log.text), "f a=! b=! s=!\n"));
	assert_non_null(strstr(buf_str(&s->log.text), "f a=? b=! s=?\n"));
	assert_non_null(strstr(buf_str(&s->log.text), "f a=1 b=2 s='hi'\n"));
}

static void test_integers(void **state)
{
	struct setup *s = *state;
	struct {
		uint64_t u64; int64_t s64; uint32_t u32; int32_t s32;
		uint16_t u16; int16_t s16; uint8_t u8; int8_t s8;
		uint16_t faults;
	} p = { 1, -1, 0xffffffff, -2, 0xffff, -3, 0xff, -4, 0 };

	add_probe(s->dec, 17, "i", &int_layout);
	rb_event(&s->rb, 17, 10, &p, sizeof(p));
	p.faults = 1 << 0 | 1 << 3 | 1 << 8;
	rb_event(&s->rb, 17, 11, &p, sizeof(p));
	p.faults = 1 << 6; /* of no field */
	rb_event(&s->rb, 17, 12, &p, sizeof(p));
	batches(s, 0);
	expect(s,
	       "1 10 cat/212/200 i u64=1 s64=-1 u32=4294967295 s32=-2 u16=65535 s16=-3 u8=255 s8=-4\n"
	       "1 11 cat/212/200 i u64=1 s64=! u32=4294967295 s32=-2 u16=! s16=-3 u8=255 s8=!\n"
	       "1 12 cat/212/200 i u64=1 s64=-1 u32=4294967295 s32=-2 u16=65535 s16=-3 u8=255 s8=-4\n");
}

static struct field shaped_fields[] = {
	{ "bits", FIELD_INT, FORMAT_UNSIGNED, 2, 0, -1, 0, 4, 5 },
	{ "sbits", FIELD_INT, FORMAT_SIGNED, 2, 0, -1, 0, 4, 5 },
	{ "err", FIELD_INT, FORMAT_ERRNO, 8, 8, -1 },
	{ "a", FIELD_INT, FORMAT_SIGNED, 2, 2, 0, 3 },
	{ "nib", FIELD_INT, FORMAT_UNSIGNED, 2, 2, -1, 2, 12, 4 },
	{ "lit", FIELD_LITERAL, FORMAT_TEXT, 0, 0, -1, .text = (char *)"x y" },
	{ "s", FIELD_STRING, FORMAT_TEXT, 4, 24, -1, 2 },
	{ "t", FIELD_STRING, FORMAT_TEXT, 4, 20, -1 },
};

static const struct layout shaped_layout = {
	.definition = "d", .fields = shaped_fields, .nr_fields = 8,
	.fixed_size = 32, .faults_offset = 16, .faults_size = 1,
};

/* Arrays, bit-fields, errors, and what is in no record. */
static void test_shapes(void **state)
{
	struct setup *s = *state;
	struct {
		uint16_t bits; int16_t a[3]; uint64_t err;
		uint32_t faults;
		struct ktap_string t, s[2];
		char strings[8];
	} p = { 0x1f5, { -1, 0x7fff, 3 }, 0xfffffffe, 0,
		{ 2, 0 }, { { 3, 0 }, { 0, KTAP_STRING_F_FAULT } }, "ab\0c" };

	_Static_assert(sizeof(p) == 40, "payload");
	add_probe(s->dec, 17, "i", &shaped_layout);
	rb_event(&s->rb, 17, 10, &p, sizeof(p));
	p.faults = 1;
	p.err = -5;
	rb_event(&s->rb, 17, 11, &p, sizeof(p));
	p.faults = 0;
	p.s[0].flags = KTAP_STRING_F_CUT;
	rb_event(&s->rb, 17, 12, &p, sizeof(p));
	p.s[0].flags = 0;
	rb_event(&s->rb, 17, 13, &p, sizeof(p));
	batches(s, 0);
	expect(s,
	       "1 10 cat/212/200 i bits=31 sbits=-1 err=-2 a={-1,32767,3} nib={15,7} lit='x y' s={'ab',!} t='c'\n"
	       "1 11 cat/212/200 i bits=31 sbits=-1 err=-5 a=! nib={15,7} lit='x y' s={'ab',!} t='c'\n"
	       "1 12 cat/212/200 i bits=31 sbits=-1 err=-5 a={-1,32767,3} nib={15,7} lit='x y' s={'ab'~,!} t='c'\n"
	       "1 13 cat/212/200 i bits=31 sbits=-1 err=-5 a={-1,32767,3} nib={15,7} lit='x y' s={'ab',!} t='c'\n");
}

#define TEXT(name, kind, size, offset) \
	{ name, kind, FORMAT_TEXT, size, offset, FIELD_NO_FAULT }

static struct field text_fields[] = {
	TEXT("a", FIELD_STRING, 4, 20),
	TEXT("who", FIELD_COMM, 16, 0),
	TEXT("b", FIELD_STRING, 4, 16),
};

/* Two slots at the end, in the reverse order: the fields' order counts. */
static const struct layout text_layout = {
	.definition = "d", .fields = text_fields, .nr_fields = 3,
	.fixed_size = 24,
};

struct text_payload {
	char who[16];
	struct ktap_string b, a;
	char strings[40];
};

static const struct text_payload text_payload = {
	"a name of 16 byt", { 3, 0 }, { 12, KTAP_STRING_F_CUT },
	"/etc/passwd\0hi",
};

static void put_text(struct setup *s, const struct text_payload *p)
{
	rb_event(&s->rb, 17, 10, p, 24 + p->a.len + p->b.len);
}

static void test_strings(void **state)
{
	struct text_payload p = text_payload;
	struct setup *s = *state;

	add_probe(s->dec, 17, "t", &text_layout);
	put_text(s, &p);
	memcpy(p.who, "sh", 3);
	p.a = (struct ktap_string){ 0, KTAP_STRING_F_FAULT };
	memcpy(p.strings, "x", 2);
	p.b.len = 2;
	put_text(s, &p);
	p.a = (struct ktap_string){ 1, 0 };
	p.b = (struct ktap_string){ 0, 0 };
	p.strings[0] = '\0';
	put_text(s, &p);
	batches(s, 0);
	expect(s, "1 10 cat/212/200 t a='/etc/passwd'~ who='a name of 16 byt' b='hi'\n"
	       "1 10 cat/212/200 t a=! who='sh' b='x'\n"
	       "1 10 cat/212/200 t a='' who='sh' b=!\n");
}

/* What does not fit its layout is skipped, and what follows is not. */
static void test_records_that_do_not_fit(void **state)
{
	static const char short_payload[16];
	struct text_payload p;
	struct setup *s = *state;
	int i;

	add_probe(s->dec, 17, "t", &text_layout);
	for (i = 0; i < 5; i++) {
		p = text_payload;
		if (i == 0)
			p.a.len = 200;
		if (i == 1)
			p.b.len = 65535;
		if (i == 2)
			p.strings[11] = 'x'; /* no NUL */
		rb_deinit(&s->rb);
		rb_init(&s->rb, SUBBUF);
		if (i == 3)
			rb_event(&s->rb, 17, 10, short_payload, 16);
		else if (i == 4)
			rb_event(&s->rb, 99, 10, &p, 8); /* not known */
		else
			rb_event(&s->rb, 17, 10, &p, 24 + 15);
		event(s, 20, 7);
		assert_int_equal(batch(s, 0, s->rb.head), -EBADMSG);
		assert_int_equal(s->d.code, DIAG_DECODE_RECORD);
		assert_non_null(strstr(s->d.message, i == 4 ? "probe 99" : "probe 17"));
		expect(s, "1 20 cat/212/200 n n=7\n");
	}
}

/* ---- state ---- */

static void test_task(void **state)
{
	struct setup *s = *state;

	event(s, 1, 1);
	rb_task(&s->rb, 5, 4, "0123456789abcdef");
	event(s, 2, 2);
	rb_task(&s->rb, 0, 0, "swapper/1");
	event(s, 3, 3);
	batches(s, 0);
	expect(s, "1 1 cat/212/200 n n=1\n"
	       "1 2 0123456789abcdef/5/4 n n=2\n"
	       "1 3 swapper/1/0/0 n n=3\n");
}

static void test_known_task(void **state)
{
	struct setup *s = *state;

	event(s, 1, 1);
	rb_task(&s->rb, 5, 4, "0123456789abcdef");
	event(s, 2, 2);
	rb_again(&s->rb, 212, 200, "cat");
	event(s, 3, 3);
	rb_again(&s->rb, 5, 4, "0123456789abcdef");
	event(s, 4, 4);
	rb_task(&s->rb, 5, 4, "new");
	rb_again(&s->rb, 212, 200, "cat");
	rb_again(&s->rb, 5, 4, "new");
	event(s, 5, 5);
	batches(s, 0);
	expect(s, "1 1 cat/212/200 n n=1\n"
	       "1 2 0123456789abcdef/5/4 n n=2\n"
	       "1 3 cat/212/200 n n=3\n"
	       "1 4 0123456789abcdef/5/4 n n=4\n"
	       "1 5 new/5/4 n n=5\n");
}

static void test_lost(void **state)
{
	struct setup *s = *state;

	rb_lost(&s->rb, 5, 1234567890123);
	event(s, 6, 1);
	rb_lost(&s->rb, 7, 0);
	batches(s, 0);
	expect(s, "1 5 lost 1234567890123\n1 6 cat/212/200 n n=1\n");
}

static void test_marks(void **state)
{
	struct setup *s = *state;

	rb_event(&s->rb, KTAP_REC_MARK, 5, "eight by", 8);
	event(s, 6, 1);
	rb_event(&s->rb, KTAP_REC_MARK, 7, "nine byte\0\0\0\0\0\0", 16);
	rb_event(&s->rb, KTAP_REC_MARK, 8, "to \0here", 8);
	batches(s, 0);
	expect(s, "1 5 cat/212/200 mark text='eight by'\n"
	       "1 6 cat/212/200 n n=1\n"
	       "1 7 cat/212/200 mark text='nine byte'\n"
	       "1 8 cat/212/200 mark text='to '\n");
}

/* A mark has a text: without one the record is damaged, and so may be what follows. */
static void test_marks_without_text(void **state)
{
	struct setup *s = *state;

	event(s, 5, 1);
	rb_event(&s->rb, KTAP_REC_MARK, 6, "\0not it", 8);
	event(s, 7, 2);
	assert_int_equal(batch(s, 0, s->rb.head), -EBADMSG);
	expect(s, "1 5 cat/212/200 n n=1\n");
}

static void test_mark_of_a_head(void **state)
{
	struct setup *s = *state;

	rb_event(&s->rb, KTAP_REC_MARK, 6, NULL, 0);
	event(s, 7, 2);
	assert_int_equal(batch(s, 0, s->rb.head), -EBADMSG);
	expect(s, "");
}

static void test_padding(void **state)
{
	struct setup *s = *state;
	uint64_t i, head;

	/* discarded records, and the padding before every sub-buffer */
	for (i = 0; i < 40; i++) {
		event(s, i, i);
		rb_pad(&s->rb, i, 8 + 8 * (i % 8));
	}
	batches(s, 0);
	assert_int_equal(s->log.nr, 40);
	assert_non_null(strstr(buf_str(&s->log.text), "1 39 cat/212/200 n n=39\n"));

	/* state that this decoder does not know */
	buf_clear(&s->log.text);
	head = s->rb.head;
	rb_event(&s->rb, 15, 40, "unknown", 8);
	event(s, 41, 41);
	batches(s, head);
	expect(s, "1 41 cat/212/200 n n=41\n");
}

/* Padding of more than 16 bits has size 0: to the end of the sub-buffer. */
static void test_long_padding(void **state)
{
	static const unsigned char big[60000];
	struct machine m = small;
	struct setup *s = *state;
	uint64_t at;

	decoder_destroy(s->dec);
	m.subbuf_size = 1 << 17;
	assert_int_equal(decoder_create(&m, NULL, &s->dec), 0);
	add_probe(s->dec, 16, "n", &log_layout_u64);
	s->rb.subbuf_size = m.subbuf_size;
	event(s, 1, 1);
	at = s->rb.head;
	/* two records that do not fit behind the first */
	rb_event(&s->rb, KTAP_REC_PAD, 2, big, sizeof(big));
	rb_event(&s->rb, KTAP_REC_PAD, 2, big, sizeof(big));
	memcpy(s->rb.bytes + at, &(struct ktap_rec_head){ .time_low = 2 }, 8);
	memset(s->rb.bytes + at + 8, 0xff, m.subbuf_size - at - 8);
	rb_event(&s->rb, KTAP_REC_PAD, 2, big, sizeof(big));
	event(s, 4, 4);
	batches(s, 0);
	expect(s, "1 1 cat/212/200 n n=1\n1 4 cat/212/200 n n=4\n");
}

/* ---- gaps ---- */

static void test_gap(void **state)
{
	struct setup *s = *state;
	uint64_t i;

	/* 56 + 12 * 16 bytes and padding in each sub-buffer */
	for (i = 0; i < 80; i++)
		event(s, i, i);
	assert_int_equal(batch(s, 0, 120), 0);
	assert_int_equal(s->log.nr, 4);
	/* a sub-buffer start is as good as any */
	assert_int_equal(batch(s, 3 * SUBBUF, 4 * SUBBUF), 0);
	assert_int_equal(s->log.nr, 4 + 12);
	buf_clear(&s->log.text);
	/* in the middle nothing is known: wait */
	assert_int_equal(batch(s, 4 * SUBBUF + 72, 4 * SUBBUF + 120), -EBADMSG);
	assert_int_equal(s->d.code, DIAG_DECODE_BATCH);
	assert_non_null(strstr(s->d.message, "CPU 1"));
	assert_non_null(strstr(s->d.message, "1096 and 1144"));
	assert_int_equal(batch(s, 4 * SUBBUF + 120, 5 * SUBBUF), -EBADMSG);
	expect(s, "");
	assert_int_equal(batch(s, 2 * SUBBUF, 2 * SUBBUF + 72), 0);
	expect(s, "1 24 cat/212/200 n n=24\n");
	/* and the same place twice is no continuation */
	assert_int_equal(batch(s, 2 * SUBBUF + 56, 2 * SUBBUF + 72), -EBADMSG);
}

/* ---- forged bytes ---- */

/* Bytes that spoil the first sub-buffer; the second is decoded all the same. */
static void test_forged_borders(void **state)
{
	static const struct ktap_rec_head heads[] = {
		{ 16, 0, 0 }, { 16, 4, 0 }, { 16, 20, 0 }, { 16, 200, 0 },
		{ 16, 65528, 0 }, { KTAP_REC_PAD, 4, 0 },
		{ KTAP_REC_PAD, 200, 0 }, { KTAP_REC_SUBBUF, 56, 0 },
		{ KTAP_REC_TIME, 8, 0 }, { KTAP_REC_TASK, 24, 0 },
		{ KTAP_REC_LOST, 8, 0 },
	};
	struct setup *s = *state;
	uint64_t i, at;

	event(s, 1, 1);
	at = event(s, 2, 2);
	for (i = 3; i < 15; i++)
		event(s, i, i);
	for (i = 0; i < sizeof(heads) / sizeof(*heads); i++) {
		memcpy(s->rb.bytes + at, &heads[i], sizeof(heads[i]));
		assert_int_equal(batch(s, 0, SUBBUF), -EBADMSG);
		assert_int_equal(s->d.code, DIAG_DECODE_BATCH);
		expect(s, "1 1 cat/212/200 n n=1\n");
		/* the rest of the sub-buffer is out of bounds as well */
		assert_int_equal(batch(s, SUBBUF, SUBBUF + 72), 0);
		expect(s, "1 13 cat/212/200 n n=13\n");
	}
}

static void expect_unknown_task(struct setup *s, uint64_t from, uint32_t tid)
{
	rb_again(&s->rb, tid, 200, "cat");
	event(s, 9, 9);
	assert_int_equal(batch(s, from, s->rb.head), -EBADMSG);
	assert_int_equal(s->d.code, DIAG_DECODE_BATCH);
	assert_null(strstr(buf_str(&s->log.text), "n=9"));
	buf_clear(&s->log.text);
	rb_deinit(&s->rb);
	rb_init(&s->rb, SUBBUF);
}

/* A task that is said to be known: not told, displaced, told before the border. */
static void test_forged_known_task(void **state)
{
	struct setup *s = *state;

	event(s, 1, 1);
	expect_unknown_task(s, 0, 213);
	event(s, 1, 1);
	rb_task(&s->rb, 212 + KTAP_NR_TOLD, 1, "other");
	event(s, 2, 2);
	expect_unknown_task(s, 0, 212);
	event(s, 1, 1);
	rb_task(&s->rb, 5, 5, "other");
	while (s->rb.head < SUBBUF)
		event(s, 2, 2);
	assert_int_equal(batch(s, 0, SUBBUF), 0);
	expect_unknown_task(s, SUBBUF, 212);
}

static void test_forged_subbuf(void **state)
{
	struct setup *s = *state;
	struct ktap_rec_subbuf *rec, good;
	int i;

	event(s, 1, 1);
	rec = (void *)s->rb.bytes;
	good = *rec;
	for (i = 0; i < 6; i++) {
		*rec = good;
		if (i == 0)
			rec->seq = 1;
		if (i == 1)
			rec->head.id = KTAP_REC_TASK;
		if (i == 2)
			rec->head.size = 48;
		if (i == 3)
			rec->head.size = 60;
		if (i == 4)
			rec->head.size = 88;
		assert_int_equal(batch(s, 0, i == 5 ? 48 : 72), -EBADMSG);
		assert_int_equal(s->d.code, DIAG_DECODE_BATCH);
		expect(s, "");
		/* nor does what follows it make sense */
		assert_int_equal(batch(s, 72, 72), -EBADMSG);
	}
}

/* A sub-buffer that begins with a larger record, of a later module. */
static void test_grown_subbuf(void **state)
{
	struct setup *s = *state;

	event(s, 1, 1);
	event(s, 2, 2);
	((struct ktap_rec_subbuf *)s->rb.bytes)->head.size = 72;
	assert_int_equal(batch(s, 0, s->rb.head), 0);
	expect(s, "1 2 cat/212/200 n n=2\n");
}

static void test_odd_batches(void **state)
{
	struct setup *s = *state;
	uint64_t i;

	for (i = 0; i < 20; i++)
		event(s, i, i);
	assert_int_equal(batch(s, 0, SUBBUF + 8), -EBADMSG);
	assert_int_equal(batch(s, 0, 77), -EBADMSG);
	assert_int_equal(one_batch(s->dec, 4, 0, s->rb.bytes, 80,
				   event_log_add, &s->log, &s->d), -EBADMSG);
	assert_int_equal(s->d.code, DIAG_DECODE_BATCH);
	diag_clear(&s->d);
	assert_int_equal(one_batch(s->dec, 4, 0, s->rb.bytes, 80,
				   event_log_add, &s->log, &s->d), -EBADMSG);
	assert_int_equal(s->d.code, DIAG_DECODE_CPU);
	assert_non_null(strstr(s->d.message, "CPU 4 on a machine of 4"));
	expect(s, "");
}

static void test_reader_stops(void **state)
{
	struct setup *s = *state;

	event(s, 1, 1);
	event(s, 2, 2);
	s->log.stop_at = 2;
	s->log.answer = -EPIPE;
	assert_int_equal(batch(s, 0, s->rb.head), -EPIPE);
	assert_int_equal(s->d.code, DIAG_OK);
	expect(s, "1 1 cat/212/200 n n=1\n");
}

#define setup_test(f) cmocka_unit_test_setup_teardown(f, start, stop)

int main(void)
{
	const struct CMUnitTest tests[] = {
		setup_test(test_integers),
		setup_test(test_frames),
		setup_test(test_shapes),
		setup_test(test_strings),
		setup_test(test_records_that_do_not_fit),
		setup_test(test_task),
		setup_test(test_known_task),
		setup_test(test_lost),
		setup_test(test_marks),
		setup_test(test_marks_without_text),
		setup_test(test_mark_of_a_head),
		setup_test(test_padding),
		setup_test(test_long_padding),
		setup_test(test_gap),
		setup_test(test_forged_borders),
		setup_test(test_forged_known_task),
		setup_test(test_forged_subbuf),
		setup_test(test_grown_subbuf),
		setup_test(test_odd_batches),
		setup_test(test_reader_stops),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
