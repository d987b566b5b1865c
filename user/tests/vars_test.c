// SPDX-License-Identifier: GPL-2.0
/*
 * Names of parameters: a definition with names in it has the program and the
 * layout of the one that says the same by offsets, which is written beside it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <bpf/btf.h>
#include <errno.h>

#include "base/array.h"
#include "bind/bind.h"
#include "codegen/compile.h"
#include "tests/btf_made.h"
#include "tests/built.h"
#include "tests/caret.h"

#define X86 KTAP_ARCH_X86_64
#define ARM KTAP_ARCH_ARM64

static const char table[] =
	"ffffffff81000100 T vfs_read\n"
	"ffffffff81000200 T vfs_write\n"
	"ffffffff81000300 T by_value\n"
	"ffffffff81000400 t twin\n"
	"ffffffff81000500 T none\n"
	"ffffffff81000600 T nameless\n"
	"ffffffff81000700 T words\n"
	"ffffffff81000800 T asm_only\n"
	"ffffffff81000900 t cut.isra.0\n"
	"ffffffff81000a00 T __x64_sys_openat\n"
	"ffffffff81000b00 t vfs_twin\n"
	"ffffffff81000c00 t vfs_twin\n"
	"ffffffff81000d00 t vfs_rename\n"
	"ffffffff81000e00 T variadic\n"
	"ffffffff81000f00 T returns_big\n"
	"ffffffff81001000 T number\n"
	"ffffffffc0001000 t mod_read\t[mod]\n"
	"ffffffffc0002000 t vfs_rename\t[mod]\n";

static bool met[DIAG_NR];
static struct ksyms *ks;
static struct kbtf *kb;

static int setup(void **state)
{
	assert_int_equal(built_load(table, NULL, &ks), 0);
	kb = kbtf_of(btf_made());
	assert_non_null(kb);
	return 0;
}

static int teardown(void **state)
{
	ksyms_free(ks);
	kbtf_free(kb);
	return 0;
}

/* built_init() with names. */
static int make(struct built *b, const char *text, enum ktap_arch arch,
		struct diag *d)
{
	bool known;
	int err;

	*b = (struct built){};
	err = spec_parse(text, d, &b->spec);
	if (!err)
		err = ksyms_resolve(ks, b->spec, d, &b->place);
	if (!err)
		err = bind_start(b->spec, d, &b->terms);
	if (!err)
		err = vars_check_places(b->terms, &b->place, arch, kb, NULL, d,
					&known);
	if (!err)
		err = vars_expand(b->terms, &b->place, arch, kb, NULL, d);
	return err ? err : built_finish(b, ks, arch, d);
}

/* ---- what names mean --------------------------------------------------------- */

static void build(struct built *b, const char *text, enum ktap_arch arch)
{
	struct diag d = {};

	if (make(b, text, arch, &d))
		fail_msg("%s: %s", text, d.message);
}

static void check_insns(const char *text, const struct ktap_insn *a,
			size_t nr_a, const struct ktap_insn *b, size_t nr_b)
{
	if (nr_a != nr_b)
		fail_msg("%s: %zu instructions, not %zu", text, nr_a, nr_b);
	for (size_t i = 0; i < nr_a; i++)
		if (memcmp(&a[i], &b[i], sizeof(a[i])))
			fail_msg("%s: instruction %zu", text, i);
}

static void check_fields(const char *text, const struct layout *a,
			 const struct layout *b)
{
	assert_int_equal(a->nr_fields, b->nr_fields);
	for (size_t i = 0; i < a->nr_fields; i++) {
		const struct field *f = &a->fields[i], *g = &b->fields[i];

		if (strcmp(f->name, g->name) || f->kind != g->kind ||
		    f->format != g->format || f->size != g->size ||
		    f->offset != g->offset || f->fault != g->fault ||
		    f->count != g->count || f->bit_offset != g->bit_offset ||
		    f->bit_width != g->bit_width)
			fail_msg("%s: field %s", text, f->name);
	}
}

static void same(enum ktap_arch arch, const char *text, const char *plain)
{
	struct built a, b;

	build(&a, text, arch);
	build(&b, plain, arch);
	/* that one has no names to be replaced */
	assert_true(!b.terms->is_bound || strstr(plain, "$retval"));
	check_fields(text, a.program->layout, b.program->layout);
	check_insns(text, a.program->insns, a.program->nr_insns,
		    b.program->insns, b.program->nr_insns);
	check_insns(text, a.program->entry_insns, a.program->nr_entry_insns,
		    b.program->entry_insns, b.program->nr_entry_insns);
	built_deinit(&a);
	built_deinit(&b);
}

