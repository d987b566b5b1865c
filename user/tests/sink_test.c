// SPDX-License-Identifier: GPL-2.0
/* What a line of output looks like, and what becomes of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "export/exporter.h"

#define FIELD(name, kind, format, size) \
	{ name, FIELD_##kind, FORMAT_##format, size, 0, FIELD_NO_FAULT }

static struct field f_dfd = FIELD("dfd", INT, SIGNED, 4);
static struct field f_file = FIELD("file", STRING, TEXT, 4);
static struct field f_x = FIELD("x", INT, HEX, 8);
static struct field f_u = FIELD("u", INT, UNSIGNED, 8);
static struct field f_c = FIELD("c", INT, CHAR, 1);
static struct field f_who = FIELD("who", COMM, TEXT, 16);

static const struct layout in_kernel = { .symbol = "do_sys_openat2" };
static const struct layout in_module = {
	.symbol = "nft_do_chain", .module = "nf_tables", .offset = 0x1f,
};

static const struct layout in_program = {
	.symbol = "main", .path = "/usr/bin/cat", .offset = 4,
};

static const struct layout in_method = {
	.symbol = "_ZNK3geo5pointclEi", .path = "/usr/bin/geo",
};

static const struct layout in_stripped = {
	.path = "/usr/bin/cat", .address = 0x1139,
};

static const struct layout at_address = { .address = 0xffffffff81234567 };

static struct value number(const struct field *f, uint64_t n)
{
	return (struct value){ .field = f, .number = n };
}

static struct value text(const struct field *f, const char *s)
{
	return (struct value){ .field = f, .text = s, .length = strlen(s) };
}

/* The event of the documentation, with @nr of @values. */
static struct event hit(const struct value *values, size_t nr)
{
	return (struct event){
		.mono = 3141592999, .cpu = 1, .tid = 212, .tgid = 200,
		.comm = "cat", .probe_id = 16, .name = "do_sys_openat2",
		.layout = &in_kernel, .values = values, .nr_values = nr,
	};
}

static const struct exporter *form(bool json)
{
	return json ? &exporter_json : &exporter_text;
}

/* What a sink with @opt writes for @nr events; "" when it fails. */
static char *written(struct sink_options opt, const struct event *e, size_t nr)
{
	struct sink *s = NULL;
	char *out = NULL;
	size_t size, i;

	opt.out = open_memstream(&out, &size);
	assert_int_equal(sink_create(&opt, NULL, &s), 0);
	for (i = 0; i < nr; i++)
		assert_int_equal(sink_event(s, &e[i]), 0);
	assert_int_equal(sink_flush(s), 0);
	sink_destroy(s);
	fclose(opt.out);
	return out;
}

static void expect(bool json, const struct event *e, const char *line)
{
	_cleanup_free_ char *out = NULL;

	out = written((struct sink_options){ .exporter = form(json) }, e, 1);
	assert_string_equal(out, line);
}

/* ---- text ---- */

static void test_text(void **state)
{
	struct value v[] = { number(&f_dfd, -100), text(&f_file, "/etc/passwd") };
	struct event e = hit(v, 2);

	expect(false, &e,
	       "cat-212 [001] 3.141592: do_sys_openat2: (do_sys_openat2+0x0) dfd=-100 file=\"/etc/passwd\"\n");
	e.layout = &in_module;
	e.name = "ktap:chain";
	e.nr_values = 0;
	expect(false, &e,
	       "cat-212 [001] 3.141592: ktap:chain: (nft_do_chain+0x1f [nf_tables])\n");
	e.layout = &at_address;
	e.cpu = 1023;
	e.mono = 1000;
	expect(false, &e,
	       "cat-212 [1023] 0.000001: ktap:chain: (0xffffffff81234567)\n");
	e.layout = &in_method;
	expect(false, &e,
	       "cat-212 [1023] 0.000001: ktap:chain: (geo::point::operator()(int)+0x0)\n");
	e.layout = &in_program;
	expect(false, &e,
	       "cat-212 [1023] 0.000001: ktap:chain: (main+0x4)\n");
	e.layout = &in_stripped;
	expect(false, &e,
	       "cat-212 [1023] 0.000001: ktap:chain: (cat:0x1139)\n");
}

