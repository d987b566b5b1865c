// SPDX-License-Identifier: GPL-2.0
/* Reading and writing all of it, also where a descriptor does not wait. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

#include "base/whole.h"

/* Several times what a pipe holds. */
#define SIZE (1 << 20)

struct end {
	int fd;
	char *bytes;
	size_t size;
};

static char *pattern(void)
{
	char *bytes = malloc(SIZE);

	assert_non_null(bytes);
	for (size_t i = 0; i < SIZE; i++)
		bytes[i] = i % 251;
	return bytes;
}

static void open_pipe(int fds[2])
{
	assert_int_equal(pipe2(fds, O_CLOEXEC | O_NONBLOCK), 0);
}

/* Reads late, so that the pipe is full meanwhile. */
static void *read_late(void *arg)
{
	struct end *end = arg;

	usleep(20000);
	read_whole(end->fd, SIZE, &end->bytes, &end->size);
	return NULL;
}

static void test_pipe_that_does_not_wait(void **state)
{
	char *bytes = pattern();
	struct end end = { 0 };
	pthread_t reader;
	int fds[2];

	open_pipe(fds);
	end.fd = fds[0];
	assert_int_equal(pthread_create(&reader, NULL, read_late, &end), 0);
	assert_int_equal(write_all(fds[1], bytes, SIZE), 0);
	assert_int_equal(pthread_join(reader, NULL), 0);
	assert_int_equal(end.size, SIZE);
	assert_memory_equal(end.bytes, bytes, SIZE);
	close(fds[0]);
	close(fds[1]);
	free(end.bytes);
	free(bytes);
}

static void test_other_errors(void **state)
{
	char byte = 0, *bytes;
	size_t size;

	assert_int_equal(write_all(-1, &byte, 1), -EBADF);
	assert_int_equal(read_whole(-1, 1, &bytes, &size), -EBADF);
	errno = EIO;
	assert_false(io_again(0, POLLIN));
	assert_int_equal(errno, EIO);
	errno = EINTR;
	assert_true(io_again(-1, POLLIN));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pipe_that_does_not_wait),
		cmocka_unit_test(test_other_errors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
