// SPDX-License-Identifier: GPL-2.0
/* Accounting for people and for machines. */
#include "cli/account.h"

#include <stddef.h>

#include "base/array.h"
#include "base/buf.h"
#include "base/fmt.h"
#include "cli/say.h"

/* struct count - one member of a structure of counts, in words */
struct count {
	const char *key;	/* in JSON */
	const char *head;	/* in a table */
	size_t offset;
};

#define COUNT(member, key, head) \
	{ key, head, offsetof(struct ktap_counts, member) }

static const struct count outcomes[] = {
	COUNT(hits, "hits", "HITS"),
	COUNT(filtered, "filtered", "FILTERED"),
	COUNT(limited, "limited", "LIMITED"),
	COUNT(counted, "counted", "COUNTED"),
	COUNT(recorded, "recorded", "RECORDED"),
	COUNT(aggregated, "aggregated", "AGGREGATED"),
	COUNT(other, "other", "OTHER"),
};

static const struct count losses[] = {
	COUNT(lost_full, "full", "FULL"),
	COUNT(lost_deep, "deep", "DEEP"),
	COUNT(lost_big, "big", "BIG"),
	COUNT(lost_no_ring, "no_ring", "NO-RING"),
};

/* In the order of losses[]: what a person is told. */
static const char *const loss_words[] = {
	"ring full", "nested too deeply", "larger than a sub-buffer",
	"no ring on that CPU",
};

/* @c: struct ktap_counts or struct ktap_state_counts, whose members @which names */
static unsigned long long value(const void *c, const struct count *which)
{
	return *(const __u64 *)((const char *)c + which->offset);
}

uint64_t account_lost(const struct ktap_counts *c)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < ARRAY_SIZE(losses); i++)
		sum += value(c, &losses[i]);
	return sum;
}

uint64_t account_wanted(const struct ktap_counts *c)
{
	return c->hits - c->filtered - c->limited;
}

static void add(struct ktap_counts *sum, const struct ktap_counts *c,
		const struct count *which)
{
	*(__u64 *)((char *)sum + which->offset) += value(c, which);
}

void account_add(struct ktap_counts *sum, const struct ktap_counts *c)
{
	for (size_t i = 0; i < ARRAY_SIZE(outcomes); i++)
		add(sum, c, &outcomes[i]);
	for (size_t i = 0; i < ARRAY_SIZE(losses); i++)
		add(sum, c, &losses[i]);
}

/* Return: behind the heads of @which, which are written from @ret on. */
static const char **put_heads(const char **ret, const struct count *which, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		*ret++ = which[i].head;
	return ret;
}

void account_table(struct table *t)
{
	static const char align[] = "lrrrrrrrrrrrrrrr";
	const char *heads[sizeof(align) - 1] = { "NAME", "SESSION", "CPU" };
	const char **next;

	_Static_assert(ARRAY_SIZE(heads) == 5 + ARRAY_SIZE(outcomes) + ARRAY_SIZE(losses),
		       "a letter for each column");
	next = put_heads(heads + 3, outcomes, ARRAY_SIZE(outcomes));
	*next++ = "LOST";
	next = put_heads(next, losses, ARRAY_SIZE(losses));
	*next = "MISSED";
	table_init(t, align, heads);
}

void account_row(struct table *t, const struct account *a)
{
	table_cell(t, "%s", a->name);
	table_cell(t, "%s", a->session ? a->session : "-");
	if (a->cpu < 0)
		table_cell(t, "-");
	else
		table_cell(t, "%d", a->cpu);
	for (size_t i = 0; i < ARRAY_SIZE(outcomes); i++)
		table_cell(t, "%llu", value(&a->counts, &outcomes[i]));
	table_cell(t, "%llu", (unsigned long long)account_lost(&a->counts));
	for (size_t i = 0; i < ARRAY_SIZE(losses); i++)
		table_cell(t, "%llu", value(&a->counts, &losses[i]));
	if (a->cpu < 0)
		table_cell(t, "%llu", (unsigned long long)a->missed);
	else
		table_cell(t, "-");
}

void account_json(struct json *j, const struct ktap_counts *c)
{
	for (size_t i = 0; i < ARRAY_SIZE(outcomes); i++) {
		json_key(j, outcomes[i].key);
		json_u64(j, value(c, &outcomes[i]));
	}
	json_key(j, "lost");
	json_object(j);
	for (size_t i = 0; i < ARRAY_SIZE(losses); i++) {
		json_key(j, losses[i].key);
		json_u64(j, value(c, &losses[i]));
	}
	json_object_end(j);
}

void returns_table(struct table *t)
{
	static const char *const heads[] = {
		"NAME", "ENTRIES", "NO-INSTANCE", "TOO-DEEP", "PENDING",
	};

	table_init(t, "lrrrr", heads);
}

void returns_row(struct table *t, const char *name,
		 const struct ktap_returns *r)
{
	table_cell(t, "%s", name);
	table_cell(t, "%llu", (unsigned long long)r->entries);
	table_cell(t, "%llu", (unsigned long long)r->no_instance);
	table_cell(t, "%llu", (unsigned long long)r->too_deep);
	table_cell(t, "%llu", (unsigned long long)r->pending);
}