static void test_text_values(void **state)
{
	struct value v[] = {
		number(&f_u, UINT64_MAX), number(&f_x, 0), number(&f_x, 0xdeadbeef),
		number(&f_x, UINT64_MAX), number(&f_dfd, INT64_MIN),
		number(&f_c, 'A'), text(&f_who, "kworker/0:1"), text(&f_file, ""),
	};
	struct event e = hit(v, 8);

	expect(false, &e,
	       "cat-212 [001] 3.141592: do_sys_openat2: (do_sys_openat2+0x0) u=18446744073709551615 x=0x0 x=0xdeadbeef x=0xffffffffffffffff dfd=-9223372036854775808 c='A' who=\"kworker/0:1\" file=\"\"\n");
}

/* Arrays and errors; addresses stay numbers where nobody names them. */
static void test_shapes(void **state)
{
	static const struct field
		f_array = { (char *)"a", FIELD_INT, FORMAT_HEX, 1, 0, -1, 3 },
		f_texts = { (char *)"s", FIELD_STRING, FORMAT_TEXT, 4, 0, -1, 2 },
		f_errno = { (char *)"e", FIELD_INT, FORMAT_ERRNO, 8, 0, -1 },
		f_symbol = { (char *)"p", FIELD_INT, FORMAT_SYMBOL, 8, 0, -1 },
		f_symstr = { (char *)"q", FIELD_INT, FORMAT_SYMSTR, 8, 0, -1 };
	struct value bytes[] = {
		number(&f_array, 1), number(&f_array, 255), number(&f_array, 0),
	};
	struct value texts[] = { text(&f_texts, "x"), text(&f_texts, "") };
	struct value v[] = {
		{ .field = &f_array, .elements = bytes },
		{ .field = &f_texts, .elements = texts },
		number(&f_errno, -2), number(&f_errno, 7),
		number(&f_errno, -512), number(&f_errno, -5000),
		number(&f_symbol, 0x1234), number(&f_symstr, 0x1234),
	};
	struct event e = hit(v, ARRAY_SIZE(v));

	texts[1].fault = true;
	expect(false, &e,
	       "cat-212 [001] 3.141592: do_sys_openat2: (do_sys_openat2+0x0) a={0x1,0xff,0x0} s={\"x\",(fault)} e=-ENOENT e=7 e=-ERESTARTSYS e=-5000 p=0x1234 q=\"0x1234\"\n");
	e.nr_values = 3;
	expect(true, &e,
	       "{\"v\":1,\"time\":3.141592999,\"cpu\":1,\"comm\":\"cat\",\"tid\":212,\"pid\":200,\"name\":\"do_sys_openat2\",\"symbol\":\"do_sys_openat2\",\"offset\":0,\"args\":{\"a\":[\"0x1\",\"0xff\",\"0x0\"],\"s\":[\"x\",null],\"e\":-2},\"faults\":[\"s\"]}\n");
	e.values = v + 6;
	e.nr_values = 1;
	expect(true, &e,
	       "{\"v\":1,\"time\":3.141592999,\"cpu\":1,\"comm\":\"cat\",\"tid\":212,\"pid\":200,\"name\":\"do_sys_openat2\",\"symbol\":\"do_sys_openat2\",\"offset\":0,\"args\":{\"p\":\"0x1234\"}}\n");
	v[0].fault = true;
	e.values = v;
	expect(true, &e,
	       "{\"v\":1,\"time\":3.141592999,\"cpu\":1,\"comm\":\"cat\",\"tid\":212,\"pid\":200,\"name\":\"do_sys_openat2\",\"symbol\":\"do_sys_openat2\",\"offset\":0,\"args\":{\"a\":null},\"faults\":[\"a\"]}\n");
}

