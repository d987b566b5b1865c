// SPDX-License-Identifier: GPL-2.0
/* Places of a definition in a program or library, or why that cannot be. */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "arch/sdt.h"
#include "base/array.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/scoped.h"
#include "base/suggest.h"
#include "base/utf8.h"
#include "object/file.h"
#include "place/binary.h"

#define CANDIDATES_MAX 5

/**
 * struct query - one definition being resolved
 * @bin: file
 * @syms: its symbols
 * @nr_syms: how many
 * @spec: the definition
 * @place: the place in it
 * @at: where errors point
 * @d: where errors go
 * @found: symbols that are meant, at different addresses
 * @nr: how many
 * @places: the answer
 * @nr_places: how many
 */
struct query {
	struct binary *bin;
	const struct binary_sym *syms;
	size_t nr_syms;
	const struct probe_spec *spec;
	const struct place_spec *place;
	struct span at;
	struct diag *d;
	const struct binary_sym **found;
	size_t nr;
	struct place *places;
	size_t nr_places;
};

static int fail(const struct query *q, int err, enum diag_code code, ...)
{
	va_list ap;

	va_start(ap, code);
	diag_vset(q->d, err, code, ap);
	va_end(ap);
	diag_at(q->d, q->spec->text, q->at.start, q->at.length);
	return err;
}

static const char *path_of(const struct query *q)
{
	return q->bin->path;
}

/* ---- the answer ---- */

static int check_segment(const struct query *q, uint64_t address)
{
	const struct segment *s = binary_segment(q->bin, address);
	unsigned int insn_bytes = arch_find(q->bin->arch)->insn_bytes;
	unsigned long long shown = address;

	if (!binary_is_code(q->bin, address)) {
		fail(q, -EINVAL, DIAG_ELF_NOT_CODE, shown, path_of(q));
		diag_hint(q->d, "an address is the one that nm and objdump show, not that of a running process");
		return -EINVAL;
	}
	if (s->flags & PF_W)
		return fail(q, -EINVAL, DIAG_ELF_WRITABLE, shown, path_of(q));
	if (insn_bytes && address % insn_bytes)
		return fail(q, -EINVAL, DIAG_ELF_UNALIGNED, shown, path_of(q));
	return 0;
}

/* A name that could steer a terminal is none. */
static const struct binary_sym *shown_symbol(const struct query *q,
					     uint64_t address)
{
	const struct binary_sym *sym = binary_sym_at(q->bin, address);

	return sym && utf8_is_plain(sym->name, strlen(sym->name)) ? sym : NULL;
}

/* The code at @address, as the next place of the answer. */
static int put_place(struct query *q, uint64_t address,
		     const struct binary_mark *mark, struct place **ret)
{
	const struct binary_sym *sym = shown_symbol(q, address);
	const struct segment *s = binary_segment(q->bin, address);
	struct place *places, *place;

	places = array_grow(q->places, q->nr_places, sizeof(*places));
	if (!places)
		return diag_no_memory(q->d);
	q->places = places;
	place = &places[q->nr_places++];
	*place = (struct place){
		.type = q->place->is_return ? KTAP_TYPE_URETPROBE :
					      KTAP_TYPE_UPROBE,
		.file_offset = address - s->address + s->offset,
		.address = address,
	};
	place->path = strdup(path_of(q));
	if (sym) {
		place->offset = address - sym->address;
		place->symbol = strdup(sym->name);
	}
	if (mark)
		place->sdt_args = binary_mark_args(q->bin, mark);
	place->is_entry = sym && !place->offset && !mark;
	*ret = place;
	if (place->path && (place->symbol || !sym) && (place->sdt_args || !mark))
		return 0;
	return diag_no_memory(q->d);
}

static int inside(struct query *q, const char *symbol)
{
	if (q->place->offset_at.length)
		q->at = q->place->offset_at;
	fail(q, -EINVAL, DIAG_ELF_RETURN_INSIDE, symbol);
	diag_hint(q->d, "write %s%%return", symbol);
	return -EINVAL;
}

/* ---- returns in what moves its stacks: at each RET instruction ---- */

