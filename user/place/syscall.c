// SPDX-License-Identifier: GPL-2.0
/*
 * sys:NAME: the function that serves a system call of this architecture. Its
 * one argument is the registers of the caller: see struct place's is_syscall.
 */
#include <errno.h>
#include <linux/ktap.h>
#include <string.h>

#include "arch/arch.h"
#include "base/array.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/suggest.h"
#include "place/place_kinds.h"

/* What the manual calls a call, where its function has another name. */
static const struct {
	const char *manual;
	const char *kernel;
} other_names[] = {
	{ "stat", "newstat" },	    { "lstat", "newlstat" },
	{ "fstat", "newfstat" },    { "fstatat", "newfstatat" },
	{ "uname", "newuname" },    { "pread", "pread64" },
	{ "pwrite", "pwrite64" },   { "sendfile", "sendfile64" },
	{ "prlimit", "prlimit64" }, { "umount2", "umount" },
	{ "fadvise", "fadvise64" }, { "fadvise64", "fadvise64_64" },
};

const char *syscall_name(const struct ksym *sym)
{
	const struct arch *arch;
	size_t length;

	for (size_t i = 0; (arch = arch_nth(i)); i++) {
		length = strlen(arch->syscall_prefix);
		if (!strncmp(sym->name, arch->syscall_prefix, length) &&
		    ksym_is_text(sym) && !sym->module)
			return sym->name + length;
	}
	return NULL;
}

/* The first symbol of that name on either architecture. */
static bool find(const struct ksyms *ks, const char *name, struct ksym *ret)
{
	const struct arch *arch;

	for (size_t i = 0; (arch = arch_nth(i)); i++) {
		_cleanup_buf_ struct buf symbol = BUF_INIT;
		size_t pos = 0;

		buf_printf(&symbol, "%s%s", arch->syscall_prefix, name);
		while (ksyms_find(ks, buf_str(&symbol), &pos, ret))
			if (syscall_name(ret))
				return true;
	}
	return false;
}

static bool find_any_name(const struct ksyms *ks, const char *name,
			  struct ksym *ret)
{
	size_t i;

	if (find(ks, name, ret))
		return true;
	for (i = 0; i < ARRAY_SIZE(other_names); i++)
		if (!strcmp(other_names[i].manual, name) &&
		    find(ks, other_names[i].kernel, ret))
			return true;
	return false;
}

static int not_found(struct query *q)
{
	struct suggest s;
	struct ksym sym;
	size_t pos = 0;

	query_fail(q, -ENOENT, DIAG_KSYMS_NO_SYSCALL, q->name);
	suggest_init(&s, q->name, strlen(q->name));
	while (ksyms_next(q->ks, &pos, &sym)) {
		const char *name = syscall_name(&sym);

		if (name)
			suggest_try(&s, name);
	}
	suggest_hint(&s, "", q->d);
	return -ENOENT;
}

int resolve_syscall(struct query *q, const struct place_spec *place,
		    struct place *ret)
{
	struct ksym sym;

	if (!find_any_name(q->ks, q->name, &sym))
		return not_found(q);
	ret->type = place->is_return ? KTAP_TYPE_KRETPROBE : KTAP_TYPE_KPROBE;
	ret->is_entry = true;
	ret->is_syscall = true;
	ret->address = sym.address;
	return place_set_symbol(q, &sym, ret);
}