static void both(const char *text, const char *plain)
{
	same(X86, text, plain);
	same(ARM, text, plain);
}

static void test_parameters(void **state)
{
	both("vfs_read file buf count pos",
	     "vfs_read file=$arg1:x64 buf=+0($arg2):string count=$arg3:u64 pos=$arg4:x64");
	both("vfs_write fd sync small half kind",
	     "vfs_write fd=$arg1:s32 sync=$arg2:u8 small=$arg3:u8 half=$arg4:s16 kind=$arg5:s32");
	both("vfs_write a=seventh:x32 eighth:u8 n=ninth",
	     "vfs_write a=$arg8:x32 eighth=$arg9:u8 n=$arg10:u32");
	both("vfs_write a=+8(name):u8", "vfs_write a=+8($arg6):u8");
}

static void test_all_parameters(void **state)
{
	both("vfs_read $arg*",
	     "vfs_read file=$arg1:x64 buf=+0($arg2):string count=$arg3:u64 pos=$arg4:x64");
	/* what a list adds makes way for what is written */
	both("vfs_read $arg* *file:x8", "vfs_read file_1=$arg1:x64 buf=+0($arg2):string count=$arg3:u64 pos=$arg4:x64 file=+0($arg1):x8");
	both("vfs_read buf=%sp $arg* count $arg2",
	     "vfs_read buf=%sp file=$arg1:x64 buf_3=+0($arg2):string count_4=$arg3:u64 pos=$arg4:x64 count=$arg3:u64 arg2=$arg2");
	both("vfs_read%return $arg*",
	     "vfs_read%return file=$arg1:x64 buf=+0($arg2):string count=$arg3:u64 pos=$arg4:x64");
	both("p:g/e vfs_read $comm $arg* $stack",
	     "p:g/e vfs_read arg1=$comm file=$arg1:x64 buf=$arg2:x64 count=$arg3:u64 pos=$arg4:x64 arg6=$stack");
}

static void test_members(void **state)
{
	both("vfs_read store(count,file->f_pos)", "vfs_read store((u64)$arg3,(s64)+16($arg1))");
	both("vfs_read file->f_pos file.f_mode",
	     "vfs_read f_pos=+16($arg1):s64 f_mode=+24($arg1):u32");
	both("vfs_read file->dentry->d_inode->i_ino file.dentry.d_inode.i_ino",
	     "vfs_read i_ino=+0(+0(+8($arg1))):u64 i_ino_2=+0(+0(+8($arg1))):u64");
	both("vfs_read file->dentry->d_name.len file->dentry.d_name.hash_len",
	     "vfs_read len=+12(+8($arg1)):u32 hash_len=+8(+8($arg1)):u64");
	both("vfs_read $arg1->f_pos a=(*file).f_mode b=(&file->f_pos)[1] c=file[1].f_pos",
	     "vfs_read f_pos=+16($arg1):s64 a=+24($arg1):u32 b=+24($arg1):s64 c=+128($arg1):s64");
	both("vfs_read m=file->mnt r=file->release k=file->kind",
	     "vfs_read m=+0($arg1):x64 r=+48($arg1):x64 k=+96($arg1):s32");
	both("vfs_read file->f_pos:x8 file->release:symbol",
	     "vfs_read f_pos=+16($arg1):x8 release=+48($arg1):symbol");
}

static void test_bit_fields(void **state)
{
	both("vfs_read file->a file->b file->s file->ready",
	     "vfs_read a=+28($arg1):b3@0/32 b=+28($arg1):b29@3/32 s=+32($arg1):sb5@0/32 ready=+32($arg1):b1@5/8");
}

