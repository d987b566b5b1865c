// SPDX-License-Identifier: GPL-2.0
/* Places and addresses in tables of symbols that are made up here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <errno.h>
#include <linux/ktap.h>
#include <unistd.h>

#include "arch/syscall_args.h"
#include "base/array.h"
#include "place/blacklist.h"
#include "place/stack.h"
#include "place/symtab.h"
#include "tests/built.h"
#include "tests/caret.h"

static bool met[DIAG_NR];

static const char table[] =
	"0000000000000000 A fixed_percpu_data\n"
	"0000000000001000 A cpu_number\n"
	"ffffffff81000000 T _stext\n"
	"ffffffff81000000 T _text\n"
	"ffffffff81000100 T vfs_read\n"
	"ffffffff81000200 t helper\n"
	"ffffffff81000280 t twice\n"
	"ffffffff810002f0 t __pfx_vfs_write\n"
	"ffffffff81000300 T vfs_write\n"
	"ffffffff81000300 T ksys_write\n"
	"ffffffff81000400 t twice\n"
	"ffffffff81000440 t folded.isra.0\n"
	"ffffffff81000480 t same\n"
	"ffffffff81000480 t same\n"
	"ffffffff810004e0 T __traceiter_vfs_event\n"
	"ffffffff810004f0 t __cfi_weak_one\n"
	"ffffffff81000500 W weak_one\n"
	"ffffffff81000540 t init_one\n"
	"ffffffff81000600 T _etext\n"
	"ffffffff81000600 D __start_rodata\n"
	"ffffffff81000680 R linux_banner\n"
	"ffffffff81000700 D helper\n"
	"ffffffff81000800 D shared_data\n"
	"ffffffff81000900 d shared_data\n"
	"ffffffffc0001200 t xfs_late\t[xfs]\n"
	"ffffffffc0001000 t xfs_read\t[xfs]\n"
	"ffffffffc0001100 t init_one\t[xfs]\n"
	"ffffffffc0002000 t kvm_run\t[kvm_intel]\n"
	"ffffffffc0002100 t init_one\t[kvm_intel]\n"
	"ffffffffc0002200 t init_one\t[kvm_intel]\n";

/* The same with every address withheld. */
static char *hidden_table(void)
{
	char *text = strdup(table), *line;

	for (line = text; *line; line = strchr(line, '\n') + 1)
		memset(line, '0', 16);
	return text;
}

static struct ksyms *load_ok(const char *text)
{
	struct ksyms *ks = NULL;

	assert_int_equal(built_load(text, NULL, &ks), 0);
	return ks;
}

static int resolve(const struct ksyms *ks, const char *text, struct diag *d,
		   struct place *place)
{
	_cleanup_(spec_freep) struct probe_spec *spec = NULL;

	assert_int_equal(spec_parse(text, d, &spec), 0);
	return ksyms_resolve(ks, spec, d, place);
}

struct found {
	const char *text, *symbol, *module;
	uint64_t offset, address;
};

static void check_found(const struct ksyms *ks, const struct found *f)
{
	struct place place;
	struct diag d = {};

	if (resolve(ks, f->text, &d, &place))
		fail_msg("%s: %s", f->text, d.message);
	if (f->symbol)
		assert_string_equal(place.symbol, f->symbol);
	else
		assert_null(place.symbol);
	if (f->module)
		assert_string_equal(place.module, f->module);
	else
		assert_null(place.module);
	assert_int_equal(place.offset, f->offset);
	assert_int_equal(place.address, f->address);
	place_deinit(&place);
}

static void test_places(void **state)
{
	static const struct found rows[] = {
		{ "vfs_read", "vfs_read", NULL, 0, 0xffffffff81000100 },
		{ "vfs_read+255", "vfs_read", NULL, 255, 0xffffffff810001ff },
		/* the padding in front of the next function is not its own */
		{ "vmlinux:helper+0x7f", "helper", NULL, 0x7f,
		  0xffffffff8100027f },
		/* data of the same name is no rival */
		{ "helper", "helper", NULL, 0, 0xffffffff81000200 },
		{ "same", "same", NULL, 0, 0xffffffff81000480 },
		{ "weak_one", "weak_one", NULL, 0, 0xffffffff81000500 },
		{ "folded.isra.0+1", "folded.isra.0", NULL, 1,
		  0xffffffff81000441 },
		{ "ksys_write", "ksys_write", NULL, 0, 0xffffffff81000300 },
		{ "xfs_read", "xfs_read", "xfs", 0, 0xffffffffc0001000 },
		{ "xfs:init_one", "init_one", "xfs", 0, 0xffffffffc0001100 },
		{ "vmlinux:init_one", "init_one", NULL, 0, 0xffffffff81000540 },
		{ "kvm-intel:kvm_run+4", "kvm_run", "kvm_intel", 4,
		  0xffffffffc0002004 },
		{ "kvm_intel:kvm_run", "kvm_run", "kvm_intel", 0,
		  0xffffffffc0002000 },
		/* nothing follows the last one: its end is not known */
		{ "0xffffffffc0012200", "init_one", "kvm_intel", 0x10000,
		  0xffffffffc0012200 },
		{ "0xffffffff81000104", "vfs_read", NULL, 4,
		  0xffffffff81000104 },
		{ "0xffffffffc0001010", "xfs_read", "xfs", 16,
		  0xffffffffc0001010 },
		{ "p xfs:xfs_read+8", "xfs_read", "xfs", 8,
		  0xffffffffc0001008 },
	};
	struct ksyms *ks = load_ok(table);
	size_t i;

	assert_false(ksyms_hidden(ks));
	for (i = 0; i < ARRAY_SIZE(rows); i++)
		check_found(ks, &rows[i]);
	ksyms_free(ks);
}

