/* SPDX-License-Identifier: GPL-2.0 */
/*
 * All differences between architectures. No other file asks which architecture it is
 * built for. Each header defines:
 *
 *   KTAP_ARCH		enum ktap_arch
 *   KTAP_ARCH_NR_REGS	rows of ktap_arch_regs
 *   KTAP_ARCH_CLOCK	enum ktap_clock of the raw counter
 *   KTAP_STACK_WORDS	words of a kernel stack
 *   KTAP_ARCH_WATCHES	defined if a module can use hardware breakpoints
 *   KTAP_ARCH_KERNEL_END	addresses from PAGE_OFFSET up to here are kernel memory: a
 *			read succeeds or faults
 *   KTAP_ARCH_FAULT_GRANULE	size of aligned blocks of user memory that are
 *			readable completely or not at all
 *   KTAP_ARCH_PATCHES_LIVE	whether a kprobe is patched in while other CPUs run,
 *			and not under stop_machine()
 *   KTAP_ARCH_ARGUMENT	enum ktap_reg_* of a function's first argument
 *   KTAP_ARCH_RETVAL	enum ktap_reg_* of the return value
 *   KTAP_ARCH_PC		enum ktap_reg_* of the program counter
 *   ktap_arch_set_argument()	set a function's first argument
 *   ktap_arch_user_here()	whether the current task has user memory that this CPU
 *			may read
 *   ktap_arch_user_settled()	whether no switch of address spaces can be in progress
 *   ktap_arch_user_loaded()	if one can be: whether user addresses refer to the
 *			current task's memory
 *   ktap_arch_counter()	read the raw counter; any context
 *   ktap_arch_try_cmpxchg()	compare and exchange, atomic on this CPU only
 *   ktap_arch_keep_first()	have a pointer in the register of a function's first
 *			argument, if the compiler would choose a different one
 *   KTAP_ARCH_HERE	address space of the result of ktap_arch_here()
 *   ktap_arch_here()	this CPU's instance of a per-CPU variable, valid while
 *			preemption is disabled
 *   ktap_arch_here_read()	read a member of it
 *   ktap_arch_here_is_set()	whether a member of 4 bytes is not 0
 *   ktap_arch_here_write()	write a member of it
 *   ktap_arch_here_inc()	increment a u64 member of it, atomic on this CPU only
 *   ktap_arch_here_spend()	subtract 1 from an s32 member of it, though not exactly if
 *			interrupts write it too; whether it is below 0 then
 *   ktap_arch_add()	add to a u64, atomic on this CPU only
 *   ktap_arch_counter_ok()	whether the raw counter is the same on all CPUs
 *   ktap_arch_counter_hz()	its nominal frequency
 *   ktap_arch_thread()	the current task's thread pointer in user space
 *   ktap_arch_call_sp()	at a return to user code: the stack pointer at the entry of
 *			the function
 *   ktap_arch_insn()	the instruction that a kprobe's breakpoint replaces, if the
 *			unwinder needs it
 *   ktap_arch_entry_cfa()	at a function's entry: the CFA as DWARF defines it
 *   ktap_arch_return_place()	at a function's entry: a place on the stack by which a walk
 *			knows the call's return address
 *   ktap_arch_return_address()	there: the return address
 *   ktap_arch_returned_place()	at its return: the place; given kretprobe_instance.fp
 *   KTAP_ARCH_USER_SIG	struct ktap_user_sig of the frame that the kernel makes for a
 *			signal handler
 *   KTAP_ARCH_FP_TELLS_SP	whether the words at a frame pointer end at the CFA
 *   ktap_arch_user_call_sp()	stack pointer at a function's entry, of its CFA and the place
 *			of its return address; 0: it is not known
 *   ktap_arch_user_address()	a return address without what the hardware adds to it
 *   ktap_arch_sigreturn()	whether a word of code begins the return from a signal handler
 *   ktap_arch_user_is_native()	whether registers of user code are of 64-bit code
 *   ktap_arch_user_regs()	the registers of user code for a walk of its stack
 *   ktap_arch_vdso()	address of the vDSO, or 0
 *   ktap_arch_mm_id()	number of an address space that a task is in. No other one at the same
 *			address ever has it; 0: it has none now
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
#error "ktap supports x86-64 and arm64"
#endif

/* Records, the ring and word-wise string reads are little-endian. */
#ifdef CONFIG_CPU_BIG_ENDIAN
#error "ktap supports little-endian arm64 only"
#endif

/* Offset in struct pt_regs of each enum ktap_reg_*, in bytes. */
extern const u16 ktap_arch_regs[KTAP_ARCH_NR_REGS];

#endif /* KTAP_ARCH_ARCH_H */
