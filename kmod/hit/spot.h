/* SPDX-License-Identifier: GPL-2.0 */
/* The place of a probe, for the unwinder. */
#ifndef KTAP_SPOT_H
#define KTAP_SPOT_H

/**
 * struct ktap_spot - known properties of the place of a probe
 * @ip: its address; 0: the registers have it
 * @insn: instruction there, where a breakpoint replaces it; only on arm64
 * @is_entry: the entry of a function: no frame has been made yet
 */
struct ktap_spot {
	unsigned long ip;
	u32 insn;
	bool is_entry;
};

#endif /* KTAP_SPOT_H */