/* Without addresses names still do. */
static void test_hidden_places(void **state)
{
	static const struct found rows[] = {
		{ "vfs_read", "vfs_read", NULL, 0, 0 },
		{ "vfs_read+0x1000", "vfs_read", NULL, 0x1000, 0 },
		{ "xfs:init_one", "init_one", "xfs", 0, 0 },
		{ "helper", "helper", NULL, 0, 0 },
		{ "0xffffffff81000104", NULL, NULL, 0, 0xffffffff81000104 },
	};
	char *text = hidden_table();
	struct ksyms *ks = load_ok(text);
	size_t i;

	assert_true(ksyms_hidden(ks));
	for (i = 0; i < ARRAY_SIZE(rows); i++)
		check_found(ks, &rows[i]);
	assert_null(ksyms_by_address(ks, 0));
	ksyms_free(ks);
	free(text);
}

struct missed {
	const char *marked;
	int err;
	enum diag_code code;
	const char *hint;
};

static void check_missed(const struct ksyms *ks, const struct missed *rows,
			 size_t nr)
{
	size_t i, bad = 0;

	for (i = 0; i < nr; i++) {
		struct place place;
		struct diag d = {};
		struct caret c;

		assert_true(caret_init(&c, rows[i].marked));
		assert_int_equal(resolve(ks, c.text, &d, &place), rows[i].err);
		bad += !caret_check(&c, &d, rows[i].code, rows[i].hint);
		met[d.code] = true;
		assert_null(place.symbol);
		diag_clear(&d);
	}
	assert_int_equal(bad, 0);
}

static void test_missing(void **state)
{
	static const struct missed rows[] = {
		{ "^vfs_raed %di", -ENOENT, DIAG_KSYMS_NO_SYMBOL,
		  "did you mean 'vfs_read'?" },
		{ "ev=^vfs_reed+8", -ENOENT, DIAG_KSYMS_NO_SYMBOL, "'vfs_read'" },
		{ "p ^vfs_raed", -ENOENT, DIAG_KSYMS_NO_SYMBOL, "'vfs_read'" },
		/* what the compiler made of it */
		{ "^folded", -ENOENT, DIAG_KSYMS_NO_SYMBOL, "'folded.isra.0'" },
		{ "^vfs_event", -ENOENT, DIAG_KSYMS_NO_SYMBOL,
		  "it is a tracepoint: write 'tracepoint:vfs_event'" },
		{ "^vfs_even", -ENOENT, DIAG_KSYMS_NO_SYMBOL, NULL },
		{ "mem:^vfs_event", -ENOENT, DIAG_KSYMS_NO_SYMBOL, NULL },
		/* nobody means those */
		{ "^__pfx_vfs_writes", -ENOENT, DIAG_KSYMS_NO_SYMBOL, NULL },
		{ "^xsf:xfs_read", -ENOENT, DIAG_KSYMS_NO_MODULE,
		  "did you mean 'xfs'?" },
		{ "mem:^nothing:xfs_read", -ENOENT, DIAG_KSYMS_NO_MODULE,
		  "loaded" },
		{ "xfs:^xfs_raed", -ENOENT, DIAG_KSYMS_NOT_IN_MODULE,
		  "did you mean 'xfs_read'?" },
		{ "xfs:^vfs_raed", -ENOENT, DIAG_KSYMS_NOT_IN_MODULE, NULL },
		{ "xfs:^vfs_read", -ENOENT, DIAG_KSYMS_NOT_IN_MODULE,
		  "did you mean 'vmlinux:vfs_read'?" },
		{ "vmlinux:^kvm_run", -ENOENT, DIAG_KSYMS_NOT_IN_MODULE,
		  "did you mean 'kvm_intel:kvm_run'?" },
		{ "p ^xfs:vfs_read", -ENOENT, DIAG_KSYMS_NOT_IN_MODULE, NULL },
		{ "^linux_banner", -ENOENT, DIAG_KSYMS_DATA, "@linux_banner" },
		{ "vmlinux:^shared_data", -ENOENT, DIAG_KSYMS_DATA, NULL },
		{ "vfs_read^+256", -EINVAL, DIAG_KSYMS_PAST_END, NULL },
	};
	struct ksyms *ks = load_ok(table);

	check_missed(ks, rows, ARRAY_SIZE(rows));
	ksyms_free(ks);
}

static void test_no_function_there(void **state)
{
	static const struct missed rows[] = {
		{ "^0x500", -ENOENT, DIAG_KSYMS_NO_FUNCTION, NULL },
		{ "^0x7fff12345678", -ENOENT, DIAG_KSYMS_NO_FUNCTION, NULL },
		{ "^0xffffffff81000600", -ENOENT, DIAG_KSYMS_NO_FUNCTION, NULL },
		{ "^0xffffffff81000690", -ENOENT, DIAG_KSYMS_NO_FUNCTION, NULL },
		{ "p ^0xffffffffbfffffff", -ENOENT, DIAG_KSYMS_NO_FUNCTION, NULL },
		{ "^0xffffffff81000104%return", -EINVAL, DIAG_KSYMS_NOT_ENTRY,
		  NULL },
		{ "r ^0xffffffff81000104", -EINVAL, DIAG_KSYMS_NOT_ENTRY, NULL },
	};
	struct ksyms *ks = load_ok(table);

	check_missed(ks, rows, ARRAY_SIZE(rows));
	ksyms_free(ks);
}

