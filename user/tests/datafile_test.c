// SPDX-License-Identifier: GPL-2.0
/* ktap.data: what is written comes back, whatever happens to the file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "record/datafile.h"
#include "record/format.h"

static const struct machine sample_machine = {
	.release = "6.12.0-test",
	.hostname = "vm1",
	.arch = KTAP_ARCH_ARM64,
	.build_id = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,
		      17, 18, 19, 20 },
	.build_id_size = 20,
	.nr_cpus = 4,
	.clock = KTAP_CLOCK_CNTVCT,
	.clock_hz = 62500000,
	.subbuf_size = 4096,
	.ring_size = 1 << 20,
	.overwrite = true,
};

static const struct ktap_session_state sample_clock = {
	.raw = 1000, .mono = 16000, .real = 1700000000000000000,
};

static const struct ktap_counts sample_counts = {
	.hits = 9, .filtered = 1, .limited = 2, .counted = 0, .recorded = 3,
	.lost_full = 1, .lost_deep = 1, .lost_big = 1, .lost_no_ring = 0,
};

static const struct ktap_marks sample_marks = {
	.recorded = 5, .lost_full = 6, .lost_no_ring = 7,
};

static const struct ktap_data_code sample_code[] = {
	{ 0x1000, 0x401000, 0x800 }, { 0x2000, 0x602000, 0x10 },
};

static const uint8_t sample_id[] = { 9, 8, 7 };

/* A row with a key of 3 bytes, and one without a key; each has a word. */
static const uint64_t sample_rows[] = {
	7, 3, 70, 0x636261, 8, KTAP_DATA_NO_KEY, 80,
};

static const struct datafile_map sample_map = {
	.id = 16, .nr_words = 1, .nr_rows = 2,
	.rows = sample_rows, .size = sizeof(sample_rows),
};

static const struct datafile_file sample_file = {
	.nr = 4, .name = "libc.so.6", .id = sample_id, .id_size = sizeof(sample_id),
	.code = sample_code, .nr_code = 2,
};

static const uint64_t data0[] = { 0x1111, 0x2222, 0x3333 };
static const uint64_t data3[] = { 0x4444, 0x5555 };

struct file {
	char path[64];
	unsigned char *bytes;
	size_t size;
};

static void slurp(struct file *file)
{
	_cleanup_close_ int fd = open(file->path, O_RDONLY);
	struct stat st;

	assert_int_equal(fstat(fd, &st), 0);
	free(file->bytes);
	file->size = st.st_size;
	file->bytes = malloc(file->size + 1);
	assert_non_null(file->bytes);
	assert_int_equal(read(fd, file->bytes, file->size), file->size);
}

static void spill(const struct file *file, const void *bytes, size_t size)
{
	_cleanup_close_ int fd = open(file->path, O_WRONLY | O_TRUNC);

	assert_int_equal(write(fd, bytes, size), size);
}

static void write_sample(struct file *file)
{
	struct datafile_writer *w = NULL;

	assert_int_equal(datafile_create(file->path, &sample_machine, NULL, &w), 0);
	assert_int_equal(datafile_probe(w, 16, "ktap:vfs_read", "blob", 4, NULL), 0);
	assert_int_equal(datafile_probe(w, 17, "x", NULL, 0, NULL), 0);
	assert_int_equal(datafile_clock(w, &sample_clock, NULL), 0);
	assert_int_equal(datafile_data(w, 0, 4096, data0, sizeof(data0), NULL), 0);
	assert_int_equal(datafile_data(w, 3, 0, data3, sizeof(data3), NULL), 0);
	assert_int_equal(datafile_totals(w, 16, &sample_counts, 77, 78, NULL), 0);
	/* none were made: nothing is written */
	assert_int_equal(datafile_marks(w, &(struct ktap_marks){ 0 }, NULL), 0);
	assert_int_equal(datafile_marks(w, &sample_marks, NULL), 0);
	assert_int_equal(datafile_file(w, &sample_file, NULL), 0);
	assert_int_equal(datafile_map(w, &sample_map, NULL), 0);
	assert_int_equal(datafile_stopped(w, DATAFILE_LOCKDOWN, NULL), 0);
	assert_int_equal(datafile_finish(w, NULL, NULL), 0);
	slurp(file);
}

