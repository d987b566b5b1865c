// SPDX-License-Identifier: GPL-2.0
/*
 * What ktap's programs read, without a kernel: definitions of places in a file
 * with debug information are compiled as 'ktap add' does it, and run by the
 * module's interpreter over registers and memory that are a function of a seed.
 * scripts/dwarf/agree compares that with what other tools say.
 *
 * needs: kmod/hit/verify.c kmod/hit/fetch.c kmod/hit/state.c kmod/hit/match.c
 *
 *	dwarf_run [-x | -k VMLINUX] FILE SEED
 *
 * -k: FILE is a module of that kernel. Reads lines, whose words are separated by
 * tabs, and answers each with lines that end with "end":
 *
 *	sections			"section NAME ADDRESS" of what a module loads
 *	points DEFINITION		"point ADDRESS NAME...", or "error CODE TEXT"
 *	value ADDRESS EXPRESSION	at a point of the last definition:
 *		"number BITS VALUE"	"numbers BITS VALUE..."
 *		"text HEX"		"fault"		"refused CODE TEXT"
 *		and then "line KERNEL-LINE" or "noline TEXT"; before that
 *		"moved ADDRESS" if the probe is behind the prologue
 */
#include <dwarf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "codegen/kernel_line.h"
#include "define/debug_files.h"
#include "define/define.h"
#include "define/name.h"
#include "env_user.h"
#include "hit/fetch.h"
#include "hit/verify.h"
#include "ready.h"

#define LINE_MAX_BYTES 65536
#define STACK_WORDS 64

static u64 seed;
static struct definer definer;
static struct definition *points;
static char *definition;
static bool is_user;

/* ---- the world ---------------------------------------------------------------------- */

/* splitmix64; scripts/dwarf/world.py has the same. */
static u64 mix(u64 x)
{
	x += 0x9e3779b97f4a7c15ULL;
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ULL;
	x = (x ^ x >> 27) * 0x94d049bb133111ebULL;
	return x ^ x >> 31;
}

static int memory_byte(u64 addr, bool user)
{
	return mix((addr & ~7ULL) ^ seed) >> (addr & 7) * 8 & 0xff;
}

static u64 memory_word(u64 addr)
{
	u64 value = 0;

	for (int i = 7; i >= 0; i--)
		value = value << 8 | (u64)memory_byte(addr + i, false);
	return value;
}

static unsigned int sp_of(enum ktap_arch arch)
{
	return arch == KTAP_ARCH_ARM64 ? KTAP_ARM64_SP : KTAP_X86_64_SP;
}

static unsigned int pc_of(enum ktap_arch arch)
{
	return arch == KTAP_ARCH_ARM64 ? KTAP_ARM64_PC : KTAP_X86_64_IP;
}

/* As it looks to a program: stacks of users are where env_stack_word() has them. */
static void set_regs(const struct definition *def, struct env_regs *regs,
		     u64 *stack)
{
	u64 sp = is_user ? ENV_USER_STACK : 0xffffc90000000000ULL;

	for (unsigned int i = 0; i < ENV_NR_REGS; i++)
		regs->r[i] = mix(mix(seed) + i);
	regs->r[sp_of(def->arch)] = sp;
	regs->r[pc_of(def->arch)] = def->place.address;
	for (unsigned int i = 0; i < STACK_WORDS; i++)
		stack[i] = memory_word(sp + 8 * i);
	regs->stack = stack;
	regs->nr_stack = STACK_WORDS;
}

/* ---- answers ------------------------------------------------------------------------ */

/* Without what would end the line, or a word. */
static void put_words(const char *text)
{
	for (; text && *text; text++)
		putchar(*text == '\n' || *text == '\t' ? ' ' : *text);
}

static void put_failure(const char *what, struct diag *d)
{
	printf("%s\t%s\t", what, diag_name(d->code));
	put_words(d->message);
	putchar('\n');
	diag_clear(d);
}