static void test_elements(void **state)
{
	both("vfs_read n=file->nums n2=file->nums[2] n3=file->nums[count]",
	     "vfs_read n=+40($arg1):s16[4] n2=+44($arg1):s16 n3=+0($arg1+40+$arg3*2):s16");
	both("vfs_read p=*pos p0=pos[0] p3=pos[3] b=buf[1] d=*file->nums",
	     "vfs_read p=+0($arg4):s64 p0=+0($arg4):s64 p3=+24($arg4):s64 b=+1($arg2):u8 d=+40($arg1):s16");
	both("vfs_read l=file->names[1].len t=file->tail[5]",
	     "vfs_read l=+84($arg1):u32 t=+152($arg1):u64");
	both("vfs_read a=&file->f_pos b=&pos[1] c=&file->f_pos+1",
	     "vfs_read a=$arg1+16:x64 b=$arg4+8:x64 c=$arg1+16+8:x64");
	both("vfs_read a=buf:x8[4] b=file->dentry:x64[2]",
	     "vfs_read a=+0($arg2):x8[4] b=+8($arg1):x64[2]");
	both("vfs_read c=*(pos+1) d=pos+count e=file->nums:x8[3] f=file->nums:u64",
	     "vfs_read c=+8($arg4):s64 d=$arg4+$arg3*8:x64 e=+40($arg1):x8[3] f=+40($arg1):u64");
}

static void test_texts(void **state)
{
	both("vfs_read buf:string b2=buf:ustring(9) i=file->dentry->d_iname",
	     "vfs_read buf=+0($arg2):string b2=+0($arg2):ustring(9) i=+24(+8($arg1)):string(32)");
	both("vfs_read n=file->dentry->d_name.name:string i=file->dentry->d_iname:string",
	     "vfs_read n=+0(+16(+8($arg1))):string i=+24(+8($arg1)):string");
	both("vfs_write v=argv:string[3] a=argv[1]:string",
	     "vfs_write v=+0($arg7):string[3] a=+0(+8($arg7)):string");
	both("vfs_read if buf == \"x\" && file->dentry->d_iname ~ \"a*\"",
	     "vfs_read if (string)+0($arg2) == \"x\" && (string)+24(+8($arg1)) ~ \"a*\"");
	both("vfs_read if (ustring)buf == \"x\"",
	     "vfs_read if (ustring)+0($arg2) == \"x\"");
}

static void test_expressions(void **state)
{
	both("vfs_write a=fd+1 b=(u8)fd c=-half d=sync?seventh:2",
	     "vfs_write a=(s32)$arg1+1 b=(u8)(s32)$arg1 c=-(s16)$arg4 d=(u8)$arg2?$arg8:2");
	both("vfs_read if count > 4096 && file->f_pos < 0",
	     "vfs_read if $arg3 > 4096 && (s64)+16($arg1) < 0");
	/* the argument of that name comes first */
	both("vfs_read count=$stack if count > 4096 && file->f_pos",
	     "vfs_read count=$stack if count > 4096 && (s64)+16($arg1)");
	both("vfs_read file if file->f_mode & 2",
	     "vfs_read file=$arg1:x64 if (u32)+24($arg1) & 2");
}

static void test_returns(void **state)
{
	both("vfs_read%return $retval count file->f_pos",
	     "vfs_read%return retval=$retval:s64 count=$arg3:u64 f_pos=+16($arg1):s64");
	both("vfs_write%return $retval->f_pos r=$retval if $retval->f_mode == 3",
	     "vfs_write%return f_pos=+16($retval):s64 r=$retval:x64 if (u32)+24($retval) == 3");
	both("vfs_read%return $entry(count) p=$entry(file->f_pos) q=$entry(file)->f_pos",
	     "vfs_read%return count=$entry($arg3:u64) p=$entry(+16($arg1):s64) q=+16($entry($arg1:x64)):s64");
	both("vfs_read%return $entry(buf):string n=$entry(buf:string) s=$entry(file->s)",
	     "vfs_read%return buf=$entry(+0($arg2)):string n=$entry(+0($arg2):string) s=$entry(+32($arg1):sb5@0/32)");
	both("vfs_read%return r=$retval:x32 if $retval < 0",
	     "vfs_read%return r=$retval:x32 if (s64)$retval < 0");
	/* of what is not known, nothing is said */
	both("asm_only%return $retval", "asm_only%return retval=$retval:x64");
}

