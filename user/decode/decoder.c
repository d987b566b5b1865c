// SPDX-License-Identifier: GPL-2.0
/*
 * Records to events: looks up the probe, takes its values out of the payload
 * as the layout says, and hands them on. Live batches come in here; merge.c
 * does the same for recordings.
 */
#include "decode/decoder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "types/walk.h"

DEFINE_CLEANUP(struct decoder, decoder_destroy)

/* ---- create ---- */

#define SUBBUF_MAX (1U << 30)

int decoder_create(const struct machine *m, struct diag *d,
		   struct decoder **ret)
{
	_cleanup_(decoder_destroyp) struct decoder *dec = NULL;

	if (!m->nr_cpus || m->subbuf_size < 64 || m->subbuf_size > SUBBUF_MAX ||
	    (m->subbuf_size & (m->subbuf_size - 1)))
		return diag_set(d, -EINVAL, DIAG_DECODE_GEOMETRY, m->nr_cpus,
				m->subbuf_size);
	dec = calloc(1, sizeof(*dec));
	if (!dec)
		return diag_no_memory(d);
	dec->nr_cpus = m->nr_cpus;
	dec->subbuf_size = m->subbuf_size;
	dec->track.hz = m->clock_hz;
	dec->cursors = calloc(m->nr_cpus, sizeof(*dec->cursors));
	if (!dec->cursors)
		return diag_no_memory(d);
	*ret = take_ptr(dec);
	return 0;
}

static void known_probe_free(struct known_probe *p)
{
	if (!p)
		return;
	layout_free(p->layout);
	free(p->values);
	free(p->name);
	free(p);
}

DEFINE_CLEANUP(struct known_probe, known_probe_free)

void decoder_destroy(struct decoder *dec)
{
	unsigned int i;

	if (!dec)
		return;
	for (i = 0; i < dec->nr_probes; i++)
		known_probe_free(dec->probes[i]);
	free(dec->probes);
	stacks_deinit(&dec->stacks);
	for (i = 0; dec->cursors && i < dec->nr_cpus; i++)
		free(dec->cursors[i]);
	free(dec->cursors);
	free(dec);
}

/* Ids are given out from below: the table is as large as the largest. */
static int make_room(struct decoder *dec, uint32_t id)
{
	unsigned int nr = dec->nr_probes ? dec->nr_probes : 64;
	struct known_probe **probes;

	while (nr <= id)
		nr *= 2;
	if (nr == dec->nr_probes)
		return 0;
	probes = reallocarray(dec->probes, nr, sizeof(*probes));
	if (!probes)
		return -ENOMEM;
	memset(probes + dec->nr_probes, 0,
	       (nr - dec->nr_probes) * sizeof(*probes));
	dec->probes = probes;
	dec->nr_probes = nr;
	return 0;
}

/* Those of arrays stand behind all others. */
static size_t count_values(const struct layout *l)
{
	size_t nr = l->nr_fields + 1, i;

	for (i = 0; i < l->nr_fields; i++)
		nr += l->fields[i].count;
	return nr;
}

static struct value first_value(const struct layout *l, const struct field *f)
{
	return (struct value){
		.field = f,
		.cut = f->kind == FIELD_STRUCT &&
		       typed_size(l->types, f->type) > f->size,
	};
}

/* What is the same for every record; the takers set the rest. */
static void init_values(const struct layout *l, struct value *values)
{
	struct value *elements = values + l->nr_fields;
	unsigned int nr;
	size_t i;

	for (i = 0; i < l->nr_fields; i++) {
		values[i] = first_value(l, &l->fields[i]);
		nr = l->fields[i].count;
		if (nr)
			values[i].elements = elements;
		while (nr--)
			*elements++ = first_value(l, &l->fields[i]);
	}
}

/*
 * A definition of few bytes may have arrays of many elements. A record of it has all of them,
 * so who has a record may have memory for its values.
 */
static bool make_values(struct known_probe *p)
{
	p->values = calloc(count_values(p->layout), sizeof(*p->values));
	if (p->values)
		init_values(p->layout, p->values);
	return p->values;
}

