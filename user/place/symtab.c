// SPDX-License-Identifier: GPL-2.0
/*
 * Searching symbols: names as text, as a probe on one symbol needs no table of all of
 * them. Addresses are indexed when one is asked for, names when many are.
 */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/sort.h"
#include "place/cgroups.h"
#include "place/names.h"
#include "place/symtab.h"

/* Lists of modules that are kept: a record may be of one that was unloaded. */
#define RENEWED_MAX 4

/* As many searches through the text as an index of names costs. */
#define SEARCHES_MAX 8

/**
 * struct ksym_index - what is known beside the text, once it is needed
 * @syms: all symbols by address, and then as in the file
 * @nr: how many
 * @names: by name
 * @searches: names that were looked up
 * @renewed: those of modules as they were later, when an address needed them: the newest
 *	first, then NULL
 * @is_renewed: that was tried
 * @is_old: modules have come or gone since
 */
struct ksym_index {
	struct ksym *syms;
	size_t nr;
	struct ksym_names *names;
	unsigned int searches;
	struct ksyms *renewed[RENEWED_MAX];
	bool is_renewed;
	bool is_old;
};

struct ksym_index *ksym_index_new(void)
{
	return calloc(1, sizeof(struct ksym_index));
}

void ksym_index_old(struct ksym_index *index)
{
	index->is_renewed = false;
	index->is_old = true;
}

void ksym_index_free(struct ksym_index *index)
{
	if (!index)
		return;
	free(index->syms);
	ksym_names_free(index->names);
	for (size_t i = 0; i < RENEWED_MAX; i++)
		ksyms_free(index->renewed[i]);
	free(index);
}

char *ksym_print(const struct ksym *sym)
{
	struct buf b = BUF_INIT;

	buf_printf(&b, "%016llx %c %s", (unsigned long long)sym->address,
		   sym->type, sym->name);
	if (sym->module)
		buf_printf(&b, "\t[%s]", sym->module);
	buf_putc(&b, '\n');
	return buf_take(&b);
}

/* ---- walking ---- */

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The symbol of the line at @line; false where it is none. */
static bool parse_line(const struct ksyms *ks, const char *line,
		       struct ksym *ret)
{
	const char *s = line, *module;
	uint64_t address = 0;
	int digit;

	for (; (digit = hex_digit(*s)) >= 0; s++)
		address = address << 4 | (unsigned int)digit;
	if (s == line || s - line > 16 || s[0] != ' ' || !s[1] || s[2] != ' ' ||
	    !s[3])
		return false;
	ret->address = address;
	ret->type = s[1];
	ret->name = s + 3;
	module = ret->name + strlen(ret->name) + 1;
	ret->module = NULL;
	if (module < ks->text + ks->size && module[0] == '[')
		ret->module = module + 1;
	return true;
}

bool ksyms_next(const struct ksyms *ks, size_t *pos, struct ksym *ret)
{
	const char *line;

	while (*pos < ks->size) {
		line = ks->text + *pos;
		*pos += strlen(line) + 1;
		if (parse_line(ks, line, ret))
			return true;
	}
	return false;
}

static bool search(const struct ksyms *ks, const char *name, size_t *pos,
		   struct ksym *ret)
{
	_cleanup_buf_ struct buf needle = BUF_INIT;
	const char *hit, *line;

	buf_printf(&needle, " %s", name);
	if (needle.failed)
		return false;
	/* with its NUL: names that go on do not match */
	while (*pos < ks->size) {
		hit = memmem(ks->text + *pos, ks->size + 1 - *pos, needle.data,
			     needle.size + 1);
		if (!hit)
			break;
		*pos = hit + 1 - ks->text;
		line = memrchr(ks->text, '\0', hit - ks->text);
		line = line ? line + 1 : ks->text;
		if (parse_line(ks, line, ret) && ret->name == hit + 1)
			return true;
	}
	return false;
}

/* Without memory for the index the text is searched each time. */
static const struct ksym_names *names_of(const struct ksyms *ks)
{
	struct ksym_index *index = ks->index;

	if (index->searches < SEARCHES_MAX)
		index->searches++;
	else if (!index->names)
		index->names = ksym_names_new(ks);
	return index->names;
}

