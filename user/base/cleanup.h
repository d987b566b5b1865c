/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Release at the end of the scope, for memory, files and objects:
 *
 *	_cleanup_free_ char *name = strdup(text);
 *	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);
 *	_cleanup_buf_ struct buf b = BUF_INIT;
 *
 * An object's room defines its own beside its destructor:
 *
 *	DEFINE_CLEANUP(struct ksyms, ksyms_free)
 *	_cleanup_(ksyms_freep) struct ksyms *ks = NULL;
 *
 * take_ptr() hands the value on, past the end of the scope.
 */
#ifndef KTAP_BASE_CLEANUP_H
#define KTAP_BASE_CLEANUP_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"

#define _cleanup_(fn) __attribute__((__cleanup__(fn)))

#define _cleanup_free_	_cleanup_(cleanup_freep)
#define _cleanup_close_	_cleanup_(cleanup_closep)
#define _cleanup_fclose_ _cleanup_(cleanup_fclosep)
#define _cleanup_buf_	_cleanup_(buf_deinit)

/* DEFINE_CLEANUP() - fn ## p for a variable that is a pointer to @type. */
#define DEFINE_CLEANUP(type, fn)					\
	static inline __attribute__((__unused__)) void fn##p(type **p)	\
	{								\
		fn(*p);							\
	}

/* take_ptr() - the pointer; the variable is NULL from here on. */
#define take_ptr(p)							\
	({								\
		__typeof__(p) __taken = (p);				\
		(p) = NULL;						\
		__taken;						\
	})

/* The variable has any pointer type: read it without aliasing trouble. */
static inline void cleanup_freep(void *p)
{
	void *ptr;

	memcpy(&ptr, p, sizeof(ptr));
	free(ptr);
}

/* Clean-up code must not change the errno that the function reports. */
static inline void cleanup_closep(const int *fd)
{
	int saved = errno;

	if (*fd >= 0)
		close(*fd);
	errno = saved;
}

static inline void cleanup_fclosep(FILE **f)
{
	int saved = errno;

	if (*f)
		fclose(*f);
	errno = saved;
}

#endif /* KTAP_BASE_CLEANUP_H */
