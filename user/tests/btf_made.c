// SPDX-License-Identifier: GPL-2.0
/* BTF of a small kernel, made by the library that reads it. */
#include "tests/btf_made.h"

#include <bpf/btf.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

/* struct ids - the numbers of the types that others are made of */
struct ids {
	struct btf *btf;
	int s16, s32, s64, s128, u8, u16, u32, u64, boolean, ch, real;
	int void_ptr, ch_ptr, kind;
	int inode, qstr, dentry, file, file_ptr;
	int kuid, two, sockptr, odd, big;
};

static int id(int made)
{
	assert_true(made > 0);
	return made;
}

static void ok(int err)
{
	assert_int_equal(err, 0);
}

static int ptr(struct ids *i, int to)
{
	return id(btf__add_ptr(i->btf, to));
}

static int array(struct ids *i, int of, unsigned int nr)
{
	return id(btf__add_array(i->btf, i->s32, of, nr));
}

/* A member of what was begun last; @at in bits. */
static void field(struct ids *i, const char *name, int type, unsigned int at)
{
	ok(btf__add_field(i->btf, name, type, at, 0));
}

static void bits(struct ids *i, const char *name, int type, unsigned int at,
		 unsigned int width)
{
	ok(btf__add_field(i->btf, name, type, at, width));
}

static int structure(struct ids *i, const char *name, unsigned int size)
{
	return id(btf__add_struct(i->btf, name, size));
}

static void make_numbers(struct ids *i)
{
	struct btf *b = i->btf;

	i->s32 = id(btf__add_int(b, "int", 4, BTF_INT_SIGNED));
	i->s16 = id(btf__add_int(b, "short int", 2, BTF_INT_SIGNED));
	i->s64 = id(btf__add_int(b, "long long int", 8, BTF_INT_SIGNED));
	i->s128 = id(btf__add_int(b, "__int128", 16, BTF_INT_SIGNED));
	i->u8 = id(btf__add_int(b, "unsigned char", 1, 0));
	i->u16 = id(btf__add_int(b, "short unsigned int", 2, 0));
	i->u32 = id(btf__add_int(b, "unsigned int", 4, 0));
	i->u64 = id(btf__add_int(b, "long unsigned int", 8, 0));
	i->boolean = id(btf__add_int(b, "_Bool", 1, BTF_INT_BOOL));
	i->ch = id(btf__add_int(b, "char", 1, 0));
	i->real = id(btf__add_float(b, "double", 8));
	i->void_ptr = ptr(i, 0);
	i->ch_ptr = ptr(i, id(btf__add_const(b, i->ch)));
	i->kind = id(btf__add_enum(b, "kind", 4));
	ok(btf__add_enum_value(b, "KIND_A", 0));
}

static void make_names(struct ids *i)
{
	int both, either, name = ptr(i, id(btf__add_const(i->btf, i->u8)));

	i->inode = structure(i, "inode", 8);
	field(i, "i_ino", i->u64, 0);
	both = structure(i, NULL, 8);
	field(i, "hash", i->u32, 0);
	field(i, "len", i->u32, 32);
	either = id(btf__add_union(i->btf, NULL, 8));
	field(i, NULL, both, 0);
	field(i, "hash_len", i->u64, 0);
	i->qstr = structure(i, "qstr", 16);
	field(i, NULL, either, 0);
	field(i, "name", name, 64);
}

static void make_dentry(struct ids *i)
{
	int inode = ptr(i, i->inode), iname = array(i, i->ch, 32);

	i->dentry = structure(i, "dentry", 56);
	field(i, "d_inode", inode, 0);
	field(i, "d_name", i->qstr, 64);
	field(i, "d_iname", iname, 192);
}

static void make_file(struct ids *i)
{
	int dentry = ptr(i, i->dentry), nums = array(i, i->s16, 4);
	int release = ptr(i, id(btf__add_func_proto(i->btf, 0)));
	int priv = ptr(i, id(btf__add_fwd(i->btf, "opaque", BTF_FWD_STRUCT)));
	int names = array(i, i->qstr, 2), tail = array(i, i->u64, 0);
	int loff = id(btf__add_typedef(i->btf, "loff_t", i->s64));

	i->file = structure(i, "file", 112);
	field(i, "mnt", i->void_ptr, 0);
	field(i, "dentry", dentry, 64);
	field(i, "f_pos", loff, 128);
	field(i, "f_mode", i->u32, 192);
	bits(i, "a", i->u32, 224, 3);
	bits(i, "b", i->u32, 227, 29);
	bits(i, "s", i->s32, 256, 5);
	bits(i, "ready", i->boolean, 261, 1);
	field(i, "nums", nums, 320);
	field(i, "release", release, 384);
	field(i, "priv", priv, 448);
	field(i, "names", names, 512);
	field(i, "kind", i->kind, 768);
	field(i, "load", i->real, 832);
	field(i, "tail", tail, 896);
	i->file_ptr = ptr(i, id(btf__add_type_tag(i->btf, "rcu", i->file)));
}