static void test_structures_by_value(void **state)
{
	/* uid is in a register, opt in two, odd and big on the stack */
	same(X86, "by_value last", "by_value last=$arg4:s32");
	/* opt in x1 and x2, odd in x3, the address of big in x4 */
	same(ARM, "by_value last", "by_value last=$arg6:s32");
	same(X86, "by_value u=uid.val a=two.a b=two.b c=two.c",
	     "by_value u=$arg1:b32@0/64 a=$arg5:b32@0/64 b=$arg5:b16@32/64 c=$arg5:b1@48/64");
	/* one register is left for opt, which needs two */
	same(X86, "words f g", "words f=$arg6:u64 g=$arg11:u64");
	/* six and seven, and then two that begin at an even one: none is left */
	same(ARM, "words f g", "words f=$arg8:u64 g=$arg11:u64");
}

/* ---- types of C ------------------------------------------------------------------ */

/* The argument of @text: what it is, and its type in the table of the layout. */
static void typed(const char *text, enum field_kind kind, unsigned int size,
		  const char *type)
{
	const struct btf_type *t;
	const struct layout *l;
	const struct field *f;
	struct built b;

	build(&b, text, X86);
	l = b.program->layout;
	f = &l->fields[l->nr_fields - 1];
	if (f->kind != kind || f->size != size || !f->type != !type)
		fail_msg("%s: kind %d, size %u, type %u", text, f->kind,
			 f->size, f->type);
	if (type) {
		t = btf__type_by_id(l->types, f->type);
		assert_non_null(t);
		assert_string_equal(btf__name_by_offset(l->types, t->name_off),
				    type);
	}
	built_deinit(&b);
}

static void test_typed_fields(void **state)
{
	typed("vfs_read a=*file", FIELD_STRUCT, 112, "file");
	typed("vfs_read count a=file->dentry->d_name", FIELD_STRUCT, 16, "qstr");
	typed("vfs_read a=file->names", FIELD_STRUCT, 32, "");
	typed("vfs_read a=file->names[1]", FIELD_STRUCT, 16, "qstr");
	typed("vfs_read a=file->load", FIELD_STRUCT, 8, "double");
	typed("by_value uid", FIELD_STRUCT, 4, "kuid");
	typed("by_value two", FIELD_STRUCT, 8, "two");
	typed("vfs_write kind", FIELD_INT, 4, "kind");
	typed("vfs_write sync", FIELD_INT, 1, "_Bool");
	typed("vfs_read file->kind", FIELD_INT, 4, "kind");
	typed("vfs_read file->ready", FIELD_INT, 1, "_Bool");
	typed("vfs_read file->release", FIELD_INT, 8, "");
	typed("vfs_read%return a=$entry(*file)", FIELD_STRUCT, 112, "file");
	typed("vfs_write%return a=$entry(kind)", FIELD_INT, 4, "kind");
	typed("vfs_write%return *$retval", FIELD_STRUCT, 112, "file");
	/* what was said, and what the kernel says, has none */
	typed("vfs_write kind:u32", FIELD_INT, 4, NULL);
	typed("p vfs_write kind", FIELD_INT, 4, NULL);
	typed("p vfs_read file->dentry->d_name", FIELD_INT, 8, NULL);
	typed("vfs_read file->dentry", FIELD_INT, 8, NULL);
}

/* The bytes are taken once, with one fault for all of them. */
static void test_structures_are_bytes(void **state)
{
	const struct ktap_insn *insns;
	unsigned int nr = 0;
	struct built b;
	size_t i;

	build(&b, "vfs_read a=file->dentry->d_name", X86);
	insns = b.program->insns;
	for (i = 0; i < b.program->nr_insns; i++) {
		if (insns[i].op != KTAP_OP_BYTES)
			continue;
		assert_int_equal(insns[i].imm, 16);
		assert_int_equal(insns[i].b, 0);
		nr++;
	}
	assert_int_equal(nr, 1);
	assert_int_equal(b.program->layout->fields[0].fault, 0);
	built_deinit(&b);
}

static void test_letters(void **state)
{
	both("vfs_read buf", "vfs_read buf=+0($arg2):string");
	both("vfs_read a=&buf[1] b=buf+1 c=buf:x64",
	     "vfs_read a=+0($arg2+1):string b=+0($arg2+1*1):string c=$arg2:x64");
	both("vfs_write name argv", "vfs_write name=+0($arg6):string argv=$arg7:x64");
	both("vfs_read%return a=$entry(buf)",
	     "vfs_read%return a=$entry(+0($arg2):string)");
	both("vfs_read%return a=$entry(buf)[1]",
	     "vfs_read%return a=+1($entry($arg2:x64)):u8");
	both("vfs_read file->dentry->d_name.name p=&file->dentry->d_iname[1]",
	     "vfs_read name=+16(+8($arg1)):x64 p=+0(+8($arg1)+25):string");
	both("p vfs_read buf", "p vfs_read buf=$arg2:x64");
}