int decoder_probe(struct decoder *dec, uint32_t id, const char *name,
		  const void *blob, size_t size, struct diag *d)
{
	_cleanup_(known_probe_freep) struct known_probe *p = calloc(1, sizeof(*p));
	int err;

	if (!p)
		return diag_no_memory(d);
	if (id < KTAP_REC_FIRST_PROBE || id > UINT16_MAX)
		return diag_set(d, -EBADMSG, DIAG_DECODE_PROBE_ID, id);
	err = layout_decode(blob, size, d, &p->layout);
	if (err)
		return err;
	p->name = strdup(name);
	if (!p->name || make_room(dec, id))
		return diag_no_memory(d);
	p->shape = ++dec->nr_shapes;
	known_probe_free(dec->probes[id]);
	dec->probes[id] = take_ptr(p);
	return 0;
}

int decoder_stacks(struct decoder *dec, const void *stacks, size_t size,
		   struct diag *d)
{
	int err = stacks_add(&dec->stacks, stacks, size);

	if (err == -EBADMSG)
		return diag_set(d, err, DIAG_DECODE_STACKS);
	return err ? diag_no_memory(d) : 0;
}

void decoder_clock(struct decoder *dec, const struct ktap_session_state *now)
{
	clock_track_add(&dec->track,
			(struct clock_pair){ now->raw, now->mono });
}

struct cursor *decoder_cursor(struct decoder *dec, unsigned int cpu)
{
	struct cursor *c = dec->cursors[cpu];

	if (c)
		return c;
	c = malloc(sizeof(*c));
	if (c)
		cursor_init(c, cpu, dec->subbuf_size);
	dec->cursors[cpu] = c;
	return c;
}

/* ---- values ---- */

static uint64_t get_uint(const unsigned char *at, unsigned int size)
{
	uint64_t v64;
	uint32_t v32;
	uint16_t v16;

	switch (size) {
	case 1:
		return *at;
	case 2:
		memcpy(&v16, at, sizeof(v16));
		return v16;
	case 4:
		memcpy(&v32, at, sizeof(v32));
		return v32;
	default:
		memcpy(&v64, at, sizeof(v64));
		return v64;
	}
}

static uint64_t sign_extend(uint64_t v, unsigned int bits)
{
	unsigned int shift = 64 - bits;

	return (int64_t)(v << shift) >> shift;
}

/* An int in a register of 64 bits: what is above it is mostly zero. */
static uint64_t extend_errno(uint64_t v)
{
	return v >= 0xfffff001 && v <= UINT32_MAX ? sign_extend(v, 32) : v;
}

/* Of what is stored at @at */
static uint64_t get_number(const struct field *f, const unsigned char *at)
{
	unsigned int bits = f->bit_width ? f->bit_width : f->size * 8;
	uint64_t v = get_uint(at, f->size) >> f->bit_offset;

	if (f->format == FORMAT_ERRNO)
		return extend_errno(v);
	if (f->format == FORMAT_SIGNED)
		return sign_extend(v, bits);
	return bits < 64 ? v & ((1ULL << bits) - 1) : v;
}

/**
 * struct taker - takes the values of one record
 * @c: at the record
 * @stacks: those that are known
 * @string: where the next string is: they stand in the order of their fields
 * @faults: bits of the fault mask
 * @no_entry: what needs the function's entry lacks it
 * @elements: those of the next array
 */
struct taker {
	const struct cursor *c;
	const struct stacks *stacks;
	size_t string;
	uint64_t faults;
	bool no_entry;
	struct value *elements;
};

/* Whether what the value needs was not there, and not merely unreadable. */
static bool is_absent(const struct taker *t, const struct field *f)
{
	return (t->no_entry && f->frame) ||
	       (f->state && t->faults >> f->absent & 1);
}

