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

/**
 * cleanup_freep() - free the memory that a variable points to
 * @p: address of the variable, which may have any pointer type and may be NULL
 *
 * The variable keeps its value. Its type is not known here, so it is read with memcpy():
 * an access as void * would break the aliasing rules of C.
 */
static inline void cleanup_freep(void *p)
{
	void *ptr;

	memcpy(&ptr, p, sizeof(ptr));
	free(ptr);
}

/**
 * cleanup_closep() - close the descriptor in a variable
 * @fd: address of the variable; a negative descriptor is not closed
 *
 * The variable keeps its value. Clean-up code must not change the errno that the function
 * reports, so errno is restored.
 */
static inline void cleanup_closep(const int *fd)
{
	int saved = errno;

	if (*fd >= 0)
		close(*fd);
	errno = saved;
}

/**
 * cleanup_fclosep() - close the stream in a variable
 * @f: address of the variable; NULL in the variable: nothing is closed
 *
 * It ignores the error of fclose(), so it suits streams that are read. The variable keeps
 * its value, and errno is restored.
 */
static inline void cleanup_fclosep(FILE **f)
{
	int saved = errno;

	if (*f)
		fclose(*f);
	errno = saved;
}

#endif /* KTAP_BASE_CLEANUP_H */