/* What a debugger may call the function, if the symbol is another. */
static void put_names(const struct definition *p)
{
	Dwarf_Die die = p->func.die;
	Dwarf_Attribute attr;

	if (p->has_func && dwarf_diename(&die))
		printf("\t%s", dwarf_diename(&die));
	if (p->has_func &&
	    dwarf_attr_integrate(&die, DW_AT_linkage_name, &attr))
		printf("\t%s", dwarf_formstring(&attr));
	if (!p->has_func)
		printf("\t%s", p->place.symbol ? p->place.symbol : "?");
}

static void put_points(void)
{
	for (struct definition *p = points; p; p = p->next) {
		printf("point\t0x%" PRIx64, p->place.address);
		put_names(p);
		putchar('\n');
	}
}

static void put_number(const struct field *f, const u8 *from)
{
	u64 value = 0;
	unsigned int bits = f->size * 8;

	memcpy(&value, from, f->size);
	if (f->bit_width) {
		value >>= f->bit_offset;
		bits = f->bit_width;
	}
	value <<= 64 - bits;
	if (f->format == FORMAT_SIGNED)
		printf("\t%" PRId64, (int64_t)value >> (64 - bits));
	else
		printf("\t%" PRIu64, (uint64_t)value >> (64 - bits));
}

static void put_numbers(const struct field *f, const u8 *payload)
{
	unsigned int bits = f->bit_width ? f->bit_width : f->size * 8;

	printf("%s\t%u", f->count ? "numbers" : "number", bits);
	for (unsigned int i = 0; i < (f->count ? f->count : 1); i++)
		put_number(f, payload + f->offset + i * f->size);
	putchar('\n');
}

static void put_text(const struct layout *layout, const struct field *f,
		     const u8 *payload)
{
	struct ktap_string s;

	memcpy(&s, payload + f->offset, sizeof(s));
	if (s.flags & KTAP_STRING_F_FAULT) {
		puts("fault");
		return;
	}
	printf("text\t");
	for (unsigned int i = 0; i + 1 < s.len; i++)
		printf("%02x", payload[layout->fixed_size + i]);
	putchar('\n');
}

static void put_value(const struct layout *layout, const u8 *payload)
{
	const struct field *f = &layout->fields[0];
	u64 faults = 0;

	memcpy(&faults, payload + layout->faults_offset, layout->faults_size);
	if (f->kind == FIELD_STRUCT)
		puts("refused\tSTRUCT\tit is shown in full");
	else if (f->fault != FIELD_NO_FAULT && faults >> f->fault & 1)
		puts("fault");
	else if (f->kind == FIELD_STRING)
		put_text(layout, f, payload);
	else
		put_numbers(f, payload);
}

/* ---- requests ------------------------------------------------------------------------ */

static int run_ready(const struct program *program,
		     const struct ktap_prog_info *info,
		     const struct ktap_frame *frame, u8 *payload)
{
	struct ktap_insn *ready = ready_program(program->insns,
						program->nr_insns);
	int len = ktap_fetch_run(ready, info, frame, payload, NULL);

	free(ready);
	return len;
}

static void run_point(const struct definition *def)
{
	static u8 payload[KTAP_RECORD_MAX];
	const struct program *program = def->program;
	u64 stack[STACK_WORDS];
	struct env_regs regs;
	struct ktap_frame frame = { .regs = &regs };
	struct ktap_prog_info info;
	enum ktap_refusal why;
	u32 at;

	env_reset();
	env_world.byte = memory_byte;
	set_regs(def, &regs, stack);
	memset(payload, 0, sizeof(payload));
	/* nothing was entered here */
	if (program->frame.nr) {
		puts("refused\tENTRY\tit needs the entry of the function");
		return;
	}
	why = ktap_verify(program->insns, program->nr_insns, NULL, &info, &at);
	if (why)
		printf("refused\tVERIFY\t%s\n", ktap_refusal_text(why));
	else if (run_ready(program, &info, &frame, payload) < 0)
		puts("refused\tFETCH\tno record");
	else
		put_value(program->layout, payload);
}