static bool take_string(struct taker *t, struct value *v, size_t index)
{
	const struct cursor *c = t->c;
	struct ktap_string slot;

	memcpy(&slot, c->payload + v->field->offset + index * sizeof(slot),
	       sizeof(slot));
	if (slot.len > c->payload_size - t->string)
		return false;
	v->cut = slot.flags & KTAP_STRING_F_CUT;
	v->fault = slot.flags & KTAP_STRING_F_FAULT || !slot.len;
	v->no_entry = !slot.len && is_absent(t, v->field);
	v->text = NULL;
	v->length = 0;
	if (!slot.len) /* not even a NUL was read */
		return true;
	v->text = (const char *)c->payload + t->string;
	v->length = slot.len - 1;
	t->string += slot.len;
	return v->text[v->length] == '\0';
}

/* Only a name that was taken along from an entry can be missing. */
static bool take_comm(struct taker *t, struct value *v, size_t index)
{
	const struct field *f = v->field;

	(void)index;
	v->text = (const char *)t->c->payload + f->offset;
	v->length = strnlen(v->text, KTAP_COMM_LEN);
	v->fault = f->fault >= 0 && t->faults >> f->fault & 1;
	v->no_entry = v->fault && is_absent(t, f);
	return true;
}

static bool take_int(struct taker *t, struct value *v, size_t index)
{
	const struct field *f = v->field;

	v->number = get_number(f, t->c->payload + f->offset + index * f->size);
	v->fault = f->fault >= 0 && t->faults >> f->fault & 1;
	v->no_entry = v->fault && is_absent(t, f);
	if (field_is_stack(f))
		v->stack = stacks_find(t->stacks, v->number);
	return true;
}

static bool take_literal(struct taker *t, struct value *v, size_t index)
{
	(void)t;
	(void)index;
	v->text = v->field->text;
	v->length = strlen(v->text);
	return true;
}

static bool take_unknown(struct taker *t, struct value *v, size_t index)
{
	(void)t;
	(void)index;
	v->fault = true;
	v->unknown = true;
	return true;
}

static bool take_struct(struct taker *t, struct value *v, size_t index)
{
	const struct field *f = v->field;

	(void)index;
	v->text = (const char *)t->c->payload + f->offset;
	v->length = f->size;
	v->fault = f->fault >= 0 && t->faults >> f->fault & 1;
	v->no_entry = v->fault && is_absent(t, f);
	return true;
}

static bool (*const takers[])(struct taker *t, struct value *v,
			      size_t index) = {
	[FIELD_INT] = take_int,
	[FIELD_STRING] = take_string,
	[FIELD_COMM] = take_comm,
	[FIELD_LITERAL] = take_literal,
	[FIELD_STRUCT] = take_struct,
	[FIELD_UNKNOWN] = take_unknown,
};

static bool take_array(struct taker *t, struct value *v)
{
	const struct field *f = v->field;
	unsigned int i;

	/* numbers are read all or none; a text may be missing by itself */
	v->fault = f->fault >= 0 && t->faults >> f->fault & 1;
	v->no_entry = v->fault && is_absent(t, f);
	v->cut = false;
	for (i = 0; i < f->count; i++) {
		struct value *e = t->elements++;

		if (!takers[f->kind](t, e, i))
			return false;
		v->cut |= e->cut;
	}
	return true;
}

/* The layout was checked when it came: fields lie inside the fixed part, and that is there. */
static bool get_values(const struct decoder *dec, const struct cursor *c,
		       const struct layout *l, struct value *values)
{
	struct taker t = {
		.c = c, .stacks = &dec->stacks, .string = l->fixed_size,
		.elements = values + l->nr_fields,
	};
	bool good;
	size_t i;

	if (l->faults_size)
		t.faults = get_uint(c->payload + l->faults_offset,
				    l->faults_size);
	t.no_entry = l->has_frame && t.faults >> l->no_entry & 1;
	for (i = 0; i < l->nr_fields; i++) {
		if (l->fields[i].count)
			good = take_array(&t, &values[i]);
		else if (l->fields[i].kind == FIELD_INT) /* mostly */
			good = take_int(&t, &values[i], 0);
		else
			good = takers[l->fields[i].kind](&t, &values[i], 0);
		if (!good)
			return false;
	}
	return true;
}