static void test_text_marks(void **state)
{
	struct value v[] = {
		number(&f_u, 0), text(&f_file, "/usr/sh"), { .field = &f_file },
	};
	struct event e = hit(v, 3);

	v[0].fault = true;
	v[1].cut = true;
	v[2].fault = true;
	v[2].cut = true;
	expect(false, &e,
	       "cat-212 [001] 3.141592: do_sys_openat2: (do_sys_openat2+0x0) u=(fault) file=\"/usr/sh\"... file=(fault)\n");
}

/* What needs the entry of the function, which was not seen. */
static void test_no_entry(void **state)
{
	struct value v[] = { number(&f_u, 0), number(&f_x, 0) };
	struct event e = hit(v, 2);

	v[0].fault = true;
	v[1].fault = true;
	v[1].no_entry = true;
	expect(false, &e,
	       "cat-212 [001] 3.141592: do_sys_openat2: (do_sys_openat2+0x0) u=(fault) x=(no entry)\n");
	expect(true, &e,
	       "{\"v\":1,\"time\":3.141592999,\"cpu\":1,\"comm\":\"cat\",\"tid\":212,\"pid\":200,\"name\":\"do_sys_openat2\",\"symbol\":\"do_sys_openat2\",\"offset\":0,\"args\":{\"u\":null,\"x\":null},\"faults\":[\"u\"],\"no_entry\":[\"x\"]}\n");
}

static void test_text_escapes(void **state)
{
	static const struct {
		const char *in;
		size_t size;
		const char *out;
	} rows[] = {
		{ "a\"b'c\\d", 7, "a\\\"b'c\\\\d" },
		{ "\a\b\t\n\v\f\r", 7, "\\a\\b\\t\\n\\v\\f\\r" },
		{ "\0[\033[2J\177", 7, "\\000[\\033[2J\\177" },
		{ "\0017", 2, "\\0017" },
		{ "na\xc3\xafve", 6, "na\xc3\xafve" },
		{ "\xf0\x9f\x98\x80", 4, "\xf0\x9f\x98\x80" },
		{ "\xe9t\xe9", 3, "\\351t\\351" },
		{ "\xc2\x85", 2, "\\302\\205" },	/* next line */
		{ "\xe2\x80\xae", 3, "\\342\\200\\256" }, /* right to left */
		{ "\xe2\x82", 2, "\\342\\202" },	/* half of a euro */
	};
	static const char before[] =
		"cat-212 [001] 3.141592: do_sys_openat2: (do_sys_openat2+0x0) file=\"";
	char line[256];
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct value v = {
			.field = &f_file, .text = rows[i].in, .length = rows[i].size,
		};
		struct event e = hit(&v, 1);

		snprintf(line, sizeof(line), "%s%s\"\n", before, rows[i].out);
		expect(false, &e, line);
	}
}

static void test_text_chars(void **state)
{
	struct value v[] = {
		number(&f_c, '\''), number(&f_c, '"'), number(&f_c, '\\'),
		number(&f_c, '\n'), number(&f_c, 0), number(&f_c, 0xff),
	};
	struct event e = hit(v, 6);

	expect(false, &e,
	       "cat-212 [001] 3.141592: do_sys_openat2: (do_sys_openat2+0x0) c='\\'' c='\"' c='\\\\' c='\\n' c='\\000' c='\\377'\n");
}

/* Names that a program gives itself must not forge a line. */
static void test_text_names(void **state)
{
	struct event e = hit(NULL, 0);

	memcpy(e.comm, "a b\n\033\"\xff", 8);
	e.name = "x\ny";
	expect(false, &e,
	       "a b\\n\\033\"\\377-212 [001] 3.141592: x\\ny: (do_sys_openat2+0x0)\n");
}

static void test_text_lost(void **state)
{
	struct event e = { .mono = 3141592653, .cpu = 1, .lost = 5, .comm = "cat" };

	expect(false, &e, "[001] 3.141592: [LOST 5 EVENTS]\n");
}

/* A mark of any bytes is one line, and has nothing in it that steers. */
static void test_text_mark(void **state)
{
	struct event e = hit(NULL, 0);

	e.mark = "it's \"2\"\n\033[1m\\ \xff and more";
	e.mark_size = 15;
	expect(false, &e,
	       "cat-212 [001] 3.141592: mark: it's \"2\"\\n\\033[1m\\\\ \n");
}

