// SPDX-License-Identifier: GPL-2.0
#include "place/stack.h"

#include <string.h>

#include "base/array.h"

static bool is_interrupted(const struct ktap_stack *s, unsigned int i)
{
	for (unsigned int k = 0; i && k < KTAP_STACK_INTERRUPTED_MAX; k++)
		if (s->interrupted[k] == i)
			return true;
	return false;
}

/* A signal handler returns to the first instruction of code that no call precedes. */
bool frame_is_return(const struct ktap_stack *s, unsigned int i)
{
	bool is_sigreturn = (s->flags & KTAP_STACK_F_USER) && is_interrupted(s, i + 1);

	return i && !is_sigreturn && !is_interrupted(s, i);
}

/* What the kernel puts in place of return addresses, and unwinders before 5.16 do not resolve. */
static bool is_trampoline(const struct ksym *sym)
{
	static const char *const names[] = {
		"kretprobe_trampoline", "__kretprobe_trampoline",
		"arch_rethook_trampoline", "return_to_handler",
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(sym->name, names[i]))
			return true;
	return false;
}

uint64_t frame_place(const struct ksyms *ks, const struct ktap_stack *s, unsigned int i)
{
	uint64_t frame = s->frames[i];
	const struct ksym *sym;

	if (!frame_is_return(s, i))
		return frame;
	sym = ksyms_by_address(ks, frame);
	/* what stands for a place without a symbol begins there, too */
	return sym && sym->address == frame && *sym->name != '[' && !is_trampoline(sym) ?
	       frame - 1 : frame;
}

const struct ksym *frame_symbol(const struct ksyms *ks, const struct ktap_stack *s,
				unsigned int i)
{
	return ks ? ksyms_by_address(ks, frame_place(ks, s, i)) : NULL;
}

size_t frame_inlined(const struct ksyms *ks, const struct ktap_stack *s, unsigned int i,
		     const char *const **ret)
{
	return ksyms_inlined(ks, s->frames[i] - frame_is_return(s, i), ret);
}
