// SPDX-License-Identifier: GPL-2.0
/*
 * Reading an index. Whatever it says may be wrong: nothing is read outside of it, and
 * what it points to is looked at as if it had been found by chance.
 */
#include "dwarf/index/index.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <xxhash.h>

#include "base/scoped.h"
#include "dwarf/file.h"
#include "dwarf/line.h"

/**
 * struct index - an index that is open
 * @data: it
 * @size: bytes of it
 * @header: in front of it
 * @mapped: unmap it in the end
 * @damaged: something in it makes no sense
 */
struct index {
	const uint8_t *data;
	size_t size;
	const struct index_header *header;
	bool mapped;
	bool damaged;
};

static bool fail(struct index *x)
{
	x->damaged = true;
	return false;
}

/* ---- keys --------------------------------------------------------------------------- */

uint32_t index_key(const char *name, size_t length)
{
	return XXH64(name, length, 0);
}

uint32_t index_func_key(const char *name, size_t length)
{
	const char *open = memchr(name, '<', length);
	char solid[64];
	size_t i, nr = 0;

	if (open && open > name)
		length = open - name;
	for (i = 0; i < length && nr < sizeof(solid); i++)
		if (name[i] != ' ')
			solid[nr++] = name[i];
	return index_key(solid, nr);
}

/* ---- streams ------------------------------------------------------------------------ */

/* struct stream - numbers being read; @bad: there was none */
struct stream {
	const uint8_t *at;
	const uint8_t *end;
	bool bad;
};

static const void *section_of(const struct index *x, enum index_section nr,
			      size_t *size)
{
	*size = x->header->section[nr].size;
	return x->data + x->header->section[nr].start;
}

static struct stream stream_at(const struct index *x, enum index_section nr,
			       size_t offset)
{
	size_t size;
	const uint8_t *data = section_of(x, nr, &size);

	if (offset > size)
		return (struct stream){ .bad = true };
	return (struct stream){ .at = data + offset, .end = data + size };
}

static uint64_t next(struct stream *s)
{
	uint64_t value = 0;

	for (unsigned int shift = 0; shift < 64 && s->at < s->end; shift += 7) {
		uint8_t byte = *s->at++;

		value |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return value;
	}
	s->bad = true;
	return 0;
}

static int64_t next_signed(struct stream *s)
{
	uint64_t value = next(s);

	return (int64_t)(value >> 1) ^ -(int64_t)(value & 1);
}

/* How many follow: each has a byte, at least. */
static size_t next_count(struct stream *s)
{
	uint64_t nr = next(s);

	if (s->bad || nr > (size_t)(s->end - s->at)) {
		s->bad = true;
		return 0;
	}
	return nr;
}

/* The DIEs of a list, each by its distance from the one before it. */
static bool next_dies(struct stream *s, uint64_t die, uint64_t **array,
		      size_t *nr)
{
	size_t i, more = next_count(s);
	uint64_t *dies;

	if (s->bad)
		return false;
	dies = reallocarray(*array, *nr + more + 1, sizeof(*dies));
	if (!dies)
		return false;
	*array = dies;
	for (i = 0; i < more; i++) {
		die += next(s);
		dies[(*nr)++] = die;
	}
	return !s->bad;
}

/* ---- opening ------------------------------------------------------------------------ */

uint64_t index_checksum(const void *data, size_t size)
{
	const size_t skip = offsetof(struct index_header, version);

	return XXH64((const char *)data + skip, size - skip, 0);
}

/* Of a section that is larger, that many pieces of that many bytes are looked at:
 * all of a vmlinux would take longer than what an index saves.
 */
#define SAMPLE_WHOLE	(64u << 10)
#define SAMPLE_PIECES	256
#define SAMPLE_SIZE	256

static void hash_sample(XXH64_state_t *state, Elf_Scn *scn)
{
	Elf_Data *data = elf_rawdata(scn, NULL);
	size_t step;

	if (!data || !data->d_buf)
		return;
	if (data->d_size <= SAMPLE_WHOLE) {
		XXH64_update(state, data->d_buf, data->d_size);
		return;
	}
	step = (data->d_size - SAMPLE_SIZE) / (SAMPLE_PIECES - 1);
	for (size_t i = 0; i < SAMPLE_PIECES; i++)
		XXH64_update(state, (char *)data->d_buf + i * step,
			     SAMPLE_SIZE);
}