/* ---- JSON ---- */

static void test_json(void **state)
{
	struct value v[] = { number(&f_dfd, -100), text(&f_file, "/etc/passwd") };
	struct event e = hit(v, 2);

	expect(true, &e,
	       "{\"v\":1,\"time\":3.141592999,\"cpu\":1,\"comm\":\"cat\",\"tid\":212,\"pid\":200,\"name\":\"do_sys_openat2\",\"symbol\":\"do_sys_openat2\",\"offset\":0,\"args\":{\"dfd\":-100,\"file\":\"/etc/passwd\"}}\n");
	e.layout = &in_module;
	e.nr_values = 0;
	expect(true, &e,
	       "{\"v\":1,\"time\":3.141592999,\"cpu\":1,\"comm\":\"cat\",\"tid\":212,\"pid\":200,\"name\":\"do_sys_openat2\",\"symbol\":\"nft_do_chain\",\"offset\":31,\"module\":\"nf_tables\",\"args\":{}}\n");
	e.layout = &at_address;
	expect(true, &e,
	       "{\"v\":1,\"time\":3.141592999,\"cpu\":1,\"comm\":\"cat\",\"tid\":212,\"pid\":200,\"name\":\"do_sys_openat2\",\"address\":\"0xffffffff81234567\",\"args\":{}}\n");
	e.layout = &in_program;
	expect(true, &e,
	       "{\"v\":1,\"time\":3.141592999,\"cpu\":1,\"comm\":\"cat\",\"tid\":212,\"pid\":200,\"name\":\"do_sys_openat2\",\"symbol\":\"main\",\"offset\":4,\"path\":\"/usr/bin/cat\",\"args\":{}}\n");
}

static void test_json_values(void **state)
{
	struct value v[] = {
		number(&f_u, 9007199254740993), number(&f_x, UINT64_MAX),
		number(&f_c, '"'), text(&f_who, "a\xff\n"),
		{ .field = &f_dfd, .fault = true }, text(&f_file, "/usr"),
	};
	struct event e = hit(v, 6);

	v[5].cut = true;
	memcpy(e.comm, "\xc3\xa9\xc3", 4);
	expect(true, &e,
	       "{\"v\":1,\"time\":3.141592999,\"cpu\":1,\"comm\":\"\xc3\xa9\\u00c3\",\"tid\":212,\"pid\":200,\"name\":\"do_sys_openat2\",\"symbol\":\"do_sys_openat2\",\"offset\":0,\"args\":{\"u\":9007199254740993,\"x\":\"0xffffffffffffffff\",\"c\":\"\\\"\",\"who\":\"a\\u00ff\\n\",\"dfd\":null,\"file\":\"/usr\"},\"faults\":[\"dfd\"],\"cut\":[\"file\"]}\n");
}

static void test_json_faults(void **state)
{
	struct value v[] = {
		{ .field = &f_file, .fault = true, .cut = true },
		number(&f_u, 1), { .field = &f_x, .fault = true },
	};
	struct event e = hit(v, 3);

	expect(true, &e,
	       "{\"v\":1,\"time\":3.141592999,\"cpu\":1,\"comm\":\"cat\",\"tid\":212,\"pid\":200,\"name\":\"do_sys_openat2\",\"symbol\":\"do_sys_openat2\",\"offset\":0,\"args\":{\"file\":null,\"u\":1,\"x\":null},\"faults\":[\"file\",\"x\"]}\n");
}

static void test_json_lost(void **state)
{
	struct event e = { .mono = 3141592653, .cpu = 1, .lost = 5 };

	expect(true, &e, "{\"v\":1,\"time\":3.141592653,\"cpu\":1,\"lost\":5}\n");
}

