// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel opens a program by its path as well, so the result is a path and not a
 * descriptor of openat2(RESOLVE_IN_ROOT).
 */
#include "base/rooted.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"

/* MAXSYMLINKS of include/linux/namei.h */
#define MAX_LINKS 40

/**
 * struct walk - a path that is being resolved
 * @done: the directory or file reached so far
 * @root: its first bytes, which are the root
 * @rest: what is to be walked; malloc'ed
 * @links: symbolic links that were followed
 */
struct walk {
	struct buf done;
	size_t root;
	char *rest;
	unsigned int links;
};

static void cut(struct walk *w, size_t size)
{
	w->done.size = size;
	w->done.data[size] = '\0';
}

/* The last name of what is done, which is no more than the root otherwise. */
static void leave(struct walk *w)
{
	const char *slash;

	if (w->done.size == w->root)
		return;
	slash = strrchr(w->done.data + w->root, '/');
	cut(w, (size_t)(slash - w->done.data));
}

/* The link at the end of what is done is replaced by @target, before @rest. */
static int follow(struct walk *w, const char *target, const char *rest)
{
	char *joined;

	if (++w->links > MAX_LINKS)
		return -ELOOP;
	if (asprintf(&joined, "%s/%s", target, rest) < 0)
		return -ENOMEM;
	if (*target == '/')
		cut(w, w->root);
	else
		leave(w);
	free(w->rest);
	w->rest = joined;
	return 0;
}

/* Return: 1: there is more to walk; 0: it ended; a negative errno. */
static int step(struct walk *w, size_t *at)
{
	char target[PATH_MAX];
	const char *name;
	size_t length;
	ssize_t n;
	int err;

	*at += strspn(w->rest + *at, "/");
	name = w->rest + *at;
	length = strcspn(name, "/");
	if (!length)
		return 0;
	*at += length;
	if (length == 1 && *name == '.')
		return 1;
	if (length == 2 && !strncmp(name, "..", 2)) {
		leave(w);
		return 1;
	}
	buf_printf(&w->done, "/%.*s", (int)length, name);
	if (w->done.failed)
		return -ENOMEM;
	n = readlink(w->done.data, target, sizeof(target) - 1);
	if (n < 0)
		return 1;
	target[n] = '\0';
	err = follow(w, target, w->rest + *at);
	*at = 0;
	return err ? err : 1;
}

char *rooted_path(const char *root, const char *path)
{
	struct walk w = { .done = BUF_INIT };
	size_t at = 0, length = strlen(root);
	int err = 1;

	while (length && root[length - 1] == '/')
		length--;
	buf_put(&w.done, root, length);
	/* an empty buffer has no bytes to cut */
	buf_puts(&w.done, "");
	w.root = w.done.size;
	w.rest = strdup(path);
	if (!w.rest || !w.done.data || w.done.failed)
		err = -ENOMEM;
	while (err > 0)
		err = step(&w, &at);
	free(w.rest);
	if (!err && w.done.size == w.root)
		buf_putc(&w.done, '/');
	if (!err)
		return buf_take(&w.done);
	buf_deinit(&w.done);
	errno = -err;
	return NULL;
}
