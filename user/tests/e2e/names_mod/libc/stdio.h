/* SPDX-License-Identifier: GPL-2.0 */
/* What the program of the corpus needs of it, in the kernel: see main.c. */
#ifndef NAMES_STDIO_H
#define NAMES_STDIO_H

#define printf names_printf
#define puts(text) names_printf("%s\n", text)
#define setvbuf(...) ((void)0)

__attribute__((__format__(__printf__, 1, 2)))
int names_printf(const char *format, ...);
int names_main(int argc, char **argv);

#endif /* NAMES_STDIO_H */