static void test_json_mark(void **state)
{
	struct event e = hit(NULL, 0);

	e.mark = "it's \"2\"\n and more";
	e.mark_size = 9;
	expect(true, &e,
	       "{\"v\":1,\"time\":3.141592999,\"cpu\":1,\"comm\":\"cat\",\"tid\":212,\"pid\":200,\"mark\":\"it's \\\"2\\\"\\n\"}\n");
}

/* ---- time ---- */

static void test_wall_time(void **state)
{
	_cleanup_free_ char *out = NULL;
	struct event e = hit(NULL, 0);

	setenv("TZ", "UTC0", true);
	tzset();
	e.layout = &at_address;
	out = written((struct sink_options){
		.time = SINK_TIME_WALL, .wall_offset = 1700000000000000000,
	}, &e, 1);
	assert_string_equal(out,
			    "cat-212 [001] 2023-11-14 22:13:23.141592: do_sys_openat2: (0xffffffff81234567)\n");
}

/* The zone is that of who looks, and its rules are those of that day. */
static void test_wall_zone(void **state)
{
	_cleanup_free_ char *out = NULL;
	struct event e[3] = {
		{ .mono = 0, .lost = 1 },
		{ .mono = 999999999, .lost = 2 },
		{ .mono = 15000000ULL * 1000000000, .lost = 3 },
	};

	setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", true);
	tzset();
	out = written((struct sink_options){
		.time = SINK_TIME_WALL, .wall_offset = 1700000000000000000,
	}, e, ARRAY_SIZE(e));
	assert_string_equal(out, "[000] 2023-11-14 23:13:20.000000: [LOST 1 EVENTS]\n"
				 "[000] 2023-11-14 23:13:20.999999: [LOST 2 EVENTS]\n"
				 "[000] 2024-05-06 14:53:20.000000: [LOST 3 EVENTS]\n");
	free(take_ptr(out));
	out = written((struct sink_options){
		.exporter = &exporter_json, .time = SINK_TIME_WALL,
		.wall_offset = 1700000000000000000,
	}, e, 1);
	assert_string_equal(out, "{\"v\":1,\"time\":1700000000.000000000,\"cpu\":0,\"lost\":1}\n");
}

/* On a terminal times are below each other, unless a name is longer than most. */
static void test_aligned(void **state)
{
	_cleanup_free_ char *out = NULL;
	struct event e[2] = { hit(NULL, 0), hit(NULL, 0) };

	strcpy(e[1].comm, "a_name_as_long_");
	e[1].tid = 4194304;
	e[1].layout = &in_stripped;
	e[0].layout = &in_stripped;
	out = written((struct sink_options){ .aligned = true }, e, 2);
	assert_string_equal(out, "cat-212                [001] 3.141592: do_sys_openat2: (cat:0x1139)\n"
				 "a_name_as_long_-4194304 [001] 3.141592: do_sys_openat2: (cat:0x1139)\n");
}

/* From the first event, which another CPU's may still precede. */
static void test_relative_time(void **state)
{
	_cleanup_free_ char *out = NULL;
	struct event e[3] = {
		{ .mono = 5000000000, .lost = 1 }, { .mono = 6500000999, .lost = 2 },
		{ .mono = 4999000000, .lost = 3 },
	};

	out = written((struct sink_options){ .time = SINK_TIME_REL }, e, 3);
	assert_string_equal(out,
			    "[000] 0.000000: [LOST 1 EVENTS]\n[000] 1.500000: [LOST 2 EVENTS]\n[000] -0.001000: [LOST 3 EVENTS]\n");
}

/* ---- what lines share ---- */

static const struct layout of_return = {
	.symbol = "vfs_read", .is_return = true,
};

