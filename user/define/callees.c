// SPDX-License-Identifier: GPL-2.0
#include "define/callees.h"

#include <errno.h>
#include <stdlib.h>

#include "arch/code.h"
#include "base/address_set.h"
#include "base/array.h"
#include "base/buf.h"
#include "define/kernel_code.h"
#include "place/probeable.h"
#include "place/symtab.h"

/* No function is so large: symbols that are missing make one larger than it is. */
#define CODE_MAX (256U << 10)

/* Parts of parts, by recursion. A cycle of them ends, as each is met once. */
#define PARTS_MAX 8

/**
 * struct search - the search for callees at work
 * @ks: symbols
 * @arch: of the code
 * @code: where code is read
 * @can: which functions can be probed
 * @most: see callees_find()
 * @buf: code of one function
 * @seen: addresses of functions that were met
 * @parts: addresses of parts of functions that were met
 * @ret: what was found
 */
struct search {
	const struct ksyms *ks;
	enum ktap_arch arch;
	struct kernel_code code;
	struct probeable can;
	size_t most;
	struct buf buf;
	struct address_set seen;
	struct address_set parts;
	struct callees *ret;
};

/* ---- code ---- */

/* What is at @address is a function of a name, and not only near one. */
static const struct ksym *begins_at(const struct search *s, uint64_t address)
{
	const struct ksym *sym = ksyms_by_address(s->ks, address);

	return sym && sym->address == address ? sym : NULL;
}

static int read_code(struct search *s, uint64_t address, struct code_view *ret)
{
	uint64_t end, size;
	char *bytes;

	if (ksyms_text_end(s->ks, address, &end))
		return -ENOMEM;
	size = end - address < CODE_MAX ? end - address : CODE_MAX;
	buf_clear(&s->buf);
	bytes = buf_room(&s->buf, size);
	if (!bytes)
		return -ENOMEM;
	*ret = (struct code_view){ (uint8_t *)bytes, address, size };
	return kernel_code_read(&s->code, address, bytes, size);
}

static bool shares_name(const struct search *s, const struct ksym *sym)
{
	struct ksym other;
	size_t pos = 0, nr = 0;

	while (nr < 2 && ksyms_find(s->ks, sym->name, &pos, &other))
		nr++;
	return nr > 1;
}

static int append(struct search *s, const struct ksym *sym, unsigned int level)
{
	struct callees *c = s->ret;
	struct callee *more;

	if (c->nr >= s->most) {
		c->beyond++;
		return 0;
	}
	more = array_grow(c->fn, c->nr, sizeof(*more));
	if (!more)
		return -ENOMEM;
	c->fn = more;
	more[c->nr++] = (struct callee){
		.name = sym->name, .module = sym->module, .address = sym->address,
		.shares_name = shares_name(s, sym), .level = level,
	};
	return 0;
}

/* Code that others wrote: trampolines of ftrace, of kprobes, and of BPF programs. */
static bool is_made(const struct ksym *sym)
{
	return sym->module && (!strcmp(sym->module, "bpf") || !strncmp(sym->module, "__builtin__", 11));
}

/* The first bytes of the code at @address. */
static bool read_begin(const struct search *s, uint64_t address, uint8_t bytes[CODE_BEGIN_MAX],
		       struct code_view *ret)
{
	*ret = (struct code_view){ bytes, address, CODE_BEGIN_MAX };
	return !kernel_code_read(&s->code, address, bytes, CODE_BEGIN_MAX);
}

/*
 * A jump out of a function leads to another function, or to a label that has a symbol: files
 * in assembler have such labels amid functions. There the stack may have anything where a
 * return probe takes the return address from. So only a site of ftrace, or a call, shows
 * that a function begins here.
 */
static bool begins_function(const struct search *s, uint64_t address)
{
	uint8_t bytes[CODE_BEGIN_MAX];
	struct code_view begin;

	return read_begin(s, address, bytes, &begin) && code_has_site(s->arch, &begin);
}

/* Where a call leads in the end. */
static uint64_t through_veneer(const struct search *s, uint64_t to)
{
	uint8_t bytes[CODE_BEGIN_MAX];
	struct code_view begin;
	uint64_t end = 0;

	if (read_begin(s, to, bytes, &begin))
		end = code_veneer_to(s->arch, &begin);
	return end ?: to;
}