static int no_rets(const struct query *q, const struct binary_sym *sym,
		   const struct code_rets *rets, int err)
{
	unsigned long long start = sym->address, stop = rets->stop - start;

	if (err == -ENOMEM)
		return diag_no_memory(q->d);
	if (!err)
		return fail(q, -EINVAL, DIAG_ELF_GO_NO_RET, sym->name);
	if (err != -EILSEQ)
		return fail(q, -EINVAL, DIAG_ELF_GO_NO_CODE, sym->name);
	fail(q, -EINVAL, DIAG_ELF_GO_DECODE, sym->name, stop);
	diag_hint(q->d, "probe its RET instructions, each as 0xADDRESS: those of 'objdump -d --start-address=0x%llx --stop-address=0x%llx %s | grep ret'",
		  start, (unsigned long long)binary_sym_end(q->bin, sym),
		  path_of(q));
	return -EINVAL;
}

static int put_ret(struct query *q, uint64_t address,
		   const struct binary_sym *sym)
{
	struct place *place;
	int err = put_place(q, address, NULL, &place);

	if (err)
		return err;
	place->type = KTAP_TYPE_UPROBE;
	place->at_ret = true;
	place->is_entry = false;
	place->ref_offset = q->place->ref_offset;
	if (binary_go_results(q->bin, sym->name, &place->no_retval))
		return diag_no_memory(q->d);
	return 0;
}

static int put_rets(struct query *q, uint64_t address)
{
	const struct binary_sym *sym = shown_symbol(q, address);
	struct code_rets rets;
	int err;

	/* without a symbol nothing says where the function ends */
	if (!sym) {
		fail(q, -EINVAL, DIAG_ELF_GO_RETURN, path_of(q));
		diag_hint(q->d, "no symbol says where that function ends; probe its RET instructions, each as 0xADDRESS: the first ones of 'objdump -d --start-address=0x%llx %s | grep ret'",
			  (unsigned long long)address, path_of(q));
		return -EINVAL;
	}
	if (sym->address != address)
		return inside(q, sym->name);
	err = binary_rets(q->bin, address, binary_sym_end(q->bin, sym), &rets);
	if (err || !rets.nr)
		err = no_rets(q, sym, &rets, err);
	for (size_t i = 0; !err && i < rets.nr; i++)
		err = put_ret(q, rets.at[i], sym);
	code_rets_deinit(&rets);
	return err;
}

static int put_code(struct query *q, uint64_t address)
{
	struct place *place;
	int err;

	err = check_segment(q, address);
	if (err)
		return err;
	if (q->place->is_return && binary_is_go(q->bin))
		return put_rets(q, address);
	err = put_place(q, address, NULL, &place);
	/* a return is seen because the entry was: what lies inside has none */
	if (!err && q->place->is_return && place->symbol && place->offset)
		err = inside(q, place->symbol);
	if (!err && q->place->ref_offset)
		place->ref_offset = q->place->ref_offset;
	return err;
}

/* ---- symbols that will not do ---- */

/* Versions that the symbol has, as advice. */
static int no_version(const struct query *q)
{
	_cleanup_buf_ struct buf b = BUF_INIT;
	size_t i;

	for (i = 0; i < q->nr_syms; i++) {
		const struct binary_sym *sym = &q->syms[i];

		if (!sym->version || strcmp(sym->name, q->place->symbol) ||
		    sym->kind == BINARY_IMPORTED)
			continue;
		buf_printf(&b, "%s%s@%s", b.size ? ", " : "", sym->name,
			   sym->version);
	}
	fail(q, -ENOENT, DIAG_ELF_NO_VERSION, q->place->version,
	     q->place->symbol, path_of(q));
	if (b.size)
		diag_hint(q->d, "there is %s", buf_str(&b));
	else
		diag_hint(q->d, "it has no versions: write '%s'",
			  q->place->symbol);
	return -ENOENT;
}

/* Names with scopes are near to what symbols stand for, with or without parameters. */
static void suggest_symbols(const struct query *q)
{
	const char *word = q->place->symbol;
	bool params = word[scoped_params(word)];
	char **names = calloc(q->nr_syms, sizeof(*names));
	struct suggest s;
	size_t i;

	suggest_init(&s, word, strlen(word));
	for (i = 0; names && i < q->nr_syms; i++) {
		if (q->syms[i].kind != BINARY_CODE)
			continue;
		names[i] = demangle(q->syms[i].name, params);
		suggest_try(&s, names[i] ? names[i] : q->syms[i].name);
	}
	suggest_hint(&s, "", q->d);
	for (i = 0; names && i < q->nr_syms; i++)
		free(names[i]);
	free(names);
}

