// SPDX-License-Identifier: GPL-2.0
/*
 * A recording names its addresses as they come: so a file that was cut has the
 * names of what it has, and one of a few records is not as long as the table
 * of all symbols.
 */
#include "define/addresses.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

#include "base/cleanup.h"
#include "define/running.h"
#include "place/stack.h"
#include "types/walk.h"

/* struct places_of - the field whose addresses are collected */
struct places_of {
	struct address_places *p;
	const struct field *field;
};

static int add_place(struct address_places *p, unsigned int offset,
		     unsigned int size, bool is_cgroup)
{
	struct address_place *places = reallocarray(p->place, p->nr + 1,
						    sizeof(*places));

	if (!places)
		return -ENOMEM;
	p->place = places;
	p->place[p->nr++] = (struct address_place){ offset, size, is_cgroup };
	return 0;
}

static int add_code(void *ctx, uint64_t offset)
{
	const struct places_of *of = ctx;

	return add_place(of->p, of->field->offset + offset, 8, false);
}

static int add_field(struct address_places *p, const struct layout *layout,
		     const struct field *f)
{
	bool is_cgroup = f->format == FORMAT_CGROUP;
	bool is_named = f->format == FORMAT_SYMBOL || f->format == FORMAT_SYMSTR || is_cgroup;
	unsigned int i, nr = f->count ? f->count : 1;
	struct places_of of = { p, f };
	int err = 0;

	if (f->type)
		return typed_code(layout->types, f->type, f->size, add_code, &of);
	for (i = 0; !err && is_named && f->size == 8 && i < nr; i++)
		err = add_place(p, f->offset + i * 8, 8, is_cgroup);
	return err;
}

static int add_layout(struct address_places *p, const struct layout *layout)
{
	int err = 0;

	if (layout->is_return)
		err = add_place(p, layout->return_offset, layout->return_size, false);
	for (size_t i = 0; !err && i < layout->nr_fields; i++)
		err = add_field(p, layout, &layout->fields[i]);
	return err;
}

/* What cannot be read here is told when it is decoded. */
unsigned int wanted_names(const void *blob, size_t size)
{
	struct address_places places = {};
	struct layout *layout = NULL;
	unsigned int wanted = 0;

	if (layout_decode(blob, size, NULL, &layout))
		return 0;
	/* without memory nothing is known: rather too many names */
	if (add_layout(&places, layout))
		wanted = WANTS_SYMBOLS | WANTS_CGROUPS;
	for (size_t i = 0; i < places.nr; i++)
		wanted |= places.place[i].is_cgroup ? WANTS_CGROUPS : WANTS_SYMBOLS;
	if (layout_has_stacks(blob, size))
		wanted |= WANTS_SYMBOLS;
	free(places.place);
	layout_free(layout);
	return wanted;
}

int wanted_load(unsigned int wanted, struct ctl *ctl, struct diag *d,
		struct ksyms **ret)
{
	_cleanup_(ksyms_freep) struct ksyms *ks = NULL;
	int err = 0;

	if (wanted & WANTS_SYMBOLS)
		err = running_symbols(ctl, d, &ks);
	else if (wanted)
		err = ksyms_parse("", 0, d, &ks);
	if (!err && (wanted & WANTS_CGROUPS) && ksyms_read_cgroups(ks))
		err = diag_no_memory(d);
	if (!err)
		*ret = take_ptr(ks);
	return err;
}

/* ---- those that were met --------------------------------------------------- */

/* The line of an address; a reader must not take what is there for the function before it. */
static char *line_of(const struct addresses *a, uint64_t address)
{
	const struct ksym *sym = ksyms_by_address(a->ks, address);
	struct buf b = BUF_INIT;

	if (sym)
		return ksym_print(sym);
	buf_printf(&b, "%016llx a -\n", (unsigned long long)address);
	return buf_take(&b);
}

/* Not 0, which no set has. */
static uint64_t hash(const char *line)
{
	return XXH3_64bits(line, strlen(line)) | 1;
}