static void no_probe(struct event *e)
{
	e->probe_id = 0;
	e->name = NULL;
	e->layout = NULL;
	e->values = NULL;
	e->nr_values = 0;
	e->return_address = 0;
	e->shape = 0;
}

static struct known_probe *find_probe(const struct decoder *dec, uint32_t id)
{
	return id < dec->nr_probes ? dec->probes[id] : NULL;
}

static void set_probe(struct event *e, uint32_t id, const struct known_probe *p)
{
	e->probe_id = id;
	e->name = p->name;
	e->layout = p->layout;
	e->shape = p->shape;
}

/* Return: false: the payload does not fit the probe. */
static bool set_values(struct decoder *dec, uint32_t id, const struct cursor *c,
		       struct event *e)
{
	struct known_probe *p = find_probe(dec, id);
	const struct layout *l = p ? p->layout : NULL;

	if (!p || c->payload_size < l->fixed_size ||
	    (!p->values && !make_values(p)) || !get_values(dec, c, l, p->values))
		return false;
	set_probe(e, id, p);
	e->values = p->values;
	e->nr_values = l->nr_fields;
	e->return_address = l->is_return ?
		sign_extend(get_uint(c->payload + l->return_offset, l->return_size),
			    l->return_size * 8) : 0;
	return true;
}

bool decoder_values(struct decoder *dec, uint32_t id, const void *payload,
		    size_t size, struct event *ret)
{
	const struct cursor c = { .payload = payload, .payload_size = size };
	const struct known_probe *p = find_probe(dec, id);

	*ret = (struct event){ 0 };
	if (payload || !p)
		return p && set_values(dec, id, &c, ret);
	set_probe(ret, id, p);
	return true;
}

static struct field mark_field = {
	.name = "text", .kind = FIELD_STRING, .format = FORMAT_TEXT,
	.fault = FIELD_NO_FAULT,
};

static const struct layout mark_layout = {
	.definition = "mark", .symbol = "mark",
	.fields = &mark_field, .nr_fields = 1,
};

/* Like a hit with one string, for readers that do not distinguish a mark from a hit. */
static void set_mark(struct decoder *dec, struct event *e)
{
	dec->mark = (struct value){
		.field = &mark_field, .text = e->mark, .length = e->mark_size,
	};
	no_probe(e);
	e->probe_id = KTAP_REC_MARK;
	e->name = "mark";
	e->layout = &mark_layout;
	e->values = &dec->mark;
	e->nr_values = 1;
}

bool decoder_event(struct decoder *dec, struct cursor *c)
{
	struct event *e = &c->event;

	if (e->mark) {
		set_mark(dec, e);
		return true;
	}

	if (e->lost) {
		no_probe(e);
		return true;
	}
	return set_values(dec, c->head.id, c, e);
}

void summary_add(struct decode_summary *s, const struct cursor *c)
{
	if (c->event.lost) {
		s->lost += c->event.lost;
	} else if (c->event.mark) {
		s->marks++;
	} else {
		s->total++;
		if (s->events)
			s->events[c->head.id]++;
	}
}

/* ---- what is wrong ---- */

int decoder_bad_cpu(const struct decoder *dec, unsigned int cpu,
		    struct diag *d)
{
	return diag_set(d, -EBADMSG, DIAG_DECODE_CPU, cpu, dec->nr_cpus);
}

int decoder_bad_batch(const struct datafile_batch *b, struct diag *d)
{
	return diag_set(d, -EBADMSG, DIAG_DECODE_BATCH, b->cpu,
			(unsigned long long)b->position,
			(unsigned long long)b->position + b->size);
}

int decoder_bad_record(const struct cursor *c, struct diag *d)
{
	return diag_set(d, -EBADMSG, DIAG_DECODE_RECORD, c->event.cpu,
			(unsigned long long)c->position - (c->end - c->next),
			c->head.id);
}
