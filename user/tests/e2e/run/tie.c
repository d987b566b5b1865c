// SPDX-License-Identifier: GPL-2.0
/*
 * usage: tie DEVICE ACTION
 *
 * What may be done to the device of a probe module that waits to be tied. Each action
 * prints a line and ends or, if its name ends in "hold", waits for a signal.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/ktap.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* KTAP_IOC_TIE with a smaller argument */
#define SMALL_TIE _IOWR(KTAP_IOC_MAGIC, _IOC_NR(KTAP_IOC_TIE), char[8])

static int open_device(const char *path)
{
	return open(path, O_RDONLY | O_NONBLOCK);
}

/* Return: 0 or the errno. */
static int tie(int fd, unsigned int flags)
{
	struct ktap_module_tie arg = { .flags = flags };

	return ioctl(fd, KTAP_IOC_TIE, &arg) ? errno : 0;
}

static void hold(const char *what)
{
	puts(what);
	fflush(stdout);
	for (;;)
		pause();
}

static void bad(int fd, const char *path)
{
	struct ktap_module_tie arg = { 0 };
	char *wall = mmap(NULL, 8192, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int null = open("/dev/null", O_RDONLY);

	(void)path;
	printf("flags %d", tie(fd, 1) == EINVAL);
	printf(" number %d", ioctl(fd, KTAP_IOC_STATE, &arg) < 0 && errno == ENOTTY);
	printf(" size %d", ioctl(fd, SMALL_TIE, &arg) < 0 && errno == ENOTTY);
	printf(" null %d", ioctl(fd, KTAP_IOC_TIE, NULL) < 0 && errno == EFAULT);
	printf(" end %d", ioctl(fd, KTAP_IOC_TIE, (char *)-8L) < 0 && errno == EFAULT);
	printf(" other %d", tie(null, 0) == ENOTTY);
	/* it is tied, and the answer cannot be written */
	printf(" readonly %d", ioctl(fd, KTAP_IOC_TIE, wall) < 0 && errno == EFAULT);
	printf(" then %d\n", tie(fd, 0) == EBUSY);
}

static void twice(int fd, const char *path)
{
	int first = tie(fd, 0);
	int other = open_device(path), err = errno;

	printf("first %d open %d second %d\n", first, other < 0 && err == EBUSY,
	       tie(fd, 0) == EBUSY);
}

/* The file stays open: so does what it holds. */
static void dup_hold(int fd, const char *path)
{
	int other = dup(fd), err = tie(fd, 0);

	(void)path;
	close(fd);
	printf("dup %d %d ", err, other >= 0);
	hold("holds");
}

/* The child keeps it when its parent ends. */
static void fork_hold(int fd, const char *path)
{
	(void)path;
	printf("fork %d ", tie(fd, 0));
	fflush(stdout);
	if (fork())
		_exit(0);
	hold("holds");
}

/* A child ties what its parent reads. */
static void tied_by_child(int fd, const char *path)
{
	char bytes[64];
	pid_t pid = fork();

	(void)path;
	if (!pid)
		_exit(tie(fd, 0));
	waitpid(pid, NULL, 0);
	printf("child %d read %d\n", tie(fd, 0) == EBUSY,
	       read(fd, bytes, sizeof(bytes)) == sizeof(bytes));
}

/* What poll() says before there is as much as its watermark. */
static void polled(int fd, const char *path)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	char bytes[65536];
	int err;

	(void)path;
	while (read(fd, bytes, sizeof(bytes)) > 0)
		;
	err = tie(fd, 0);
	printf("poll %d %d\n", err, poll(&p, 1, 300));
}

static void late_hold(int fd, const char *path)
{
	(void)fd;
	(void)path;
	hold("holds");
}

static void once(int fd, const char *path)
{
	(void)path;
	printf("tie %d\n", tie(fd, 0));
}

/* The module goes meanwhile: any answer will do. */
static void storm(int fd, const char *path)
{
	for (int i = 0; i < 2000; i++) {
		tie(fd, 0);
		close(fd);
		fd = open_device(path);
		if (fd < 0)
			break;
	}
	puts("storm");
}

/* The module is removed, and then it is tied. */
static void removed(int fd, const char *path)
{
	char command[128];
	int status;

	snprintf(command, sizeof(command), "rmmod %s", strstr(path, "ktap-") + 5);
	status = system(command);
	printf("rmmod %d tie %d\n", status, tie(fd, 0) == ENODEV);
}

/* The table of a map on the first CPU. Return: 0 or the errno. */
static int map_table(int fd, int prot, int flags, unsigned long long at, size_t size, void **ret)
{
	*ret = mmap(NULL, size, prot, flags, fd, (off_t)at);
	return *ret == MAP_FAILED ? errno : 0;
}

/* Tables can be read, and nothing else; one that is mapped outlives the module. */
static void mapped(int fd, const char *path)
{
	const struct ktap_map_head *h;
	void *map, *other;
	char command[128];

	printf("map %d", map_table(fd, PROT_READ, MAP_SHARED, KTAP_MMAP_MAPS, 4096, &map));
	h = map;
	printf(" magic %d", h->magic == KTAP_MAP_MAGIC && h->cpu == 0);
	printf(" write %d", map_table(fd, PROT_READ | PROT_WRITE, MAP_SHARED, KTAP_MMAP_MAPS,
				      4096, &other));
	printf(" later %d", mprotect(map, 4096, PROT_READ | PROT_WRITE) < 0 && errno == EACCES);
	printf(" run %d", map_table(fd, PROT_READ | PROT_EXEC, MAP_SHARED, KTAP_MMAP_MAPS,
				    4096, &other));
	printf(" own %d", map_table(fd, PROT_READ, MAP_PRIVATE, KTAP_MMAP_MAPS, 4096, &other));
	printf(" long %d", map_table(fd, PROT_READ, MAP_SHARED, KTAP_MMAP_MAPS, 1 << 30, &other));
	printf(" none %d", map_table(fd, PROT_READ, MAP_SHARED,
				     KTAP_MMAP_MAPS + 1000 * KTAP_MMAP_STRIDE, 4096, &other));
	printf(" ring %d", map_table(fd, PROT_READ, MAP_SHARED, 0, 4096, &other));
	printf(" stacks %d", map_table(fd, PROT_READ, MAP_SHARED, KTAP_MMAP_STACKS, 4096, &other));
	snprintf(command, sizeof(command), "rmmod %s", strstr(path, "ktap-") + 5);
	printf(" rmmod %d", system(command));
	close(fd);
	printf(" then %d\n", h->magic == KTAP_MAP_MAGIC);
}

static const struct {
	const char *name;
	void (*run)(int fd, const char *path);
} actions[] = {
	{ "bad", bad },
	{ "twice", twice },
	{ "dup-hold", dup_hold },
	{ "fork-hold", fork_hold },
	{ "child", tied_by_child },
	{ "poll", polled },
	{ "late-hold", late_hold },
	{ "once", once },
	{ "storm", storm },
	{ "removed", removed },
	{ "mapped", mapped },
};

int main(int argc, char **argv)
{
	int fd = argc == 3 ? open_device(argv[1]) : -1;

	if (fd < 0) {
		perror("tie");
		return 1;
	}
	for (size_t i = 0; i < sizeof(actions) / sizeof(*actions); i++) {
		if (strcmp(argv[2], actions[i].name))
			continue;
		actions[i].run(fd, argv[1]);
		return 0;
	}
	return 1;
}