/* A module that is not there yet keeps its symbol for the kernel. */
static void test_absent_module(void **state)
{
	struct ksyms *ks = load_ok(table);
	struct place place;

	assert_int_equal(resolve(ks, "nothing:xfs_read+4", NULL, &place), 0);
	assert_true(place.module_absent);
	assert_string_equal(place.module, "nothing");
	assert_string_equal(place.symbol, "xfs_read");
	assert_int_equal(place.offset, 4);
	assert_int_equal(place.address, 0);
	place_deinit(&place);
	assert_int_equal(resolve(ks, "xfs:xfs_read", NULL, &place), 0);
	assert_false(place.module_absent);
	place_deinit(&place);
	ksyms_free(ks);
}

static const char syscalls[] =
	"0000000000000000 A __per_cpu_start\n"
	"0000000000001000 A cpu_number\n"
	"0000000000002000 A __per_cpu_end\n"
	"ffffffff81000100 T __x64_sys_openat\n"
	"ffffffff81000200 T __ia32_sys_openat\n"
	"ffffffff81000300 T __x64_sys_newstat\n"
	"ffffffff81000380 T __x64_sys_openat2\n"
	"ffffffff81000400 T __do_sys_openat\n"
	"ffffffff81000500 D jiffies\n"
	"ffffffff81000508 D jiffies_lock\n"
	"ffffffff8100050a D pair\n"
	"ffffffff8100050a D pair_too\n"
	"ffffffff81000510 D byte\n"
	"ffffffff81000511 D end\n"
	"ffffffffc0001000 T __x64_sys_of_a_module\t[xfs]\n";

static void test_types(void **state)
{
	static const struct {
		const char *text;
		uint32_t type;
		bool is_entry, is_syscall;
		const char *symbol;
		uint64_t address;
	} rows[] = {
		{ "__do_sys_openat", KTAP_TYPE_KPROBE, true, false,
		  "__do_sys_openat", 0xffffffff81000400 },
		{ "__do_sys_openat+4", KTAP_TYPE_KPROBE, false, false,
		  "__do_sys_openat", 0xffffffff81000404 },
		{ "__do_sys_openat%return", KTAP_TYPE_KRETPROBE, true, false,
		  "__do_sys_openat", 0xffffffff81000400 },
		{ "0xffffffff81000400%return", KTAP_TYPE_KRETPROBE, true, false,
		  "__do_sys_openat", 0xffffffff81000400 },
		{ "sys:openat", KTAP_TYPE_KPROBE, true, true,
		  "__x64_sys_openat", 0xffffffff81000100 },
		{ "sys:stat%return", KTAP_TYPE_KRETPROBE, true, true,
		  "__x64_sys_newstat", 0xffffffff81000300 },
		{ "tracepoint:sched_switch", KTAP_TYPE_TRACEPOINT, false, false,
		  "sched_switch", 0 },
		{ "t sched_switch", KTAP_TYPE_TRACEPOINT, false, false,
		  "sched_switch", 0 },
	};
	struct ksyms *ks = load_ok(syscalls);
	struct place place;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		assert_int_equal(resolve(ks, rows[i].text, NULL, &place), 0);
		assert_int_equal(place.type, rows[i].type);
		assert_int_equal(place.is_entry, rows[i].is_entry);
		assert_int_equal(place.is_syscall, rows[i].is_syscall);
		assert_string_equal(place.symbol, rows[i].symbol);
		assert_int_equal(place.address, rows[i].address);
		place_deinit(&place);
	}
	ksyms_free(ks);
}

/* What is watched where nobody says: the largest word that fits. */
static void test_watches(void **state)
{
	const unsigned int rw = KTAP_ACCESS_READ | KTAP_ACCESS_WRITE;
	const struct {
		const char *text;
		uint64_t address;
		unsigned int length, access;
	} rows[] = {
		{ "mem:jiffies", 0xffffffff81000500, 8, rw },
		{ "mem:jiffies+4", 0xffffffff81000504, 4, rw },
		{ "mem:jiffies/2:w", 0xffffffff81000500, 2, KTAP_ACCESS_WRITE },
		{ "mem:jiffies_lock", 0xffffffff81000508, 2, rw },
		{ "mem:byte:r", 0xffffffff81000510, 1, KTAP_ACCESS_READ },
		{ "mem:__do_sys_openat:x", 0xffffffff81000400, 1,
		  KTAP_ACCESS_EXEC },
		{ "mem:0x1004:w", 0x1004, 4, KTAP_ACCESS_WRITE },
	};
	struct ksyms *ks = load_ok(syscalls);
	struct place place;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		assert_int_equal(resolve(ks, rows[i].text, NULL, &place), 0);
		assert_int_equal(place.type, KTAP_TYPE_WATCHPOINT);
		assert_int_equal(place.address, rows[i].address);
		assert_int_equal(place.watch_length, rows[i].length);
		assert_int_equal(place.watch_access, rows[i].access);
		place_deinit(&place);
	}
	ksyms_free(ks);
}

