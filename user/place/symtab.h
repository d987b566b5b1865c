/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Inside of the room: the symbols as they are kept, and walking over them in the order
 * of the file.
 */
#ifndef KTAP_PLACE_SYMTAB_H
#define KTAP_PLACE_SYMTAB_H

#include "place/ksyms.h"

#define KSYMS_RUNNING "/proc/kallsyms"

struct cgroups;
struct ksym_index;

/**
 * struct ksyms - symbols of one kernel
 * @text: strings: a symbol's line up to its name's end, "[module" behind it
 * @size: bytes of @text, which one more NUL follows
 * @hidden: every address is 0
 * @index: filled when first needed
 * @renew: reads those of modules as they are now, where these may be old; or NULL
 * @epoch: of which they are: see struct ksyms_epoch
 * @asked_ns: when ksyms_follow() last found them old
 * @map: a mapping that has @text in it; NULL: @text is malloc'ed
 * @map_size: bytes of it
 * @more: see ksyms_more(), or zeros
 * @inlines: functions that were inlined
 * @cgroups: control groups of the running system; owned; NULL: @text has them
 * @recorded: symbols of a recording, which have its control groups instead; owned; or NULL
 */
struct ksyms {
	char *text;
	size_t size;
	bool hidden;
	struct ksym_index *index;
	int (*renew)(struct ksyms **ret);
	uint64_t epoch;
	uint64_t asked_ns;
	void *map;
	size_t map_size;
	struct ksyms_more more;
	struct ksyms_inlines inlines;
	struct cgroups *cgroups;
	struct ksyms *recorded;
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

/**
 * ksyms_new() - make symbols without a text
 *
 * The caller sets @text and @size, and then calls ksyms_split().
 *
 * Return: release with ksyms_free(); NULL: no memory.
 */
struct ksyms *ksyms_new(void);

/**
 * ksyms_read() - read all of a file
 * @fd: file; stays open
 * @r: where to; with @grow and @end, which are called with it
 * @ks: from ksyms_new(); @text and @size become what was read, also after a failure
 *
 * The text is not split yet: see ksyms_split(). It is memory of @r, which @ks does not
 * copy.
 *
 * Return: 0; the error of read(), @grow or @end.
 */
int ksyms_read(int fd, struct ksyms_room *r, struct ksyms *ks);

/**
 * ksyms_split() - make strings of the lines of a text
 * @ks: symbols whose @text is as /proc/kallsyms has it, with one more byte after it;
 *	@hidden is set
 *
 * The end of each name becomes a NUL: "name\t[module]" becomes "name" and "[module".
 */
void ksyms_split(struct ksyms *ks);

/**
 * ksym_index_new() - make an index that is still empty
 *
 * Functions that search fill it when they first need it.
 *
 * Return: release with ksym_index_free(); NULL: no memory.
 */
struct ksym_index *ksym_index_new(void);

/**
 * ksym_index_old() - modules have come or gone since the symbols were read
 * @index: index; from here on it reads them again for the next address of a module
 */
void ksym_index_old(struct ksym_index *index);

/**
 * ksym_index_free() - release an index
 * @index: index, or NULL
 *
 * What ksyms_by_address() returned becomes invalid; strings in @text of the symbols stay valid.
 */
void ksym_index_free(struct ksym_index *index);

/**
 * ksym_is_text() - whether a symbol is a function, or a label in code
 * @sym: symbol
 *
 * Return: true if its type is 't', 'T', 'w' or 'W'.
 */
bool ksym_is_text(const struct ksym *sym);

/**
 * ksym_same_module() - whether two names are of one module
 * @a: name of a module
 * @b: likewise
 *
 * The kernel shows '_' in a name where the name of the file has '-'.
 *
 * Return: true if they differ in no more than that.
 */
bool ksym_same_module(const char *a, const char *b);

/**
 * ksym_is_shadow() - whether a symbol is the padding or the type hash before a function
 * @sym: symbol
 *
 * Return: true if its name begins with "__pfx_" or "__cfi_".
 */
bool ksym_is_shadow(const struct ksym *sym);

/**
 * ksyms_next() - get the next symbol in the order of the file
 * @ks: symbols
 * @pos: position in the text; 0 before the first call; moves past the symbol
 * @ret: on success; its strings belong to @ks
 *
 * Lines that are no symbol are skipped.
 *
 * Return: false: there are no more symbols.
 */
bool ksyms_next(const struct ksyms *ks, size_t *pos, struct ksym *ret);

/**
 * ksyms_find() - get the next symbol of a name in the order of the file
 * @ks: symbols
 * @name: all of the name
 * @pos: position in the text; 0 before the first call
 * @ret: on success; its strings belong to @ks
 *
 * The first few calls search the text. Later ones use an index by name, which @ks keeps
 * and for which they need memory.
 *
 * Return: false: there are no more such symbols, or no memory for a search.
 */
bool ksyms_find(const struct ksyms *ks, const char *name, size_t *pos,
		struct ksym *ret);

/**
 * ksym_is_user() - whether an address is the frame of a user stack, in a file
 * @address: address, or frame
 *
 * Return: false for all addresses of the kernel, which have all high bits set, and for frames
 * outside of files, which have none of them.
 */
bool ksym_is_user(uint64_t address);

/**
 * ksyms_text_end() - find where code ends
 * @ks: symbols; with hidden addresses the answer means nothing
 * @address: where the code begins
 * @ret: address of the next symbol of code after @address; UINT64_MAX: there is none
 *
 * Symbols of data end no code here.
 *
 * Return: 0 or -ENOMEM.
 */
int ksyms_text_end(const struct ksyms *ks, uint64_t address, uint64_t *ret);

#endif /* KTAP_PLACE_SYMTAB_H */
