// SPDX-License-Identifier: GPL-2.0
/* Memory that is not resident, or not there at all. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "uraw.h"

#define PAGE 4096UL	/* of the test kernels */
#define FILE_PAGES 4

#define WORD_AT 64

/*
 * A mapping that nobody has touched, of a file whose pages are full of 'a' to
 * 'd', but for a word at WORD_AT of each and one over each border.
 */
static char *fresh(int pages, int prot)
{
	static char image[FILE_PAGES * PAGE];
	char *p;
	int fd, i;

	for (i = 0; i < FILE_PAGES; i++) {
		memset(image + i * PAGE, 'a' + i, PAGE);
		memcpy(image + i * PAGE + WORD_AT, "start", 6);
		if (i)
			memcpy(image + i * PAGE - 4, "over the border", 16);
	}
	fd = open("/tmp/uraw.file", O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0 || write(fd, image, sizeof(image)) != sizeof(image))
		die("/tmp/uraw.file");
	p = mmap(NULL, pages * PAGE, prot, MAP_PRIVATE, fd, 0);
	if (p == MAP_FAILED)
		die("mmap");
	close(fd);
	return p;
}

/* Is it as it should be? Not every kernel can tell. */
static void is_resident(const void *at, bool wanted, const char *what)
{
	int fd = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	uint64_t entry = 0;

	if (fd < 0)
		return;
	if (pread(fd, &entry, 8, (uintptr_t)at / PAGE * 8) != 8)
		die("/proc/self/pagemap");
	close(fd);
	is(entry >> 63, wanted, "%s: resident", what);
}

static const struct hit *string_at(struct session *s, const char *at,
				   bool wanted, const char *what)
{
	is_resident(at, wanted, what);
	target_string(at);
	return only_hit(s, what);
}

static void try_strings(struct session *s)
{
	char *p = fresh(FILE_PAGES, PROT_READ);
	const struct hit *h;

	h = string_at(s, p + WORD_AT, false, "untouched page");
	is_text(string(h, 0), "start", "untouched page: string");
	is_resident(p, true, "untouched page: brought in");
	h = string_at(s, p + WORD_AT, true, "resident page");
	is_text(string(h, 0), "start", "resident page: string");
	madvise(p, 3 * PAGE, MADV_DONTNEED);
	h = string_at(s, p + 2 * PAGE - 4, false, "two untouched pages");
	is_text(string(h, 0), "over the border", "two untouched pages: string");
	madvise(p + 2 * PAGE, PAGE, MADV_DONTNEED);
	is_resident(p + 2 * PAGE, false, "border, second one untouched");
	h = string_at(s, p + 2 * PAGE - 4, true, "border, first one resident");
	is_text(string(h, 0), "over the border",
		"border, second one untouched: string");
	munmap(p, FILE_PAGES * PAGE);

	/* a page that was there and has been taken away */
	p = fresh(FILE_PAGES, PROT_READ);
	is(p[0], 'a', "touched");
	madvise(p, PAGE, MADV_DONTNEED);
	h = string_at(s, p + WORD_AT, false, "page taken away");
	is_text(string(h, 0), "start", "page taken away: string");
	munmap(p, FILE_PAGES * PAGE);

	/* cut at the limit */
	p = fresh(FILE_PAGES, PROT_READ);
	h = string_at(s, p + PAGE + 100, false, "long string");
	is(strlen(string(h, 0)), 63, "long string: cut");
	is(string_flags(h, 0), KTAP_STRING_F_CUT, "long string: and marked");
	munmap(p, FILE_PAGES * PAGE);
}

static void faults(struct session *s, const char *at, const char *what)
{
	const struct hit *h;

	target_string(at);
	h = only_hit(s, what);
	is(string_flags(h, 0), KTAP_STRING_F_FAULT, "%s: marked", what);
	is_text(string(h, 0), "", what);
}