static void test_kinds_missed(void **state)
{
	static const struct missed rows[] = {
		{ "sys:^opnat", -ENOENT, DIAG_KSYMS_NO_SYSCALL, "'openat'" },
		{ "sys:^nothing", -ENOENT, DIAG_KSYMS_NO_SYSCALL, NULL },
		{ "sys:^of_a_module", -ENOENT, DIAG_KSYMS_NO_SYSCALL, NULL },
		{ "mem:^jifies", -ENOENT, DIAG_KSYMS_NO_SYMBOL, "'jiffies'" },
		{ "mem:byte^+1", -EINVAL, DIAG_KSYMS_PAST_END, NULL },
		{ "mem:^cpu_number", -EINVAL, DIAG_KSYMS_PERCPU, "0xADDRESS" },
	};
	static const struct missed functions_only[] = {
		{ "mem:^jiffies", -ENOENT, DIAG_KSYMS_NO_DATA,
		  "CONFIG_KALLSYMS_ALL" },
	};
	struct ksyms *ks = load_ok(syscalls);

	check_missed(ks, rows, ARRAY_SIZE(rows));
	ksyms_free(ks);
	ks = load_ok("ffffffff81000100 T vfs_read\n");
	check_missed(ks, functions_only, ARRAY_SIZE(functions_only));
	ksyms_free(ks);
}

static void check_glob(const struct ksyms *ks, const char *text, size_t twice,
		       const char *want)
{
	_cleanup_(spec_freep) struct probe_spec *spec = NULL;
	_cleanup_buf_ struct buf got = BUF_INIT;
	struct ksym_matches m;
	struct place place;
	size_t i;

	assert_int_equal(spec_parse(text, NULL, &spec), 0);
	assert_int_equal(ksyms_glob(ks, spec, NULL, &m), 0);
	assert_int_equal(m.twice, twice);
	for (i = 0; i < m.nr; i++) {
		const struct ksym_match *match = &m.match[i];

		buf_printf(&got, "%s%s%s%s", i ? " " : "",
			   match->module ? match->module : "",
			   match->module ? ":" : "", match->name);
		assert_int_equal(ksym_match_place(ks, match, spec, NULL,
						  &place), 0);
		assert_string_equal(place.symbol, match->sym.name);
		assert_int_equal(place.address, match->sym.address);
		assert_true(place.is_entry);
		place_deinit(&place);
	}
	assert_string_equal(buf_str(&got), want);
	ksym_matches_deinit(&m);
}

/* Kprobes' own code, by area and by mark, is left out. */
static void test_forbidden(void **state)
{
	static const struct missed none = {
		"^do_*", -ENOENT, DIAG_KSYMS_NO_MATCH, "kprobes themselves need"
	};
	struct ksyms *ks = load_ok("ffffffff81000100 T vfs_read\n"
				   "ffffffff81000200 T __noinstr_text_start\n"
				   "ffffffff81000200 T do_early\n"
				   "ffffffff81000280 T do_late\n"
				   "ffffffff81000300 T __noinstr_text_end\n"
				   "ffffffff81000300 T vfs_write\n"
				   "ffffffff81000400 T do_marked\n"
				   "ffffffff81000500 T __entry_text_start\n"
				   "ffffffff81000600 T vfs_entry\n"
				   "ffffffff82000000 d _kbl_addr_do_marked\n"
				   "ffffffff82000008 d _kbl_addr_vfs_write\t[xfs]\n");
	_cleanup_(spec_freep) struct probe_spec *spec = NULL;
	struct ksym_matches m;
	struct diag d = {};
	struct caret c;

	(void)state;
	/* an area without an end is none, and a module's mark is of the module */
	check_glob(ks, "vfs_*", 0, "vfs_entry vfs_read vfs_write");
	assert_true(caret_init(&c, none.marked));
	assert_int_equal(spec_parse(c.text, NULL, &spec), 0);
	assert_int_equal(ksyms_glob(ks, spec, &d, &m), -ENOENT);
	assert_true(caret_check(&c, &d, none.code, none.hint));
	diag_clear(&d);
	ksyms_free(ks);
}

/* Where there is ftrace, its hook may serve what is marked, but no such area. */
static void test_forbidden_but_hooked(void **state)
{
	struct ksyms *ks = load_ok("ffffffff81000200 T __noinstr_text_start\n"
				   "ffffffff81000200 T do_early\n"
				   "ffffffff81000300 T __noinstr_text_end\n"
				   "ffffffff81000300 T __kprobes_text_start\n"
				   "ffffffff81000300 T do_kprobes\n"
				   "ffffffff81000400 T __kprobes_text_end\n"
				   "ffffffff81000400 T do_marked\n"
				   "ffffffff81000500 T ftrace_set_filter_ip\n"
				   "ffffffff82000000 d _kbl_addr_do_marked\n");

	(void)state;
	check_glob(ks, "do_*", 0, "do_kprobes do_marked");
	ksyms_free(ks);
}