static int not_found(const struct query *q)
{
	size_t i = 0;

	while (i < q->nr_syms && q->syms[i].kind != BINARY_CODE)
		i++;
	if (i < q->nr_syms) {
		fail(q, -ENOENT, DIAG_ELF_NO_SYMBOL, q->place->symbol,
		     path_of(q));
		suggest_symbols(q);
		diag_hint(q->d, "'ktap funcs -x %s' lists them", path_of(q));
	} else {
		fail(q, -ENOENT, DIAG_ELF_NO_SYMBOLS, path_of(q));
		diag_hint(q->d, "use the address: 0xADDRESS");
	}
	return -ENOENT;
}

static void put_needed(const struct query *q, Elf_Scn *scn,
		       const GElf_Shdr *sh, struct buf *b)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	const char *name;
	GElf_Dyn dyn;
	int i;

	for (i = 0; data && gelf_getdyn(data, i, &dyn); i++) {
		if (dyn.d_tag == DT_NULL)
			break;
		if (dyn.d_tag != DT_NEEDED)
			continue;
		name = elf_strptr(q->bin->elf, sh->sh_link, dyn.d_un.d_val);
		if (name)
			buf_printf(b, "%s%s", b->size ? " or " : "", name);
	}
}

/* Without a version only the libraries that are needed are known. */
static int imported(const struct query *q, const struct binary_sym *sym)
{
	_cleanup_buf_ struct buf b = BUF_INIT;
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;

	if (sym->library)
		buf_puts(&b, sym->library);
	while (!sym->library && (scn = elf_nextscn(q->bin->elf, scn)))
		if (gelf_getshdr(scn, &sh) && sh.sh_type == SHT_DYNAMIC)
			put_needed(q, scn, &sh, &b);
	fail(q, -EINVAL, DIAG_ELF_IMPORTED, sym->name, path_of(q),
	     b.size ? buf_str(&b) : "another file");
	if (sym->library)
		diag_hint(q->d, "probe it there: -x %s %s", sym->library,
			  sym->name);
	else
		diag_hint(q->d, "probe it there, with -x LIBRARY");
	return -EINVAL;
}

/* __strlen_avx2 and the like stand for strlen. */
static bool may_implement(const char *name, const char *what)
{
	size_t length;

	name += strspn(name, "_");
	what += strspn(what, "_");
	length = strlen(what);
	return !strncmp(name, what, length) && name[length] == '_';
}

static int chosen_later(const struct query *q, const struct binary_sym *sym)
{
	_cleanup_buf_ struct buf b = BUF_INIT;
	size_t i, nr = 0;

	for (i = 0; i < q->nr_syms && nr < CANDIDATES_MAX; i++) {
		if (q->syms[i].kind != BINARY_CODE ||
		    !may_implement(q->syms[i].name, sym->name))
			continue;
		buf_printf(&b, "%s%s", nr++ ? ", " : "", q->syms[i].name);
	}
	fail(q, -EINVAL, DIAG_ELF_IFUNC, sym->name);
	if (nr)
		diag_hint(q->d, "by their names these may be among them: %s",
			  buf_str(&b));
	else
		diag_hint(q->d, "0x%llx is the function that chooses, and it returns the address of the chosen one",
			  (unsigned long long)sym->address);
	return -EINVAL;
}

/* Functions of one name differ in their parameters, or in nothing but that. */
static void put_candidate(struct buf *b, const struct binary_sym *sym)
{
	_cleanup_free_ char *name = demangle(sym->name, true);

	if (name)
		buf_printf(b, "'%s' (%s)", name, sym->name);
	else
		buf_printf(b, "0x%llx%s", (unsigned long long)sym->address,
			   sym->is_global ? " (global)" : "");
}

static int ambiguous(const struct query *q)
{
	_cleanup_buf_ struct buf b = BUF_INIT;
	size_t i;

	fail(q, -EINVAL, DIAG_ELF_AMBIGUOUS, q->place->symbol, path_of(q),
	     q->nr);
	for (i = 0; i < q->nr && i < CANDIDATES_MAX; i++) {
		buf_puts(&b, i ? ", " : "");
		put_candidate(&b, q->found[i]);
	}
	if (i < q->nr)
		buf_printf(&b, " and %zu more", q->nr - i);
	diag_hint(q->d, "write which one: %s", buf_str(&b));
	return -EINVAL;
}

/* ---- looking up ---- */

