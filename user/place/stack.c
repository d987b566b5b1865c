// SPDX-License-Identifier: GPL-2.0
#include "place/stack.h"

bool frame_is_return(const struct ktap_stack *s, unsigned int i)
{
	if (!i)
		return false;
	for (unsigned int k = 0; k < KTAP_STACK_INTERRUPTED_MAX; k++)
		if (s->interrupted[k] == i)
			return false;
	return true;
}

uint64_t frame_place(const struct ksyms *ks, const struct ktap_stack *s, unsigned int i)
{
	uint64_t frame = s->frames[i];
	const struct ksym *sym;

	if (!frame_is_return(s, i))
		return frame;
	sym = ksyms_by_address(ks, frame);
	/* what stands for a place without a symbol begins there, too */
	return sym && sym->address == frame && *sym->name != '[' ? frame - 1 : frame;
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