static void test_task(void **state)
{
	both("vfs_read $task->tgid c=$task->comm",
	     "vfs_read tgid=+8($task):s32 c=+32($task):string(16)");
	both("vfs_read+4 p=$task->real_parent->tgid if $task->tgid == 1",
	     "vfs_read+4 p=+8(+16($task)):s32 if (s32)+8($task) == 1");
	both("mod_read $task.tgid", "mod_read tgid=+8($task):s32");
	both("vfs_read%return $task->tgid $entry($task->tgid)",
	     "vfs_read%return tgid=+8($task):s32 tgid_2=$entry(+8($task):s32)");
	both("vfs_read $task", "vfs_read task=$task:x64");
	typed("vfs_read a=*$task", FIELD_STRUCT, 64, "task_struct");
}

static void test_tracepoints(void **state)
{
	both("tracepoint:ev file->f_pos nr",
	     "tracepoint:ev f_pos=+16($arg1):s64 nr=$arg2:s32");
	both("t ev $arg*", "t ev file=$arg1:x64 nr=$arg2:s32");
}

static void test_kernel_syntax(void **state)
{
	both("p:g/e vfs_read count file->f_pos n=file->dentry->d_name.name:string",
	     "p:g/e vfs_read count=$arg3:u64 arg2=+16($arg1):s64 n=+0(+16(+8($arg1))):string");
	both("p:g/e vfs_read +0(pos) count:x32 +0(file->dentry):u8",
	     "p:g/e vfs_read +0($arg4) count=$arg3:x32 +0(+8($arg1)):u8");
	/* a bit-field with a type is none there */
	both("p:g/e vfs_read b=file->ready:u8 file->s file->a",
	     "p:g/e vfs_read b=+32($arg1):u8 arg2=+32($arg1):sb5@0/32 arg3=+28($arg1):b3@0/32");
	both("p:g/e vfs_read b=file->b:u8", "p:g/e vfs_read b=+28($arg1):u8");
	/* what has no type of its own there is an x64 */
	both("p:g/e vfs_read n=file->nums d=file->dentry->d_name",
	     "p:g/e vfs_read n=+40($arg1):x64 d=+8(+8($arg1)):x64");
	both("r:g/e vfs_read $retval count", "r:g/e vfs_read arg1=$retval:s64 count=$arg3:u64");
	both("r:g/e vfs_write $retval->f_pos", "r:g/e vfs_write +16($retval):s64");
}

static void test_definitions_stay(void **state)
{
	static const char *const texts[] = {
		"e=vfs_read count=count i_ino=file->dentry->d_inode->i_ino $arg*",
		"vfs_read a=file.f_pos+1 if count > 3 && buf == \"x\"",
		"p:g/e vfs_read file->f_pos $arg* %di",
		"vfs_write%return retval=$retval",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(texts); i++) {
		struct built b;

		build(&b, texts[i], X86);
		assert_string_equal(b.program->layout->definition, texts[i]);
		built_deinit(&b);
	}
}

/* ---- what is refused ----------------------------------------------------------- */

struct row {
	const char *marked;
	enum diag_code code;
	const char *hint;
};

static void check_row(const struct row *row)
{
	struct diag d = {};
	struct caret c;
	struct built b;

	assert_true(caret_init(&c, row->marked));
	if (!make(&b, c.text, X86, &d))
		fail_msg("%s: accepted", c.text);
	assert_true(caret_check(&c, &d, row->code, row->hint));
	met[d.code] = true;
	built_deinit(&b);
	diag_clear(&d);
}

static void check_rows(const struct row *rows, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		check_row(&rows[i]);
}

