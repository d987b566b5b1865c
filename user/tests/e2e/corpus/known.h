/* SPDX-License-Identifier: GPL-2.0 */
/* Values that the compiler cannot work out, and has to keep; and functions. */
#ifndef CORPUS_KNOWN_H
#define CORPUS_KNOWN_H

/* The value is somewhere before this, and is not known to the compiler. */
#define HAVE(x) __asm__ volatile("" : "+r"(x))
/* It is still somewhere here. */
#define KEEP(x) __asm__ volatile("" : : "r"(x))

/* A function with code of its own, and no more than one. */
#ifdef __clang__
#define apart __attribute__((__noinline__))
#else
#define apart __attribute__((__noinline__, __noclone__))
#endif

extern volatile int tick;

int in_far(int n, const char *word);

#endif /* CORPUS_KNOWN_H */
