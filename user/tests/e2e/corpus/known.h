/* SPDX-License-Identifier: GPL-2.0 */
/* Values that the compiler cannot work out, and has to keep. */
#ifndef CORPUS_KNOWN_H
#define CORPUS_KNOWN_H

/* The value is somewhere before this, and is not known to the compiler. */
#define HAVE(x) __asm__ volatile("" : "+r"(x))
/* It is still somewhere here. */
#define KEEP(x) __asm__ volatile("" : : "r"(x))

extern volatile int tick;

int in_far(int n, const char *word);

#endif /* CORPUS_KNOWN_H */
