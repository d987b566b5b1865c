/* SPDX-License-Identifier: GPL-2.0 */
/* Programs and libraries that the compiler makes for the tests to read. */
#ifndef KTAP_TESTS_ELF_FILES_H
#define KTAP_TESTS_ELF_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct debug;

/* elf_files_make() - make them with PREFIXgcc, once; the directory they are in,
 * or NULL: there is no such compiler. The directory goes when the test ends.
 */
const char *elf_files_make(const char *prefix);

/* elf_file() - the path of file @name of @dir; malloc'ed. */
char *elf_file(const char *dir, const char *name);

/* elf_file_debug() - the debug information of that file; NULL: there is none, for
 * want of a compiler.
 */
struct debug *elf_file_debug(const char *dir, const char *name);

/* elf_file_nm() - what nm says: the @nr'th address (from 0) of @symbol in the
 * file's @table, "" or "-D". Fails the test where there is none.
 */
uint64_t elf_file_nm(const char *path, const char *table, const char *symbol,
		     size_t nr);

/* elf_file_find() - where the bytes of @text stand in the file; once. */
uint64_t elf_file_find(const char *path, const char *text);

#endif /* KTAP_TESTS_ELF_FILES_H */