void returns_json(struct json *j, const struct ktap_returns *r)
{
	json_key(j, "returns");
	json_object(j);
	json_key(j, "entries");
	json_u64(j, r->entries);
	json_key(j, "no_instance");
	json_u64(j, r->no_instance);
	json_key(j, "too_deep");
	json_u64(j, r->too_deep);
	json_key(j, "pending");
	json_u64(j, r->pending);
	json_object_end(j);
}

void frames_table(struct table *t)
{
	static const char *const heads[] = {
		"NAME", "ENTRIES", "DROPPED", "NO-ENTRY",
	};

	table_init(t, "lrrr", heads);
}

void frames_row(struct table *t, const char *name, const struct ktap_frames *f)
{
	table_cell(t, "%s", name);
	table_cell(t, "%llu", (unsigned long long)f->entries);
	table_cell(t, "%llu", (unsigned long long)f->dropped);
	table_cell(t, "%llu", (unsigned long long)f->no_entry);
}

void frames_json(struct json *j, const struct ktap_frames *f)
{
	json_key(j, "frames");
	json_object(j);
	json_key(j, "entries");
	json_u64(j, f->entries);
	json_key(j, "dropped");
	json_u64(j, f->dropped);
	json_key(j, "no_entry");
	json_u64(j, f->no_entry);
	json_object_end(j);
}

/* In the order of struct ktap_state_counts. */
static const struct count state_counts[] = {
#define STATE(member, head) { #member, head, offsetof(struct ktap_state_counts, member) }
	STATE(stores, "STORES"),
	STATE(replaced, "REPLACED"),
	STATE(unstored, "UNSTORED"),
	STATE(loads, "LOADS"),
	STATE(misses, "MISSES"),
#undef STATE
};

void state_table(struct table *t)
{
	static const char align[] = "lrrrrr";
	const char *heads[sizeof(align) - 1] = { "NAME" };

	_Static_assert(ARRAY_SIZE(heads) == 1 + ARRAY_SIZE(state_counts),
		       "a letter for each column");
	put_heads(heads + 1, state_counts, ARRAY_SIZE(state_counts));
	table_init(t, align, heads);
}

void state_row(struct table *t, const char *name, const struct ktap_state_counts *s)
{
	table_cell(t, "%s", name);
	for (size_t i = 0; i < ARRAY_SIZE(state_counts); i++)
		table_cell(t, "%llu", value(s, &state_counts[i]));
}

void state_json(struct json *j, const struct ktap_state_counts *s)
{
	json_key(j, "state");
	json_object(j);
	for (size_t i = 0; i < ARRAY_SIZE(state_counts); i++) {
		json_key(j, state_counts[i].key);
		json_u64(j, value(s, &state_counts[i]));
	}
	json_object_end(j);
}

void state_add(struct ktap_state_counts *sum, const struct ktap_state_counts *s,
	       int sign)
{
	for (size_t i = 0; i < ARRAY_SIZE(state_counts); i++)
		*(__u64 *)((char *)sum + state_counts[i].offset) +=
			sign * value(s, &state_counts[i]);
}

bool state_losses(const struct ktap_state_counts *sum)
{
	_cleanup_buf_ struct buf b = BUF_INIT;

	if (sum->misses)
		buf_printf(&b, "%llu of %llu loads found no entry",
			   (unsigned long long)sum->misses,
			   (unsigned long long)sum->loads);
	if (sum->replaced)
		buf_printf(&b, "%s%llu of %llu stored values were replaced by later ones: load the module with more state_entries",
			   b.size ? "; " : "", (unsigned long long)sum->replaced,
			   (unsigned long long)sum->stores);
	if (sum->unstored)
		buf_printf(&b, "%s%llu values could not be stored",
			   b.size ? "; " : "", (unsigned long long)sum->unstored);
	if (b.size)
		say_note("%s", buf_str(&b));
	return sum->replaced || sum->unstored;
}

static void put_causes(struct buf *b, const struct ktap_counts *sum)
{
	const char *gap = " (";

	for (size_t i = 0; i < ARRAY_SIZE(losses); i++) {
		unsigned long long n = value(sum, &losses[i]);

		if (!n)
			continue;
		buf_printf(b, "%s%llu %s", gap, n, loss_words[i]);
		gap = ", ";
	}
	buf_putc(b, ')');
}

bool account_losses(const struct ktap_counts *sum, uint64_t missed,
		    uint64_t unfollowed)
{
	_cleanup_buf_ struct buf b = BUF_INIT;
	uint64_t lost = account_lost(sum);

	if (!lost && !missed && !unfollowed)
		return false;
	if (lost) {
		buf_printf(&b, "%llu of %llu hit%s lost", (unsigned long long)lost,
			   (unsigned long long)sum->hits, fmt_s(sum->hits));
		put_causes(&b, sum);
	}
	if (missed)
		buf_printf(&b, "%s%llu missed by the kernel", lost ? "; " : "",
			   (unsigned long long)missed);
	if (unfollowed)
		buf_printf(&b, "%s%llu call%s not followed to the return",
			   b.size ? "; " : "", (unsigned long long)unfollowed, fmt_s(unfollowed));
	say_note("%s", buf_str(&b));
	return true;
}

bool marks_losses(const struct ktap_marks *m)
{
	unsigned long long lost = m->lost_full + m->lost_no_ring;

	if (!lost)
		return false;
	say_note("%llu of %llu marks lost (%s)", lost, m->recorded + lost,
		 !m->lost_no_ring ? "ring full" :
		 !m->lost_full ? "no ring on that CPU" :
				 "ring full, no ring on that CPU");
	return true;
}