static void put_line(const struct definition *def)
{
	_cleanup_buf_ struct buf b = BUF_INIT;
	const struct kernel_of of = {
		.ks = definer.ks, .name = def->spec->name,
		.maxactive = def->spec->place.maxactive,
		.place_at = def->spec->place.at,
	};
	struct diag d = {};

	if (kernel_line(def->terms, &def->place, def->arch, &of, &d, &b))
		put_failure("noline", &d);
	else
		printf("line\t%s\n", buf_str(&b));
}

static void ask_points(const char *text)
{
	struct diag d = {};

	definition_free(points);
	points = NULL;
	free(definition);
	definition = strdup(text);
	names_free(&definer);
	if (define_compile(&definer, text, &d, &points))
		put_failure("error", &d);
	else
		put_points();
}

static struct definition *find_point(u64 address)
{
	struct definition *p = points;

	while (p && p->place.address != address)
		p = p->next;
	return p;
}

/* As if @p's definition had that argument: the point is the same one. */
static int compile_at(const struct definition *p, const char *expr,
		      struct definition *def, struct diag *d)
{
	_cleanup_buf_ struct buf b = BUF_INIT;
	int err;

	buf_printf(&b, "%s a=%s", definition, expr);
	err = spec_parse_in(buf_str(&b), definer.file, d, &def->spec);
	if (err)
		return err;
	/* the strings stay @p's */
	def->place = p->place;
	def->bin = p->bin;
	def->arch = p->arch;
	def->func = p->func;
	def->has_func = p->has_func;
	names_free(&definer);
	return define_code(&definer, def, d);
}

static void ask_value(u64 address, const char *expr)
{
	struct definition *p = find_point(address);
	struct definition *def = calloc(1, sizeof(*def));
	struct diag d = {};

	if (!p || !def) {
		puts("refused\tNO_POINT\tno such point");
	} else if (compile_at(p, expr, def, &d)) {
		put_failure("refused", &d);
	} else {
		if (def->place.address != address)
			printf("moved\t0x%" PRIx64 "\n", def->place.address);
		run_point(def);
		put_line(def);
	}
	if (def)
		def->place = (struct place){};
	definition_free(def);
}

/* Modules have no addresses of their own: others have to take ours. */
static void put_sections(void)
{
	struct debug_section section;
	struct debug *dbg;

	if (debug_files_open(&definer, definer.module_file, NULL, &dbg))
		return;
	for (size_t i = 0; debug_section_at(dbg, i, &section); i++)
		if (section.is_loaded)
			printf("section\t%s\t0x%" PRIx64 "\n", section.name,
			       section.start);
}

static bool ask(char *line)
{
	char *save, *verb = strtok_r(line, "\t\n", &save);
	char *first = strtok_r(NULL, "\t\n", &save);
	char *second = strtok_r(NULL, "\t\n", &save);

	if (verb && first && !strcmp(verb, "points"))
		ask_points(first);
	else if (verb && second && !strcmp(verb, "value"))
		ask_value(strtoull(first, NULL, 0), second);
	else if (verb && !strcmp(verb, "sections"))
		put_sections();
	else
		return false;
	puts("end");
	return !fflush(stdout);
}

int main(int argc, char **argv)
{
	static char line[LINE_MAX_BYTES];
	const char *vmlinux = NULL;
	struct diag d = {};

	is_user = argc == 4 && !strcmp(argv[1], "-x");
	if (argc == 5 && !strcmp(argv[1], "-k"))
		vmlinux = argv[2];
	if (argc != 3 + is_user + 2 * !!vmlinux) {
		fputs("usage: dwarf_run [-x | -k VMLINUX] FILE SEED\n", stderr);
		return 2;
	}
	seed = strtoull(argv[argc - 1], NULL, 0);
	definer_init(&definer, NULL, 0, NULL, NULL, NULL);
	definer.dry = true;
	if (is_user)
		definer.file = argv[2];
	else
		definer.vmlinux = vmlinux ? vmlinux : argv[1];
	if (vmlinux && definer_set_module(&definer, argv[3], &d)) {
		fprintf(stderr, "dwarf_run: %s\n", d.message);
		return 1;
	}
	while (fgets(line, sizeof(line), stdin) && ask(line))
		;
	definition_free(points);
	free(definition);
	definer_deinit(&definer);
	return !feof(stdin);
}