/* Hits of two definitions by tasks that come and go, on CPUs 1 and 17. */
static void put_shared(struct sink *s)
{
	struct value v[] = {
		number(&f_dfd, -1), number(&f_u, 2), number(&f_x, 3),
		text(&f_file, "/x"),
	};
	struct value ret = number(&f_dfd, 5);
	struct event e = hit(v, 4), r = hit(&ret, 1);

	e.shape = 1;
	r.shape = 20;
	r.name = "r";
	r.layout = &of_return;
	r.return_address = 0x1000;
	assert_int_equal(sink_event(s, &e), 0);
	assert_int_equal(sink_event(s, &r), 0);
	v[0] = (struct value){ .field = &f_dfd, .fault = true };
	v[2].number = UINT64_MAX;
	v[3] = text(&f_file, "\"");
	e.cpu = 17;
	assert_int_equal(sink_event(s, &e), 0);
	v[0] = number(&f_dfd, 0);
	strcpy(e.comm, "dog");
	assert_int_equal(sink_event(s, &e), 0);
	e.tgid = 201;
	assert_int_equal(sink_event(s, &e), 0);
	e.tid = 213;
	r.return_address = 0x2000;
	assert_int_equal(sink_event(s, &r), 0);
	assert_int_equal(sink_event(s, &e), 0);
	assert_int_equal(sink_flush(s), 0);
}

static void expect_shared(bool json, const char *lines)
{
	struct sink_options opt = { .exporter = form(json) };
	_cleanup_free_ char *out = NULL;
	struct sink *s = NULL;
	size_t size;

	opt.out = open_memstream(&out, &size);
	assert_int_equal(sink_create(&opt, NULL, &s), 0);
	put_shared(s);
	sink_destroy(s);
	fclose(opt.out);
	assert_string_equal(out, lines);
}

static void test_shared_text(void **state)
{
	expect_shared(false,
		      "cat-212 [001] 3.141592: do_sys_openat2: (do_sys_openat2+0x0) dfd=-1 u=2 x=0x3 file=\"/x\"\n"
		      "cat-212 [001] 3.141592: r: (0x1000 <- vfs_read) dfd=5\n"
		      "cat-212 [017] 3.141592: do_sys_openat2: (do_sys_openat2+0x0) dfd=(fault) u=2 x=0xffffffffffffffff file=\"\\\"\"\n"
		      "dog-212 [017] 3.141592: do_sys_openat2: (do_sys_openat2+0x0) dfd=0 u=2 x=0xffffffffffffffff file=\"\\\"\"\n"
		      "dog-212 [017] 3.141592: do_sys_openat2: (do_sys_openat2+0x0) dfd=0 u=2 x=0xffffffffffffffff file=\"\\\"\"\n"
		      "cat-212 [001] 3.141592: r: (0x2000 <- vfs_read) dfd=5\n"
		      "dog-213 [017] 3.141592: do_sys_openat2: (do_sys_openat2+0x0) dfd=0 u=2 x=0xffffffffffffffff file=\"\\\"\"\n");
}

#define JSON_HIT(cpu, comm, tid, pid) \
	"{\"v\":1,\"time\":3.141592999,\"cpu\":" #cpu ",\"comm\":\"" comm "\",\"tid\":" #tid ",\"pid\":" #pid ","
#define JSON_OPEN "\"name\":\"do_sys_openat2\",\"symbol\":\"do_sys_openat2\",\"offset\":0,"
#define JSON_REST "\"u\":2,\"x\":\"0xffffffffffffffff\",\"file\":\"\\\"\"}"

static void test_shared_json(void **state)
{
	expect_shared(true,
		      JSON_HIT(1, "cat", 212, 200) JSON_OPEN
		      "\"args\":{\"dfd\":-1,\"u\":2,\"x\":\"0x3\",\"file\":\"/x\"}}\n"
		      JSON_HIT(1, "cat", 212, 200)
		      "\"name\":\"r\",\"symbol\":\"vfs_read\",\"offset\":0,\"returned_to\":{\"address\":\"0x1000\"},\"args\":{\"dfd\":5}}\n"
		      JSON_HIT(17, "cat", 212, 200) JSON_OPEN
		      "\"args\":{\"dfd\":null," JSON_REST ",\"faults\":[\"dfd\"]}\n"
		      JSON_HIT(17, "dog", 212, 200) JSON_OPEN
		      "\"args\":{\"dfd\":0," JSON_REST "}\n"
		      JSON_HIT(17, "dog", 212, 201) JSON_OPEN
		      "\"args\":{\"dfd\":0," JSON_REST "}\n"
		      JSON_HIT(1, "cat", 212, 200)
		      "\"name\":\"r\",\"symbol\":\"vfs_read\",\"offset\":0,\"returned_to\":{\"address\":\"0x2000\"},\"args\":{\"dfd\":5}}\n"
		      JSON_HIT(17, "dog", 213, 201) JSON_OPEN
		      "\"args\":{\"dfd\":0," JSON_REST "}\n");
}

