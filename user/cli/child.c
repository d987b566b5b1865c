// SPDX-License-Identifier: GPL-2.0
/*
 * Fork, wait, exec. What is traced begins with the exec: the process is stopped
 * where it enters that system call, as a debugger does it, and let go when the
 * session follows it. Where nobody may do that it waits for a word through a
 * pipe, and the end of that wait is its first hit.
 */
#include "cli/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/exec_path.h"
#include "cli/signals.h"

void child_init(struct child *c, char **argv)
{
	*c = (struct child){
		.argv = argv, .pidfd = -1, .go = -1, .failed = -1,
	};
}

/* In whatever state it is: a stop may be reported before its end. */
static void kill_process(pid_t pid)
{
	int status;

	kill(pid, SIGKILL);
	for (;;) {
		if (waitpid(pid, &status, 0) < 0 ? errno != EINTR :
						   !WIFSTOPPED(status))
			return;
	}
}

void child_deinit(struct child *c)
{
	bool was_started = c->go < 0;

	cleanup_closep(&c->go);
	cleanup_closep(&c->failed);
	cleanup_closep(&c->pidfd);
	if (c->pid && !was_started)
		kill_process(c->pid);
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

/* As execvp() would find it, so that one exec is enough. */
static int look_up(const char *name, struct buf *path)
{
	struct exec_path dirs;
	int err, ret = -ENOENT;

	if (strchr(name, '/')) {
		buf_puts(path, name);
		return executable(name);
	}
	/* "" + "/" would be the directories themselves */
	if (!*name)
		return -ENOENT;
	exec_path_init(&dirs);
	while (exec_path_next(&dirs, path)) {
		buf_printf(path, "/%s", name);
		err = executable(buf_str(path));
		if (!err)
			return path->failed ? -ENOMEM : 0;
		if (err == -EACCES)
			ret = err;
	}
	return ret;
}

bool child_can_run(const char *name)
{
	_cleanup_buf_ struct buf path = BUF_INIT;

	return !look_up(name, &path);
}

/*
 * The child's side: it tells whether it will be stopped. Nothing on the pipe
 * means that ktap gave up. What has no header that the kernel knows is a
 * script, which execvp() gives to the shell.
 */
static void run(struct child *c, const char *path, int go, int failed)
{
	int err = ptrace(PTRACE_TRACEME, 0, NULL, NULL) ? -errno : 0;
	char word;

	signals_reset();
	if (write(failed, &err, sizeof(err)) < 0)
		_exit(CHILD_NOT_EXECUTABLE);
	/* raise() would make more calls behind its own */
	if (!err)
		syscall(SYS_kill, getpid(), SIGSTOP);
	else if (read(go, &word, 1) != 1)
		_exit(CHILD_NOT_EXECUTABLE);
	execve(path, c->argv, environ);
	if (errno == ENOEXEC)
		execvp(path, c->argv);
	err = -errno;
	if (write(failed, &err, sizeof(err)) < 0)
		_exit(CHILD_NOT_EXECUTABLE);
	_exit(CHILD_NOT_FOUND);
}

/* Return: whether it is stopped; if not, there may be no process any more. */
static bool stops(struct child *c)
{
	int status;

	if (waitpid(c->pid, &status, 0) != c->pid)
		return false;
	if (!WIFSTOPPED(status))
		c->pid = 0;
	return c->pid;
}

/* Until it enters the first system call behind its stop, which is the exec. */
static int stop_at_exec(struct child *c)
{
	const long options = PTRACE_O_EXITKILL | PTRACE_O_TRACESYSGOOD;

	if (!stops(c) ||
	    ptrace(PTRACE_SETOPTIONS, c->pid, NULL, options) ||
	    ptrace(PTRACE_SYSCALL, c->pid, NULL, NULL) || !stops(c))
		return -ECHILD;
	c->is_stopped = true;
	return 0;
}

/* It has told how it waits. */
static int await(struct child *c)
{
	int err;

	if (read(c->failed, &err, sizeof(err)) != sizeof(err))
		return -ECHILD;
	return err ? 0 : stop_at_exec(c);
}

static int start_status(int err)
{
	return err == -ENOENT ? CHILD_NOT_FOUND : CHILD_NOT_EXECUTABLE;
}

static int fork_path(struct child *c, const char *path, bool to_stderr,
		     struct diag *d)
{
	int go[2] = { -1, -1 }, failed[2] = { -1, -1 };
	int err = 0;

	if (pipe2(go, O_CLOEXEC) || pipe2(failed, O_CLOEXEC)) {
		err = -errno;
		goto out;
	}
	c->pid = fork();
	if (!c->pid) {
		close(go[1]);
		if (to_stderr)
			dup2(STDERR_FILENO, STDOUT_FILENO);
		run(c, path, go[0], failed[1]);
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
	cleanup_closep(&failed[1]);
	failed[1] = -1;
	if (!err)
		err = await(c);
out:
	cleanup_closep(&go[0]);
	cleanup_closep(&go[1]);
	cleanup_closep(&failed[0]);
	cleanup_closep(&failed[1]);
	return err ? cannot_run(c, err, d) : 0;
}

int child_fork(struct child *c, bool to_stderr, struct diag *d)
{
	_cleanup_buf_ struct buf path = BUF_INIT;
	int err;

	err = look_up(c->argv[0], &path);
	if (!err)
		return fork_path(c, buf_str(&path), to_stderr, d);
	c->status = start_status(err);
	return cannot_run(c, err, d);
}

int child_start(struct child *c, struct diag *d)
{
	int err = 0;

	if (c->is_stopped)
		err = ptrace(PTRACE_DETACH, c->pid, NULL, NULL) ? -errno : 0;
	else if (write(c->go, "g", 1) != 1)
		err = -errno;
	c->is_stopped = false;
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
