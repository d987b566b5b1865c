// SPDX-License-Identifier: GPL-2.0
/*
 * Files of user stacks, against a module that lives in this file: it numbers files by what
 * the real one knows of them. The tests change files at moments that no program can choose.
 */
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <errno.h>

#include "define/user_files.h"
#include "fake_session.h"

#define NR_FILES 64

/**
 * struct numbered - the module's files
 * @st: of each
 * @rows: rows of its table; 0: none
 * @nr: how many; the number of a file is its index
 * @met: the file that a hit has met; -1: none
 * @tgid: process of that hit
 * @write_at: at this request for a number @written is written to
 * @requests: such requests
 * @written: path
 * @table_errno: tables are refused with it
 */
static struct numbered {
	struct stat st[NR_FILES];
	uint32_t rows[NR_FILES];
	uint32_t nr;
	int met;
	pid_t tgid;
	unsigned int write_at;
	unsigned int requests;
	const char *written;
	int table_errno;
} numbered;

#define PROGRAM "ktap-files-test"

static void append(const char *path)
{
	FILE *f = fopen(path, "a");

	assert_non_null(f);
	fputs("more", f);
	fclose(f);
}

static uint32_t number_of(int fd)
{
	struct stat st, *is = numbered.st;
	uint32_t i;

	assert_int_equal(fstat(fd, &st), 0);
	for (i = 0; i < numbered.nr; i++)
		if (is[i].st_ino == st.st_ino && is[i].st_dev == st.st_dev &&
		    is[i].st_size == st.st_size)
			return i;
	assert_true(numbered.nr < NR_FILES);
	is[numbered.nr] = st;
	return numbered.nr++;
}

static int take_table(struct ktap_session_table *arg)
{
	if (arg->nr_rows && numbered.table_errno) {
		errno = numbered.table_errno;
		return -1;
	}
	if (arg->nr_rows && number_of(arg->fd) != arg->file) {
		errno = ESTALE;
		return -1;
	}
	arg->file = number_of(arg->fd);
	numbered.rows[arg->file] += arg->nr_rows;
	if (!arg->nr_rows && ++numbered.requests == numbered.write_at)
		append(numbered.written);
	return 0;
}

static int tell_files(struct ktap_session_files *arg)
{
	struct ktap_user_file *to = (void *)(uintptr_t)arg->files;

	arg->total = numbered.nr;
	arg->nr = 0;
	if (to && numbered.met >= 0 && arg->from <= (uint32_t)numbered.met) {
		*to = (struct ktap_user_file){
			.file = numbered.met, .tgid = numbered.tgid,
			.inode = numbered.st[numbered.met].st_ino,
			.major = major(numbered.st[numbered.met].st_dev),
			.minor = minor(numbered.st[numbered.met].st_dev),
		};
		arg->nr = 1;
	}
	return 0;
}

static int requested(int fd, unsigned long request, void *arg)
{
	if (request == KTAP_IOC_USER_TABLE)
		return take_table(arg);
	if (request == KTAP_IOC_USER_FILES)
		return tell_files(arg);
	return fake_io.ioctl(fd, request, arg);
}

/* ---- what the tests share ---- */

static struct session_io io;
static struct session *session;
static struct user_files *files;

static int start(void **state)
{
	static const struct session_options plain;
	struct diag d = {};

	if (fake_start(state))
		return -1;
	numbered = (struct numbered){ .met = -1 };
	io = fake_io;
	io.ioctl = requested;
	files = session_open_io(&io, &plain, &d, &session) ? NULL : user_files_create(session);
	return files ? system("cp /proc/$PPID/exe " PROGRAM) : -1;
}

static int stop(void **state)
{
	user_files_destroy(files);
	session_close(session);
	unlink(PROGRAM);
	return fake_stop(state);
}

static int number(const char *path)
{
	FILE *f = fopen(path, "r");
	int nr;

	assert_non_null(f);
	nr = number_of(fileno(f));
	fclose(f);
	return nr;
}

/* A frame in start(), in file @nr. A return address may be just behind a function. */
static uint64_t frame_in(int nr)
{
	unsigned long from, to, off, at = (unsigned long)start + 1;
	FILE *f = fopen("/proc/self/maps", "r");
	char line[512];

	assert_non_null(f);
	while (fgets(line, sizeof(line), f))
		if (sscanf(line, "%lx-%lx %*s %lx", &from, &to, &off) == 3 && at >= from &&
		    at < to)
			break;
	fclose(f);
	return (uint64_t)nr << KTAP_USER_FILE_SHIFT | (at - from + off);
}

static const char *name_in(int nr)
{
	const struct ksym *ks = user_files_find_own(files, frame_in(nr));

	return ks ? ks->name : "(none)";
}

/* A hit in a process that has ended has met the program. */
static void meet_ended(void)
{
	numbered.met = number(PROGRAM);
	numbered.tgid = fork();
	if (!numbered.tgid)
		_exit(0);
	assert_int_equal(waitpid(numbered.tgid, NULL, 0), numbered.tgid);
}

/* A hit has met the program in a directory, and in a process, that ktap does not know. */
static void meet_elsewhere(void)
{
	assert_int_equal(mkdir("elsewhere", 0700) | rename(PROGRAM, "elsewhere/" PROGRAM), 0);
	numbered.met = number("elsewhere/" PROGRAM);
}