static void test_unknown_names(void **state)
{
	static const struct row rows[] = {
		{ "vfs_read ^cuont", DIAG_VAR_NO_PARAM, "did you mean 'count'?" },
		{ "vfs_read ^di", DIAG_VAR_NO_PARAM, "did you mean '%di'?" },
		{ "vfs_read if ^comm == \"cat\"", DIAG_VAR_NO_PARAM, "'$comm'" },
		{ "vfs_read if ^pid == 1", DIAG_VAR_NO_PARAM, "'$pid'" },
		{ "vfs_read%return ret=^retval", DIAG_VAR_NO_PARAM, "'$retval'" },
		{ "vfs_read ret=^retval", DIAG_VAR_NO_PARAM, "there are: file" },
		{ "vfs_read a=+0(^zzzzzz)", DIAG_VAR_NO_PARAM,
		  "there are: file, buf, count, pos" },
		{ "vfs_read if ^cuont > 3", DIAG_VAR_NO_PARAM, "'count'" },
		{ "vfs_read x=%di if ^x->f_pos", DIAG_VAR_NO_PARAM, NULL },
		{ "p vfs_read file ^nofile", DIAG_VAR_NO_PARAM, NULL },
		{ "by_value ^$arg2->x", DIAG_VAR_NO_NTH, NULL },
		{ "vfs_read file->^f_pso", DIAG_VAR_NO_MEMBER, "'f_pos'" },
		{ "vfs_read file->dentry->d_name.^hahs", DIAG_VAR_NO_MEMBER,
		  "'hash'" },
		{ "p vfs_read file->dentry->^d_nam", DIAG_VAR_NO_MEMBER, NULL },
		{ "none ^$arg*", DIAG_VAR_NO_PARAMS, NULL },
		{ "p vfs_read count ^$arg*", DIAG_SPEC_USED_NAME, NULL },
		{ "nameless ^$arg*", DIAG_VAR_NAMELESS, NULL },
		{ "tracepoint:ev ^__data", DIAG_VAR_NO_PARAM, NULL },
	};

	check_rows(rows, ARRAY_SIZE(rows));
}

static void test_too_few(void **state)
{
	static const struct row rows[] = {
		{ "vfs_read ^$arg5", DIAG_VAR_FEW_PARAMS,
		  "it has: file, buf, count, pos" },
		{ "vfs_read ^$arg9->x", DIAG_VAR_FEW_PARAMS, NULL },
		{ "vfs_read count a=1+(s32)+8(^$arg10)", DIAG_VAR_FEW_PARAMS,
		  NULL },
		{ "vfs_read if count > ^$arg7", DIAG_VAR_FEW_PARAMS, NULL },
		{ "vfs_read if 1 ? 2 : ^$arg7", DIAG_VAR_FEW_PARAMS, NULL },
		{ "vfs_read%return ^$arg5", DIAG_VAR_FEW_PARAMS, NULL },
		{ "vfs_read%return $entry(^$arg5:s32)", DIAG_VAR_FEW_PARAMS,
		  NULL },
		{ "vfs_write ^$arg11", DIAG_VAR_FEW_PARAMS, NULL },
		{ "nameless ^$arg2", DIAG_VAR_FEW_PARAMS,
		  "it has: one without a name" },
		{ "returns_big ^$arg3", DIAG_VAR_FEW_PARAMS, NULL },
		{ "number ^$arg1", DIAG_VAR_FEW_PARAMS, NULL },
		{ "p vfs_read x=$arg9 ^$arg9", DIAG_VAR_FEW_PARAMS, NULL },
		{ "r vfs_read ^$arg5:u8", DIAG_VAR_FEW_PARAMS, NULL },
		{ "t ev ^$arg3", DIAG_VAR_FEW_PARAMS, NULL },
		{ "tracepoint:ev ^$arg3", DIAG_VAR_FEW_PARAMS,
		  "it has: file, nr" },
	};
	/* 2 registers are sockptr's; big is 3 words */
	static const char *const texts[] = {
		"vfs_read $arg4", "vfs_write $arg10", "by_value $arg5",
		"by_value $arg10", "words $arg11", "tracepoint:ev $arg2",
		"p vfs_read x=$arg9", "r vfs_read +0($arg9)",
		"f vfs_read x=$arg128:u8", "p number $arg9", "p variadic $arg9",
		"t ev x=$arg9", "vfs_read+4 %di", "asm_only $arg9",
		"none $arg3", "twin $arg2", "cut.isra.0 $arg9", "mod_read $arg9",
		"sys:openat $arg6", "variadic $arg9", "returns_big $arg2",
	};
	struct built b;

	check_rows(rows, ARRAY_SIZE(rows));
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		build(&b, texts[i], X86);
		built_deinit(&b);
	}
	/* what is on the stack on one machine is in registers on the other */
	build(&b, "by_value $arg6", ARM);
	built_deinit(&b);
}

