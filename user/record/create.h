/* SPDX-License-Identifier: GPL-2.0 */
/* The file of an output that begins. */
#ifndef KTAP_RECORD_CREATE_H
#define KTAP_RECORD_CREATE_H

#include <stdbool.h>

#include "base/diag.h"

/**
 * struct created - an output that nobody else has a hand in
 * @fd: write here
 * @is_file: @fd is a new file; else what it leads to reads as we write
 * @dir: where the file will be, or -1
 * @temp: its name until created_publish(), or NULL; owned
 * @name: its name from then on; owned
 */
struct created {
	int fd;
	bool is_file;
	int dir;
	char *temp;
	char *name;
};

/**
 * created_open() - what @path names, without taking over what is others'
 * @c: set
 * @path: "-" is standard output
 * @d: on failure
 *
 * A FIFO, a pipe and a character device are written to as they are. A file is
 * made anew under another name, see created_publish(). A link is not followed.
 *
 * Return: 0 or a negative errno; release with created_close() either way.
 */
int created_open(struct created *c, const char *path, struct diag *d);

/**
 * created_publish() - give the file its name
 * @c: output; if it is no new file, or has its name already, nothing is done
 * @path: as created_open() got it; for messages
 * @d: on failure
 *
 * A file that has the name already becomes NAME.old and replaces an earlier NAME.old. An
 * empty file is replaced and not kept. @c->fd stays open for writing.
 *
 * Return: 0, or a negative errno: the file has not got its name, but the earlier file may
 *	be NAME.old already.
 */
int created_publish(struct created *c, const char *path, struct diag *d);

/**
 * created_close() - close an output, and remove a file that has not got its name
 * @c: output; or one that was never opened, whose @fd and @dir are -1, and the rest is 0
 *
 * It may be called again. It does not report an error of close(): a caller that needs the
 * error closes @c->fd itself and sets it to -1.
 */
void created_close(struct created *c);

#endif /* KTAP_RECORD_CREATE_H */