/* Return: a process that has that program mapped, until end(). */
static pid_t map_elsewhere(void)
{
	int ready[2];
	pid_t pid;
	char c;

	assert_int_equal(pipe(ready), 0);
	pid = fork();
	if (!pid) {
		int fd = open("elsewhere/" PROGRAM, O_RDONLY);

		/* a test that fails does not come to its end() */
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0) == MAP_FAILED ||
		    write(ready[1], "", 1) != 1)
			_exit(1);
		pause();
	}
	close(ready[1]);
	assert_int_equal(read(ready[0], &c, 1), 1);
	close(ready[0]);
	return pid;
}

static void end(pid_t pid)
{
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_int_equal(rename("elsewhere/" PROGRAM, PROGRAM) | rmdir("elsewhere"), 0);
}

/* ---- tests ---- */

static void test_program(void **state)
{
	int nr;

	(void)state;
	user_files_program(files, "./" PROGRAM);
	nr = number(PROGRAM);
	assert_int_equal(nr, 0);
	assert_true(numbered.rows[nr]);
	/* and its libraries */
	assert_true(numbered.nr > 2);
	assert_string_equal(name_in(nr), "start");
	assert_int_equal(user_files_refused(files), 0);
}

static void test_written_while_numbered(void **state)
{
	(void)state;
	numbered.write_at = 1;
	numbered.written = PROGRAM;
	user_files_program(files, "./" PROGRAM);
	assert_true(numbered.nr > 2);
	assert_int_equal(numbered.rows[0], 0);
	assert_memory_equal(name_in(0), "[unknown file+0x", 16);
	/* what it is now is another file */
	assert_int_not_equal(number(PROGRAM), 0);
	user_files_program(files, "./" PROGRAM);
	assert_true(numbered.rows[number(PROGRAM)]);
	assert_string_equal(name_in(number(PROGRAM)), "start");
	assert_memory_equal(name_in(0), "[unknown file+0x", 16);
}

static void test_written_later(void **state)
{
	(void)state;
	user_files_program(files, "./" PROGRAM);
	append(PROGRAM);
	assert_memory_equal(name_in(0), "[" PROGRAM "+0x", 19);
}

static void test_refused(void **state)
{
	(void)state;
	numbered.table_errno = ENOSPC;
	user_files_program(files, "./" PROGRAM);
	assert_int_equal(user_files_refused(files), numbered.nr);
	assert_string_equal(name_in(0), "start");
}

static void test_ended(void **state)
{
	(void)state;
	meet_ended();
	user_files_update(files);
	assert_string_equal(name_in(numbered.met), "start");
	assert_true(numbered.rows[numbered.met]);
}

/* The inode is right, and the contents are not those of the hit. */
static void test_ended_and_written(void **state)
{
	(void)state;
	meet_ended();
	append(PROGRAM);
	user_files_update(files);
	assert_memory_equal(name_in(numbered.met), "[unknown file+0x", 16);
	assert_int_equal(numbered.rows[numbered.met], 0);
}

static void test_ended_and_gone(void **state)
{
	(void)state;
	meet_ended();
	unlink(PROGRAM);
	user_files_update(files);
	assert_memory_equal(name_in(numbered.met), "[unknown file+0x", 16);
}

/* Another session has given it its number: no process of it is known. */
static void test_of_another_session(void **state)
{
	pid_t pid;

	(void)state;
	meet_elsewhere();
	pid = map_elsewhere();
	user_files_update(files);
	assert_string_equal(name_in(numbered.met), "start");
	assert_true(numbered.rows[numbered.met]);
	end(pid);
}

/* Its first process has ended, and a later one has it. */
static void test_found_later(void **state)
{
	pid_t pid;

	(void)state;
	meet_elsewhere();
	user_files_update(files);
	assert_memory_equal(name_in(numbered.met), "[unknown file+0x", 16);
	pid = map_elsewhere();
	/* not at once: to search all processes takes long */
	user_files_update(files);
	assert_memory_equal(name_in(numbered.met), "[unknown file+0x", 16);
	for (int i = 0; i < 600 && !numbered.rows[numbered.met]; i++) {
		usleep(100000);
		user_files_update(files);
	}
	assert_string_equal(name_in(numbered.met), "start");
	end(pid);
}

static void test_many_files(void **state)
{
	struct rlimit limit;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
	assert_true(limit.rlim_cur == limit.rlim_max);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_program, start, stop),
		cmocka_unit_test_setup_teardown(test_written_while_numbered, start, stop),
		cmocka_unit_test_setup_teardown(test_written_later, start, stop),
		cmocka_unit_test_setup_teardown(test_refused, start, stop),
		cmocka_unit_test_setup_teardown(test_ended, start, stop),
		cmocka_unit_test_setup_teardown(test_ended_and_written, start, stop),
		cmocka_unit_test_setup_teardown(test_ended_and_gone, start, stop),
		cmocka_unit_test_setup_teardown(test_of_another_session, start, stop),
		cmocka_unit_test_setup_teardown(test_found_later, start, stop),
		cmocka_unit_test_setup_teardown(test_many_files, start, stop),
	};
	const struct rlimit few = { 256, 4096 };
	char dir[] = "/tmp/ktap-files.XXXXXX";
	int failed;

	if (!mkdtemp(dir) || chdir(dir) || setrlimit(RLIMIT_NOFILE, &few))
		return 1;
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	return chdir("/") || rmdir(dir) || failed;
}