static int make_file(void **state)
{
	struct file *file = malloc(sizeof(*file));
	int fd;

	*file = (struct file){ .path = "/tmp/ktap-datafile-XXXXXX" };
	fd = mkstemp(file->path);
	if (fd < 0)
		return -1;
	close(fd);
	*state = file;
	return 0;
}

static int remove_file(void **state)
{
	struct file *file = *state;

	char old[sizeof(file->path) + 4];

	snprintf(old, sizeof(old), "%s.old", file->path);
	unlink(file->path);
	unlink(old);
	free(file->bytes);
	free(file);
	return 0;
}

/* Bytes of @file as a recording, or NULL. */
static struct datafile *parse(const void *bytes, size_t size)
{
	struct datafile *f = NULL;

	datafile_parse("t", bytes, size, NULL, &f);
	return f;
}

static void check_sample(const struct datafile *f)
{
	const struct machine *m = &f->machine;

	assert_string_equal(m->release, "6.12.0-test");
	assert_string_equal(m->hostname, "vm1");
	assert_int_equal(m->arch, KTAP_ARCH_ARM64);
	assert_int_equal(m->build_id_size, 20);
	assert_memory_equal(m->build_id, sample_machine.build_id, 20);
	assert_int_equal(m->nr_cpus, 4);
	assert_int_equal(m->clock, KTAP_CLOCK_CNTVCT);
	assert_int_equal(m->clock_hz, 62500000);
	assert_int_equal(m->subbuf_size, 4096);
	assert_int_equal(m->ring_size, 1 << 20);
	assert_true(m->overwrite);

	assert_int_equal(f->nr_probes, 2);
	assert_int_equal(f->probes[0].id, 16);
	assert_string_equal(f->probes[0].name, "ktap:vfs_read");
	assert_int_equal(f->probes[0].blob_size, 4);
	assert_memory_equal(f->probes[0].blob, "blob", 4);
	assert_int_equal(f->probes[1].id, 17);
	assert_string_equal(f->probes[1].name, "x");
	assert_int_equal(f->probes[1].blob_size, 0);

	assert_int_equal(f->nr_clocks, 1);
	assert_int_equal(f->clocks[0].raw, 1000);
	assert_int_equal(f->clocks[0].mono, 16000);
	assert_int_equal(f->clocks[0].real, 1700000000000000000);

	assert_int_equal(f->nr_batches, 2);
	assert_int_equal(f->batches[0].cpu, 0);
	assert_int_equal(f->batches[0].position, 4096);
	assert_int_equal(f->batches[0].size, sizeof(data0));
	assert_int_equal((uintptr_t)f->batches[0].data % 8, 0);
	assert_memory_equal(f->batches[0].data, data0, sizeof(data0));
	assert_int_equal(f->batches[1].cpu, 3);
	assert_int_equal(f->batches[1].position, 0);
	assert_memory_equal(f->batches[1].data, data3, sizeof(data3));
	assert_false(f->batches[1].cut);

	assert_int_equal(f->nr_totals, 1);
	assert_int_equal(f->totals[0].id, 16);
	assert_int_equal(f->totals[0].missed, 77);
	assert_int_equal(f->totals[0].unfollowed, 78);
	assert_memory_equal(&f->totals[0].counts, &sample_counts,
			    sizeof(sample_counts));
	assert_memory_equal(&f->marks, &sample_marks, sizeof(sample_marks));
	assert_int_equal(f->nr_files, 1);
	assert_int_equal(f->files[0].nr, 4);
	assert_string_equal(f->files[0].name, "libc.so.6");
	assert_int_equal(f->files[0].id_size, sizeof(sample_id));
	assert_memory_equal(f->files[0].id, sample_id, sizeof(sample_id));
	assert_int_equal(f->files[0].nr_code, 2);
	assert_memory_equal(f->files[0].code, sample_code, sizeof(sample_code));
	assert_int_equal(f->nr_maps, 1);
	assert_int_equal(f->maps[0].id, 16);
	assert_int_equal(f->maps[0].nr_words, 1);
	assert_int_equal(f->maps[0].nr_rows, 2);
	assert_int_equal(f->maps[0].size, sizeof(sample_rows));
	assert_int_equal((uintptr_t)f->maps[0].rows % 8, 0);
	assert_memory_equal(f->maps[0].rows, sample_rows, sizeof(sample_rows));
	assert_int_equal(f->stopped, DATAFILE_LOCKDOWN);
	assert_true(f->complete);
}

