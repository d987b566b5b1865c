// SPDX-License-Identifier: GPL-2.0
/*
 * Static marks of user space (USDT): notes of type 3 in .note.stapsdt, each
 * with the addresses of the mark, of .stapsdt.base and of its semaphore as the
 * linker saw them, and three texts. What moved the sections after that (as
 * prelink does) has moved .stapsdt.base by as much.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/utf8.h"
#include "object/file.h"

#define NOTE_OWNER	"stapsdt"
#define NOTE_TYPE	3

static const struct binary_mark no_marks;

/* struct sdt_addresses - how a note begins, in a 64-bit file */
struct sdt_addresses {
	uint64_t pc;
	uint64_t base;
	uint64_t semaphore;
};

/* The next text of [*@at, @end), which moves behind it; NULL: it is cut. */
static const char *next_text(const char **at, const char *end)
{
	const char *text = *at, *nul = memchr(text, '\0', end - text);

	if (!nul)
		return NULL;
	*at = nul + 1;
	return text;
}

static bool is_name(const char *text)
{
	return *text && utf8_is_plain(text, strlen(text));
}

/* A note that is not whole is left out. */
static int read_note(struct binary *bin, const char *text, size_t size,
		     const uint64_t *base)
{
	const char *end = text + size;
	struct sdt_addresses addresses;
	struct binary_mark mark, *marks;

	if (size < sizeof(addresses))
		return 0;
	memcpy(&addresses, text, sizeof(addresses));
	text += sizeof(addresses);
	mark.provider = next_text(&text, end);
	mark.name = mark.provider ? next_text(&text, end) : NULL;
	mark.args = mark.name ? next_text(&text, end) : NULL;
	if (!mark.args || !is_name(mark.provider) || !is_name(mark.name))
		return 0;
	mark.address = addresses.pc;
	mark.semaphore = addresses.semaphore;
	if (base)
		mark.address += *base - addresses.base;
	if (base && mark.semaphore)
		mark.semaphore += *base - addresses.base;
	marks = array_grow(bin->marks, bin->nr_marks, sizeof(*marks));
	if (!marks)
		return -ENOMEM;
	bin->marks = marks;
	marks[bin->nr_marks++] = mark;
	return 0;
}

static bool is_mark(const GElf_Nhdr *note, const char *owner)
{
	return note->n_type == NOTE_TYPE &&
	       note->n_namesz == sizeof(NOTE_OWNER) &&
	       !memcmp(owner, NOTE_OWNER, sizeof(NOTE_OWNER));
}

static int read_notes(struct binary *bin, Elf_Data *data, const uint64_t *base)
{
	size_t at = 0, owner, text;
	GElf_Nhdr note;
	int err = 0;

	while (!err && at < data->d_size) {
		at = gelf_getnote(data, at, &note, &owner, &text);
		if (!at)
			break;
		if (is_mark(&note, (char *)data->d_buf + owner))
			err = read_note(bin, (char *)data->d_buf + text,
					note.n_descsz, base);
	}
	return err;
}

static int read_marks(struct binary *bin)
{
	GElf_Shdr base_sh, sh;
	uint64_t *base = NULL;
	Elf_Scn *scn = NULL;
	Elf_Data *data;
	int err = 0;

	if (binary_section(bin->elf, ".stapsdt.base", &base_sh))
		base = &base_sh.sh_addr;
	while (!err && (scn = elf_nextscn(bin->elf, scn))) {
		if (!gelf_getshdr(scn, &sh) || sh.sh_type != SHT_NOTE)
			continue;
		data = elf_getdata(scn, NULL);
		if (data)
			err = read_notes(bin, data, base);
	}
	return err;
}

const struct binary_mark *binary_marks(struct binary *bin, struct diag *d,
				       size_t *nr)
{
	if (!bin->has_marks) {
		bin->nr_marks = 0;
		if (read_marks(bin)) {
			diag_no_memory(d);
			return NULL;
		}
		bin->has_marks = true;
	}
	*nr = bin->nr_marks;
	/* NULL is for failure */
	return bin->marks ? bin->marks : &no_marks;
}

/* struct origin - what addresses of symbols are counted from */
struct origin {
	struct binary *bin;
	const struct binary_mark *mark;
};

/* Only what is certain: one address has the name. */
static bool find_symbol(void *ctx, const char *name, size_t length,
			int64_t *ret)
{
	const struct origin *o = ctx;
	const struct binary_sym *syms, *found = NULL;
	size_t i, nr;

	syms = binary_syms(o->bin, NULL, &nr);
	for (i = 0; syms && i < nr; i++) {
		if (syms[i].kind == BINARY_IMPORTED ||
		    strncmp(syms[i].name, name, length) ||
		    syms[i].name[length])
			continue;
		if (found && found->address != syms[i].address)
			return false;
		found = &syms[i];
	}
	if (found)
		*ret = (int64_t)(found->address - o->mark->address);
	return found;
}

struct sdt_args *binary_mark_args(struct binary *bin,
				  const struct binary_mark *mark)
{
	struct origin origin = { .bin = bin, .mark = mark };

	return sdt_parse(mark->args, bin->arch, find_symbol, &origin);
}
