/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Facts from the kernel's BTF: the prototypes of functions, and what types are.
 * Reading it takes a while, so it is read when the first function is asked for.
 * Offsets and widths of members are in bits; all else is in bytes.
 */
#ifndef KTAP_TYPES_BTF_H
#define KTAP_TYPES_BTF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "base/diag.h"

struct btf;
struct buf;
struct kbtf;

/* kbtf_new() - that of the running kernel, or of the files below @dir, which are
 * called "vmlinux" and after modules. NULL: no memory.
 */
struct kbtf *kbtf_new(const char *dir);
/* kbtf_of_file() - that of a vmlinux, where it has some; NULL as above. */
struct kbtf *kbtf_of_file(const char *path);
/* kbtf_of() - takes @vmlinux, and no module has any; NULL as above. */
struct kbtf *kbtf_of(struct btf *vmlinux);
void kbtf_free(struct kbtf *kb);
DEFINE_CLEANUP(struct kbtf, kbtf_free)

/**
 * enum ctype_kind - what a type is, without typedefs and qualifiers
 * @CTYPE_NONE: it is not known
 * @CTYPE_VOID: nothing: of what a function returns, and of pointers
 * @CTYPE_INT: integer, enumeration or bool
 * @CTYPE_POINTER: pointer
 * @CTYPE_STRUCT: structure or union
 * @CTYPE_ARRAY: array
 * @CTYPE_FLOAT: floating-point number
 * @CTYPE_FUNC: function, which only pointers point at
 * @CTYPE_FORWARD: structure or union whose members are not known
 */
enum ctype_kind {
	CTYPE_NONE,
	CTYPE_VOID,
	CTYPE_INT,
	CTYPE_POINTER,
	CTYPE_STRUCT,
	CTYPE_ARRAY,
	CTYPE_FLOAT,
	CTYPE_FUNC,
	CTYPE_FORWARD,
};

/**
 * struct ctype_source - where types come from that are not all there yet
 * @complete: the number of what the forward @id stands for; @id: it is not known
 * @define: the same, where that takes a long search; where several differ it is @id,
 *	and @why says which
 * @pointer: that of a pointer to @id; 0: no memory
 */
struct ctype_source {
	uint32_t (*complete)(const struct ctype_source *source, uint32_t id);
	uint32_t (*define)(const struct ctype_source *source, uint32_t id,
			   struct buf *why);
	uint32_t (*pointer)(const struct ctype_source *source, uint32_t id);
};

/**
 * struct ctype - one type
 * @source: more of them; NULL: all are there
 * @btf: where it is described
 * @id: under which number
 * @kind: what it is
 * @size: bytes; 0 where that is not known
 * @is_signed: of an integer
 * @count: elements of an array
 */
struct ctype {
	const struct ctype_source *source;
	const struct btf *btf;
	uint32_t id;
	enum ctype_kind kind;
	uint64_t size;
	bool is_signed;
	uint32_t count;
};

/**
 * struct ctype_member - a member of a structure or union
 * @name: it; NULL: an anonymous structure or union
 * @type: of it
 * @offset: bits from the beginning
 * @width: bits of a bit-field; 0: it is none
 */
struct ctype_member {
	const char *name;
	struct ctype type;
	uint64_t offset;
	unsigned int width;
};

/* ctype_target() - what the pointer @t points at, or the array @t consists of */
struct ctype ctype_target(const struct ctype *t);

/* ctype_define() - what the forward *@t is elsewhere, if that is known; @why gets which
 * definitions differ, where they do.
 */
void ctype_define(struct ctype *t, struct buf *why);

/* ctype_pointer() - the type of a pointer to @t; false: there is none. */
bool ctype_pointer(const struct ctype *t, struct ctype *ret);

/* What a pointer points at that is a reference of C++ is tagged with this. */
#define CTYPE_REFERENCE "&"

/* ctype_is_reference() - of C++: its value is that of what it refers to. */
bool ctype_is_reference(const struct ctype *t);

/* ctype_is_char() - an integer of one byte */
bool ctype_is_char(const struct ctype *t);

/* ctype_nth() - the member at @i of the structure @t; false: there are less */
bool ctype_nth(const struct ctype *t, unsigned int i, struct ctype_member *ret);

/* ctype_find() - the member @name of @t, also inside of anonymous ones */
bool ctype_find(const struct ctype *t, const char *name,
		struct ctype_member *ret);

/* ctype_is_aligned() - every member is at a multiple of its size, as calling
 * conventions want it of a structure that travels in registers
 */
bool ctype_is_aligned(const struct ctype *t);

/* ctype_text() - "struct file", "unsigned int", "char *"; malloc'ed, or NULL. */
char *ctype_text(const struct ctype *t);

/**
 * struct kbtf_func - the prototype of a function
 * @name: of the function
 * @returns: what it returns
 * @proto: the prototype
 * @nr_params: how many parameters it has; of "..." none is counted
 * @is_variadic: it has "..."
 * @is_prototyped: debug information says that those are all, which BTF cannot
 */
struct kbtf_func {
	const char *name;
	struct ctype returns;
	struct ctype proto;
	unsigned int nr_params;
	bool is_variadic;
	bool is_prototyped;
};

/**
 * kbtf_find() - the prototype of a function
 * @kb: BTF
 * @module: it is in; NULL: the kernel itself
 * @name: of the function
 * @d: on failure: there is no BTF, it is damaged, or it has no such function, or
 *	several of that name that differ; without a place
 * @ret: on success; lives as long as @kb
 *
 * Return: 0, -ENOENT, -EINVAL, -ENOMEM, or what reading met.
 */
int kbtf_find(struct kbtf *kb, const char *module, const char *name,
	      struct diag *d, struct kbtf_func *ret);

/* kbtf_find_type() - the type @name that the keyword @keyword ("struct", "union",
 * "enum", or NULL for none) is in front of; false: there is none.
 */
bool kbtf_find_type(struct kbtf *kb, const char *module, const char *keyword,
		    const char *name, struct ctype *ret);

/* kbtf_param() - the name and type of a parameter; @i < nr_params. A name that is
 * not known is "".
 */
const char *kbtf_param(const struct kbtf_func *func, unsigned int i,
		       struct ctype *ret);

#endif /* KTAP_TYPES_BTF_H */
