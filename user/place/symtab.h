/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Inside of the room: the symbols as they are kept, and walking over them in the order
 * of the file.
 */
#ifndef KTAP_PLACE_SYMTAB_H
#define KTAP_PLACE_SYMTAB_H

#include "place/ksyms.h"

#define KSYMS_RUNNING "/proc/kallsyms"

struct ksym_index;

/**
 * struct ksyms - symbols of one kernel
 * @text: strings: a symbol's line up to its name's end, "[module" behind it
 * @size: bytes of @text, which one more NUL follows
 * @hidden: every address is 0
 * @index: filled when first needed
 * @map: a mapping that has @text in it; NULL: @text is malloc'ed
 * @map_size: bytes of it
 */
struct ksyms {
	char *text;
	size_t size;
	bool hidden;
	struct ksym_index *index;
	void *map;
	size_t map_size;
};

/**
 * struct ksyms_room - where a text is read to
 * @text: memory
 * @size: bytes of it
 * @grow: makes it larger; @text may be elsewhere then. Negative: it cannot
 * @end: puts a NUL behind so many bytes. Negative: it cannot
 */
struct ksyms_room {
	char *text;
	size_t size;
	int (*grow)(struct ksyms_room *r);
	int (*end)(struct ksyms_room *r, size_t size);
};

/* ksyms_new() - without a text; NULL: no memory. */
struct ksyms *ksyms_new(void);

/* ksyms_read() - all of @fd; @ks has what was read, also after a failure. */
int ksyms_read(int fd, struct ksyms_room *r, struct ksyms *ks);

/* ksyms_split() - ends of names become NULs; "name\t[module]" becomes "name",
 * "[module".
 */
void ksyms_split(struct ksyms *ks);

struct ksym_index *ksym_index_new(void);
void ksym_index_free(struct ksym_index *index);

/* ksym_is_text() - a function, or a label in code. */
bool ksym_is_text(const struct ksym *sym);

/* ksym_is_shadow() - the padding or the type hash in front of a function. */
bool ksym_is_shadow(const struct ksym *sym);

/* ksyms_next() - the next symbol; start with *@pos at 0. */
bool ksyms_next(const struct ksyms *ks, size_t *pos, struct ksym *ret);

/* ksyms_find() - the next symbol called @name; start with *@pos at 0. */
bool ksyms_find(const struct ksyms *ks, const char *name, size_t *pos,
		struct ksym *ret);

/* ksyms_text_end() - where the code at @address ends: at the next symbol of
 * code; UINT64_MAX: there is none. -ENOMEM.
 */
int ksyms_text_end(const struct ksyms *ks, uint64_t address, uint64_t *ret);

#endif /* KTAP_PLACE_SYMTAB_H */
