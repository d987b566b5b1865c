/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What differs between architectures, and the only place that asks which one
 * this is. Each header gives:
 *
 *   KTAP_ARCH		enum ktap_arch
 *   KTAP_ARCH_NR_REGS	rows of ktap_arch_regs
 *   KTAP_ARCH_CLOCK	enum ktap_clock of the raw counter
 *   KTAP_STACK_WORDS	words of a kernel stack
 *   KTAP_ARCH_WATCHES	defined where a module can use hardware breakpoints
 *   KTAP_ARCH_KERNEL_END	memory from PAGE_OFFSET up to there is the kernel's: it
 *				can be read, or faults
 *   KTAP_ARCH_FAULT_GRANULE	aligned bytes of user memory of which all can be read,
 *				or none
 *   KTAP_ARCH_PATCHES_LIVE	whether a kprobe's instruction is patched while other CPUs
 *				run, rather than with all of them stopped
 *   KTAP_ARCH_ARGUMENT	enum ktap_reg_* of a function's first argument
 *   KTAP_ARCH_RETVAL	that of its value
 *   KTAP_ARCH_PC		that of the program counter
 *   ktap_arch_set_argument()	give a function's first argument a value
 *   ktap_arch_user_here()	whether the current task has user memory, and this CPU
 *				may read it
 *   ktap_arch_user_settled()	whether no change of address spaces can be under way
 *   ktap_arch_user_loaded()	if one may be: whether user addresses still, or already,
 *				mean the current task's memory
 *   ktap_arch_counter()	read the raw counter; any context
 *   ktap_arch_try_cmpxchg()	exchange if equal, atomic against this CPU only
 *   KTAP_ARCH_HERE	address space of what ktap_arch_here() gives
 *   ktap_arch_here()	of what each CPU has, this one's, for as long as preemption
 *				is off
 *   ktap_arch_here_read()	a variable there
 *   ktap_arch_here_write()	give it a value
 *   ktap_arch_here_inc()	a u64 there, one more: atomic against this CPU only
 *   ktap_arch_counter_ok()	whether it counts alike on all CPUs
 *   ktap_arch_counter_hz()	its nominal frequency
 *   ktap_arch_thread()	the current task's thread pointer in user space
 *   ktap_arch_call_sp()	at a return to user code: its stack pointer when the
 *				function was entered
 *   ktap_arch_entry_cfa()	at a function's entry: its CFA, as debug information
 *				has it
 */
#ifndef KTAP_ARCH_ARCH_H
#define KTAP_ARCH_ARCH_H

#include <linux/ktap.h>
#include <linux/ptrace.h>
#include <linux/types.h>

#if defined(CONFIG_X86_64)
#include "x86_64.h"
#elif defined(CONFIG_ARM64)
#include "arm64.h"
#else
#error "ktap knows x86-64 and arm64"
#endif

/* Records, the ring and reads of strings a word at a time are little-endian. */
#ifdef CONFIG_CPU_BIG_ENDIAN
#error "ktap knows little-endian arm64 only"
#endif

/* Byte offset into struct pt_regs of each enum ktap_reg_*. */
extern const u16 ktap_arch_regs[KTAP_ARCH_NR_REGS];

#endif /* KTAP_ARCH_ARCH_H */