static void test_globs(void **state)
{
	static const struct missed none[] = {
		{ "^nothing*", -ENOENT, DIAG_KSYMS_NO_MATCH, NULL },
		{ "^twic?", -ENOENT, DIAG_KSYMS_NO_MATCH, "address" },
		{ "xfs:^vfs_*", -ENOENT, DIAG_KSYMS_NO_MATCH, "only the module 'xfs'" },
		{ "vmlinux:^xfs_*", -ENOENT, DIAG_KSYMS_NO_MATCH, NULL },
	};
	struct ksyms *ks = load_ok(table);
	size_t i;

	check_glob(ks, "vfs_*", 0, "vfs_read vfs_write");
	check_glob(ks, "*_write%return", 0, "ksys_write vfs_write");
	check_glob(ks, "s[a-b]me", 0, "same");
	check_glob(ks, "xfs:*", 0, "init_one xfs_late xfs_read");
	/* named with their modules; of the two of one module neither */
	check_glob(ks, "init_*", 2, "vmlinux:init_one xfs:init_one");
	for (i = 0; i < ARRAY_SIZE(none); i++) {
		_cleanup_(spec_freep) struct probe_spec *spec = NULL;
		struct ksym_matches m;
		struct diag d = {};
		struct caret c;

		assert_true(caret_init(&c, none[i].marked));
		assert_int_equal(spec_parse(c.text, NULL, &spec), 0);
		assert_int_equal(ksyms_glob(ks, spec, &d, &m), -ENOENT);
		assert_true(caret_check(&c, &d, none[i].code, none[i].hint));
		met[d.code] = true;
		diag_clear(&d);
	}
	ksyms_free(ks);
	/* also where those of the other modules were left out */
	ks = load_ok("ffffffff81000000 T _sinittext\n"
		     "ffffffff81000080 t foo_early\n"
		     "ffffffff81000100 T _einittext\n"
		     "ffffffff81000200 t foo\n"
		     "ffffffffc0001000 t foo\t[aaa]\n"
		     "ffffffffc0001100 t foo\t[aaa]\n"
		     "ffffffffc0002000 t foo_early\t[bbb]\n"
		     "ffffffffc0002100 t foo_late\t[bbb]\n");
	check_glob(ks, "foo*", 2, "vmlinux:foo bbb:foo_early foo_late");
	ksyms_free(ks);
	ks = load_ok(syscalls);
	check_glob(ks, "sys:open*", 0, "openat openat2");
	ksyms_free(ks);
}

static void test_ambiguous(void **state)
{
	static const struct missed rows[] = {
		{ "^twice", -EINVAL, DIAG_KSYMS_AMBIGUOUS,
		  "0xffffffff81000280 (vmlinux), 0xffffffff81000400 (vmlinux)" },
		{ "^init_one+4", -EINVAL, DIAG_KSYMS_AMBIGUOUS,
		  "vmlinux:init_one (0xffffffff81000540), xfs:init_one (0xffffffffc0001100)" },
		{ "^init_one", -EINVAL, DIAG_KSYMS_AMBIGUOUS,
		  ", 0xffffffffc0002100 (kvm_intel), 0xffffffffc0002200 (kvm_intel)" },
		{ "kvm_intel:^init_one", -EINVAL, DIAG_KSYMS_AMBIGUOUS,
		  "0xffffffffc0002100 (kvm_intel)" },
		{ "p:e ^kvm_intel:init_one", -EINVAL, DIAG_KSYMS_AMBIGUOUS,
		  NULL },
	};
	static const struct missed hidden_rows[] = {
		{ "^twice", -EINVAL, DIAG_KSYMS_AMBIGUOUS, "CAP_SYSLOG" },
		{ "^init_one", -EINVAL, DIAG_KSYMS_AMBIGUOUS,
		  "write which one: vmlinux:init_one, xfs:init_one" },
	};
	struct ksyms *ks = load_ok(table);
	char *text = hidden_table();

	check_missed(ks, rows, ARRAY_SIZE(rows));
	ksyms_free(ks);
	ks = load_ok(text);
	check_missed(ks, hidden_rows, ARRAY_SIZE(hidden_rows));
	ksyms_free(ks);
	free(text);
}

/* A crowd is not listed in full. */
static void test_ambiguous_crowd(void **state)
{
	struct buf b = BUF_INIT;
	struct place place;
	struct diag d = {};
	struct ksyms *ks;
	char *text;
	int i;

	for (i = 0; i < 8; i++)
		buf_printf(&b, "ffffffff8100000%d t crowd\n", i);
	text = buf_take(&b);
	ks = load_ok(text);
	assert_int_equal(resolve(ks, "crowd", &d, &place), -EINVAL);
	assert_non_null(strstr(d.message, "8 symbols"));
	assert_non_null(strstr(d.hint, "0xffffffff81000004 (vmlinux) and 3 more"));
	diag_clear(&d);
	ksyms_free(ks);
	free(text);
}

static int data_address(const struct ksyms *ks, const char *text,
			struct diag *d, uint64_t *ret)
{
	_cleanup_(spec_freep) struct probe_spec *spec = NULL;

	const struct expr *e;
	int err;

	assert_int_equal(spec_parse(text, NULL, &spec), 0);
	e = spec->args[0].expr;
	err = ksyms_data_address(ks, spec->text, e->at, e->text, d, ret);
	if (!err)
		*ret += (uint64_t)e->value;
	return err;
}