static bool is_debug(Elf *elf, const GElf_Shdr *sh)
{
	size_t names;
	const char *name;

	if (elf_getshdrstrndx(elf, &names))
		return false;
	name = elf_strptr(elf, names, sh->sh_name);
	return name && !strncmp(name, ".debug_", strlen(".debug_"));
}

/*
 * Files of one build-id may have their debug information arranged in other ways, or
 * changed in place: who edits a file, or builds with a build-id of his own choice, does
 * not change it.
 */
uint64_t index_layout(struct debug *dbg)
{
	Elf *elf = dwarf_getelf(dbg->dw);
	XXH64_state_t *state = XXH64_createState();
	Elf_Scn *scn = NULL;
	uint64_t hash = 0;
	GElf_Shdr sh;

	if (!state || !elf)
		goto out;
	XXH64_reset(state, 0);
	while ((scn = elf_nextscn(elf, scn))) {
		uint64_t of[2] = {};

		if (gelf_getshdr(scn, &sh)) {
			of[0] = sh.sh_size;
			of[1] = sh.sh_offset;
		}
		XXH64_update(state, of, sizeof(of));
		if (of[0] && is_debug(elf, &sh))
			hash_sample(state, scn);
	}
	hash = XXH64_digest(state);
out:
	XXH64_freeState(state);
	return hash;
}

static const size_t element[INDEX_NR] = {
	[INDEX_UNITS] = sizeof(struct index_unit),
	[INDEX_FUNCS] = 1,
	[INDEX_ADDRESSES] = sizeof(struct index_range),
	[INDEX_RANGES] = sizeof(struct index_range),
	[INDEX_NAMES] = sizeof(struct index_name),
	[INDEX_LISTS] = 1,
	[INDEX_TYPES] = sizeof(struct index_type),
	[INDEX_FILES] = sizeof(struct index_source),
	[INDEX_STRINGS] = 1,
	[INDEX_ROWS] = 1,
	[INDEX_TABLES] = 1,
};

static bool are_sections_sound(const struct index *x)
{
	const struct index_header *h = x->header;

	for (unsigned int i = 0; i < INDEX_NR; i++) {
		size_t start = h->section[i].start, size = h->section[i].size;

		if (start % 8 || start < sizeof(*h) || start > x->size ||
		    size > x->size - start || size % element[i])
			return false;
	}
	return true;
}

static bool are_strings_sound(const struct index *x)
{
	size_t size;
	const char *text = section_of(x, INDEX_STRINGS, &size);

	return !size || !text[size - 1];
}

static bool is_of(const struct index_header *h, struct debug *dbg)
{
	size_t nr;
	const uint8_t *id = debug_build_id(dbg, &nr);

	return id && h->id_size == nr && nr <= INDEX_ID_MAX &&
	       !memcmp(h->id, id, nr) && h->layout == index_layout(dbg);
}

static bool is_sound(const struct index *x, struct debug *dbg)
{
	const struct index_header *h = x->header;

	return x->size >= sizeof(*h) && x->size <= INDEX_SIZE_MAX &&
	       !memcmp(h->magic, INDEX_MAGIC, sizeof(h->magic)) &&
	       h->version == INDEX_VERSION && h->size == x->size &&
	       is_of(h, dbg) &&
	       h->checksum == index_checksum(x->data, x->size) &&
	       are_sections_sound(x) && are_strings_sound(x);
}

struct index *index_open(struct debug *dbg, const void *data, size_t size)
{
	struct index x = { .data = data, .size = size, .header = data }, *ret;

	if (!is_sound(&x, dbg))
		return NULL;
	ret = malloc(sizeof(*ret));
	if (ret)
		*ret = x;
	return ret;
}

void index_free(struct index *x)
{
	if (!x)
		return;
	if (x->mapped)
		munmap((void *)x->data, x->size);
	free(x);
}

static void search(struct debug *dbg)
{
	const uint8_t *id;
	const void *data;
	size_t nr, size;

	id = index_is_off() ? NULL : debug_build_id(dbg, &nr);
	if (!id || !index_read(id, nr, &data, &size))
		return;
	dbg->index = index_open(dbg, data, size);
	if (dbg->index)
		dbg->index->mapped = true;
	else
		munmap((void *)data, size);
}

struct index *index_of(struct debug *dbg)
{
	if (!dbg->index_searched) {
		dbg->index_searched = true;
		search(dbg);
	}
	return dbg->index && !dbg->index->damaged ? dbg->index : NULL;
}

