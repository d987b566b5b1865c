// SPDX-License-Identifier: GPL-2.0
/*
 * Messages that are wrong in one way each: the errno, the attribute at fault,
 * and the text, which is the module's own or the kernel's for all families.
 */
#include <errno.h>
#include <libmnl/libmnl.h>
#include <string.h>
#include <unistd.h>

#include "nlraw.h"

/* A text of the kernel's own, which is not ours to fix. */
#define ANY_TEXT NULL
#define NO_TEXT ""

/**
 * struct wrong - a message and its refusal
 * @what: is wrong with it
 * @cmd: command
 * @attrs: what it says
 * @error: errno, positive
 * @attr: attribute at fault
 * @text: extack's
 */
struct wrong {
	const char *what;
	uint8_t cmd;
	const struct attr *attrs;
	int error;
	int attr;
	const char *text;
};

static char long_text[70000];

#define NAME	A_STR(KTAP_A_NAME, "wrong")
#define NEW(what, error, attr, text, ...)				\
	{ what, KTAP_CMD_PROBE_NEW, ATTRS(__VA_ARGS__, A_END), error, attr, text }
#define OTHER(what, cmd, error, attr, text, ...)			\
	{ what, KTAP_CMD_##cmd, ATTRS(__VA_ARGS__, A_END), error, attr, text }

/* An attribute that no request needs: the list is empty but for it. */
#define NOTHING A_U32(KTAP_A_FLAGS, 0)

#define LACKS_NAME "the message lacks the name"
#define BAD_NAME "bad character in the event's name"

static const struct wrong wrongs[] = {
	/* what is missing */
	NEW("no name", EINVAL, NO_ATTR, LACKS_NAME, GOOD_TYPE, GOOD_PLACE,
	    GOOD_PROG),
	NEW("nothing at all", EINVAL, NO_ATTR, LACKS_NAME, NOTHING),
	NEW("no type", EINVAL, NO_ATTR, "the message lacks the type", NAME,
	    GOOD_PLACE, GOOD_PROG),
	NEW("no program", EINVAL, NO_ATTR, "the message lacks the program",
	    NAME, GOOD_TYPE, GOOD_PLACE),
	NEW("no place", EINVAL, NO_ATTR,
	    "the message lacks an address or a symbol", NAME, GOOD_TYPE,
	    GOOD_PROG),
	OTHER("get without a probe", PROBE_GET, EINVAL, NO_ATTR,
	      "the message names no probe", NOTHING),
	OTHER("del without a probe", PROBE_DEL, EINVAL, NO_ATTR,
	      "the message names no probe", NOTHING),
	OTHER("set without a probe", PROBE_SET, EINVAL, NO_ATTR,
	      "the message names no probe", A_U8(KTAP_A_ENABLED, 1)),
	OTHER("chunk without a probe", BLOB_PUT, EINVAL, NO_ATTR,
	      "the message names no probe", A_U32(KTAP_A_BLOB_OFFSET, 0)),
	OTHER("get of no such id", PROBE_GET, ENOENT, KTAP_A_ID,
	      "no such probe", A_U32(KTAP_A_ID, 65535)),
	OTHER("get of an id that is a state record's", PROBE_GET, ENOENT,
	      KTAP_A_ID, "no such probe", A_U32(KTAP_A_ID, KTAP_REC_LOST)),
	OTHER("get of id 0", PROBE_GET, ENOENT, KTAP_A_ID, "no such probe",
	      A_U32(KTAP_A_ID, 0)),
	OTHER("get of id 2^31", PROBE_GET, ENOENT, KTAP_A_ID, "no such probe",
	      A_U32(KTAP_A_ID, 1U << 31)),
	OTHER("get of id 2^32 - 1", PROBE_GET, ENOENT, KTAP_A_ID,
	      "no such probe", A_U32(KTAP_A_ID, ~0U)),
	OTHER("del of no such name", PROBE_DEL, ENOENT, KTAP_A_NAME,
	      "no such probe", NAME),
	OTHER("id and name, and the id is wrong", PROBE_GET, ENOENT, KTAP_A_ID,
	      "no such probe", NAME, A_U32(KTAP_A_ID, 65535)),

	/* names */
	NEW("empty name", EINVAL, KTAP_A_NAME, BAD_NAME,
	    A_STR(KTAP_A_NAME, ""), GOOD_TYPE, GOOD_PLACE, GOOD_PROG),
	NEW("empty group", EINVAL, KTAP_A_NAME, BAD_NAME,
	    A_STR(KTAP_A_NAME, ":x"), GOOD_TYPE, GOOD_PLACE, GOOD_PROG),
	NEW("empty event", EINVAL, KTAP_A_NAME, BAD_NAME,
	    A_STR(KTAP_A_NAME, "x:"), GOOD_TYPE, GOOD_PLACE, GOOD_PROG),
	NEW("two groups", EINVAL, KTAP_A_NAME, BAD_NAME,
	    A_STR(KTAP_A_NAME, "x:y:z"), GOOD_TYPE, GOOD_PLACE, GOOD_PROG),
	NEW("blank in the name", EINVAL, KTAP_A_NAME, BAD_NAME,
	    A_STR(KTAP_A_NAME, "x y"), GOOD_TYPE, GOOD_PLACE, GOOD_PROG),
	NEW("newline in the name", EINVAL, KTAP_A_NAME, BAD_NAME,
	    A_STR(KTAP_A_NAME, "x\n"), GOOD_TYPE, GOOD_PLACE, GOOD_PROG),
	NEW("letter of Latin-1 in the name", EINVAL, KTAP_A_NAME, BAD_NAME,
	    A_STR(KTAP_A_NAME, "x\xe9"), GOOD_TYPE, GOOD_PLACE, GOOD_PROG),
	NEW("UTF-8 in the name", EINVAL, KTAP_A_NAME, BAD_NAME,
	    A_STR(KTAP_A_NAME, "\xc3\xa9"), GOOD_TYPE, GOOD_PLACE, GOOD_PROG),
	NEW("name without its NUL", EINVAL, KTAP_A_NAME, ANY_TEXT,
	    A_BIN(KTAP_A_NAME, "wrong", 5), GOOD_TYPE, GOOD_PLACE, GOOD_PROG),
	NEW("name of 128 characters", EINVAL, KTAP_A_NAME, ANY_TEXT,
	    A_BIN(KTAP_A_NAME, long_text + sizeof(long_text) -
		  KTAP_NAME_MAX - 1, KTAP_NAME_MAX + 1), GOOD_TYPE, GOOD_PLACE,
	    GOOD_PROG),

	/* places */
	NEW("offset without symbol", EINVAL, KTAP_A_OFFSET,
	    "an offset needs a symbol", NAME, GOOD_TYPE,
	    A_U64(KTAP_A_ADDR, 1), A_U64(KTAP_A_OFFSET, 0), GOOD_PROG),
	NEW("address 0", EINVAL, KTAP_A_ADDR,
	    "address 0 cannot be probed", NAME, GOOD_TYPE,
	    A_U64(KTAP_A_ADDR, 0), GOOD_PROG),
	NEW("offset of 2^31", EINVAL, KTAP_A_OFFSET,
	    "the offset is larger than any function", NAME, GOOD_TYPE,
	    GOOD_PLACE, A_U64(KTAP_A_OFFSET, 1ULL << 31), GOOD_PROG),
	NEW("offset of 2^64 - 1", EINVAL, KTAP_A_OFFSET,
	    "the offset is larger than any function", NAME, GOOD_TYPE,
	    GOOD_PLACE, A_U64(KTAP_A_OFFSET, ~0ULL), GOOD_PROG),
	NEW("symbol of 512 characters", EINVAL, KTAP_A_SYMBOL, ANY_TEXT, NAME,
	    GOOD_TYPE, A_BIN(KTAP_A_SYMBOL, long_text + sizeof(long_text) -
			     KTAP_SYMBOL_MAX - 1, KTAP_SYMBOL_MAX + 1),
	    GOOD_PROG),

	/* programs */
	NEW("half an instruction", EINVAL, KTAP_A_PROG,
	    "the program is not a whole number of instructions", NAME,
	    GOOD_TYPE, GOOD_PLACE, A_BIN(KTAP_A_PROG, good_prog, 24)),
	NEW("one byte of program", EINVAL, KTAP_A_PROG,
	    "the program is not a whole number of instructions", NAME,
	    GOOD_TYPE, GOOD_PLACE, A_BIN(KTAP_A_PROG, good_prog, 1)),
	NEW("too many instructions", ERANGE, KTAP_A_PROG, ANY_TEXT, NAME,
	    GOOD_TYPE, GOOD_PLACE,
	    A_BIN(KTAP_A_PROG, long_text,
		  (KTAP_PROG_MAX + 1) * sizeof(struct ktap_insn))),
	NEW("program as large as an attribute can be", ERANGE, KTAP_A_PROG,
	    ANY_TEXT, NAME, GOOD_TYPE, GOOD_PLACE,
	    A_BIN(KTAP_A_PROG, long_text, 65520)),

	/* values that the policy refuses */
	NEW("type 0", ERANGE, KTAP_A_TYPE, ANY_TEXT, NAME,
	    A_U32(KTAP_A_TYPE, 0), GOOD_PLACE, GOOD_PROG),
	NEW("type of nobody", ERANGE, KTAP_A_TYPE, ANY_TEXT, NAME,
	    A_U32(KTAP_A_TYPE, KTAP_TYPE_MAX + 1), GOOD_PLACE, GOOD_PROG),
	NEW("unknown flag", EINVAL, KTAP_A_FLAGS, ANY_TEXT, NAME, GOOD_TYPE,
	    GOOD_PLACE, GOOD_PROG, A_U32(KTAP_A_FLAGS, 1U << 31)),
	OTHER("enabled 2", PROBE_SET, ERANGE, KTAP_A_ENABLED, ANY_TEXT, NAME,
	      A_U8(KTAP_A_ENABLED, 2)),
	OTHER("chunk of 8193 bytes", BLOB_PUT, ERANGE, KTAP_A_BLOB_DATA,
	      ANY_TEXT, NAME, A_U32(KTAP_A_BLOB_OFFSET, 0),
	      A_BIN(KTAP_A_BLOB_DATA, long_text, KTAP_BLOB_CHUNK + 1)),

	/* attributes of another size, another kind, of nobody */
	NEW("type of 3 bytes", EINVAL, KTAP_A_TYPE, ANY_TEXT, NAME,
	    A_BIN(KTAP_A_TYPE, "\1\0\0", 3), GOOD_PLACE, GOOD_PROG),
	NEW("type of 8 bytes", EINVAL, KTAP_A_TYPE, ANY_TEXT, NAME,
	    A_U64(KTAP_A_TYPE, 1), GOOD_PLACE, GOOD_PROG),
	NEW("address of 4 bytes", EINVAL, KTAP_A_ADDR, ANY_TEXT, NAME,
	    GOOD_TYPE, A_U32(KTAP_A_ADDR, 1), GOOD_PROG),
	OTHER("id of no bytes", PROBE_GET, EINVAL, KTAP_A_ID, ANY_TEXT,
	      A_BIN(KTAP_A_ID, "", 0)),
	OTHER("flag with a value", INFO_GET, ERANGE, KTAP_A_VERBOSE, ANY_TEXT,
	      A_U32(KTAP_A_VERBOSE, 1)),
	OTHER("attribute of replies", INFO_GET, EINVAL, KTAP_A_LIMITS, ANY_TEXT,
	      A_U64(KTAP_A_LIMITS, 0)),
	OTHER("attribute of nobody", INFO_GET, EINVAL, 200, ANY_TEXT,
	      A_U64(200, 0)),
	{ "command of nobody", KTAP_CMD_MAX + 1, NULL, EOPNOTSUPP, NO_ATTR,
	  NO_TEXT },
	{ "command 255", 255, NULL, EOPNOTSUPP, NO_ATTR, NO_TEXT },
	{ "command 0", 0, NULL, EOPNOTSUPP, NO_ATTR, NO_TEXT },
	{ "stats that are no dump", KTAP_CMD_STATS_GET, NULL, EOPNOTSUPP,
	  NO_ATTR, NO_TEXT },
	{ "sessions that are no dump", KTAP_CMD_SESSION_GET, NULL, EOPNOTSUPP,
	  NO_ATTR, NO_TEXT },
};

static void try_one(struct sock *s, const struct wrong *w)
{
	const struct answer *a = request(s, w->cmd, w->attrs);

	is_error(a->error, -w->error, "%s: error", w->what);
	is(a->attr, w->attr, "%s: attribute at fault", w->what);
	if (!w->text)
		ok(a->text[0], "%s: explained", w->what);
	else
		ok(!strcmp(a->text, w->text), "%s: \"%s\"", w->what, w->text);
}

/* Bytes that are no attributes. */
static void try_bytes(struct sock *s)
{
	static const uint8_t junk[] = { 1, 2, 3 };
	struct nlattr longer = { .nla_len = 100, .nla_type = KTAP_A_ID };
	struct nlattr shorter = { .nla_len = 2, .nla_type = KTAP_A_ID };

	is_error(request_bytes(s, KTAP_CMD_INFO_GET, 0, junk, 3)->error,
		 -EINVAL, "three bytes of junk");
	is_error(request_bytes(s, KTAP_CMD_PROBE_GET, 0, &longer, 4)->error,
		 -EINVAL, "attribute that is longer than its message");
	is_error(request_bytes(s, KTAP_CMD_PROBE_GET, 0, &shorter, 4)->error,
		 -EINVAL, "attribute that is shorter than its header");
	is_error(request_bytes(s, KTAP_CMD_INFO_GET, 1, junk, 0)->error,
		 -EINVAL, "reserved part of the header");
	is_error(request_bytes(s, KTAP_CMD_INFO_GET, 0, junk, 0)->error, 0,
		 "and without it");
}

/* What stands twice. */
static void try_names(struct sock *s)
{
	const struct answer *a;
	int id = probe_new(s, "group:twice", 0, 0), transient;

	ok(id >= KTAP_REC_FIRST_PROBE && id <= 65535, "a good message");
	a = request(s, KTAP_CMD_PROBE_NEW,
		    ATTRS(A_STR(KTAP_A_NAME, "group:twice"), GOOD_TYPE,
			  GOOD_PLACE, GOOD_PROG, A_END));
	is_error(a->error, -EEXIST, "a name that is taken: error");
	is(a->attr, KTAP_A_NAME, "a name that is taken: attribute at fault");
	ok(!strcmp(a->text, "an event of this name exists already"),
	   "a name that is taken: text");
	transient = probe_new(s, "group:twice", KTAP_PROBE_F_TRANSIENT, 0);
	ok(transient > 0 && transient != id, "a transient one has its own name");
	a = request(s, KTAP_CMD_PROBE_GET,
		    ATTRS(A_STR(KTAP_A_NAME, "group:twice"), A_END));
	is(answer_u32(a, KTAP_A_ID), id, "the name means the one that stays");
	is_error(probe_del(s, id), 0, "which goes");
	is_error(request(s, KTAP_CMD_PROBE_GET,
			 ATTRS(A_STR(KTAP_A_NAME, "group:twice"), A_END))->error,
		 -ENOENT, "then nobody has the name");
	is_error(probe_del(s, id), -ENOENT, "and nobody its id");
	is_error(probe_del(s, transient), 0, "the other is known by its id");
}

static void try_set(struct sock *s)
{
	int id = probe_new(s, "set", 0, 0);
	const struct answer *a = request(s, KTAP_CMD_PROBE_SET,
					 ATTRS(A_U32(KTAP_A_ID, id), A_END));

	is_error(a->error, -EINVAL, "set without the state: error");
	ok(!strcmp(a->text, "the message lacks the state to set"),
	   "set without the state: text");
	is_error(probe_enable(s, id, true), 0, "enable");
	is_error(probe_enable(s, id, true), 0, "enable again");
	is_error(probe_enable(s, id, false), 0, "disable");
	is_error(probe_enable(s, id, false), 0, "disable again");
	is_error(probe_enable(s, id, true), 0, "enable once more");
	is_error(probe_del(s, id), 0, "delete while enabled");
}

/* ---- numbers that no probe, CPU or process has ----------------------------- */

static void count(void *ctx, const struct nlattr *const *tb)
{
	(void)tb;
	++*(unsigned int *)ctx;
}

static unsigned int nr_stats(struct sock *s, uint32_t id, uint32_t verbose)
{
	const struct attr attrs[] = { A_U32(KTAP_A_ID, id),
				      { verbose, 0, NULL }, A_END };
	unsigned int nr = 0;

	is_error(dump(s, KTAP_CMD_STATS_GET, attrs, count, &nr), 0,
		 "statistics of id %#x%s", id, verbose ? ", verbose" : "");
	return nr;
}

/* Where a CPU or process is given by an int, too. */
static void try_session_numbers(int fd, uint32_t id, uint32_t number)
{
	struct ktap_session_counts counts = { .id = number, .cpu = -1 };
	struct ktap_session_scope scope = { .pid = number };

	is_error(session_attach(fd, number), -ENOENT, "attach id %#x", number);
	is_error(session_detach(fd, number), -ENOENT, "detach id %#x", number);
	is_error(xioctl(fd, KTAP_IOC_COUNTS, &counts), -ENOENT,
		 "counts of id %#x", number);
	counts.id = id;
	counts.cpu = number == ~0U ? -2 : (int32_t)number;
	is_error(xioctl(fd, KTAP_IOC_COUNTS, &counts), -EINVAL,
		 "counts of CPU %d", counts.cpu);
	is_error(xioctl(fd, KTAP_IOC_SCOPE, &scope), -ESRCH,
		 "scope of process %#x", number);
}

static void try_numbers(struct sock *s)
{
	static const uint32_t numbers[] = { 65536, INT32_MAX, 1U << 31,
					    (1U << 31) + KTAP_REC_FIRST_PROBE,
					    ~0U };
	int id = probe_new(s, "number", 0, 0), fd = session_open();
	const struct answer *a;

	is_error(session_attach(fd, id), 0, "attach a probe that exists");
	is(nr_stats(s, id, 0), 1, "and it has statistics");
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		is(nr_stats(s, numbers[i], 0), 0, "which are nobody's");
		is(nr_stats(s, numbers[i], KTAP_A_VERBOSE), 0, "nobody's");
		a = request(s, KTAP_CMD_PROBE_DEL,
			    ATTRS(A_BIN(KTAP_A_IDS, &numbers[i], 4), A_END));
		is_error(a->error, -ENOENT, "delete a list of id %#x",
			 numbers[i]);
		try_session_numbers(fd, id, numbers[i]);
	}
	close(fd);
	is_error(probe_del(s, id), 0, "delete it");
}

void try_messages(void)
{
	struct sock *s = sock_open();
	size_t i;

	memset(long_text, 'x', sizeof(long_text) - 1);
	for (i = 0; i < sizeof(wrongs) / sizeof(wrongs[0]); i++)
		try_one(s, &wrongs[i]);
	try_bytes(s);
	try_names(s);
	try_set(s);
	try_numbers(s);
	is(limits(s)->nr_probes, 0, "messages: no probe is left");
	sock_close(s);
}