static void test_data_addresses(void **state)
{
	struct ksyms *ks = load_ok(table);
	uint64_t address;

	assert_int_equal(data_address(ks, "p f @linux_banner+8", NULL,
				      &address), 0);
	assert_int_equal(address, 0xffffffff81000688);
	assert_int_equal(data_address(ks, "p f @linux_banner-8", NULL,
				      &address), 0);
	assert_int_equal(address, 0xffffffff81000678);
	assert_int_equal(data_address(ks, "p f @vfs_read", NULL, &address), 0);
	assert_int_equal(address, 0xffffffff81000100);
	assert_int_equal(data_address(ks, "p f @cpu_number", NULL, &address),
			 0);
	assert_int_equal(address, 0x1000);
	ksyms_free(ks);
}

static void check_data(const struct ksyms *ks, const char *marked, int err,
		       enum diag_code code, const char *hint)
{
	struct diag d = {};
	uint64_t address;
	struct caret c;

	assert_true(caret_init(&c, marked));
	assert_int_equal(data_address(ks, c.text, &d, &address), err);
	assert_true(caret_check(&c, &d, code, hint));
	met[d.code] = true;
	diag_clear(&d);
}

static void test_data_errors(void **state)
{
	struct ksyms *ks = load_ok(table);
	char *text = hidden_table();

	check_data(ks, "g ^@linux_baner", -ENOENT, DIAG_KSYMS_NO_SYMBOL,
		   "did you mean 'linux_banner'?");
	check_data(ks, "g ^@shared_data+8", -EINVAL, DIAG_KSYMS_AMBIGUOUS,
		   "0xffffffff81000800 (vmlinux)");
	/* as data any symbol will do */
	check_data(ks, "g ^@helper", -EINVAL, DIAG_KSYMS_AMBIGUOUS, NULL);
	ksyms_free(ks);
	ks = load_ok(text);
	check_data(ks, "g ^@linux_banner", -EINVAL, DIAG_KSYMS_HIDDEN,
		   "CAP_SYSLOG");
	ksyms_free(ks);
	free(text);
}

static void test_by_address(void **state)
{
	static const struct {
		uint64_t address;
		const char *name;
	} rows[] = {
		{ 0xffffffff81000000, "_stext" },
		{ 0xffffffff810000ff, "_stext" },
		{ 0xffffffff81000100, "vfs_read" },
		{ 0xffffffff810002f4, "__pfx_vfs_write" },
		{ 0xffffffff81000310, "vfs_write" },
		{ 0xffffffff810005ff, "init_one" },
		{ 0xffffffff81000600, NULL },
		{ 0xffffffff81000fff, NULL },
		{ 0xffffffffc0000fff, NULL },
		{ 0xffffffffc0001000, "xfs_read" },
		{ 0xffffffffc0001250, "xfs_late" },
		{ 0xffffffffc02fffff, NULL }, /* as far as no function goes */
		{ 0xfffffffffffffffe, NULL }, /* -ENOENT */
		{ 0, NULL },
	};
	struct ksyms *ks = load_ok(table);
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct ksym *sym = ksyms_by_address(ks, rows[i].address);

		if (rows[i].name)
			assert_string_equal(sym->name, rows[i].name);
		else
			assert_null(sym);
	}
	assert_string_equal(ksyms_by_address(ks, 0xffffffffc0001000)->module,
			    "xfs");
	ksyms_free(ks);
}

/* A call may be the last instruction of a function; an interrupt may stop the first one. */
static void test_frames(void **state)
{
	static const struct {
		uint64_t frame;
		const char *as_return, *interrupted;
	} rows[] = {
		{ 0xffffffff81000080, "calls", "calls" },
		{ 0xffffffff81000100, "calls", "__pfx_next" },
		{ 0xffffffff81000110, "__pfx_next", "next" },
		{ 0xffffffff81000111, "next", "next" },
		{ 0xffffffff81000200, NULL, NULL },
		{ 0xffffffff81000000, NULL, "calls" },
		{ 0xffffffff81000180, "kretprobe_trampoline", "kretprobe_trampoline" },
	};
	struct ksyms *ks = load_ok("ffffffff81000000 T calls\n"
				   "ffffffff81000180 T kretprobe_trampoline\n"
				   "ffffffff81000100 t __pfx_next\n"
				   "ffffffff81000110 t next\n"
				   "ffffffff81000200 D table\n");
	struct {
		struct ktap_stack s;
		uint64_t frames[2];
	} stack = { .s.nr = 2 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		stack.frames[1] = rows[i].frame;
		for (uint8_t k = 0; k < 2; k++) {
			const char *want = k ? rows[i].interrupted : rows[i].as_return;
			const struct ksym *sym;

			stack.s.interrupted[0] = k;
			sym = frame_symbol(ks, &stack.s, 1);
			assert_int_equal(!!sym, !!want);
			if (sym)
				assert_string_equal(sym->name, want);
		}
		/* the first frame is never a return address */
		stack.s.interrupted[0] = 0;
		stack.frames[0] = rows[i].frame;
		assert_int_equal(frame_place(ks, &stack.s, 0), rows[i].frame);
	}
	assert_null(frame_symbol(NULL, &stack.s, 1));
	/* a signal handler returns to the frame before the one that the signal stopped */
	stack.s.nr = 3;
	stack.s.interrupted[0] = 2;
	assert_true(frame_is_return(&stack.s, 1));
	stack.s.flags = KTAP_STACK_F_USER;
	assert_false(frame_is_return(&stack.s, 1));
	assert_false(frame_is_return(&stack.s, 2));
	ksyms_free(ks);
}