bool debug_has_index(struct debug *dbg)
{
	return index_of(dbg);
}

/* ---- functions ---------------------------------------------------------------------- */

/* The first element of @nr that is not smaller than @value; each begins with it. */
static size_t lower_bound(const void *array, size_t nr, size_t size,
			  uint32_t value)
{
	size_t low = 0, high = nr;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		uint32_t at;

		memcpy(&at, (const char *)array + middle * size, sizeof(at));
		if (at < value)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool add_list(struct index *x, uint32_t key, struct index_dies *ret)
{
	const struct index_name *names;
	struct stream s;
	size_t size, at;

	names = section_of(x, INDEX_NAMES, &size);
	at = lower_bound(names, size / sizeof(*names), sizeof(*names), key);
	if (at >= size / sizeof(*names) || names[at].key != key)
		return true;
	s = stream_at(x, INDEX_LISTS, names[at].list);
	return next_dies(&s, 0, &ret->func, &ret->nr_funcs) &&
	       next_dies(&s, 0, &ret->copy, &ret->nr_copies);
}

static int compare_dies(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Each once, in the order of the file */
static size_t sort(uint64_t *die, size_t nr)
{
	size_t i, left = 0;

	if (nr)
		qsort(die, nr, sizeof(*die), compare_dies);
	for (i = 0; i < nr; i++)
		if (!left || die[left - 1] != die[i])
			die[left++] = die[i];
	return left;
}

bool index_find(struct index *x, const char *name, struct index_dies *ret)
{
	struct scoped_part part = scoped_last(name, scoped_params(name));
	uint32_t whole = index_func_key(name, strlen(name));
	uint32_t last = index_func_key(part.text, part.length);

	*ret = (struct index_dies){};
	if (!add_list(x, whole, ret) ||
	    (last != whole && !add_list(x, last, ret))) {
		index_dies_deinit(ret);
		return fail(x);
	}
	ret->nr_funcs = sort(ret->func, ret->nr_funcs);
	ret->nr_copies = sort(ret->copy, ret->nr_copies);
	return true;
}

void index_dies_deinit(struct index_dies *dies)
{
	free(dies->func);
	free(dies->copy);
	*dies = (struct index_dies){};
}

static bool funcs_of(struct index *x, const struct index_unit *unit,
		     uint64_t **ret, size_t *nr)
{
	struct stream s = stream_at(x, INDEX_FUNCS, unit->funcs);

	*ret = NULL;
	*nr = 0;
	if (next_dies(&s, unit->die, ret, nr))
		return true;
	free(*ret);
	*ret = NULL;
	return fail(x);
}

/* NULL: @die is no unit. */
static const struct index_unit *find_unit(const struct index *x, uint64_t die)
{
	const struct index_unit *units;
	size_t size, at;

	units = section_of(x, INDEX_UNITS, &size);
	at = lower_bound(units, size / sizeof(*units), sizeof(*units), die);
	if (at >= size / sizeof(*units) || units[at].die != die)
		return NULL;
	return &units[at];
}

bool index_funcs(struct index *x, uint64_t unit, uint64_t **ret, size_t *nr)
{
	const struct index_unit *found = find_unit(x, unit);

	return found ? funcs_of(x, found, ret, nr) : fail(x);
}

bool index_owner(struct index *x, uint64_t die, uint64_t *ret)
{
	const struct index_unit *units;
	uint64_t *funcs;
	size_t size, at, nr;

	units = section_of(x, INDEX_UNITS, &size);
	at = lower_bound(units, size / sizeof(*units), sizeof(*units), die);
	if (!at || !funcs_of(x, &units[at - 1], &funcs, &nr))
		return fail(x);
	while (nr && funcs[nr - 1] > die)
		nr--;
	if (nr)
		*ret = funcs[nr - 1];
	free(funcs);
	return nr || fail(x);
}

/* By the table of addresses. Code that the linker dropped is at 0, all of it: of those
 * the same one is found as by libdw, which looks in the same way.
 */
static const struct index_range *find_address(const struct index *x, uint64_t pc)
{
	const struct index_range *table;
	size_t size, low = 0, high;

	table = section_of(x, INDEX_ADDRESSES, &size);
	for (high = size / sizeof(*table); low < high;) {
		size_t middle = (low + high) / 2;

		if (pc < table[middle].start)
			high = middle;
		else if (pc > table[middle].start && pc >= table[middle].end)
			low = middle + 1;
		else
			return &table[middle];
	}
	return NULL;
}

/* The first unit that says it has the code */
static const struct index_range *find_range(const struct index *x, uint64_t pc)
{
	const struct index_range *ranges;
	size_t size;

	ranges = section_of(x, INDEX_RANGES, &size);
	for (size_t i = 0; i < size / sizeof(*ranges); i++)
		if (pc >= ranges[i].start && pc < ranges[i].end)
			return &ranges[i];
	return NULL;
}

bool index_unit_at(struct index *x, uint64_t pc, uint64_t *ret)
{
	const struct index_range *range = find_address(x, pc);
	const struct index_unit *units;
	size_t size;

	units = section_of(x, INDEX_UNITS, &size);
	*ret = 0;
	if (!range)
		range = find_range(x, pc);
	if (!range)
		return true;
	if (range->unit >= size / sizeof(*units))
		return fail(x);
	*ret = units[range->unit].die;
	return true;
}

/* ---- types -------------------------------------------------------------------------- */

bool index_types(struct index *x, const char *name,
		 const struct index_type **ret, size_t *nr)
{
	uint32_t key = index_key(name, strlen(name));
	const struct index_type *types;
	size_t size, at;

	types = section_of(x, INDEX_TYPES, &size);
	at = lower_bound(types, size / sizeof(*types), sizeof(*types), key);
	*ret = types + at;
	for (*nr = 0; at < size / sizeof(*types) && types[at].key == key; at++)
		++*nr;
	return true;
}

/* ---- lines -------------------------------------------------------------------------- */

/* The path of the file @i; NULL: there is none. */
static const char *path_at(const struct index *x, uint64_t i)
{
	const struct index_source *files;
	const char *strings;
	size_t size, of_strings;

	files = section_of(x, INDEX_FILES, &size);
	strings = section_of(x, INDEX_STRINGS, &of_strings);
	if (i >= size / sizeof(*files) || files[i].path >= of_strings)
		return NULL;
	return strings + files[i].path;
}

const char *index_file(struct index *x, uint64_t unit, uint64_t number)
{
	const struct index_unit *found = find_unit(x, unit);
	const char *path = NULL;
	struct stream s;
	uint64_t file = 0;

	if (!found)
		return NULL;
	s = stream_at(x, INDEX_TABLES, found->table);
	if (number >= next_count(&s) && !s.bad)
		return NULL;
	for (uint64_t i = 0; i <= number && !s.bad; i++)
		file += next_signed(&s);
	if (!s.bad)
		path = path_at(x, file);
	if (!path)
		fail(x);
	return path && *path ? path : NULL;
}

/* struct visit - a visitor of rows, and what it is told */
struct visit {
	bool (*fn)(void *ctx, const struct index_row *row);
	void *ctx;
	struct index_row row;
};

/* The rows of one file in one unit */
static bool visit_rows(struct stream *s, struct visit *v)
{
	int64_t line = 0;

	v->row.address = 0;
	for (size_t nr = next_count(s); nr; nr--) {
		v->row.address += next_signed(s);
		line += (uint64_t)next_signed(s);
		if (s->bad || line <= 0 || line > INT32_MAX)
			return false;
		v->row.line = line;
		if (!v->fn(v->ctx, &v->row))
			return false;
	}
	return !s->bad;
}

static bool visit_file(struct index *x, struct stream *s, struct visit *v)
{
	const struct index_unit *units;
	uint64_t unit = 0;
	size_t size;

	units = section_of(x, INDEX_UNITS, &size);
	for (size_t nr = next_count(s); nr; nr--) {
		unit += next(s);
		next(s);
		if (s->bad || unit >= size / sizeof(*units))
			return false;
		v->row.unit = units[unit].die;
		if (!visit_rows(s, v))
			return false;
	}
	return !s->bad;
}

bool index_rows(struct index *x, const char *end,
		bool (*fn)(void *ctx, const struct index_row *row), void *ctx)
{
	const struct index_source *files;
	struct visit v = { .fn = fn, .ctx = ctx };
	size_t size;

	files = section_of(x, INDEX_FILES, &size);
	for (size_t i = 0; i < size / sizeof(*files); i++) {
		struct stream s = stream_at(x, INDEX_ROWS, files[i].rows);

		v.row.file = path_at(x, i);
		if (!v.row.file)
			return fail(x);
		if (debug_ends_with(v.row.file, end) && !visit_file(x, &s, &v))
			return fail(x);
	}
	return true;
}