/* ---- output ---- */

static void test_many_lines(void **state)
{
	static const char line[] = "[001] 3.141592: [LOST 5 EVENTS]\n";
	struct event *e = calloc(10000, sizeof(*e));
	_cleanup_free_ char *out = NULL;
	size_t i;

	for (i = 0; i < 10000; i++)
		e[i] = (struct event){ .mono = 3141592653, .cpu = 1, .lost = 5 };
	out = written((struct sink_options){}, e, 10000);
	free(e);
	assert_int_equal(strlen(out), 10000 * strlen(line));
	for (i = 0; i < 10000; i++)
		assert_memory_equal(out + i * strlen(line), line, strlen(line));
}

static void output_fails(FILE *out, int err)
{
	struct event e = { .lost = 5 };
	struct sink *s = NULL;
	int i, ret = 0;

	assert_int_equal(sink_create(&(struct sink_options){ .out = out }, NULL, &s), 0);
	for (i = 0; i < 100000 && !ret; i++)
		ret = sink_event(s, &e);
	assert_int_equal(ret, err);
	/* also where nothing is due to be written */
	assert_int_equal(sink_event(s, &e), err);
	assert_int_equal(sink_flush(s), err);
	assert_int_equal(sink_event(s, &e), err);
	assert_int_equal(sink_end(s), err);
	sink_destroy(s);
	sink_destroy(NULL);
}

static void test_output_errors(void **state)
{
	FILE *full = fopen("/dev/full", "w");
	FILE *out;
	int p[2];

	output_fails(full, -ENOSPC);
	fclose(full);
	signal(SIGPIPE, SIG_IGN);
	assert_int_equal(pipe(p), 0);
	close(p[0]);
	out = fdopen(p[1], "w");
	output_fails(out, -EPIPE);
	fclose(out);
	signal(SIGPIPE, SIG_DFL);
}

/* What the caller printed before comes first. */
static void test_order_with_stdio(void **state)
{
	struct event e = { .mono = 0, .lost = 5 };
	struct sink *s = NULL;
	char text[64] = "";
	FILE *out;
	int p[2];

	assert_int_equal(pipe(p), 0);
	out = fdopen(p[1], "w");
	fputs("head\n", out);
	assert_int_equal(sink_create(&(struct sink_options){ .out = out }, NULL, &s), 0);
	assert_int_equal(sink_event(s, &e), 0);
	assert_int_equal(sink_flush(s), 0);
	sink_destroy(s);
	assert_true(read(p[0], text, sizeof(text) - 1) > 0);
	assert_string_equal(text, "head\n[000] 0.000000: [LOST 5 EVENTS]\n");
	fclose(out);
	close(p[0]);
}

static void *slow_reader(void *arg)
{
	int fd = *(int *)arg;
	size_t total = 0;
	char text[4096];
	ssize_t n;

	usleep(20000);
	while ((n = read(fd, text, sizeof(text))) > 0)
		total += n;
	return (void *)total;
}

/* A pipe that is full for now is no error, blocking or not. */
static void test_slow_reader(void **state)
{
	struct event e = { .mono = 0, .lost = 5 };
	struct sink *s = NULL;
	pthread_t thread;
	void *total;
	FILE *out;
	int p[2], i;

	assert_int_equal(pipe(p), 0);
	fcntl(p[1], F_SETFL, O_NONBLOCK);
	out = fdopen(p[1], "w");
	assert_int_equal(pthread_create(&thread, NULL, slow_reader, &p[0]), 0);
	assert_int_equal(sink_create(&(struct sink_options){ .out = out }, NULL, &s), 0);
	for (i = 0; i < 20000; i++)
		assert_int_equal(sink_event(s, &e), 0);
	assert_int_equal(sink_flush(s), 0);
	sink_destroy(s);
	fclose(out);
	pthread_join(thread, &total);
	assert_int_equal((size_t)total, 20000 * strlen("[000] 0.000000: [LOST 5 EVENTS]\n"));
	close(p[0]);
}

