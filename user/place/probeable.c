// SPDX-License-Identifier: GPL-2.0
#include "place/probeable.h"

#include <string.h>

#include "base/array.h"
#include "base/buf.h"
#include "place/symtab.h"

/* See populate_kprobe_blacklist(). In the first two, ftrace has no sites either. */
static const char *const forbidden[PROBEABLE_AREAS][2] = {
	{ "__noinstr_text_start", "__noinstr_text_end" },
	{ "__entry_text_start", "__entry_text_end" },
	{ "__kprobes_text_start", "__kprobes_text_end" },
};

#define NR_WITHOUT_FTRACE 2

static uint64_t address_of(const struct ksyms *ks, const char *name)
{
	struct ksym sym;
	size_t pos = 0;

	return ksyms_find(ks, name, &pos, &sym) ? sym.address : 0;
}

void probeable_init(struct probeable *p, const struct ksyms *ks)
{
	struct ksym sym;
	size_t i, pos = 0;

	*p = (struct probeable){
		.ks = ks,
		.init = { address_of(ks, "_sinittext"), address_of(ks, "_einittext") },
		.has_ftrace = ksyms_find(ks, "ftrace_set_filter_ip", &pos, &sym),
	};
	for (i = 0; i < (p->has_ftrace ? NR_WITHOUT_FTRACE : PROBEABLE_AREAS); i++)
		p->area[i] = (struct address_range){
			address_of(ks, forbidden[i][0]), address_of(ks, forbidden[i][1]),
		};
}

static bool is_in(const struct address_range *r, const struct ksym *sym)
{
	return sym->address >= r->start && sym->address < r->end;
}

bool probeable_is_function(const struct probeable *p, const struct ksym *sym)
{
	return ksym_is_text(sym) && !ksym_is_shadow(sym) && !strstr(sym->name, ".cold") &&
	       !is_in(&p->init, sym) && (!sym->module || strcmp(sym->module, "ktap"));
}

/* A function that is marked by itself has a variable that is called after it. */
static bool is_marked(const struct ksyms *ks, const struct ksym *sym)
{
	_cleanup_buf_ struct buf name = BUF_INIT;
	struct ksym mark;
	size_t pos = 0;

	buf_printf(&name, "_kbl_addr_%s", sym->name);
	while (ksyms_find(ks, buf_str(&name), &pos, &mark))
		if (!mark.module == !sym->module &&
		    (!sym->module || !strcmp(mark.module, sym->module)))
			return true;
	return false;
}

bool probeable_is_forbidden(const struct probeable *p, const struct ksym *sym)
{
	for (size_t i = 0; i < ARRAY_SIZE(p->area); i++)
		if (is_in(&p->area[i], sym))
			return true;
	return !p->has_ftrace && is_marked(p->ks, sym);
}