/* Return: 1; 0: it has the name that it had before; -ENOMEM. */
static int name(struct addresses *a, uint64_t address)
{
	char *line = line_of(a, address);
	int ret = line ? address_set_add(&a->named, hash(line)) : -ENOMEM;

	if (ret > 0)
		buf_puts(&a->lines, line);
	free(line);
	return a->lines.failed ? -ENOMEM : ret;
}

/* A stack is met once, so all addresses are named again. */
static int name_again(struct addresses *a)
{
	for (size_t i = 0; i < a->seen.room; i++) {
		uint64_t address = a->seen.table[i];
		const struct ksym *sym;
		int ret;

		/* free, or of a program */
		if (!(address >> 63))
			continue;
		sym = ksyms_by_address(a->ks, address);
		ret = sym && !sym->module ? 0 : name(a, address);
		if (ret < 0)
			return ret;
		a->is_shared |= ret;
	}
	return 0;
}

/* Since records were read: a module may have the addresses of an unloaded one. */
static int follow(struct addresses *a, struct diag *d)
{
	if (running_symbols_follow(a->ctl, a->ks) && name_again(a))
		return diag_no_memory(d);
	return 0;
}

static int meet_address(struct addresses *a, uint64_t address)
{
	int ret = address ? address_set_add(&a->seen, address) : 0;

	if (ret > 0)
		ret = name(a, address);
	return ret < 0 ? ret : 0;
}

static int name_cgroup(struct addresses *a, uint64_t id)
{
	const char *path = cgroups_path(a->cgroups, id);

	if (path)
		buf_printf(&a->lines, "%016llx %c %s\n", (unsigned long long)id,
			   KSYM_CGROUP, path);
	return a->lines.failed ? -ENOMEM : 0;
}

/* 0 is none. */
static int meet_cgroup(struct addresses *a, uint64_t id)
{
	int ret = id ? address_set_add(&a->seen_cgroups, id) : 0;

	return ret > 0 ? name_cgroup(a, id) : ret;
}

/* A reader asks for the symbol of the frame first. */
static int meet_frame(struct addresses *a, const struct ktap_stack *s, unsigned int i)
{
	uint64_t place = frame_place(a->ks, s, i);
	int err = meet_address(a, s->frames[i]);

	return err || place == s->frames[i] ? err : meet_address(a, place);
}

/* ---- those of records ------------------------------------------------------- */

static int add_probe(struct addresses *a, uint32_t id, const void *blob,
		     size_t size, struct diag *d)
{
	struct address_places *places = a->places;
	struct layout *layout = NULL;
	int err;

	err = layout_decode(blob, size, d, &layout);
	if (err)
		return err;
	if (id >= a->nr_places) {
		places = reallocarray(places, id + 1, sizeof(*places));
		if (places) {
			memset(places + a->nr_places, 0,
			       (id + 1 - a->nr_places) * sizeof(*places));
			a->places = places;
			a->nr_places = id + 1;
		}
	}
	/* two probes may have one id and layout */
	err = -ENOMEM;
	if (places)
		err = places[id].nr ? 0 : add_layout(&places[id], layout);
	layout_free(layout);
	return err ? diag_set(d, err, DIAG_NO_MEMORY) : 0;
}

/* Of 4 bytes the sign says the rest. */
static uint64_t address_at(const void *payload, const struct address_place *p)
{
	const char *at = (const char *)payload + p->offset;
	uint64_t address;
	int32_t low;

	if (p->size == sizeof(low)) {
		memcpy(&low, at, sizeof(low));
		return (int64_t)low;
	}
	memcpy(&address, at, sizeof(address));
	return address;
}

static int scan_payload(struct addresses *a, uint32_t id, const void *payload,
			size_t size)
{
	const struct address_places *p;
	uint64_t address;
	int err = 0;

	if (id >= a->nr_places)
		return 0;
	p = &a->places[id];
	for (size_t i = 0; !err && i < p->nr; i++) {
		const struct address_place *place = &p->place[i];

		if ((size_t)place->offset + place->size > size)
			break;
		address = address_at(payload, place);
		if (place->is_cgroup) {
			err = meet_cgroup(a, address);
			continue;
		}
		if (address != a->last)
			err = meet_address(a, address);
		a->last = address;
	}
	return err;
}

