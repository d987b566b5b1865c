/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interpreter of verified fetch programs.
 */
#ifndef KTAP_FETCH_H
#define KTAP_FETCH_H

#include <linux/ktap.h>

#include "env.h"
#include "verify.h"

#define KTAP_FETCH_FILTERED	(-1)
#define KTAP_FETCH_AGAIN	(-2)

/**
 * struct ktap_entry - what the entry program of a return probe stored
 * @faults: its fault bits
 * @payload: what it stored
 */
struct ktap_entry {
	u64 faults;
	u8 payload[];
};

/**
 * struct ktap_frame - what a hook hands over to programs
 * @regs: registers at the hit
 * @args: arguments, or NULL: the hook has none
 * @entry: return probes: what was stored at the entry, or NULL
 * @entry_info: of the program that stored it
 * @retaddr: return probes: the address returned to
 * @calls: entries of the function the probe is in, or NULL
 * @memory: whose memory programs read; ENV_ANY: as they say
 * @retry: a read of user memory that fails makes KTAP_FETCH_AGAIN of the
 *	result: the caller will run the program where it may sleep
 */
struct ktap_frame {
	ktap_regs *regs;
	const u64 *args;
	const struct ktap_entry *entry;
	const struct ktap_prog_info *entry_info;
	u64 retaddr;
	struct ktap_calls *calls;
	enum env_memory memory;
	bool retry;
};

int ktap_fetch_run(const struct ktap_insn *insns,
		   const struct ktap_prog_info *info,
		   const struct ktap_frame *frame, u8 *payload,
		   u64 *ret_faults);

#endif /* KTAP_FETCH_H */