/* Where x86-64 returns a structure to is what comes first. */
static void test_hidden_parameter(void **state)
{
	same(X86, "returns_big a", "returns_big a=$arg2:s32");
	same(ARM, "returns_big a", "returns_big a=$arg1:s32");
}

static void test_places(void **state)
{
	static const struct row rows[] = {
		{ "vfs_read+4 ^count", DIAG_VAR_NOT_HERE, NULL },
		{ "vfs_read+4 ^di", DIAG_VAR_NOT_HERE, "'%di'" },
		{ "vfs_read+4 a=^$arg1->f_pos", DIAG_VAR_NOT_HERE, NULL },
		{ "p vfs_read+4 ^$arg*", DIAG_VAR_NOT_HERE, NULL },
		{ "sys:openat ^filename", DIAG_VAR_NOT_HERE, "$arg1 to $arg6" },
		{ "twin ^a", DIAG_BTF_SEVERAL, "$arg1" },
		{ "0xffffffff81000c00 ^a", DIAG_VAR_TWINS, "$arg1" },
		{ "0xffffffff81000d00 ^a", DIAG_BTF_NO_FUNCTION, NULL },
		{ "asm_only ^a", DIAG_BTF_NO_FUNCTION, "$arg1" },
		{ "asm_only%return ^$retval->x", DIAG_BTF_NO_FUNCTION, NULL },
		{ "cut.isra.0 ^a", DIAG_BTF_NO_FUNCTION, "the compiler changed" },
		{ "mod_read ^a", DIAG_BTF_NO_MODULE, "$arg1" },
		{ "none%return ^$retval", DIAG_VAR_VOID, NULL },
		{ "r none ^$retval", DIAG_VAR_VOID, NULL },
		{ "r none ^$retval->x", DIAG_VAR_VOID, NULL },
		{ "asm_only%return a=$retval:^string", DIAG_SPEC_BAD_STRING,
		  "+0($retval)" },
	};

	check_rows(rows, ARRAY_SIZE(rows));
}

static void test_types(void **state)
{
	static const struct row rows[] = {
		{ "vfs_read count->^x", DIAG_VAR_NO_STRUCT, NULL },
		{ "p vfs_read count->^x", DIAG_VAR_NO_STRUCT, NULL },
		{ "vfs_read file->f_pos.^x", DIAG_VAR_NO_STRUCT, NULL },
		{ "vfs_read file->priv->^x", DIAG_VAR_FORWARD, NULL },
		{ "vfs_read file->dentry->d_name->^len", DIAG_VAR_ARROW, NULL },
		{ "p vfs_read file.^f_pos", DIAG_VAR_ARROW, NULL },
		{ "p vfs_read file->dentry.^d_inode", DIAG_VAR_ARROW, NULL },
		{ "vfs_read a=^(%di)->x", DIAG_VAR_NO_TYPE, NULL },
		{ "vfs_read a=*^%di", DIAG_VAR_NO_TYPE, NULL },
		{ "vfs_read $task->^tgdi", DIAG_VAR_NO_MEMBER, "'tgid'" },
		{ "vfs_read a=*^count", DIAG_VAR_NO_POINTER, NULL },
		{ "vfs_read a=^count[1]", DIAG_VAR_NO_POINTER, NULL },
		{ "vfs_read a=*^file->mnt", DIAG_VAR_NO_TARGET, NULL },
		{ "vfs_read a=^file->priv[1]", DIAG_VAR_NO_TARGET, NULL },
		{ "vfs_read a=file->nums[^4]", DIAG_VAR_BOUNDS, NULL },
		{ "vfs_read a=^&count", DIAG_VAR_NO_ADDRESS, NULL },
		{ "vfs_read a=^&file->a", DIAG_VAR_NO_ADDRESS, NULL },
		{ "vfs_read a=^file->dentry->d_name+1", DIAG_VAR_NO_NUMBER,
		  "name a member" },
		{ "vfs_read a=*file if ^a", DIAG_VAR_STRUCT_VALUE, NULL },
		{ "vfs_read file->^tail", DIAG_VAR_NO_LENGTH, "[0]" },
		{ "vfs_read a=^file->load+1", DIAG_VAR_NO_NUMBER, NULL },
		{ "vfs_read a=^*file+1", DIAG_VAR_NO_NUMBER, NULL },
		{ "vfs_read ^count:string", DIAG_VAR_NO_TEXT, NULL },
		{ "p vfs_read file->^f_pos:string", DIAG_VAR_NO_TEXT, NULL },
		{ "vfs_read if (string)^count == \"x\"", DIAG_VAR_NO_TEXT, NULL },
		{ "vfs_read if ^count == \"x\"", DIAG_COMPILE_NO_TEXT, NULL },
		{ "vfs_read a=^file-file", DIAG_VAR_POINTERS, NULL },
		{ "vfs_read a=^3-file", DIAG_VAR_POINTERS, NULL },
		{ "vfs_read a=1+^$arg*", DIAG_SPEC_ARGS_ALONE, NULL },
		{ "by_value ^opt", DIAG_VAR_BY_VALUE, NULL },
		{ "by_value ^odd", DIAG_VAR_BY_VALUE, NULL },
		{ "by_value ^big", DIAG_VAR_BY_VALUE, NULL },
		{ "by_value a=^uid+1", DIAG_VAR_NO_NUMBER, "uid.m" },
		{ "by_value ^d", DIAG_VAR_BY_VALUE, NULL },
		{ "by_value a=two.^d", DIAG_VAR_IN_REGISTER, NULL },
		{ "vfs_read ^count:x8[4]", DIAG_VAR_NO_POINTER, NULL },
		{ "by_value ^$arg*", DIAG_VAR_BY_VALUE, NULL },
	};

	check_rows(rows, ARRAY_SIZE(rows));
}

