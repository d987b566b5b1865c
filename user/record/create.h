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

/* created_publish() - give the file its name; one that has it becomes NAME.old. */
int created_publish(struct created *c, const char *path, struct diag *d);

/* created_close() - a file that has not got its name goes. */
void created_close(struct created *c);

#endif /* KTAP_RECORD_CREATE_H */
