/* SPDX-License-Identifier: GPL-2.0 */
/* Where a stack begins, for the unwinder. */
#ifndef KTAP_SPOT_H
#define KTAP_SPOT_H

/**
 * struct ktap_spot - known properties of the place of a probe
 * @ip: its address; 0: the registers have it
 * @insn: instruction there, where a breakpoint replaces it; only on arm64
 * @nr: number that no other place has had, not 0; 0 with @ip. A module that comes back may have
 *	another address, so its probes have other numbers
 * @is_entry: the entry of a function: no frame has been made yet; with @ip only
 */
struct ktap_spot {
	unsigned long ip;
	u32 insn;
	u32 nr;
	bool is_entry;
};

/**
 * struct ktap_code - code of a function
 * @begin: its address
 * @size: its bytes; 0: unknown
 */
struct ktap_code {
	unsigned long begin;
	unsigned long size;
};

/**
 * struct ktap_caller - the caller of a hook that gets no registers
 * @ip: where it continues after the call
 * @fp: frame pointer of the hook. The caller's frame pointer is stored there, and the
 *	return address after it
 * @hidden: a function whose frame does not show if it is the caller
 */
struct ktap_caller {
	unsigned long ip;
	unsigned long fp;
	const struct ktap_code *hidden;
};

/* Does the frame of the caller show? A return address is never the first byte. */
static __always_inline bool ktap_caller_shows(const struct ktap_caller *c)
{
	return c->ip - c->hidden->begin >= c->hidden->size;
}

#endif /* KTAP_SPOT_H */