/* A module's file stands where x86 numbers what each processor has of its own. */
static void test_by_address_percpu(void **state)
{
	struct ksyms *ks = load_ok("0000000000000000 D fixed_percpu_data\n"
				   "0000000000010000 t first\t[m]\n"
				   "0000000000010000 d same_place\n"
				   "0000000000010100 D cpu_hw_events\n"
				   "0000000000010200 t second\t[m]\n"
				   "0000000000010300 d table\t[m]\n"
				   "0000000000010400 D bts_ctx\n"
				   "ffffffff81000000 T _stext\n");

	assert_null(ksyms_by_address(ks, 0xffff));
	assert_string_equal(ksyms_by_address(ks, 0x10000)->name, "first");
	assert_string_equal(ksyms_by_address(ks, 0x101ff)->name, "first");
	assert_string_equal(ksyms_by_address(ks, 0x102ff)->name, "second");
	assert_null(ksyms_by_address(ks, 0x10300));
	assert_null(ksyms_by_address(ks, 0x10500));
	ksyms_free(ks);
}

/* Many symbols in no order, against a search that looks at all of them. */
static void test_by_address_unsorted(void **state)
{
	enum { NR = 5000 };
	struct buf b = BUF_INIT;
	uint64_t *starts = calloc(NR, sizeof(*starts)), address, best;
	unsigned int seed = 7, i, k;
	const struct ksym *sym;
	struct ksyms *ks;
	char *text;

	for (i = 0; i < NR; i++) {
		seed = seed * 1103515245 + 12345;
		starts[i] = 0x1000000 + (uint64_t)(seed >> 8) * 16 + 1;
		buf_printf(&b, "%016llx t f%u\n",
			   (unsigned long long)starts[i], i);
	}
	/* of two at one address the first is meant */
	for (i = 0; i < NR; i++)
		buf_printf(&b, "%016llx t again%u\n",
			   (unsigned long long)starts[i], i);
	text = buf_take(&b);
	ks = load_ok(text);
	for (k = 0; k < 500; k++) {
		seed = seed * 1103515245 + 12345;
		address = 0x1000000 + (uint64_t)(seed >> 8) * 16;
		for (i = 0, best = 0; i < NR; i++)
			if (starts[i] <= address && starts[i] > best)
				best = starts[i];
		sym = ksyms_by_address(ks, address);
		if (!best) {
			assert_null(sym);
			continue;
		}
		assert_int_equal(sym->address, best);
		assert_int_equal(sym->name[0], 'f');
	}
	ksyms_free(ks);
	free(starts);
	free(text);
}

/* Only lines that are symbols count; the last needs no newline. */
static void test_odd_files(void **state)
{
	struct ksyms *ks = load_ok("nonsense\n\n"
				   "fff T\n"
				   "ffffffff81000000T joined\n"
				   "11112222333344445 T too_long\n"
				   "ffffffff81000010 T \n"
				   "ffffffff81000020 T good\n"
				   "ffffffff81000030 t in_module\t[m]\n"
				   "10 t last");
	struct place place;

	assert_int_equal(resolve(ks, "good", NULL, &place), 0);
	assert_int_equal(place.address, 0xffffffff81000020);
	place_deinit(&place);
	assert_int_equal(resolve(ks, "m:in_module", NULL, &place), 0);
	place_deinit(&place);
	assert_int_equal(resolve(ks, "last", NULL, &place), 0);
	assert_int_equal(place.address, 0x10);
	place_deinit(&place);
	assert_int_equal(resolve(ks, "too_long", NULL, &place), -ENOENT);
	assert_int_equal(resolve(ks, "joined", NULL, &place), -ENOENT);
	assert_int_equal(resolve(ks, "oo_long", NULL, &place), -ENOENT);
	ksyms_free(ks);
}

static void test_blacklist(void **state)
{
	char path[] = "/tmp/ktap-blacklist.XXXXXX";
	FILE *f = fdopen(mkstemp(path), "w");

	assert_non_null(f);
	fputs("0xffffffff81000100-0xffffffff81000140\tirq_enter\n"
	      "not a line\n"
	      "0xffffffff81000200-0xffffffff81000201\tone\n", f);
	fclose(f);
	assert_false(blacklist_has(path, 0xffffffff810000ff));
	assert_true(blacklist_has(path, 0xffffffff81000100));
	assert_true(blacklist_has(path, 0xffffffff8100013f));
	assert_false(blacklist_has(path, 0xffffffff81000140));
	assert_true(blacklist_has(path, 0xffffffff81000200));
	unlink(path);
	assert_false(blacklist_has(path, 0xffffffff81000100));
}

static void test_unreadable(void **state)
{
	struct ksyms *ks = NULL;
	struct diag d = {};

	assert_int_equal(ksyms_load("/nonexistent/kallsyms", &d, &ks), -ENOENT);
	assert_int_equal(d.code, DIAG_KSYMS_READ);
	assert_non_null(strstr(d.message, "/nonexistent/kallsyms"));
	met[d.code] = true;
	diag_clear(&d);

	assert_int_equal(built_load("", &d, &ks), -EINVAL);
	assert_int_equal(d.code, DIAG_KSYMS_FORMAT);
	met[d.code] = true;
	diag_clear(&d);
	assert_int_equal(built_load("just text\n", &d, &ks), -EINVAL);
	diag_clear(&d);
	assert_null(ks);
}