/*
 * Records, from one to the next: to decode them would cost more than to write
 * them. What makes no sense here is told when it is decoded.
 */
static int scan(struct addresses *a, const struct datafile_batch *b)
{
	const char *data = b->data;
	size_t at = 0;
	int err = 0;

	while (!err && b->size - at >= sizeof(struct ktap_rec_head)) {
		const struct ktap_rec_head *head = (const void *)(data + at);

		if (head->id == KTAP_REC_PAD && !head->size) {
			at += a->subbuf_size -
			      (b->position + at) % a->subbuf_size;
			if (at > b->size)
				break;
			continue;
		}
		if (head->size < sizeof(*head) || head->size > b->size - at)
			break;
		err = scan_payload(a, head->id, head + 1, head->size - sizeof(*head));
		at += head->size;
	}
	return err;
}

/* ---- a recording ------------------------------------------------------------ */

void addresses_begin(struct addresses *a, const struct machine *m,
		     struct datafile_writer *w, struct ctl *ctl)
{
	*a = (struct addresses){
		.writer = w, .ctl = ctl, .subbuf_size = m->subbuf_size,
	};
}

int addresses_probe(struct addresses *a, uint32_t id, const void *blob,
		    size_t size, struct diag *d)
{
	unsigned int wanted = wanted_names(blob, size);
	int err = 0;

	if (!wanted)
		return 0;
	if ((wanted & WANTS_CGROUPS) && !a->cgroups)
		a->cgroups = cgroups_open();
	if ((wanted & WANTS_CGROUPS) && !a->cgroups)
		return diag_no_memory(d);
	if ((wanted & WANTS_SYMBOLS) && !a->ks) {
		err = running_symbols(a->ctl, d, &a->ks);
		/* the index takes long: not while the rings fill */
		if (!err)
			ksyms_prepare(a->ks);
	}
	return err ? err : add_probe(a, id, blob, size, d);
}

void addresses_more(struct addresses *a, const struct ksyms_more *more)
{
	if (a->ks)
		ksyms_more(a->ks, more);
}

static int write_lines(struct addresses *a, struct diag *d)
{
	int err;

	if (!a->lines.size)
		return 0;
	err = datafile_symbols(a->writer, a->lines.data, a->lines.size, d);
	buf_clear(&a->lines);
	return err;
}

/* The session has checked them. */
int addresses_stacks(struct addresses *a, const void *stacks, size_t size,
		     struct diag *d)
{
	const struct ktap_stack *s, *end = (const void *)((const char *)stacks + size);

	if (follow(a, d))
		return -ENOMEM;
	for (s = stacks; s < end; s = stack_next(s))
		for (unsigned int i = 0; i < s->nr; i++)
			if (meet_frame(a, s, i))
				return diag_no_memory(d);
	return write_lines(a, d);
}

int addresses_payload(struct addresses *a, uint32_t id, const void *payload,
		      size_t size, struct diag *d)
{
	int err = scan_payload(a, id, payload, size);

	return err ? diag_set(d, err, DIAG_NO_MEMORY) : write_lines(a, d);
}

int addresses_batch(struct addresses *a, const struct datafile_batch *b,
		    struct diag *d)
{
	int err;

	if (!a->nr_places)
		return 0;
	if (follow(a, d))
		return -ENOMEM;
	err = scan(a, b);
	if (err)
		return diag_set(d, err, DIAG_NO_MEMORY);
	return write_lines(a, d);
}

void addresses_deinit(struct addresses *a)
{
	for (size_t i = 0; i < a->nr_places; i++)
		free(a->places[i].place);
	free(a->places);
	ksyms_free(a->ks);
	cgroups_free(a->cgroups);
	address_set_deinit(&a->seen);
	address_set_deinit(&a->named);
	address_set_deinit(&a->seen_cgroups);
	buf_deinit(&a->lines);
}