static bool is_function(const struct binary_sym *sym)
{
	return sym->kind == BINARY_CODE || sym->kind == BINARY_IFUNC;
}

/* Two names for one address are one place. */
static bool known(const struct query *q, const struct binary_sym *sym)
{
	size_t i;

	for (i = 0; i < q->nr; i++)
		if (q->found[i]->address == sym->address)
			return true;
	return false;
}

static int keep(struct query *q, const struct binary_sym *sym)
{
	const struct binary_sym **found;

	if (known(q, sym))
		return 0;
	found = array_grow(q->found, q->nr, sizeof(*found));
	if (!found)
		return diag_no_memory(q->d);
	q->found = found;
	found[q->nr++] = sym;
	return 0;
}

/* How well the name says that symbol */
static enum scoped_match match(const struct query *q,
			       const struct binary_sym *sym)
{
	const char *version = q->place->version;

	if (version && (!sym->version || strcmp(sym->version, version)))
		return SCOPED_NONE;
	if (!strcmp(sym->name, q->place->symbol))
		return SCOPED_SYMBOL;
	return demangles_to(sym->name, q->place->symbol);
}

/* Functions that the name says best; none, where it is imported what it says best. */
static int collect(struct query *q)
{
	enum scoped_match how, best = SCOPED_PART;
	int err = 0;
	size_t i;

	for (i = 0; !err && i < q->nr_syms; i++) {
		const struct binary_sym *sym = &q->syms[i];

		if (!is_function(sym) && sym->kind != BINARY_IMPORTED)
			continue;
		how = match(q, sym);
		if (how < best)
			continue;
		if (how > best)
			q->nr = 0;
		best = how;
		if (is_function(sym))
			err = keep(q, sym);
	}
	return err;
}

/* Old versions are meant only where there is no other, or one was asked for. */
static void drop_old(struct query *q)
{
	size_t i, nr = 0;

	for (i = 0; !q->place->version && i < q->nr; i++)
		if (q->found[i]->is_default)
			q->found[nr++] = q->found[i];
	if (nr)
		q->nr = nr;
}

/* What else the name says best, if not a function. */
static int explain(const struct query *q)
{
	enum scoped_match how, best = SCOPED_NONE;
	const struct binary_sym *other = NULL;
	bool versions = false;
	size_t i;

	for (i = 0; i < q->nr_syms; i++) {
		const struct binary_sym *sym = &q->syms[i];

		how = match(q, sym);
		if (how > best || (how && how == best &&
				   other->kind == BINARY_IMPORTED)) {
			best = how;
			other = sym;
		}
		versions |= !strcmp(sym->name, q->place->symbol);
	}
	if (other && other->kind == BINARY_IMPORTED)
		return imported(q, other);
	if (other)
		return fail(q, -ENOENT, DIAG_ELF_DATA, other->name);
	return versions ? no_version(q) : not_found(q);
}

/* Exactly one function is found, or the error is set. */
static int find_function(struct query *q)
{
	int err = collect(q);

	if (err)
		return err;
	drop_old(q);
	if (!q->nr)
		return explain(q);
	if (q->nr > 1)
		return ambiguous(q);
	if (q->found[0]->kind == BINARY_IFUNC)
		return chosen_later(q, q->found[0]);
	return 0;
}

static int resolve_symbol(struct query *q)
{
	const struct binary_sym *sym;
	uint64_t size;
	int err;

	err = find_function(q);
	if (err)
		return err;
	sym = q->found[0];
	size = binary_sym_end(q->bin, sym) - sym->address;
	if (q->place->offset && q->place->offset >= size) {
		q->at = q->place->offset_at;
		return fail(q, -EINVAL, DIAG_ELF_PAST_END, sym->name,
			    (unsigned long long)q->place->offset,
			    (unsigned long long)size);
	}
	return put_code(q, sym->address + q->place->offset);
}

static int resolve_address(struct query *q)
{
	return put_code(q, q->place->address);
}

/* PATH:OFFSET of uprobe_events: a byte of the file. */
static int resolve_offset(struct query *q)
{
	uint64_t offset = q->place->offset;
	size_t i;

	for (i = 0; i < q->bin->nr_segments; i++) {
		const struct segment *s = &q->bin->segments[i];

		uint64_t address = offset - s->offset + s->address;

		if (offset >= s->offset && offset - s->offset < s->size &&
		    binary_is_code(q->bin, address))
			return put_code(q, address);
	}
	return fail(q, -EINVAL, DIAG_ELF_NOT_CODE_OFFSET,
		    (unsigned long long)offset, path_of(q));
}