static void test_round_trip(void **state)
{
	struct file *file = *state;
	struct datafile *f = NULL;
	struct stat st;

	write_sample(file);
	assert_int_equal(datafile_open(file->path, NULL, &f), 0);
	check_sample(f);
	datafile_close(f);
	datafile_close(NULL);
	assert_int_equal(datafile_finish(NULL, NULL, NULL), 0);

	/* what a new file may be read by */
	unlink(file->path);
	write_sample(file);
	assert_int_equal(stat(file->path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
}

/* The checksum of parts is that of the whole, wherever it is taken apart. */
static void test_long_parts(void **state)
{
	static const char blob[3000] = "blob";
	struct file *file = *state;
	char name[1025] = "";
	struct datafile *f;
	size_t n;

	for (n = 1; n < sizeof(name); n += 3) {
		struct datafile_writer *w = NULL;

		memset(name, 'x', n);
		assert_int_equal(datafile_create(file->path, &sample_machine,
						 NULL, &w), 0);
		assert_int_equal(datafile_probe(w, 16, name, blob, n * 2, NULL), 0);
		assert_int_equal(datafile_finish(w, NULL, NULL), 0);
		slurp(file);
		f = parse(file->bytes, file->size);
		assert_non_null(f);
		assert_true(f->complete);
		assert_string_equal(f->probes[0].name, name);
		assert_memory_equal(f->probes[0].blob, blob, n * 2);
		datafile_close(f);
	}
}

/* The bytes of batch @i are those that were written, from their start. */
static void check_batch(const struct datafile *f, size_t i, size_t size)
{
	assert_true(size <= (i ? sizeof(data3) : sizeof(data0)));
	assert_int_equal(f->batches[i].size, size);
	assert_int_equal(f->batches[i].cpu, i ? 3 : 0);
	assert_memory_equal(f->batches[i].data, i ? data3 : data0, size);
}

/* Bytes of data that starts at @start that are before @end, in words. */
static size_t words_before(size_t start, size_t size, size_t end)
{
	if (end <= start)
		return 0;
	return end - start < size ? (end - start) / 8 * 8 : size;
}

static void test_cut_at_every_byte(void **state)
{
	struct file *file = *state;
	const unsigned char *at0, *at3;
	size_t n, want0, want3, used = 0;
	struct datafile *f;

	write_sample(file);
	at0 = memmem(file->bytes, file->size, data0, sizeof(data0));
	at3 = memmem(file->bytes, file->size, data3, sizeof(data3));
	for (n = 0; n < file->size; n++) {
		/* the exact size, so that a read behind it is caught */
		_cleanup_free_ unsigned char *part = malloc(n ? n : 1);

		memcpy(part, file->bytes, n);
		f = parse(part, n);
		if (!f) {
			assert_true(n < sizeof(struct ktap_data_head) +
				    sizeof(struct ktap_data_section) +
				    sizeof(struct ktap_data_machine));
			continue;
		}
		used++;
		want0 = words_before(at0 - file->bytes, sizeof(data0), n);
		want3 = words_before(at3 - file->bytes, sizeof(data3), n);
		assert_false(f->complete);
		assert_string_equal(f->cut_reason, "the file ends there");
		assert_true(f->cut_at <= n);
		assert_true(n - f->cut_at < sizeof(struct ktap_data_section) +
			    sizeof(struct ktap_data_totals) + sizeof(struct ktap_counts) +
			    sizeof(uint64_t));
		assert_int_equal(f->nr_batches, !!want0 + !!want3);
		if (want0)
			check_batch(f, 0, want0);
		if (want3)
			check_batch(f, 1, want3);
		if (want3)
			assert_int_equal(f->batches[1].cut, want3 < sizeof(data3));
		datafile_close(f);
	}
	assert_true(used > 300);
}

/* Whatever bit is wrong, it is seen, and nothing from there on is used. */
static void test_every_bit(void **state)
{
	struct file *file = *state;
	size_t i, b, where, kept = 0;
	struct datafile *f;

	write_sample(file);
	for (i = 0; i < file->size * 8; i++) {
		where = i / 8;
		file->bytes[where] ^= 1 << i % 8;
		f = parse(file->bytes, file->size);
		file->bytes[where] ^= 1 << i % 8;
		if (!f)
			continue;
		kept++;
		assert_false(f->complete);
		assert_true(f->cut_at <= where);
		for (b = 0; b < f->nr_batches; b++) {
			assert_true((const unsigned char *)f->batches[b].data +
				    f->batches[b].size <= file->bytes + f->cut_at);
			check_batch(f, b, b ? sizeof(data3) : sizeof(data0));
		}
		datafile_close(f);
	}
	assert_true(kept > 8 * 300);
}

/* ---- errors ---- */

static void open_fails(const char *path, int err, enum diag_code code,
		       const char *text)
{
	struct datafile *f = NULL;
	struct diag d = {};

	assert_int_equal(datafile_open(path, &d, &f), err);
	assert_null(f);
	assert_int_equal(d.code, code);
	assert_non_null(strstr(d.message, text));
	assert_non_null(strstr(d.message, path));
	diag_clear(&d);
}

static void test_open_errors(void **state)
{
	struct file *file = *state;

	open_fails("/nonexistent/ktap.data", -ENOENT, DIAG_RECORD_OPEN, "No such file");
	open_fails("/tmp", -EINVAL, DIAG_RECORD_DIRECTORY, "is a directory");
	open_fails("/dev/null", -EINVAL, DIAG_RECORD_NOT_FILE, "not a file");
	open_fails(file->path, -EINVAL, DIAG_RECORD_EMPTY, "is empty");
	spill(file, "not it", 6);
	open_fails(file->path, -EINVAL, DIAG_RECORD_FOREIGN, "not a recording");
}

static void test_create_errors(void **state)
{
	struct datafile_writer *w = NULL;
	struct diag d = {};

	assert_int_equal(datafile_create("/nonexistent/x", &sample_machine, &d, &w),
			 -ENOENT);
	assert_int_equal(d.code, DIAG_RECORD_CREATE);
	assert_non_null(strstr(d.message, "'/nonexistent/x': No such"));
	diag_clear(&d);
	assert_int_equal(datafile_create("/dev/full", &sample_machine, &d, &w),
			 -ENOSPC);
	assert_int_equal(d.code, DIAG_RECORD_WRITE);
	assert_non_null(strstr(d.message, "'/dev/full': No space"));
	assert_null(w);
	diag_clear(&d);
}

/* What is at @path, and whose. */
static struct stat at(const char *path)
{
	struct stat st;

	assert_int_equal(lstat(path, &st), 0);
	return st;
}

static void create_fails(const char *path, int err, enum diag_code code)
{
	struct datafile_writer *w = NULL;
	struct diag d = {};

	assert_int_equal(datafile_create(path, &sample_machine, &d, &w), err);
	assert_int_equal(d.code, code);
	assert_null(w);
	diag_clear(&d);
}

/* The one before stays, and is not written to: somebody may read it. */
static void test_create_keeps(void **state)
{
	_cleanup_free_ char *old = NULL;
	struct file *file = *state;
	struct stat first, second;

	assert_true(asprintf(&old, "%s.old", file->path) > 0);
	write_sample(file);
	first = at(file->path);
	write_sample(file);
	second = at(file->path);
	assert_true(second.st_ino != first.st_ino);
	assert_int_equal(second.st_mode, S_IFREG | 0600);
	assert_int_equal(at(old).st_ino, first.st_ino);
	/* again: there is one .old */
	write_sample(file);
	assert_int_equal(at(old).st_ino, second.st_ino);
	/* it cannot be kept: nothing changes, and nothing is left */
	unlink(old);
	assert_int_equal(mkdir(old, 0700), 0);
	first = at(file->path);
	create_fails(file->path, -EISDIR, DIAG_RECORD_KEEP);
	assert_int_equal(at(file->path).st_ino, first.st_ino);
	rmdir(old);
}

static void test_create_traps(void **state)
{
	_cleanup_free_ char *link = NULL;
	struct file *file = *state;
	struct stat before;

	write_sample(file);
	before = at(file->path);
	assert_true(asprintf(&link, "%s.link", file->path) > 0);
	assert_int_equal(symlink(file->path, link), 0);
	create_fails(link, -ELOOP, DIAG_RECORD_LINK);
	assert_int_equal(at(file->path).st_ino, before.st_ino);
	assert_int_equal(at(file->path).st_size, before.st_size);
	unlink(link);
	/* one that leads nowhere would make a file there */
	assert_int_equal(symlink("/tmp/ktap-nowhere", link), 0);
	create_fails(link, -ELOOP, DIAG_RECORD_LINK);
	assert_int_equal(access("/tmp/ktap-nowhere", F_OK), -1);
	unlink(link);
	create_fails("/tmp", -EISDIR, DIAG_RECORD_CREATE);
	create_fails("/tmp/", -EISDIR, DIAG_RECORD_CREATE);
	create_fails("", -ENOENT, DIAG_RECORD_CREATE);
}

/* What another process gets of a recording through a pipe. */
static int take_section(void *ctx, const struct datafile *f, struct diag *d)
{
	int *counts = ctx;

	counts[0] += f->nr_batches;
	counts[1] += f->nr_clocks;
	if (f->nr_batches)
		assert_memory_equal(f->batches[0].data, counts[0] == 1 ?
				    data0 : data3, f->batches[0].size);
	return 0;
}

static void make_fifo(const char *path)
{
	unlink(path);
	assert_int_equal(mkfifo(path, 0600), 0);
}

static void *feed(void *ctx)
{
	const struct file *file = ctx;
	_cleanup_close_ int fd = open(file->path, O_WRONLY);

	for (size_t i = 0; i < file->size; i++)
		if (write(fd, file->bytes + i, 1) != 1)
			break;
	return NULL;
}

/* @file's bytes through a FIFO, one by one. */
static int stream(struct file *file, int counts[2], struct datafile **ret)
{
	const struct datafile_source from = { .path = file->path };
	pthread_t thread;
	int err;

	make_fifo(file->path);
	assert_true(datafile_is_pipe(file->path));
	pthread_create(&thread, NULL, feed, file);
	counts[0] = 0;
	counts[1] = 0;
	err = datafile_stream(&from, take_section, counts, NULL, ret);
	pthread_join(thread, NULL);
	return err;
}

static void test_stream(void **state)
{
	struct file *file = *state;
	struct datafile *f = NULL;
	size_t size;
	int counts[2];

	write_sample(file);
	signal(SIGPIPE, SIG_IGN);
	assert_int_equal(stream(file, counts, &f), 0);
	assert_true(f->complete);
	assert_int_equal(counts[0], 2);
	assert_int_equal(counts[1], 1);
	assert_int_equal(f->nr_probes, 2);
	assert_string_equal(f->probes[0].name, "ktap:vfs_read");
	assert_memory_equal(f->probes[0].blob, "blob", 4);
	assert_string_equal(f->probes[1].name, "x");
	assert_int_equal(f->nr_totals, 1);
	assert_int_equal(f->totals[0].missed, 77);
	assert_int_equal(f->stopped, DATAFILE_LOCKDOWN);
	datafile_close(f);
	/* cut anywhere: as a file */
	size = file->size;
	while (file->size) {
		struct datafile *g = NULL;
		int err;

		file->size--;
		f = NULL;
		err = stream(file, counts, &f);
		assert_int_equal(err, datafile_parse("p", file->bytes, file->size,
						     NULL, &g));
		if (!err) {
			assert_false(f->complete);
			assert_int_equal(f->cut_at, g->cut_at);
			assert_string_equal(f->cut_reason, g->cut_reason);
			assert_int_equal(counts[0], g->nr_batches);
			assert_int_equal(f->nr_probes, g->nr_probes);
		}
		datafile_close(f);
		datafile_close(g);
	}
	assert_true(size > 500);
}

static void *drain(void *ctx)
{
	struct file *file = ctx;
	_cleanup_close_ int fd = open(file->path, O_RDONLY);
	ssize_t n;

	while ((n = read(fd, file->bytes + file->size, 4096 - file->size)) > 0)
		file->size += n;
	return NULL;
}

static void test_create_fifo(void **state)
{
	struct file *file = *state;
	struct file got = { .bytes = calloc(1, 4096) };
	struct datafile_writer *w = NULL;
	struct datafile *f = NULL;
	pthread_t thread;

	snprintf(got.path, sizeof(got.path), "%s", file->path);
	make_fifo(got.path);
	pthread_create(&thread, NULL, drain, &got);
	assert_int_equal(datafile_create(got.path, &sample_machine, NULL, &w), 0);
	assert_true(datafile_is_stream(w));
	assert_int_equal(datafile_finish(w, NULL, NULL), 0);
	pthread_join(thread, NULL);
	assert_int_equal(at(got.path).st_mode & S_IFMT, S_IFIFO);
	assert_int_equal(datafile_parse("p", got.bytes, got.size, NULL, &f), 0);
	assert_true(f->complete);
	datafile_close(f);
	free(got.bytes);
}

/*
 * The disk fills up in the middle of a section: the rest is refused, and what
 * reached the disk can be read.
 */
static void test_no_space(void **state)
{
	const struct rlimit small = { 530, RLIM_INFINITY };
	struct file *file = *state;
	struct datafile_writer *w = NULL;
	struct datafile *f = NULL;
	struct diag d = {};
	struct rlimit old;
	int err = 0, n;

	getrlimit(RLIMIT_FSIZE, &old);
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(datafile_create(file->path, &sample_machine, &d, &w), 0);
	setrlimit(RLIMIT_FSIZE, &small);
	for (n = 0; n < 20 && !err; n++)
		err = datafile_data(w, 1, 24 * n, data0, sizeof(data0), &d);
	setrlimit(RLIMIT_FSIZE, &old);
	signal(SIGXFSZ, SIG_DFL);
	assert_int_equal(err, -EFBIG);
	assert_int_equal(d.code, DIAG_RECORD_WRITE);
	/* there is room again, but not for what would follow a torn section */
	assert_int_equal(datafile_clock(w, &sample_clock, NULL), -EFBIG);
	assert_int_equal(datafile_finish(w, NULL, NULL), -EFBIG);
	diag_clear(&d);

	assert_int_equal(datafile_open(file->path, &d, &f), 0);
	assert_int_equal(f->size, 530);
	assert_false(f->complete);
	/* 24 + 240 bytes, four sections of 56, a head of 32, one word, 2 bytes */
	assert_int_equal(f->nr_batches, 4 + 1);
	assert_int_equal(f->batches[4].position, 24 * 4);
	assert_int_equal(f->batches[4].size, 8);
	assert_int_equal(f->cut_at, 528);
	datafile_close(f);
}

/* ---- who we are ---- */

static void test_machine(void **state)
{
	static const struct ktap_session_setup setup = {
		.flags = KTAP_SESSION_F_OVERWRITE, .subbuf_size = 65536,
		.ring_size = 1 << 20, .nr_cpus = 8, .clock = KTAP_CLOCK_MONO,
		.clock_hz = 1000000000,
	};
	struct machine m;

	machine_from_session(&setup, &m);
	assert_true(m.release[0] && m.hostname[0]);
	assert_true(m.arch == KTAP_ARCH_X86_64 || m.arch == KTAP_ARCH_ARM64);
	assert_int_equal(m.nr_cpus, 8);
	assert_int_equal(m.clock, KTAP_CLOCK_MONO);
	assert_int_equal(m.clock_hz, 1000000000);
	assert_int_equal(m.subbuf_size, 65536);
	assert_int_equal(m.ring_size, 1 << 20);
	assert_true(m.overwrite);
	assert_true(m.build_id_size <= 20);
}

#define file_test(f) cmocka_unit_test_setup_teardown(f, make_file, remove_file)

int main(void)
{
	const struct CMUnitTest tests[] = {
		file_test(test_round_trip),
		file_test(test_long_parts),
		file_test(test_cut_at_every_byte),
		file_test(test_every_bit),
		file_test(test_open_errors),
		cmocka_unit_test(test_create_errors),
		file_test(test_create_keeps),
		file_test(test_create_traps),
		file_test(test_create_fifo),
		file_test(test_stream),
		file_test(test_no_space),
		cmocka_unit_test(test_machine),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