static int scan(struct search *s, uint64_t address, unsigned int level, unsigned int parts);

static int scan_part(struct search *s, uint64_t address, unsigned int level, unsigned int parts)
{
	int ret = parts ? address_set_add(&s->parts, address) : 0;

	return ret > 0 ? scan(s, address, level, parts - 1) : ret;
}

static int add_function(struct search *s, const struct ksym *sym, unsigned int level)
{
	int ret = address_set_add(&s->seen, sym->address);

	if (ret <= 0 || !probeable_is_function(&s->can, sym))
		return ret;
	if (probeable_is_forbidden(&s->can, sym)) {
		s->ret->forbidden++;
		return 0;
	}
	return append(s, sym, level);
}

static int follow(struct search *s, const struct code_call *call, unsigned int level,
		  unsigned int parts)
{
	const struct ksym *sym = begins_at(s, call->to);
	enum code_role role;

	if (!sym)
		sym = begins_at(s, through_veneer(s, call->to));
	/* a part of a function begins where it is jumped to, maybe amid its symbol */
	if (!sym || is_made(sym)) {
		s->ret->nameless += !sym && !call->is_jump;
		return 0;
	}
	if (sym->address == s->ret->fn[0].address)
		s->ret->recursive = true;
	role = code_role(sym->name);
	s->ret->indirect += role == CODE_INDIRECT;
	if (role == CODE_INDIRECT || role == CODE_SUPPORT)
		return 0;
	if (role == CODE_PART || (call->is_jump && !begins_function(s, sym->address)))
		return scan_part(s, sym->address, level, parts);
	return add_function(s, sym, level);
}

/* What the function at @address calls is of @level. */
static int scan(struct search *s, uint64_t address, unsigned int level, unsigned int parts)
{
	struct code_calls calls = { 0 };
	struct code_view code;
	int err;

	err = read_code(s, address, &code);
	if (!err)
		err = code_find_calls(s->arch, &code, &calls);
	if (err == -ENODATA || calls.stop) {
		s->ret->unread++;
		err = err == -ENODATA && address == s->ret->fn[0].address ? err : 0;
	}
	s->ret->indirect += calls.indirect;
	for (size_t i = 0; !err && i < calls.nr; i++)
		err = follow(s, &calls.call[i], level, parts);
	code_calls_deinit(&calls);
	return err;
}

static int search(struct search *s, uint64_t address, unsigned int levels, struct diag *d)
{
	const struct ksym *sym = begins_at(s, address);
	int err;

	if (!sym)
		return diag_set(d, -ENOENT, DIAG_KSYMS_NO_FUNCTION, (unsigned long long)address);
	err = address_set_add(&s->seen, address);
	if (err >= 0)
		err = append(s, sym, 1);
	for (size_t i = 0; !err && i < s->ret->nr; i++) {
		unsigned int level = s->ret->fn[i].level;

		if (level < levels)
			err = scan(s, s->ret->fn[i].address, level + 1, PARTS_MAX);
	}
	if (err == -ENODATA)
		return diag_set(d, err, DIAG_CALLEES_UNREAD, sym->name);
	return err == -ENOMEM ? diag_no_memory(d) : err;
}

int callees_find(struct definer *df, uint64_t address, unsigned int levels, size_t most,
		 struct diag *d, struct callees *ret)
{
	struct search s = {
		.ks = df->ks, .arch = df->arch, .most = most, .buf = BUF_INIT, .ret = ret,
	};
	int err = 0;

	*ret = (struct callees){ 0 };
	probeable_init(&s.can, df->ks);
	if (levels > 1)
		err = kernel_code_open(df, d, &s.code);
	if (!err)
		err = search(&s, address, levels, d);
	kernel_code_close(&s.code);
	buf_deinit(&s.buf);
	address_set_deinit(&s.seen);
	address_set_deinit(&s.parts);
	return err;
}

void callees_deinit(struct callees *c)
{
	free(c->fn);
	*c = (struct callees){ 0 };
}