static void test_messages(void **state)
{
	static const struct {
		const char *text, *message;
	} rows[] = {
		{ "vfs_read cuont", "'vfs_read' has no parameter 'cuont'" },
		{ "vfs_read file->x", "struct file has no member 'x'" },
		{ "vfs_read count->x",
		  "'count' has no members: it is a long unsigned int" },
		{ "vfs_read buf.x", "'buf' has no members: it is a const char *" },
		{ "vfs_read a=file->priv->x",
		  "the members of struct opaque are not known here" },
		{ "vfs_read pos:string", "'pos' is not a string: it is a long long int *" },
		{ "vfs_read file->tail",
		  "how many elements 'file->tail' has is not known here: it is a long unsigned int[]" },
		{ "vfs_read a=*file if a > 3",
		  "'a' is more than one number, and this needs one" },
		{ "vfs_read $arg5", "'vfs_read' has 4 parameters, and no $arg5" },
		{ "nameless $arg2", "'nameless' has 1 parameter, and no $arg2" },
		{ "by_value opt",
		  "the parameter 'opt' is not in one register, nor in one word of the stack: it is a struct sockptr" },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		struct diag d = {};
		struct built b;

		assert_int_not_equal(make(&b, rows[i].text, X86, &d), 0);
		assert_string_equal(d.message, rows[i].message);
		built_deinit(&b);
		diag_clear(&d);
	}
}

/* Tests run in order: this is the last. */
static void test_every_row_was_met(void **state)
{
	static const enum diag_code codes[] = {
#define DIAG(name, status, text) DIAG_##name,
#include "bind/errors.def"
#undef DIAG
	};

	/* places.t meets these */
	met[DIAG_SYSCALL_NO_ARG] = true;
	met[DIAG_SYSCALL_NO_ARGS] = true;
	assert_int_equal(caret_not_met(met, codes, ARRAY_SIZE(codes)), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parameters),
		cmocka_unit_test(test_all_parameters),
		cmocka_unit_test(test_members),
		cmocka_unit_test(test_bit_fields),
		cmocka_unit_test(test_elements),
		cmocka_unit_test(test_texts),
		cmocka_unit_test(test_expressions),
		cmocka_unit_test(test_returns),
		cmocka_unit_test(test_structures_by_value),
		cmocka_unit_test(test_typed_fields),
		cmocka_unit_test(test_structures_are_bytes),
		cmocka_unit_test(test_letters),
		cmocka_unit_test(test_task),
		cmocka_unit_test(test_tracepoints),
		cmocka_unit_test(test_kernel_syntax),
		cmocka_unit_test(test_definitions_stay),
		cmocka_unit_test(test_unknown_names),
		cmocka_unit_test(test_too_few),
		cmocka_unit_test(test_hidden_parameter),
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_types),
		cmocka_unit_test(test_messages),
		cmocka_unit_test(test_every_row_was_met),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, setup, teardown);
}
