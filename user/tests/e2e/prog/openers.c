// SPDX-License-Identifier: GPL-2.0
/*
 * openers DIR: opens DIR/self, DIR/thread from a thread, DIR/child from a
 * child, DIR/orphan from a grandchild whose parent has ended, and DIR/again
 * from a child of a thread. None of them exist.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static void open_in(const char *dir, const char *name)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	if (open(path, O_RDONLY) >= 0)
		_exit(2);
}

static void *thread(void *dir)
{
	pid_t pid;

	open_in(dir, "thread");
	pid = fork();
	if (!pid) {
		open_in(dir, "again");
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	return NULL;
}

/* The pipe closes when the grandchild is done: nobody can wait for it. */
static void orphan(const char *dir)
{
	int done[2];
	char c;

	if (pipe(done))
		_exit(2);
	if (!fork()) {
		if (fork())
			_exit(0);
		usleep(100000);
		open_in(dir, "orphan");
		_exit(0);
	}
	close(done[1]);
	wait(NULL);
	if (read(done[0], &c, 1))
		_exit(2);
	close(done[0]);
}

int main(int argc, char **argv)
{
	pthread_t t;
	pid_t pid;

	if (argc != 2)
		return 2;
	open_in(argv[1], "self");
	if (pthread_create(&t, NULL, thread, argv[1]))
		return 2;
	pthread_join(t, NULL);
	pid = fork();
	if (!pid) {
		open_in(argv[1], "child");
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	orphan(argv[1]);
	return 0;
}
