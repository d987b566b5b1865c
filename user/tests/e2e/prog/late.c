// SPDX-License-Identifier: GPL-2.0
/*
 * late MS: calls l_string() with a text in memory that a thread of its own serves
 * by userfaultfd, MS milliseconds after it was asked for; "never": only when the
 * call is over, or after ten seconds. Says how many milliseconds the call took,
 * and what the text is.
 *
 * late MS pages: l_pages(), with texts in three such pages.
 * late MS loop: l_string() again and again, each time with a page of its own.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define NOINLINE	__attribute__((__noinline__, __noclone__, __used__))
#define NR_PAGES	1024
#define NEVER_MS	10000

static char *memory;
static long page;
static int uffd;
static int delay_ms;
static atomic_bool over;

NOINLINE int l_string(const char *s)
{
	__asm__ volatile("" : : "r"(s) : "memory");
	return 1;
}

NOINLINE int l_pages(const char *a, const char *b, const char *c,
		     const char *there)
{
	__asm__ volatile("" : : "r"(a), "r"(b), "r"(c), "r"(there) : "memory");
	return 2;
}

static void fail(const char *what)
{
	perror(what);
	exit(2);
}

static long now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Until the delay has passed, or the call is over that it may hold up. */
static void be_late(void)
{
	long until = now_ms() + delay_ms;

	while (now_ms() < until && !(delay_ms == NEVER_MS && over))
		usleep(1000);
}

static void serve(unsigned long addr)
{
	char text[page];
	struct uffdio_copy copy = {
		.dst = addr & -page, .src = (unsigned long)text, .len = page,
	};

	memset(text, 0, page);
	snprintf(text, page, "late text");
	be_late();
	if (ioctl(uffd, UFFDIO_COPY, &copy) && errno != EEXIST)
		fail("UFFDIO_COPY");
}

static void *server(void *arg)
{
	struct uffd_msg msg;

	(void)arg;
	while (read(uffd, &msg, sizeof(msg)) == sizeof(msg))
		if (msg.event == UFFD_EVENT_PAGEFAULT)
			serve(msg.arg.pagefault.address);
	return NULL;
}

static void set_up(void)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register reg = { .mode = UFFDIO_REGISTER_MODE_MISSING };
	pthread_t thread;

	page = sysconf(_SC_PAGESIZE);
	memory = mmap(NULL, NR_PAGES * page, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uffd = syscall(SYS_userfaultfd, O_CLOEXEC);
	if (memory == MAP_FAILED || uffd < 0)
		fail("userfaultfd");
	reg.range.start = (unsigned long)memory;
	reg.range.len = NR_PAGES * page;
	if (ioctl(uffd, UFFDIO_API, &api) || ioctl(uffd, UFFDIO_REGISTER, &reg))
		fail("UFFDIO_REGISTER");
	if (pthread_create(&thread, NULL, server, NULL))
		fail("a thread");
}

static void tell(const char *s, long began)
{
	printf("call %ld\n", now_ms() - began);
	fflush(stdout);
	over = true;
	printf("text %s\n", s);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	const char *what = argc > 2 ? argv[2] : "";
	long began;
	int i;

	if (argc < 2)
		return 2;
	delay_ms = strcmp(argv[1], "never") ? atoi(argv[1]) : NEVER_MS;
	set_up();
	puts("ready");
	fflush(stdout);
	began = now_ms();
	if (!strcmp(what, "pages")) {
		l_pages(memory, memory + page, memory + 2 * page, "there");
		tell(memory + page, began);
	} else if (!strcmp(what, "loop")) {
		for (i = 0; i < NR_PAGES; i++)
			l_string(memory + i * page);
	} else {
		l_string(memory);
		tell(memory, began);
	}
	return 0;
}
