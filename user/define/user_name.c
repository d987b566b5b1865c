// SPDX-License-Identifier: GPL-2.0
#include "define/user_name.h"

#include <string.h>

void user_name_plain(struct buf *to, const char *text)
{
	for (; *text; text++)
		buf_putc(to, *text <= ' ' || *text > '~' || strchr(";[]", *text) ?
				     '_' : *text);
}

const struct binary_sym *user_name_find(struct binary *bin, uint64_t address)
{
	_cleanup_diag_ struct diag d = { 0 };
	const struct binary_sym *sym;
	size_t nr;

	if (!binary_syms(bin, &d, &nr))
		return NULL;
	sym = binary_sym_at(bin, address);
	if (!sym)
		sym = binary_sym_at(bin, address - 1);
	/* where the functions after it have no symbols, its end is not known */
	return sym && !sym->size && !binary_has_symtab(bin) ? NULL : sym;
}

static const struct ksym *finish(struct user_name *n)
{
	n->sym.name = buf_str(&n->text);
	return n->text.failed ? NULL : &n->sym;
}

const struct ksym *user_name_symbol(struct user_name *n, uint64_t frame, uint64_t distance,
				    const struct binary_sym *sym, const char *file)
{
	buf_clear(&n->text);
	user_name_plain(&n->text, sym->name);
	n->sym = (struct ksym){ .address = frame - distance, .type = 't', .module = file };
	return finish(n);
}

const struct ksym *user_name_place(struct user_name *n, uint64_t frame, const char *file)
{
	buf_clear(&n->text);
	buf_printf(&n->text, "[%s+0x%llx]", file ? file : "unknown file",
		   (unsigned long long)user_frame_offset(frame));
	n->sym = (struct ksym){ .address = frame, .type = 't' };
	return finish(n);
}