/* Tests run in order: this is the last. Those of files are met by elf_test. */
static void test_every_row_was_met(void **state)
{
	static const enum diag_code codes[] = {
#define DIAG(name, status, text) DIAG_##name,
#include "place/errors.def"
#undef DIAG
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(codes); i++)
		if (strncmp(diag_name(codes[i]), "KSYMS_", 6))
			met[codes[i]] = true;
	assert_int_equal(caret_not_met(met, codes, ARRAY_SIZE(codes)), 0);
}

/* Only after a tab it is a module. */
static void test_brackets(void **state)
{
	static const char text[] =
		"0000000000000010 t [libc.so.6+0x2724a]\n"
		"0000000000000020 t [a]\t[mod]\n0000000000000030 t odd]\n";
	struct ksyms *ks;
	struct ksym sym;
	size_t pos = 0;

	(void)state;
	assert_int_equal(ksyms_parse(text, sizeof(text) - 1, NULL, &ks), 0);
	assert_true(ksyms_next(ks, &pos, &sym));
	assert_string_equal(sym.name, "[libc.so.6+0x2724a]");
	assert_null(sym.module);
	assert_true(ksyms_next(ks, &pos, &sym));
	assert_string_equal(sym.name, "[a]");
	assert_string_equal(sym.module, "mod");
	assert_true(ksyms_next(ks, &pos, &sym));
	assert_string_equal(sym.name, "odd]");
	ksyms_free(ks);
}

/* The first look-ups search the text, later ones an index: no difference. */
static void test_many_lookups(void **state)
{
	static const char text[] =
		"0000000000000010 T twice\n0000000000000020 t once\n"
		"0000000000000030 t twice\nno symbol at all\n"
		"0000000000000040 t twice\t[mod]\n0000000000000050 t twice_not\n";
	struct ksym sym;
	struct ksyms *ks;

	assert_int_equal(ksyms_parse(text, sizeof(text) - 1, NULL, &ks), 0);
	for (int i = 0; i < 30; i++) {
		size_t pos = 0;

		assert_true(ksyms_find(ks, "twice", &pos, &sym));
		assert_int_equal(sym.address, 0x10);
		assert_true(ksyms_find(ks, "twice", &pos, &sym));
		assert_int_equal(sym.address, 0x30);
		assert_null(sym.module);
		assert_true(ksyms_find(ks, "twice", &pos, &sym));
		assert_int_equal(sym.address, 0x40);
		assert_string_equal(sym.module, "mod");
		assert_false(ksyms_find(ks, "twice", &pos, &sym));
		pos = 0;
		assert_true(ksyms_find(ks, "once", &pos, &sym));
		assert_int_equal(sym.address, 0x20);
		pos = 0;
		assert_false(ksyms_find(ks, "twic", &pos, &sym));
	}
	ksyms_free(ks);
}

/* The table is searched by halves; numbers differ between machines. */
static void test_syscall_numbers(void **state)
{
#define NONE SYSCALL_NO_NUMBER
#define SYSCALL(name, x86_64, arm64, args) { "__x64_sys_" #name, x86_64 }, { "__arm64_sys_" #name, arm64 },
	static const struct {
		const char *symbol;
		int number;
	} rows[] = {
#include "arch/syscalls.def"
	};
#undef SYSCALL

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		assert_int_equal(syscall_number(rows[i].symbol), rows[i].number);
	assert_int_equal(syscall_number("__x64_sys_openat"), 257);
	assert_int_equal(syscall_number("__arm64_sys_openat"), 56);
	assert_int_equal(syscall_number("__arm64_sys_open"), NONE);
	assert_int_equal(syscall_number("__x64_sys_"), SYSCALL_NOT_KNOWN);
	assert_int_equal(syscall_number("vfs_read"), SYSCALL_NOT_KNOWN);
	assert_int_equal(syscall_number(""), SYSCALL_NOT_KNOWN);
#undef NONE
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_many_lookups),
		cmocka_unit_test(test_brackets),
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_hidden_places),
		cmocka_unit_test(test_missing),
		cmocka_unit_test(test_no_function_there),
		cmocka_unit_test(test_absent_module),
		cmocka_unit_test(test_types),
		cmocka_unit_test(test_watches),
		cmocka_unit_test(test_kinds_missed),
		cmocka_unit_test(test_globs),
		cmocka_unit_test(test_forbidden),
		cmocka_unit_test(test_forbidden_but_hooked),
		cmocka_unit_test(test_syscall_numbers),
		cmocka_unit_test(test_ambiguous),
		cmocka_unit_test(test_ambiguous_crowd),
		cmocka_unit_test(test_data_addresses),
		cmocka_unit_test(test_data_errors),
		cmocka_unit_test(test_by_address),
		cmocka_unit_test(test_frames),
		cmocka_unit_test(test_by_address_percpu),
		cmocka_unit_test(test_by_address_unsorted),
		cmocka_unit_test(test_odd_files),
		cmocka_unit_test(test_blacklist),
		cmocka_unit_test(test_unreadable),
		cmocka_unit_test(test_every_row_was_met),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