/* ---- exporters ---- */

/* struct tally - the state of an exporter of this test */
struct tally {
	unsigned int depth;
	bool pretty;
	unsigned int events;
};

static unsigned int nr_ends;

static int tally_begin(struct exporting *x)
{
	struct tally *t = x->state;

	assert_int_equal(t->events, 0);
	t->depth = x->opt.depth;
	t->pretty = x->opt.pretty;
	buf_puts(&x->out, "[");
	return 0;
}

static void tally_event(struct exporting *x, const struct event *e)
{
	struct tally *t = x->state;

	buf_printf(&x->out, "%s%llu", t->events++ ? "," : "",
		   (unsigned long long)e->lost);
}

static void tally_end(struct exporting *x)
{
	const struct tally *t = x->state;

	nr_ends++;
	buf_printf(&x->out, "] %u events, depth %u%s\n", t->events, t->depth,
		   t->pretty ? ", pretty" : "");
}

/* What comes before and after the events is written, and an option that the
 * exporter does not declare does not reach it.
 */
static void test_exporter(void **state)
{
	static const struct exporter tally = {
		.name = "tally", .options = EXPORTER_DEPTH,
		.state_size = sizeof(struct tally), .begin = tally_begin,
		.event = tally_event, .end = tally_end,
	};
	struct sink_options opt = {
		.exporter = &tally, .depth = 7, .pretty = true,
	};
	const struct event events[] = { { .lost = 5 }, { .lost = 6 } };
	_cleanup_free_ char *out = NULL;
	struct sink *s = NULL;
	size_t size;

	nr_ends = 0;
	opt.out = open_memstream(&out, &size);
	assert_int_equal(sink_create(&opt, NULL, &s), 0);
	assert_int_equal(sink_event(s, &events[0]), 0);
	assert_int_equal(sink_flush(s), 0);
	assert_string_equal(out, "[5");
	assert_int_equal(sink_event(s, &events[1]), 0);
	assert_int_equal(sink_end(s), 0);
	sink_destroy(s);
	fclose(opt.out);
	assert_string_equal(out, "[5,6] 2 events, depth 7\n");
	assert_int_equal(nr_ends, 1);
}

static void test_exporter_names(void **state)
{
	assert_ptr_equal(exporter_find("text"), &exporter_text);
	assert_ptr_equal(exporter_find("json"), &exporter_json);
	assert_null(exporter_find("jso"));
	assert_string_equal(exporter_text.name, "text");
	assert_string_equal(exporter_json.name, "json");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_text_values),
		cmocka_unit_test(test_shapes),
		cmocka_unit_test(test_text_marks),
		cmocka_unit_test(test_no_entry),
		cmocka_unit_test(test_text_escapes),
		cmocka_unit_test(test_text_chars),
		cmocka_unit_test(test_text_names),
		cmocka_unit_test(test_text_lost),
		cmocka_unit_test(test_text_mark),
		cmocka_unit_test(test_json),
		cmocka_unit_test(test_json_values),
		cmocka_unit_test(test_json_faults),
		cmocka_unit_test(test_json_lost),
		cmocka_unit_test(test_json_mark),
		cmocka_unit_test(test_wall_time),
		cmocka_unit_test(test_wall_zone),
		cmocka_unit_test(test_aligned),
		cmocka_unit_test(test_relative_time),
		cmocka_unit_test(test_shared_text),
		cmocka_unit_test(test_shared_json),
		cmocka_unit_test(test_many_lines),
		cmocka_unit_test(test_output_errors),
		cmocka_unit_test(test_order_with_stdio),
		cmocka_unit_test(test_exporter),
		cmocka_unit_test(test_exporter_names),
		cmocka_unit_test(test_slow_reader),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