/* In both ways *@pos is where the name that was found begins. */
bool ksyms_find(const struct ksyms *ks, const char *name, size_t *pos,
		struct ksym *ret)
{
	const struct ksym_names *names = names_of(ks);
	const struct ksym *sym;

	if (!names)
		return search(ks, name, pos, ret);
	sym = ksym_names_find(names, name, ks->text + *pos);
	if (!sym)
		return false;
	*pos = sym->name - ks->text;
	*ret = *sym;
	return true;
}

bool ksym_is_text(const struct ksym *sym)
{
	return strchr("tTwW", sym->type);
}

bool ksym_same_module(const char *a, const char *b)
{
	for (; *a && *b; a++, b++)
		if ((*a == '-' ? '_' : *a) != (*b == '-' ? '_' : *b))
			return false;
	return *a == *b;
}

bool ksym_is_shadow(const struct ksym *sym)
{
	return !strncmp(sym->name, "__pfx_", 6) ||
	       !strncmp(sym->name, "__cfi_", 6);
}

/* ---- addresses ---- */

/* By address, and then as in the file: most files have them in no order. */
static int index_fill(const struct ksyms *ks, struct ksym_index *index)
{
	bool sorted = true;
	size_t pos = 0, room = 0;
	struct ksym sym;

	while (ksyms_next(ks, &pos, &sym)) {
		if (index->nr == room) {
			struct ksym *syms;

			room = room ? 2 * room : 1 << 16;
			syms = realloc(index->syms, room * sizeof(*syms));
			if (!syms)
				return -ENOMEM;
			index->syms = syms;
		}
		if (index->nr &&
		    index->syms[index->nr - 1].address > sym.address)
			sorted = false;
		index->syms[index->nr++] = sym;
	}
	return sorted ? 0 : sort_by_u64(index->syms, index->nr, sizeof(sym),
					offsetof(struct ksym, address));
}

static const struct ksym_index *index_of(const struct ksyms *ks)
{
	struct ksym_index *index = ks->index;

	if (!index->syms && index_fill(ks, index)) {
		free(index->syms);
		index->syms = NULL;
		index->nr = 0;
		return NULL;
	}
	return index;
}

