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

/**
 * kbtf_new() - prepare to read BTF of the kernel and of its modules
 * @dir: directory of raw BTF: the file "vmlinux", and a file with the name of each module,
 *	where '_' stands for '-'; copied; NULL: /sys/kernel/btf, of the running kernel
 *
 * No file is read before the first lookup. From this call on libbpf prints nothing in the
 * whole process.
 *
 * Return: BTF; free it with kbtf_free(); NULL: no memory.
 */
struct kbtf *kbtf_new(const char *dir);

/**
 * kbtf_none() - stand for a kernel of which there is no BTF
 *
 * No file is read: lookups fail. From this call on libbpf prints nothing in the whole process.
 *
 * Return: BTF; free it with kbtf_free(); NULL: no memory.
 */
struct kbtf *kbtf_none(void);

/**
 * kbtf_of_file() - read the BTF of a vmlinux
 * @path: ELF file, or raw BTF
 *
 * The file is read at once. Where it cannot be read or has no BTF, lookups fail. No module has
 * BTF.
 *
 * Return: BTF; free it with kbtf_free(); NULL: no memory.
 */
struct kbtf *kbtf_of_file(const char *path);

/**
 * kbtf_of() - wrap BTF that was read before
 * @vmlinux: BTF of the kernel; not NULL; the function takes it, also where it fails
 *
 * No module has BTF.
 *
 * Return: BTF; free it with kbtf_free(); NULL: no memory.
 */
struct kbtf *kbtf_of(struct btf *vmlinux);

/**
 * kbtf_free() - release BTF, with all types and names that came from it
 * @kb: BTF; or NULL
 */
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

/**
 * ctype_target() - get the type that a pointer points at, or that an array consists of
 * @t: pointer or array
 *
 * Return: the type, without typedefs and qualifiers, from the source of @t; CTYPE_NONE: @t is
 *	neither.
 */
struct ctype ctype_target(const struct ctype *t);

/**
 * ctype_define() - find the definition of a forward elsewhere
 * @t: type; a forward becomes the type that defines it, where one does, or several
 *	that are alike. Other types, and forwards without a source, stay as they are.
 * @why: not NULL; where several definitions differ, "FILE and FILE" is appended, which names
 *	two of them, and @t stays as it is
 *
 * The search reads all units of the debug information where it has no index. It is not made
 * again for the same forward, unless definitions differ.
 */
void ctype_define(struct ctype *t, struct buf *why);

/**
 * ctype_pointer() - find or make the type of a pointer to a type
 * @t: type
 * @ret: the pointer; may be @t itself; may be changed where the function fails
 *
 * A source makes the type. Without one it has to be in the BTF already: it is searched for
 * there, and has to point at @t without typedefs and qualifiers.
 *
 * Return: true; false: there is no such type, or no memory. There is never one for a type
 *	that has no &struct ctype.btf.
 */
bool ctype_pointer(const struct ctype *t, struct ctype *ret);

/* What a pointer points at that is a reference of C++ is tagged with this. */
#define CTYPE_REFERENCE "&"

/**
 * ctype_is_reference() - check whether a type is a reference of C++
 * @t: type
 *
 * The value of a reference is the value of the object that it refers to. As a type, a
 * reference is a pointer whose target has the type tag CTYPE_REFERENCE.
 *
 * Return: true if it is one.
 */
bool ctype_is_reference(const struct ctype *t);

/**
 * ctype_is_char() - check whether a type is an integer of one byte
 * @t: type
 *
 * Also bool, u8 and an enumeration of one byte are; typed_is_letter() is stricter.
 *
 * Return: true if it is one.
 */
bool ctype_is_char(const struct ctype *t);

/**
 * ctype_nth() - get a member of a structure or union by its number
 * @t: structure or union; any other type has no members
 * @i: which member, from 0; anonymous structures and unions count as one member
 * @ret: the member; its name is valid until a type is added to the BTF
 *
 * A bit-field is described in the same way whether its width is in the member or, as old
 * compilers wrote it, in its type.
 *
 * Return: true; false: there are fewer members, or @t is neither a structure nor a union, and
 *	@ret is unchanged.
 */
bool ctype_nth(const struct ctype *t, unsigned int i, struct ctype_member *ret);

/**
 * ctype_find() - find a member of a structure or union by its name
 * @t: structure or union; any other type has no members
 * @name: member
 * @ret: the member; its offset is from the beginning of @t
 *
 * Anonymous structures and unions are searched, too: 32 levels of them.
 *
 * Return: true; false: there is no such member, and @ret is unchanged.
 */
bool ctype_find(const struct ctype *t, const char *name,
		struct ctype_member *ret);

/**
 * ctype_is_aligned() - check whether all members are at multiples of their sizes
 * @t: type
 *
 * Calling conventions want that of a structure that travels in registers. Bit-fields are not
 * checked.
 *
 * Return: true if they are, or if @t is no structure; false: a member or an element of one is
 *	not, or structures and arrays are nested more than 32 levels deep.
 */
bool ctype_is_aligned(const struct ctype *t);

/**
 * ctype_text() - describe a type in words of C: "struct file", "unsigned int", "char *"
 * @t: type
 *
 * A type without a name is "{ }". An integer that is of no BTF is "number of 4 bytes".
 *
 * Return: the string; malloc'ed; NULL: no memory.
 */
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

/**
 * kbtf_find_type() - find a type by its name
 * @kb: BTF
 * @module: search its BTF too, after that of the kernel; NULL: only the kernel
 * @keyword: "struct", "union" or "enum"; NULL: a typedef or an integer
 * @name: the type, without the keyword
 * @ret: the first one with that name, without typedefs and qualifiers; it lives as long as
 *	@kb. Forwards are not found.
 *
 * Return: true; false: there is no such type, or the BTF of the kernel or of @module cannot be
 *	read.
 */
bool kbtf_find_type(struct kbtf *kb, const char *module, const char *keyword,
		    const char *name, struct ctype *ret);

/**
 * kbtf_param() - get a parameter of a prototype
 * @func: prototype
 * @i: which parameter, from 0; less than @func->nr_params
 * @ret: its type, without typedefs and qualifiers
 *
 * Return: its name, "" where it is not known; a string of the BTF, which is valid until a type
 *	is added to it.
 */
const char *kbtf_param(const struct kbtf_func *func, unsigned int i,
		       struct ctype *ret);

#endif /* KTAP_TYPES_BTF_H */