static void make_values(struct ids *i)
{
	int three = array(i, i->u64, 3), one = array(i, i->u8, 1);

	i->kuid = structure(i, "kuid", 4);
	field(i, "val", i->u32, 0);
	i->two = structure(i, "two", 8);
	field(i, "a", i->u32, 0);
	field(i, "b", i->u16, 32);
	bits(i, "c", i->boolean, 48, 1);
	field(i, "d", one, 56);
	i->sockptr = structure(i, "sockptr", 16);
	field(i, "p", i->void_ptr, 0);
	field(i, "is_kernel", i->boolean, 64);
	i->odd = structure(i, "odd", 5);
	field(i, "a", i->u8, 0);
	field(i, "b", i->u32, 8);
	i->big = structure(i, "big", 24);
	field(i, "a", three, 0);
}

/* Its parent is one, too: that pointer comes before it. */
static void make_task(struct ids *i)
{
	int next = btf__type_cnt(i->btf), comm;

	comm = array(i, i->ch, 16);
	assert_int_equal(comm, next);
	assert_int_equal(ptr(i, next + 2), next + 1);
	structure(i, "task_struct", 64);
	field(i, "tgid", i->s32, 64);
	field(i, "real_parent", next + 1, 128);
	field(i, "comm", comm, 256);
}

struct param {
	const char *name;
	int type;
};

static void function(struct ids *i, const char *name, int returns,
		     const struct param *params, size_t nr)
{
	int proto = id(btf__add_func_proto(i->btf, returns));
	size_t k;

	for (k = 0; k < nr; k++)
		ok(btf__add_func_param(i->btf, params[k].name, params[k].type));
	id(btf__add_func(i->btf, name, BTF_FUNC_STATIC, proto));
}

#define FUNCTION(i, name, returns, ...) do { \
	const struct param list[] = { __VA_ARGS__ }; \
	function(i, name, returns, list, sizeof(list) / sizeof(list[0])); \
} while (0)

static void make_plain(struct ids *i)
{
	int pos = ptr(i, i->s64), argv = ptr(i, i->ch_ptr);

	FUNCTION(i, "vfs_read", i->s64, { "file", i->file_ptr },
		 { "buf", i->ch_ptr }, { "count", i->u64 }, { "pos", pos });
	FUNCTION(i, "vfs_write", i->file_ptr, { "fd", i->s32 },
		 { "sync", i->boolean }, { "small", i->u8 }, { "half", i->s16 },
		 { "kind", i->kind }, { "name", i->ch_ptr }, { "argv", argv },
		 { "seventh", i->u64 }, { "eighth", i->s32 },
		 { "ninth", i->u32 });
	FUNCTION(i, "twin", i->s32, { "a", i->s32 });
	FUNCTION(i, "twin", i->s32, { "b", i->u64 });
	function(i, "none", 0, NULL, 0);
	function(i, "number", i->s32, NULL, 0);
	FUNCTION(i, "variadic", i->s32, { "fmt", i->ch_ptr }, { NULL, 0 });
	FUNCTION(i, "nameless", i->s32, { NULL, i->s32 });
	FUNCTION(i, "__traceiter_ev", i->s32, { "__data", i->void_ptr },
		 { "file", i->file_ptr }, { "nr", i->s32 });
}

static void make_by_value(struct ids *i)
{
	FUNCTION(i, "by_value", 0, { "uid", i->kuid }, { "opt", i->sockptr },
		 { "odd", i->odd }, { "big", i->big }, { "last", i->s32 },
		 { "two", i->two }, { "d", i->real }, { NULL, 0 });
	FUNCTION(i, "returns_big", i->big, { "a", i->s32 });
	FUNCTION(i, "words", 0, { "a", i->u64 }, { "b", i->u64 },
		 { "c", i->u64 }, { "d", i->u64 }, { "e", i->u64 },
		 { "opt", i->sockptr }, { "f", i->u64 }, { "wide", i->s128 },
		 { "g", i->u64 });
}

struct btf *btf_made(void)
{
	struct ids i = { .btf = btf__new_empty() };

	assert_non_null(i.btf);
	btf__set_pointer_size(i.btf, 8);
	make_numbers(&i);
	make_names(&i);
	make_dentry(&i);
	make_file(&i);
	make_values(&i);
	make_task(&i);
	make_plain(&i);
	make_by_value(&i);
	return i.btf;
}