/* The number of symbols at or below @address. */
static size_t count_below(const struct ksym_index *index, uint64_t address)
{
	size_t low = 0, high = index->nr;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (index->syms[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Symbols have no size here: so far behind one is no code of its function. */
#define FUNCTION_MAX	(1 << 20)

/*
 * x86 numbers what each processor has of its own from 0, where it has no memory. Code
 * of a module's file, which libdwfl lays out from a low address, overlaps with that.
 */
#define PERCPU_END	(1ULL << 32)

static bool is_percpu(const struct ksym *sym)
{
	return !sym->module && !ksym_is_text(sym) && sym->address < PERCPU_END;
}

void ksyms_more(struct ksyms *ks, const struct ksyms_more *more)
{
	ks->more = *more;
}

bool ksym_is_user(uint64_t address)
{
	uint64_t file = address >> KTAP_USER_FILE_SHIFT;

	return file && (file < KTAP_USER_FILES_MAX || file == KTAP_USER_VDSO ||
			file == KTAP_USER_UNNUMBERED);
}

/* The symbol at or before an address, or NULL. */
static const struct ksym *before(const struct ksym_index *index, uint64_t address)
{
	size_t i = count_below(index, address);

	return i ? &index->syms[i - 1] : NULL;
}

/*
 * What is between two symbols of vmlinux, or between two functions of a module, stays as
 * long as they do. Elsewhere BPF programs and trampolines appear and disappear.
 */
static bool is_within(const struct ksym_index *index, uint64_t address)
{
	const struct ksym *sym = before(index, address);

	if (!sym || sym == &index->syms[index->nr - 1])
		return false;
	if (!sym->module || !sym[1].module)
		return !sym->module && !sym[1].module;
	return !strcmp(sym->module, sym[1].module) && ksym_is_text(sym) &&
	       ksym_is_text(&sym[1]) && strcmp(sym->module, "bpf") &&
	       strncmp(sym->module, "__builtin__", 11);
}

static bool may_be_old(const struct ksym_index *index, uint64_t address)
{
	const struct ksym *sym;

	/* of a program, or NULL: no kernel has the lower half */
	if (ksym_is_user(address) || !(address >> 63))
		return false;
	if (!is_within(index, address))
		return true;
	sym = before(index, address);
	return index->is_old && sym->module;
}

/* Once for each set of modules: it takes the kernel long, and a reader of rings waits for it. */
static void renew(const struct ksyms *ks)
{
	struct ksym_index *index = ks->index;
	struct ksyms *now = NULL;

	if (index->is_renewed)
		return;
	index->is_renewed = true;
	if (!ks->renew(&now) && !now->hidden && index_of(now)) {
		ksyms_free(index->renewed[RENEWED_MAX - 1]);
		memmove(&index->renewed[1], index->renewed,
			(RENEWED_MAX - 1) * sizeof(index->renewed[0]));
		index->renewed[0] = take_ptr(now);
	}
	ksyms_free(now);
}

/* The last function of a module has no symbol after it, but code has whole pages. */
static bool is_on_last_page(const struct ksym_index *index, uint64_t address)
{
	const struct ksym *sym = before(index, address);

	return sym && sym->module && ksym_is_text(sym) && sym->address >> 12 == address >> 12;
}

/* A module that was unloaded keeps its names, unless another module is in its place. */
static const struct ksym_index *index_for(const struct ksyms *ks, uint64_t address)
{
	const struct ksym_index *index = index_of(ks), *at;

	if (!index || !ks->renew || !may_be_old(index, address))
		return index;
	renew(ks);
	for (size_t i = 0; i < RENEWED_MAX && index->renewed[i]; i++) {
		at = index->renewed[i]->index;
		if (is_within(at, address) || is_on_last_page(at, address))
			return at;
	}
	return index->renewed[0] && !is_within(index, address) ? index->renewed[0]->index : index;
}

void ksyms_prepare(const struct ksyms *ks)
{
	index_of(ks);
}

/*
 * Several symbols may stand at one address: the first that is a function's own
 * name is it. Where data starts too, code has ended ("_etext").
 */
const struct ksym *ksyms_by_address(const struct ksyms *ks, uint64_t address)
{
	const struct ksym_index *index;
	const struct ksym *found = NULL, *sym;
	size_t i;

	if (ks->more.find && ksym_is_user(address))
		found = ks->more.find(ks->more.ctx, address);
	if (found)
		return found;
	index = ks->hidden ? NULL : index_for(ks, address);
	i = index ? count_below(index, address) : 0;
	while (i && is_percpu(&index->syms[i - 1]))
		i--;
	if (!i || address - index->syms[i - 1].address >= FUNCTION_MAX)
		return NULL;
	address = index->syms[i - 1].address;
	while (i-- && index->syms[i].address == address) {
		sym = &index->syms[i];
		if (is_percpu(sym))
			continue;
		if (!ksym_is_text(sym))
			return NULL;
		if (!found || !ksym_is_shadow(sym))
			found = sym;
	}
	return found;
}

const char *ksyms_cgroup(const struct ksyms *ks, uint64_t id)
{
	const struct ksym_index *index;

	if (ks && ks->cgroups)
		return cgroups_path(ks->cgroups, id);
	if (ks && ks->recorded)
		ks = ks->recorded;
	index = ks ? index_of(ks) : NULL;
	for (size_t i = index ? count_below(index, id) : 0;
	     i && index->syms[i - 1].address == id; i--)
		if (index->syms[i - 1].type == KSYM_CGROUP)
			return index->syms[i - 1].name;
	return NULL;
}

int ksyms_text_end(const struct ksyms *ks, uint64_t address, uint64_t *ret)
{
	const struct ksym_index *index = index_of(ks);
	size_t i;

	if (!index)
		return -ENOMEM;
	*ret = UINT64_MAX;
	for (i = count_below(index, address); i < index->nr; i++) {
		if (!ksym_is_text(&index->syms[i]))
			continue;
		*ret = index->syms[i].address;
		break;
	}
	return 0;
}