/* ---- marks ---- */

static int no_mark(const struct query *q, const struct binary_mark *marks,
		   size_t nr)
{
	_cleanup_buf_ struct buf word = BUF_INIT;
	char **names = calloc(nr, sizeof(*names));
	struct suggest s;
	size_t i;

	buf_printf(&word, "%s:%s", q->place->provider, q->place->symbol);
	suggest_init(&s, buf_str(&word), word.size);
	for (i = 0; names && i < nr; i++) {
		if (asprintf(&names[i], "%s:%s", marks[i].provider,
			     marks[i].name) < 0)
			names[i] = NULL;
		else
			suggest_try(&s, names[i]);
	}
	fail(q, -ENOENT, DIAG_ELF_NO_MARK, q->place->provider,
	     q->place->symbol, path_of(q));
	suggest_hint(&s, "sdt:", q->d);
	diag_hint(q->d, "'ktap funcs --sdt -x %s' lists them", path_of(q));
	for (i = 0; names && i < nr; i++)
		free(names[i]);
	free(names);
	return -ENOENT;
}

static int put_mark(struct query *q, const struct binary_mark *mark)
{
	const struct segment *s = NULL;
	struct place *place;
	int err;

	if (mark->semaphore) {
		s = binary_segment(q->bin, mark->semaphore);
		if (!s)
			return fail(q, -EINVAL, DIAG_ELF_SEMAPHORE,
				    mark->provider, mark->name, path_of(q));
	}
	err = check_segment(q, mark->address);
	if (!err)
		err = put_place(q, mark->address, mark, &place);
	if (!err && s)
		place->ref_offset = mark->semaphore - s->address + s->offset;
	return err;
}

static int resolve_mark(struct query *q)
{
	const struct binary_mark *marks;
	size_t i, nr;
	int err = 0;

	marks = binary_marks(q->bin, q->d, &nr);
	if (!marks)
		return -ENOMEM;
	q->at = q->place->at;
	if (!nr) {
		fail(q, -ENOENT, DIAG_ELF_NO_MARKS, path_of(q));
		diag_hint(q->d, "a library that it uses may have them");
		return -ENOENT;
	}
	for (i = 0; !err && i < nr; i++)
		if (!strcmp(marks[i].provider, q->place->provider) &&
		    !strcmp(marks[i].name, q->place->symbol))
			err = put_mark(q, &marks[i]);
	if (!err && !q->nr_places)
		return no_mark(q, marks, nr);
	return err;
}

/* ---- all kinds ---- */

/* The parser lets no other kind through where there is a file. */
static int (*const resolvers[])(struct query *q) = {
	[PLACE_SYMBOL] = resolve_symbol,
	[PLACE_ADDRESS] = resolve_address,
	[PLACE_SDT] = resolve_mark,
	[PLACE_FILE_OFFSET] = resolve_offset,
};

/* In front of everything else: symbols of another machine are of no use. */
static int check_arch(const struct query *q, enum ktap_arch arch)
{
	const struct span *at = &q->place->file_at;

	if (q->bin->arch == arch)
		return 0;
	diag_set(q->d, -EINVAL, DIAG_ELF_ARCH, path_of(q),
		 arch_find(q->bin->arch)->name, arch_find(arch)->name);
	if (at->length)
		diag_at(q->d, q->spec->text, at->start, at->length);
	return -EINVAL;
}

int binary_resolve(struct binary *bin, const struct probe_spec *spec,
		   enum ktap_arch arch, struct diag *d, struct place **ret,
		   size_t *nr)
{
	struct query q = {
		.bin = bin,
		.spec = spec,
		.place = &spec->place,
		.at = spec->kernel_syntax ? spec->place.at :
					    spec->place.symbol_at,
		.d = d,
	};
	int err;

	err = check_arch(&q, arch);
	if (err)
		return err;
	q.syms = binary_syms(bin, d, &q.nr_syms);
	if (!q.syms)
		return -ENOMEM;
	err = resolvers[spec->place.kind](&q);
	free(q.found);
	if (err) {
		places_free(q.places, q.nr_places);
		return err;
	}
	*ret = q.places;
	*nr = q.nr_places;
	return 0;
}

void places_free(struct place *places, size_t nr)
{
	while (nr)
		place_deinit(&places[--nr]);
	free(places);
}