static void try_no_memory(struct session *s)
{
	char *p = fresh(FILE_PAGES, PROT_READ | PROT_WRITE);
	char *beyond;

	memset(p + PAGE - 8, 'x', 8);
	faults(s, NULL, "NULL");
	faults(s, (const char *)~0xfffUL, "an address of the kernel");
	faults(s, (const char *)0x8000deadbeef0000UL, "no address at all");
	mprotect(p + PAGE, PAGE, PROT_NONE);
	faults(s, p + PAGE, "a page that forbids reading");
	faults(s, p + PAGE - 8, "a string that runs into such a page");
	munmap(p + PAGE, PAGE);
	faults(s, p + PAGE, "unmapped");
	faults(s, p + PAGE - 8, "a string that runs into nothing");
	munmap(p, FILE_PAGES * PAGE);
	/* a mapping that is longer than its file */
	beyond = fresh(FILE_PAGES + 2, PROT_READ);
	faults(s, beyond + FILE_PAGES * PAGE, "behind the end of a file");
	munmap(beyond, (FILE_PAGES + 2) * PAGE);
}

/* Words, ranges and patterns, each from a page of its own. */
static void try_reads(void)
{
	const uint64_t pattern = 's' | 't' << 8 | '*' << 16;
	struct session *s = session();
	struct ktap_counts counts;
	const struct hit *h;
	char *p;
	int id;

	id = PROBE(.at = target_string,
		   PROG(REG(0, R_ARG1), LOAD(1, 0, 0, 8, 0),
			STORE(1, 8, 0, 0), ALUI(2, 0, ADD, PAGE),
			BYTES(2, 5, 8, 1, 0), ALUI(3, 0, ADD, PAGE * 2),
			MATCH(4, 3, 3, USER), DATA(pattern),
			STORE(4, 1, 13, 2), FAULTS(1, 14), END()));
	is(attach(s, id), 0, "reads: attached");
	p = fresh(FILE_PAGES, PROT_READ);
	target_string(p + WORD_AT);
	h = only_hit(s, "reads");
	ok(!memcmp(h->payload, "start\0aa", 8), "reads: a word");
	ok(!memcmp(h->payload + 8, "start", 5), "reads: a range");
	is(h->payload[13], 1, "reads: a pattern matches");
	is(h->payload[14], 0, "reads: no fault");
	munmap(p + PAGE, PAGE);
	target_string(p + WORD_AT);
	h = only_hit(s, "reads, one is unmapped");
	ok(!memcmp(h->payload, "start\0aa", 8), "reads, one is unmapped: a word");
	ok(!memcmp(h->payload + 8, "\0\0\0\0\0", 5), "reads, one is unmapped: nothing stale");
	is(h->payload[14], 2, "reads, one is unmapped: its bit");
	counts = counts_of(s, id);
	is(counts.hits, 2, "reads: hits are counted once");
	is(counts.recorded, 2, "reads: and recorded once");
	munmap(p, FILE_PAGES * PAGE);
	probe_del(id);
	session_close(s);
}

/* Filters look at what is not there yet; what they refuse is counted once. */
static void try_filter(void)
{
	struct session *s = session(), *other = session();
	struct ktap_counts counts;
	const struct hit *h;
	int id, i;

	id = PROBE(.at = target_string,
		   PROG(REG(0, R_ARG1), LOAD(1, 0, 0, 1, USER),
			ALUI(2, 1, EQ, 's'), FILTER(2),
			STORE(1, 8, 0, NOBIT), END()));
	is(attach(s, id), 0, "filter: attached");
	is(attach(other, id), 0, "filter: attached to another session");
	for (i = 0; i < FILE_PAGES; i++) {
		char *p = fresh(FILE_PAGES, PROT_READ);

		target_string(p + i * PAGE + (i ? WORD_AT + 1 : WORD_AT));
		munmap(p, FILE_PAGES * PAGE);
	}
	h = only_hit(s, "filter");
	is(word(h, 0), 's', "filter: what passed");
	is(hits(other, &h), 1, "filter: to the other session as well");
	counts = counts_of(other, id);
	is(counts.hits, FILE_PAGES, "filter: hits");
	is(counts.filtered, FILE_PAGES - 1, "filter: filtered");
	is(counts.recorded, 1, "filter: recorded");
	probe_del(id);
	session_close(s);
	session_close(other);
}

void try_memory(void)
{
	struct session *s = session();
	int id = PROBE(.at = target_string, STRING_PROG);

	is(attach(s, id), 0, "strings: attached");
	try_strings(s);
	try_no_memory(s);
	probe_del(id);
	session_close(s);
	try_reads();
	try_filter();
}
