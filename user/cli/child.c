// SPDX-License-Identifier: GPL-2.0
/* Fork, wait for a word, exec. */
#include "cli/child.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/signals.h"
#include "util/cleanup.h"

void child_init(struct child *c, char **argv)
{
	*c = (struct child){
		.argv = argv, .pidfd = -1, .go = -1, .failed = -1,
	};
}

void child_deinit(struct child *c)
{
	bool waits = c->go >= 0;

	cleanup_closep(&c->go);
	cleanup_closep(&c->failed);
	cleanup_closep(&c->pidfd);
	if (c->pid && waits)
		waitpid(c->pid, NULL, 0);
	child_init(c, NULL);
}

static int cannot_run(struct child *c, int err, struct diag *d)
{
	return diag_set(d, err, DIAG_COMMAND_START, c->argv[0], strerror(-err));
}

static int executable(const char *path)
{
	struct stat st;

	if (stat(path, &st))
		return -errno;
	if (S_ISDIR(st.st_mode))
		return -EACCES;
	return access(path, X_OK) ? -errno : 0;
}

/* As execvp() will look for it. */
static int look_up(const char *name)
{
	const char *dirs = getenv("PATH");
	int err, ret = -ENOENT;

	if (strchr(name, '/'))
		return executable(name);
	if (!dirs)
		dirs = "/bin:/usr/bin";
	for (;;) {
		_cleanup_buf_ struct buf path = BUF_INIT;
		size_t len = strcspn(dirs, ":");

		buf_put(&path, dirs, len);
		buf_printf(&path, "%s%s", len ? "/" : "./", name);
		err = executable(buf_str(&path));
		if (!err)
			return 0;
		if (err == -EACCES)
			ret = err;
		if (!dirs[len])
			return ret;
		dirs += len + 1;
	}
}

/* The child's side. Nothing on the pipe means that ktap gave up. */
static void run(struct child *c, int go, int failed)
{
	char word;
	int err;

	signals_reset();
	if (read(go, &word, 1) != 1)
		_exit(CHILD_NOT_EXECUTABLE);
	execvp(c->argv[0], c->argv);
	err = -errno;
	if (write(failed, &err, sizeof(err)) < 0)
		_exit(CHILD_NOT_EXECUTABLE);
	_exit(CHILD_NOT_FOUND);
}

static int start_status(int err)
{
	return err == -ENOENT ? CHILD_NOT_FOUND : CHILD_NOT_EXECUTABLE;
}

int child_fork(struct child *c, struct diag *d)
{
	int go[2] = { -1, -1 }, failed[2] = { -1, -1 };
	int err = look_up(c->argv[0]);

	if (err) {
		c->status = start_status(err);
		return cannot_run(c, err, d);
	}
	if (pipe2(go, O_CLOEXEC) || pipe2(failed, O_CLOEXEC)) {
		err = -errno;
		goto out;
	}
	c->pid = fork();
	if (!c->pid) {
		close(go[1]);
		run(c, go[0], failed[1]);
	}
	if (c->pid < 0) {
		err = -errno;
		c->pid = 0;
		goto out;
	}
	c->go = go[1];
	c->failed = failed[0];
	go[1] = -1;
	failed[0] = -1;
	c->pidfd = syscall(SYS_pidfd_open, c->pid, 0);
	if (c->pidfd < 0)
		err = -errno;
out:
	cleanup_closep(&go[0]);
	cleanup_closep(&go[1]);
	cleanup_closep(&failed[0]);
	cleanup_closep(&failed[1]);
	return err ? cannot_run(c, err, d) : 0;
}

int child_start(struct child *c, struct diag *d)
{
	int err = 0;

	if (write(c->go, "g", 1) != 1)
		err = -errno;
	cleanup_closep(&c->go);
	c->go = -1;
	/* exec() closes the other end: nothing to read is good news */
	if (!err && read(c->failed, &err, sizeof(err)) <= 0)
		err = 0;
	if (!err)
		return 0;
	waitpid(c->pid, NULL, 0);
	c->pid = 0;
	c->status = start_status(err);
	return cannot_run(c, err, d);
}

void child_wait(struct child *c)
{
	int status;

	while (waitpid(c->pid, &status, 0) < 0) {
		if (errno != EINTR)
			return;
	}
	c->pid = 0;
	c->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) :
					  WEXITSTATUS(status);
}
