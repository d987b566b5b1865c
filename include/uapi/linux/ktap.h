/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * ktap: the contract between ktap.ko and its users.
 *
 * Two doors lead into the module:
 *
 *   control  generic netlink, family "ktap": probes are made, removed, listed,
 *            enabled and counted here. A probe outlives the command that made
 *            it, unless it is transient.
 *   data     /dev/ktap: one open file is one session. A session owns a ring
 *            per CPU and attaches probes to it; closing the file ends all that.
 *
 * Control
 * =======
 * Every request needs CAP_PERFMON or CAP_SYS_ADMIN in the initial user
 * namespace. Every refusal carries extack text, and the attribute at fault
 * where there is one. Integers are host-endian; attributes marked [] repeat.
 *
 *   KTAP_CMD_INFO_GET     {}
 *     -> { ABI, MODULE_VERSION, ARCH, FEATURES, CLOCK, LIMITS, [OFFSETS],
 *          [ANCHOR], ADDRESSES, [SYMBOLS] }
 *     ANCHOR is where this kernel has the function KTAP_ANCHOR: with the address
 *     in its vmlinux that tells where all of it is. ADDRESSES says whether the
 *     caller is told such addresses: as in /proc/kallsyms, by CAP_SYSLOG and the
 *     sysctl kernel.kptr_restrict. Who opened the socket must have the capability
 *     too. While SYMBOLS is the same, no module came or went, and /proc/kallsyms
 *     lists the same code of the kernel and of modules; another boot, or another
 *     load of this module, has another value. It is left out for a second after
 *     each change, in which the kernel's list may still change.
 *
 *   KTAP_CMD_PROBE_NEW    { NAME, TYPE, place, PROG, [FLAGS], [BLOB_SIZE],
 *                           [BLOB_DATA], [ENTRY_PROG], [MAXACTIVE], [HOOK],
 *                           [FRAME_REGS, [FRAME_ADDR], [FRAME_OFFSET]] }
 *     -> { ID }
 *     The place depends on the type:
 *       KPROBE, KRETPROBE    [ADDR], [SYMBOL, [OFFSET]]: at least one of ADDR
 *                            and SYMBOL; with both, ADDR is probed and the
 *                            symbol is for showing
 *       UPROBE, URETPROBE    FD, OFFSET, [REF_OFFSET], [PATH], [SYMBOL]: byte
 *                            OFFSET of an open file; the rest is for showing
 *       TRACEPOINT           SYMBOL
 *       WATCHPOINT           ADDR, LENGTH (1 for EXEC), ACCESS, [SYMBOL,
 *                            [OFFSET]]
 *       SYSCALL, SYSRET      SYSCALL, [ADDR], [SYMBOL]: the number of a call of
 *                            64-bit programs; the rest is for showing
 *     A SYMBOL "MODULE:NAME" ties the probe to that module: it is disarmed when
 *     the module goes, and armed again, by the symbol, when it comes back. With
 *     KTAP_PROBE_F_WAIT it need not be there yet.
 *     Return probes may have a second program that runs at the entry and whose
 *     payload the first one reads at the return; it cannot filter. At a return
 *     the program counter is the address returned to. Where the instances for
 *     MAXACTIVE calls are more than the module allows, the refusal carries their
 *     bytes as its cookie (NLMSGERR_ATTR_COOKIE, u64). A program whose hit may
 *     take longer than the module allows is refused with E2BIG, and the cookie has
 *     its ns. Where BLOB_SIZE is not zero
 *     the probe cannot be attached or enabled until BLOB_PUT has filled its
 *     blob, whose first bytes BLOB_DATA may have brought with the request. HOOK
 *     forces what serves a KPROBE: "ftrace" or "kprobe". Without it ftrace does
 *     where the place is the entry of a function that it can trace and the
 *     program reads only registers that it knows.
 *
 *     A KPROBE or UPROBE inside of a function may have FRAME_REGS: registers that
 *     are kept at each entry of the function, by a second probe that is armed
 *     with the first one and has no records. The program reads them by
 *     KTAP_OP_FRAME. The entry is FRAME_ADDR or FRAME_OFFSET bytes from SYMBOL;
 *     of a UPROBE byte FRAME_OFFSET of the file. With both, FRAME_ADDR is where it
 *     is now, and FRAME_OFFSET tells where it is when the module of SYMBOL comes
 *     back. A frame is known by the task and its CFA, the stack pointer before the
 *     call; MAXACTIVE is how many are kept at once. Frames whose entry may have
 *     been missed are not found.
 *
 *     The programs of SYSCALL and SYSRET are those of a KPROBE and a KRETPROBE on the
 *     function that serves the call: at its entry the first argument, the address
 *     of the caller's struct pt_regs, is the only register that they may read; at
 *     its return the value and the program counter, which is where the kernel
 *     reports it. The kernel's tracepoints of system calls serve them, all with
 *     two hooks. Calls that 32-bit programs make are no hits. Of a SYSRET with an
 *     entry program only those calls are followed that began after it was armed,
 *     and neither exit nor rt_sigreturn.
 *
 *     A name is taken once, but for probes with KTAP_PROBE_F_SHARED: several
 *     may have it, and are points of one event. The requester has seen to it
 *     that their records look alike. By NAME the first of them is found.
 *
 *   KTAP_CMD_PROBE_DEL    { ID | IDS }
 *     With IDS all of them go, or none where one does not exist.
 *   KTAP_CMD_PROBE_SET    { ID | IDS, ENABLED }
 *     With IDS all of them are set, or none. A request may arm or disarm
 *     KTAP_ARM_MAX that another hook than ftrace serves. Where all that would run
 *     at one place then may take longer than the module allows for a hit, it is
 *     refused with EDQUOT, and the cookie has the ns; so is KTAP_IOC_ATTACH.
 *   KTAP_CMD_PROBE_GET    { ID | NAME } -> probe        (dump: {} -> probe ...)
 *     probe = { ID, NAME, TYPE, FLAGS, [ADDR], [SYMBOL, OFFSET], ENABLED,
 *               NR_SESSIONS, RECORD_MAX, BLOB_SIZE, OWNER_PID, HOOK,
 *               [MAXACTIVE], [PATH], [REF_OFFSET], [LENGTH, ACCESS],
 *               [WAITING], [OVERLOADED], [LOCKED_DOWN], [FRAME_HOOK],
 *               COST }
 *     ADDR is shown as ANCHOR is. COST does not have in it what an entry program
 *     takes, nor what is kept of the frame at an entry.
 *
 *   KTAP_CMD_BLOB_PUT     { ID, BLOB_OFFSET, BLOB_DATA }
 *     Chunks come in order: BLOB_OFFSET is what has been put so far.
 *   KTAP_CMD_BLOB_GET     { ID, BLOB_OFFSET } -> { ID, BLOB_OFFSET, BLOB_DATA }
 *     An answer without data is the end.
 *
 *   KTAP_CMD_STATS_GET    dump only: { [ID], [VERBOSE] } -> stats ...
 *     stats = { ID, NAME, COUNTS, MISSED, NR_SESSIONS, [RETURNS], [FRAMES],
 *     [OVERLOADED], [LOCKED_DOWN] }: totals of one probe, past attachments included. With
 *     VERBOSE each is followed by { ID, SESSION, CPU, COUNTS } for every live
 *     attachment and CPU that had a hit; SESSION 0 is the counting done by
 *     ENABLED.
 *
 *   KTAP_CMD_SESSION_GET  dump only: {} -> { SESSION, OWNER_PID, OWNER_COMM,
 *                                            NR_PROBES, RING_BYTES } ...
 *
 * The multicast group "events" announces PROBE_NEW, PROBE_DEL and PROBE_SET
 * with the ID and NAME of the probe. PROBE_SET with OVERLOADED: its hits took
 * more of a CPU than the module's overload_percent allows, so it was disarmed
 * and detached from everybody. To enable it, or to attach it to another session,
 * arms it again; a session that had it keeps its counts, and does not take it
 * again. PROBE_SET with LOCKED_DOWN: kernel lockdown was raised to a mode that
 * forbids probes (confidentiality), so it was disarmed and detached likewise,
 * with all others, and cannot be armed again.
 *
 * Data
 * ====
 * open, KTAP_IOC_SETUP once, then KTAP_IOC_SCOPE and KTAP_IOC_ATTACH in any
 * order. mmap offset (cpu * KTAP_MMAP_STRIDE) holds that CPU's consumer page
 * (struct ktap_ring_consumer; may be mapped writable), and one page further
 * the producer page (struct ktap_ring_producer; read-only) with the data
 * behind it. A CPU without a ring answers ENXIO; a CPU that comes online later
 * gets its ring then, and bumps ktap_session_state.generation.
 *
 * Ring
 * ====
 * Positions are free-running byte counts; data lies at (position % size). The
 * area is a power-of-two number (at least 4) of sub-buffers. No record crosses
 * a sub-buffer, so every sub-buffer starts with a record, and that record is
 * always struct ktap_rec_subbuf: a reader can start at any sub-buffer.
 *
 *   keep-oldest   the reader loads head (acquire), reads [tail, head) in place
 *                 and stores tail (release). A record that does not fit is
 *                 lost and counted. A forged tail loses records, nothing else.
 *   overwrite     the reader copies a sub-buffer, issues a read barrier, then
 *                 loads reserve; the copy is good if reserve is not more than
 *                 the ring's size past the start of the copy.
 *
 * Records
 * =======
 * Each starts with struct ktap_rec_head; one kind has a task in the place of its
 * time. size is a multiple of 8 and counts the header. Ids below
 * KTAP_REC_FIRST_PROBE are state, the others are probes; the payload of a probe's
 * record is what its program stored.
 *
 * time_low is the low half of the raw counter. The full value is
 *      full + (__s32)(time_low - (__u32)full)
 * where full comes from the last ktap_rec_subbuf or ktap_rec_time before it; that
 * of padding says nothing. Two records may be any time apart, and time may go back.
 * CLOCK_MONOTONIC is had by interpolating between the (raw, mono) pairs of
 * consecutive sub-buffers; ktap_session_state gives a pair at any time.
 *
 * Who hit it is in the last ktap_rec_subbuf, ktap_rec_task or ktap_rec_again before
 * it.
 *
 * State is written when it changed, in front of a record: ktap_rec_time, then
 * ktap_rec_lost, then ktap_rec_task or ktap_rec_again. ktap_rec_subbuf stands for
 * time and task. More of it than needed is no error, nor is any other order: older
 * modules wrote ktap_rec_lost first, with a time_low that ktap_rec_time was due for.
 */
#ifndef _UAPI_LINUX_KTAP_H
#define _UAPI_LINUX_KTAP_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define KTAP_ABI		2	/* changes when an old tool would misread */
#define KTAP_GENL_NAME		"ktap"
#define KTAP_GENL_VERSION	1
#define KTAP_GENL_MCGRP		"events"

/* The function whose address KTAP_A_ANCHOR has: one that no kernel for ktap lacks. */
#define KTAP_ANCHOR		"register_kprobe"

/* Limits that both sides compile in. Others are told by KTAP_A_LIMITS. */
#define KTAP_NAME_MAX		128	/* event name with group, with NUL */
#define KTAP_SYMBOL_MAX		512	/* symbol name, with NUL */
#define KTAP_PROG_MAX		960	/* instructions: fits in 16 KiB */
#define KTAP_NR_SLOTS		8	/* scratch registers of a program */
#define KTAP_NR_FAULTS		64	/* fault bits of a program */
#define KTAP_STRING_MAX		16384	/* bytes of one string, with NUL */
#define KTAP_RECORD_MAX		65528	/* bytes of one record, with header */
#define KTAP_IDS_MAX		1024	/* probes that one message names */
#define KTAP_BLOB_CHUNK		8192	/* bytes in one BLOB_PUT or BLOB_GET */
#define KTAP_COMM_LEN		16	/* TASK_COMM_LEN */
#define KTAP_NR_ARGS		12	/* arguments that a tracepoint hands over */
#define KTAP_BYTES_MAX		16384	/* bytes of one KTAP_OP_BYTES */
#define KTAP_PATTERN_MAX	255	/* bytes of one KTAP_OP_MATCH pattern */
#define KTAP_MATCH_MAX		1024	/* bytes of a string that are matched */
#define KTAP_ENTRY_MAX		2048	/* bytes that an entry program may store */
#define KTAP_ATTACH_MAX		65536	/* probes in one KTAP_IOC_ATTACH_MANY */
#define KTAP_ARM_MAX		64	/* slow hooks armed by one request */
#define KTAP_NR_ENTRY_STRINGS	16	/* its strings that a return can show */
#define KTAP_MAXACTIVE_MAX	32767	/* calls that a probe may follow */
#define KTAP_NR_FRAME_REGS	16	/* registers kept of a frame */
#define KTAP_SYSCALLS_MAX	512	/* system calls have lower numbers */

/* ---- control ---------------------------------------------------------- */

/**
 * enum ktap_cmd - commands of the generic netlink family
 * @KTAP_CMD_INFO_GET: what this module is and what it can do
 * @KTAP_CMD_PROBE_NEW: define a probe
 * @KTAP_CMD_PROBE_DEL: remove a probe, also from the sessions that have it
 * @KTAP_CMD_PROBE_SET: enable or disable counting without a session
 * @KTAP_CMD_PROBE_GET: one probe, or a dump of all
 * @KTAP_CMD_BLOB_PUT: append a chunk to a probe's blob
 * @KTAP_CMD_BLOB_GET: read a chunk of a probe's blob
 * @KTAP_CMD_STATS_GET: dump of accounting
 * @KTAP_CMD_SESSION_GET: dump of open sessions
 */
enum ktap_cmd {
	KTAP_CMD_UNSPEC,
	KTAP_CMD_INFO_GET,
	KTAP_CMD_PROBE_NEW,
	KTAP_CMD_PROBE_DEL,
	KTAP_CMD_PROBE_SET,
	KTAP_CMD_PROBE_GET,
	KTAP_CMD_BLOB_PUT,
	KTAP_CMD_BLOB_GET,
	KTAP_CMD_STATS_GET,
	KTAP_CMD_SESSION_GET,
	__KTAP_CMD_MAX
};

#define KTAP_CMD_MAX (__KTAP_CMD_MAX - 1)

/* Attributes: the type of each is in its comment. */
enum ktap_attr {
	KTAP_A_UNSPEC,
	KTAP_A_PAD,		/* alignment of 64-bit attributes */
	KTAP_A_ABI,		/* u32, KTAP_ABI of the module */
	KTAP_A_MODULE_VERSION,	/* string */
	KTAP_A_ARCH,		/* u32, enum ktap_arch */
	KTAP_A_FEATURES,	/* u64, KTAP_FEATURE_* */
	KTAP_A_CLOCK,		/* u32, enum ktap_clock */
	KTAP_A_LIMITS,		/* struct ktap_limits; may grow at its end */
	KTAP_A_ID,		/* u32, a probe's id: the one in its records */
	KTAP_A_NAME,		/* string, [GROUP:]EVENT */
	KTAP_A_TYPE,		/* u32, enum ktap_type */
	KTAP_A_FLAGS,		/* u32, KTAP_PROBE_F_* */
	KTAP_A_ADDR,		/* u64, run-time address */
	KTAP_A_SYMBOL,		/* string */
	KTAP_A_OFFSET,		/* u64, bytes from SYMBOL */
	KTAP_A_PROG,		/* array of struct ktap_insn */
	KTAP_A_ENABLED,		/* u8, 0 or 1 */
	KTAP_A_NR_SESSIONS,	/* u32, sessions that have it attached */
	KTAP_A_RECORD_MAX,	/* u32, bytes of its largest record */
	KTAP_A_OWNER_PID,	/* u32, process that made it, as init sees it */
	KTAP_A_OWNER_COMM,	/* string */
	KTAP_A_HOOK,		/* string, what serves it: "kprobe", ... */
	KTAP_A_BLOB_SIZE,	/* u32, bytes of the whole blob */
	KTAP_A_BLOB_OFFSET,	/* u32, bytes */
	KTAP_A_BLOB_DATA,	/* binary, at most KTAP_BLOB_CHUNK bytes */
	KTAP_A_VERBOSE,		/* flag */
	KTAP_A_COUNTS,		/* struct ktap_counts; may grow at its end */
	KTAP_A_MISSED,		/* u64, hits the kernel itself skipped */
	KTAP_A_SESSION,		/* u64, a session's number, never reused */
	KTAP_A_CPU,		/* u32 */
	KTAP_A_NR_PROBES,	/* u32, probes attached to the session */
	KTAP_A_RING_BYTES,	/* u64, memory of the session's rings */
	KTAP_A_ENTRY_PROG,	/* array of struct ktap_insn */
	KTAP_A_MAXACTIVE,	/* u32, calls followed at once; 0: the default */
	KTAP_A_FD,		/* u32, descriptor of the sender */
	KTAP_A_PATH,		/* string */
	KTAP_A_REF_OFFSET,	/* u64, byte of the file: 16-bit counter of users */
	KTAP_A_LENGTH,		/* u32, bytes that are watched: 1, 2, 4 or 8 */
	KTAP_A_ACCESS,		/* u32, KTAP_ACCESS_* */
	KTAP_A_RETURNS,		/* struct ktap_returns; may grow at its end */
	KTAP_A_OFFSETS,		/* struct ktap_offsets; may grow at its end */
	KTAP_A_IDS,		/* array of u32, at most KTAP_IDS_MAX */
	KTAP_A_WAITING,		/* flag: its module is not loaded */
	KTAP_A_OVERLOADED,	/* flag: the guard disarmed it */
	KTAP_A_FRAME_REGS,	/* array of u8, enum ktap_reg_*; at most KTAP_NR_FRAME_REGS */
	KTAP_A_FRAME_ADDR,	/* u64, run-time address of the function's entry */
	KTAP_A_FRAME_OFFSET,	/* u64, the entry: bytes from SYMBOL, or of the file */
	KTAP_A_FRAME_HOOK,	/* string, what serves the entry: "kprobe", ... */
	KTAP_A_FRAMES,		/* struct ktap_frames; may grow at its end */
	KTAP_A_ANCHOR,		/* u64, address of KTAP_ANCHOR */
	KTAP_A_ADDRESSES,	/* u32, enum ktap_addresses */
	KTAP_A_COST,		/* u64, ns of a hit for one session, at most */
	KTAP_A_LOCKED_DOWN,	/* flag: kernel lockdown disarmed it */
	KTAP_A_SYMBOLS,		/* u64, changes with what /proc/kallsyms lists */
	KTAP_A_SYSCALL,		/* u32, number of a system call */
	__KTAP_A_MAX
};

#define KTAP_A_MAX (__KTAP_A_MAX - 1)

enum ktap_arch {
	KTAP_ARCH_X86_64 = 1,
	KTAP_ARCH_ARM64 = 2,
};

/**
 * enum ktap_addresses - whether a caller is told where the kernel's code is
 * @KTAP_ADDRESSES_SHOWN: he is
 * @KTAP_ADDRESSES_CAPABILITY: he, or who opened his socket, has no CAP_SYSLOG
 * @KTAP_ADDRESSES_RESTRICTED: kernel.kptr_restrict hides them from everybody
 */
enum ktap_addresses {
	KTAP_ADDRESSES_SHOWN = 1,
	KTAP_ADDRESSES_CAPABILITY = 2,
	KTAP_ADDRESSES_RESTRICTED = 3,
};

enum ktap_type {
	KTAP_TYPE_KPROBE = 1,
	KTAP_TYPE_KRETPROBE = 2,
	KTAP_TYPE_UPROBE = 3,
	KTAP_TYPE_URETPROBE = 4,
	KTAP_TYPE_TRACEPOINT = 5,
	KTAP_TYPE_WATCHPOINT = 6,
	KTAP_TYPE_SYSCALL = 7,
	KTAP_TYPE_SYSRET = 8,
	__KTAP_TYPE_MAX
};

#define KTAP_TYPE_MAX (__KTAP_TYPE_MAX - 1)

#define KTAP_ACCESS_READ	(1U << 0)
#define KTAP_ACCESS_WRITE	(1U << 1)
#define KTAP_ACCESS_EXEC	(1U << 2)

/* The probe goes when the netlink socket that made it is closed. */
#define KTAP_PROBE_F_TRANSIENT	(1U << 0)
/* Its name may be that of other probes that have this too. */
#define KTAP_PROBE_F_SHARED	(1U << 1)
/* The module of its SYMBOL may come later. */
#define KTAP_PROBE_F_WAIT	(1U << 2)
/* SYSRET: errors are counted, and the time in calls, of tasks that are in scope. */
#define KTAP_PROBE_F_TIMES	(1U << 3)
#define __KTAP_PROBE_F_ALL \
	(KTAP_PROBE_F_TRANSIENT | KTAP_PROBE_F_SHARED | KTAP_PROBE_F_WAIT | \
	 KTAP_PROBE_F_TIMES)

#define KTAP_FEATURE_KPROBE	(1ULL << 0)
/* Scope by process tree works: new tasks can be followed. */
#define KTAP_FEATURE_SCOPE	(1ULL << 1)
#define KTAP_FEATURE_KRETPROBE	(1ULL << 2)
#define KTAP_FEATURE_UPROBE	(1ULL << 3)
#define KTAP_FEATURE_TRACEPOINT	(1ULL << 4)
#define KTAP_FEATURE_WATCHPOINT	(1ULL << 5)
#define KTAP_FEATURE_FTRACE	(1ULL << 6)
#define KTAP_FEATURE_SYSCALL	(1ULL << 7)

/**
 * enum ktap_clock - what the raw counter of records is
 * @KTAP_CLOCK_MONO: nanoseconds of CLOCK_MONOTONIC (fast, NMI-safe variant)
 * @KTAP_CLOCK_TSC: x86 time stamp counter
 * @KTAP_CLOCK_CNTVCT: arm64 virtual counter
 */
enum ktap_clock {
	KTAP_CLOCK_MONO = 1,
	KTAP_CLOCK_TSC = 2,
	KTAP_CLOCK_CNTVCT = 3,
};

/**
 * struct ktap_limits - run-time limits of the module
 * @ring_default: bytes of a CPU's ring where the session does not say
 * @ring_total_max: bytes that all rings together may take (module parameter)
 * @ring_total: bytes that they take now
 * @blob_max: bytes of one probe's blob
 * @blob_total_max: bytes that all blobs together may take (module parameter)
 * @blob_total: bytes that they take now
 * @probes_max: number of probes
 * @nr_probes: probes there are now
 * @return_total_max: bytes that the instances of all return probes, and the
 *	frames of probes inside of functions, may take (module parameter)
 * @return_total: bytes that they take now
 * @hit_cost_max: ns that a hit of one program may take, and all that runs at
 *	one place (module parameter)
 * @memory_max: bytes that all of ktap may take, these included (module
 *	parameter); 0: a module that does not tell
 * @memory_total: bytes that it takes now: rings, blobs, what return_total is,
 *	and what follows
 * @program_total: bytes of programs
 * @scratch_total: bytes of the buffers in which programs build records
 * @scope_total: bytes of what says which processes a session is limited to
 * @other_total: bytes of probes, attachments, their counters, and tables
 */
struct ktap_limits {
	__u64 ring_default;
	__u64 ring_total_max;
	__u64 ring_total;
	__u64 blob_max;
	__u64 blob_total_max;
	__u64 blob_total;
	__u32 probes_max;
	__u32 nr_probes;
	__u64 return_total_max;
	__u64 return_total;
	__u64 hit_cost_max;
	__u64 memory_max;
	__u64 memory_total;
	__u64 program_total;
	__u64 scratch_total;
	__u64 scope_total;
	__u64 other_total;
};

/**
 * struct ktap_counts - what became of the hits of a probe
 * @hits: calls of ktap's handler
 * @filtered: refused by the probe's filter
 * @limited: refused by scope, rate, or being the session's own reader
 * @counted: hits of an enabled probe, which has no ring
 * @recorded: records written
 * @lost_full: no room in the ring
 * @lost_deep: handlers nested too deeply for the scratch
 * @lost_big: larger than a sub-buffer
 * @lost_no_ring: this CPU had no ring
 *
 * hits is the sum of the others, exactly, once the probe is detached and an
 * RCU grace period has passed.
 */
struct ktap_counts {
	__u64 hits;
	__u64 filtered;
	__u64 limited;
	__u64 counted;
	__u64 recorded;
	__u64 lost_full;
	__u64 lost_deep;
	__u64 lost_big;
	__u64 lost_no_ring;
};

/**
 * struct ktap_returns - beside the counts of a return probe, never summed
 * @entries: calls whose return was to be seen
 * @no_instance: calls that were not followed: more than MAXACTIVE at once. Of
 *	uretprobes only what the entry program would have stored is not there:
 *	their returns are hits
 * @too_deep: calls that were not followed: the kernel's limit of nesting
 * @pending: entries that have not returned, or never will (exit, longjmp)
 * @errors: KTAP_PROBE_F_TIMES: calls that returned an error; else 0
 * @time: likewise: nanoseconds in all calls
 *
 * A hit is a return. A lower bound on SMP where the kernel itself counts.
 */
struct ktap_returns {
	__u64 entries;
	__u64 no_instance;
	__u64 too_deep;
	__u64 pending;
	__u64 errors;
	__u64 time;
};

/**
 * struct ktap_frames - beside the counts of a probe with FRAME_REGS, never summed
 * @entries: of the function, that were seen
 * @dropped: of them, those that were not kept: too many at the same moment
 * @no_entry: hits whose program looked for its frame and did not find it
 */
struct ktap_frames {
	__u64 entries;
	__u64 dropped;
	__u64 no_entry;
};

/**
 * struct ktap_offsets - of this kernel's structures, for %pd and %pD
 * @dentry_name: struct dentry to the pointer to its name
 * @file_dentry: struct file to the pointer to its dentry
 */
struct ktap_offsets {
	__u32 dentry_name;
	__u32 file_dentry;
};

/* ---- fetch programs --------------------------------------------------- */

/**
 * enum ktap_op - operations of a fetch program
 * @KTAP_OP_END: the record is complete (the last instruction, and only there)
 * @KTAP_OP_REG: dst = register @imm of enum ktap_reg_*
 * @KTAP_OP_IMM: dst = @imm
 * @KTAP_OP_STACK: dst = word @imm of the kernel stack, counted from the
 *	stack pointer; bad when it is not on that stack
 * @KTAP_OP_LOAD: dst = @size bytes at (slot a + (s64)@imm), zero-extended, or
 *	sign-extended with KTAP_INSN_F_SIGNED; user memory with KTAP_INSN_F_USER
 * @KTAP_OP_ALU: dst = a (@size: enum ktap_alu) b
 * @KTAP_OP_ALUI: dst = a (@size: enum ktap_alu) @imm
 * @KTAP_OP_JZ: skip the next @imm instructions when slot a is zero or bad
 * @KTAP_OP_JMP: skip the next @imm instructions
 * @KTAP_OP_FILTER: end without a record when slot a is zero or bad
 * @KTAP_OP_STORE: the low @size bytes of slot a go to byte @off of the
 *	payload; a bad slot stores zero and sets fault bit @b, if that is not
 *	KTAP_NO_FAULT
 * @KTAP_OP_STRING: the string at the address in slot a is appended to the
 *	payload, at most @imm bytes with its NUL; struct ktap_string goes to
 *	byte @off. User memory with KTAP_INSN_F_USER
 * @KTAP_OP_COMM: KTAP_COMM_LEN bytes of the task's name go to byte @off
 * @KTAP_OP_FAULTS: the low @size bytes of the fault mask go to byte @off
 * @KTAP_OP_CTX: dst = enum ktap_ctx @imm
 * @KTAP_OP_ARG: dst = argument @imm, from 0, that the hook hands over
 *	(tracepoints)
 * @KTAP_OP_BYTES: @imm bytes at the address in slot a go to byte @off of the
 *	payload; unless all can be read they are zero and fault bit @b is set,
 *	if that is not KTAP_NO_FAULT. User memory with KTAP_INSN_F_USER
 * @KTAP_OP_MATCH: dst = 1 if the first KTAP_MATCH_MAX bytes of the string at
 *	the address in slot a match a glob pattern (* ? [a-z] [!a-z] \), else 0;
 *	bad when the string cannot be read. The pattern has @imm bytes and lies
 *	in the KTAP_OP_DATA instructions that follow. User memory with
 *	KTAP_INSN_F_USER
 * @KTAP_OP_DATA: 8 bytes of the pattern before it, in @imm
 * @KTAP_OP_ENTRY: return probes: dst = @size bytes at byte @imm of what the
 *	entry program stored, zero- or sign-extended as in KTAP_OP_LOAD; bad
 *	when the entry program set its fault bit @b (KTAP_NO_FAULT: has none)
 * @KTAP_OP_ENTRY_BYTES: return probes: the low 32 bits of @imm are a number of
 *	bytes, the high ones a byte of what the entry program stored; they go
 *	to byte @off, and its fault bit @b becomes ours
 * @KTAP_OP_ENTRY_STRING: return probes: the string that the entry program
 *	stored with its @imm'th KTAP_OP_STRING, from 0 in program order, is
 *	appended; struct ktap_string goes to byte @off
 * @KTAP_OP_FRAME: dst = value @imm of FRAME_REGS in this task's frame whose CFA
 *	is in slot a; bad where there is no such frame, and fault bit @b is set
 *	then, if that is not KTAP_NO_FAULT
 *
 * A program runs over KTAP_NR_SLOTS 64-bit slots. A slot whose value could not
 * be read is bad; what is computed from a bad slot is bad too. Offsets count
 * from the end of the record's header. The fixed part of a payload ends after
 * its highest store; strings follow it directly, in the order in which the
 * program stored them, without padding between them. The end of the record is
 * filled with zeros up to a multiple of 8. A program that does more than store
 * registers starts with a fixed part of zeros.
 */
enum ktap_op {
	KTAP_OP_END,
	KTAP_OP_REG,
	KTAP_OP_IMM,
	KTAP_OP_STACK,
	KTAP_OP_LOAD,
	KTAP_OP_ALU,
	KTAP_OP_ALUI,
	KTAP_OP_JZ,
	KTAP_OP_JMP,
	KTAP_OP_FILTER,
	KTAP_OP_STORE,
	KTAP_OP_STRING,
	KTAP_OP_COMM,
	KTAP_OP_FAULTS,
	KTAP_OP_CTX,
	KTAP_OP_ARG,
	KTAP_OP_BYTES,
	KTAP_OP_MATCH,
	KTAP_OP_DATA,
	KTAP_OP_ENTRY,
	KTAP_OP_ENTRY_BYTES,
	KTAP_OP_ENTRY_STRING,
	KTAP_OP_FRAME,
	__KTAP_OP_MAX
};

#define KTAP_OP_MAX (__KTAP_OP_MAX - 1)

/* Operations of KTAP_OP_ALU and KTAP_OP_ALUI; comparisons give 0 or 1. */
enum ktap_alu {
	KTAP_ALU_ADD,
	KTAP_ALU_SUB,
	KTAP_ALU_MUL,
	KTAP_ALU_AND,
	KTAP_ALU_OR,
	KTAP_ALU_XOR,
	KTAP_ALU_SHL,		/* a shift by 64 or more gives 0 (SAR: the sign) */
	KTAP_ALU_SHR,
	KTAP_ALU_SAR,
	KTAP_ALU_EQ,
	KTAP_ALU_NE,
	KTAP_ALU_LTU,
	KTAP_ALU_LEU,
	KTAP_ALU_LTS,
	KTAP_ALU_LES,
	KTAP_ALU_DIVU,		/* division by zero gives a bad slot */
	KTAP_ALU_MODU,
	KTAP_ALU_DIVS,
	KTAP_ALU_MODS,
	__KTAP_ALU_MAX
};

#define KTAP_ALU_MAX (__KTAP_ALU_MAX - 1)

/**
 * enum ktap_ctx - what KTAP_OP_CTX gives
 * @KTAP_CTX_CPU: number of this CPU
 * @KTAP_CTX_TGID: process, as init's pid namespace numbers it
 * @KTAP_CTX_TID: thread, likewise
 * @KTAP_CTX_UID: real user id, as init's user namespace maps it
 * @KTAP_CTX_CGROUP: id of the task's cgroup in the default hierarchy; 0: none
 * @KTAP_CTX_TIME: CLOCK_MONOTONIC (fast, NMI-safe variant), in nanoseconds
 * @KTAP_CTX_RETADDR: return probes: the address that is returned to
 * @KTAP_CTX_COMM: address of the task's name
 * @KTAP_CTX_TASK: address of the task's struct task_struct
 * @KTAP_CTX_PERCPU: what is added to the address of a per-CPU variable
 * @KTAP_CTX_THREAD: the task's thread pointer in user space: the base of %fs, or
 *	tpidr_el0
 * @KTAP_CTX_PPID: process that made this one, or that took it over, as init's pid
 *	namespace numbers it
 */
enum ktap_ctx {
	KTAP_CTX_CPU,
	KTAP_CTX_TGID,
	KTAP_CTX_TID,
	KTAP_CTX_UID,
	KTAP_CTX_CGROUP,
	KTAP_CTX_TIME,
	KTAP_CTX_RETADDR,
	KTAP_CTX_COMM,
	KTAP_CTX_TASK,
	KTAP_CTX_PERCPU,
	KTAP_CTX_THREAD,
	KTAP_CTX_PPID,
	__KTAP_CTX_MAX
};

#define KTAP_CTX_MAX (__KTAP_CTX_MAX - 1)

#define KTAP_INSN_F_USER	(1U << 0)
#define KTAP_INSN_F_SIGNED	(1U << 1)
#define __KTAP_INSN_F_ALL	(KTAP_INSN_F_USER | KTAP_INSN_F_SIGNED)

#define KTAP_NO_FAULT		0xff

/**
 * struct ktap_insn - one instruction; what an operation does not use is zero
 * @op: enum ktap_op
 * @dst: slot that is written
 * @a: slot that is read
 * @b: second slot that is read, or a fault bit
 * @size: 1, 2, 4 or 8 bytes, or enum ktap_alu
 * @flags: KTAP_INSN_F_*
 * @off: byte of the payload
 * @imm: immediate value, register, displacement, limit or distance
 */
struct ktap_insn {
	__u8 op;
	__u8 dst;
	__u8 a;
	__u8 b;
	__u8 size;
	__u8 flags;
	__u16 off;
	__u64 imm;
};

/*
 * Registers by index. The kernel takes no offset into pt_regs from anyone: an
 * index selects a row of the architecture's own table.
 */
enum ktap_reg_x86_64 {
	KTAP_X86_64_R15, KTAP_X86_64_R14, KTAP_X86_64_R13, KTAP_X86_64_R12,
	KTAP_X86_64_BP, KTAP_X86_64_BX, KTAP_X86_64_R11, KTAP_X86_64_R10,
	KTAP_X86_64_R9, KTAP_X86_64_R8, KTAP_X86_64_AX, KTAP_X86_64_CX,
	KTAP_X86_64_DX, KTAP_X86_64_SI, KTAP_X86_64_DI, KTAP_X86_64_ORIG_AX,
	KTAP_X86_64_IP, KTAP_X86_64_CS, KTAP_X86_64_FLAGS, KTAP_X86_64_SP,
	KTAP_X86_64_SS,
	__KTAP_X86_64_MAX
};

/* 0 to 30 are x0 to x30 (x30 is also called lr). */
enum ktap_reg_arm64 {
	KTAP_ARM64_X0 = 0,
	KTAP_ARM64_X30 = 30,
	KTAP_ARM64_SP = 31,
	KTAP_ARM64_PC = 32,
	KTAP_ARM64_PSTATE = 33,
	__KTAP_ARM64_MAX
};

/* ---- records ---------------------------------------------------------- */

/* Ids of records that are not a probe's. */
enum ktap_rec_id {
	KTAP_REC_PAD,		/* to skip; size 0: the rest of the sub-buffer */
	KTAP_REC_SUBBUF,	/* struct ktap_rec_subbuf */
	KTAP_REC_TIME,		/* struct ktap_rec_time */
	KTAP_REC_TASK,		/* struct ktap_rec_task */
	KTAP_REC_LOST,		/* struct ktap_rec_lost */
	KTAP_REC_AGAIN,		/* struct ktap_rec_again */
	KTAP_REC_FIRST_PROBE = 16
};

/**
 * struct ktap_rec_head - starts every record
 * @id: enum ktap_rec_id, or a probe's id
 * @size: bytes of the record, with this header
 * @time_low: low 32 bits of the raw counter
 */
struct ktap_rec_head {
	__u16 id;
	__u16 size;
	__u32 time_low;
};

/**
 * struct ktap_rec_subbuf - first record of every sub-buffer
 * @head: record header
 * @seq: number of the sub-buffer on this ring: its position / its size
 * @raw: raw counter
 * @mono: CLOCK_MONOTONIC at that moment, in nanoseconds
 * @tid: thread that hit the next record (init's pid namespace)
 * @tgid: its process
 * @comm: its name
 */
struct ktap_rec_subbuf {
	struct ktap_rec_head head;
	__u64 seq;
	__u64 raw;
	__u64 mono;
	__u32 tid;
	__u32 tgid;
	char comm[KTAP_COMM_LEN];
};

/**
 * struct ktap_rec_time - the distance to the last full time became too large
 * @head: record header
 * @raw: raw counter
 */
struct ktap_rec_time {
	struct ktap_rec_head head;
	__u64 raw;
};

/**
 * struct ktap_rec_task - another task than the last one
 * @head: record header
 * @tid: thread (init's pid namespace)
 * @tgid: its process
 * @comm: its name
 */
struct ktap_rec_task {
	struct ktap_rec_head head;
	__u32 tid;
	__u32 tgid;
	char comm[KTAP_COMM_LEN];
};

#define KTAP_NR_TOLD		64	/* tasks that ktap_rec_again may name */

/**
 * struct ktap_rec_again - another task than the last one, which is known
 * @id: KTAP_REC_AGAIN
 * @size: bytes of the record
 * @tid: thread (init's pid namespace)
 *
 * Its process and its name are those of the last ktap_rec_subbuf or ktap_rec_task
 * of this sub-buffer whose @tid is the same modulo KTAP_NR_TOLD: that one is this
 * thread's. So a reader needs to keep no more than so many, and none from before
 * the sub-buffer.
 */
struct ktap_rec_again {
	__u16 id;
	__u16 size;
	__u32 tid;
};

/**
 * struct ktap_rec_lost - records were lost here for want of room
 * @head: record header
 * @count: how many since the last such record
 */
struct ktap_rec_lost {
	struct ktap_rec_head head;
	__u64 count;
};

/**
 * struct ktap_string - the fixed part of a string argument
 * @len: bytes appended for it, with the NUL; 0 when it could not be read
 * @flags: KTAP_STRING_F_*
 */
struct ktap_string {
	__u16 len;
	__u16 flags;
};

#define KTAP_STRING_F_FAULT	(1U << 0)	/* could not be read */
#define KTAP_STRING_F_CUT	(1U << 1)	/* longer than its limit */

/* ---- rings ------------------------------------------------------------ */

#define KTAP_MMAP_STRIDE	(1ULL << 32)	/* mmap offset between CPUs */
#define KTAP_RING_MAGIC		0x5041544bU	/* "KTAP" */

/**
 * struct ktap_ring_consumer - the page that user space writes
 * @tail: position up to which the reader is done
 */
struct ktap_ring_consumer {
	__u64 tail;
};

/**
 * struct ktap_ring_producer - the page that the kernel writes
 * @magic: KTAP_RING_MAGIC
 * @cpu: whose ring this is
 * @size: bytes of data
 * @data_offset: where data starts, in bytes from this structure
 * @subbuf_size: bytes of a sub-buffer
 * @reserve: position up to which space is given to writers
 * @head: position up to which records are complete
 */
struct ktap_ring_producer {
	__u32 magic;
	__u32 cpu;
	__u64 size;
	__u32 data_offset;
	__u32 subbuf_size;
	__u64 reserve __attribute__((aligned(64)));
	__u64 head;
};

/* ---- sessions --------------------------------------------------------- */

#define KTAP_SESSION_F_OVERWRITE (1U << 0)	/* drop the oldest, not the newest */
#define KTAP_SESSION_F_SELF	(1U << 1)	/* keep the hits of the opener */
#define __KTAP_SESSION_F_ALL	(KTAP_SESSION_F_OVERWRITE | KTAP_SESSION_F_SELF)

/**
 * struct ktap_session_setup - argument of KTAP_IOC_SETUP
 * @flags: KTAP_SESSION_F_*
 * @subbuf_size: bytes, a power of two of at least a page and at most 1 MiB;
 *	0: 64 KiB, or a quarter of the ring if that is less
 * @ring_size: bytes of data per CPU, a power of two, at least 4 sub-buffers;
 *	0: the module's default
 * @watermark: unread bytes on one ring that wake poll; 0: any record
 * @nr_cpus: answer: CPUs are numbered below this
 * @clock: answer: enum ktap_clock
 * @reserved: zero
 * @clock_hz: answer: nominal frequency of the raw counter
 * @session: answer: number of the session
 */
struct ktap_session_setup {
	__u32 flags;
	__u32 subbuf_size;
	__u64 ring_size;
	__u32 watermark;
	__u32 nr_cpus;
	__u32 clock;
	__u32 reserved;
	__u64 clock_hz;
	__u64 session;
};

/**
 * struct ktap_session_state - answer of KTAP_IOC_STATE
 * @raw: raw counter now
 * @mono: CLOCK_MONOTONIC at that moment, in nanoseconds
 * @real: CLOCK_REALTIME at that moment, in nanoseconds
 * @generation: changes when a CPU got a ring
 * @nr_attached: probes attached now; those deleted since do not count
 */
struct ktap_session_state {
	__u64 raw;
	__u64 mono;
	__u64 real;
	__u32 generation;
	__u32 nr_attached;
};

/**
 * struct ktap_session_attach - argument of KTAP_IOC_ATTACH and KTAP_IOC_DETACH
 * @id: probe; for DETACH 0 means all of the session's
 * @flags: zero
 *
 * DETACH returns when no handler writes to the session any more: what is in
 * the rings then is final, and so are the counts.
 */
struct ktap_session_attach {
	__u32 id;
	__u32 flags;
};

/**
 * struct ktap_session_attach_many - argument of KTAP_IOC_ATTACH_MANY and
 * KTAP_IOC_DETACH_MANY
 * @ids: address of an array of __u32
 * @nr: how many, at most KTAP_ATTACH_MAX
 * @done: answer: how many of them, from the first on, are done
 * @flags: zero
 * @reserved: zero
 *
 * As KTAP_IOC_ATTACH and KTAP_IOC_DETACH for each, but with one wait for all.
 * ATTACH stops after KTAP_ARM_MAX that a slow hook had to arm, and before one
 * that is refused; so does DETACH, but after KTAP_ARM_MAX that it disarmed.
 * That the very first is refused is an error.
 */
struct ktap_session_attach_many {
	__u64 ids;
	__u32 nr;
	__u32 done;
	__u32 flags;
	__u32 reserved;
};

#define KTAP_SCOPE_F_TREE	(1U << 0)	/* and its descendants */
#define __KTAP_SCOPE_F_ALL	KTAP_SCOPE_F_TREE

/**
 * struct ktap_session_scope - argument of KTAP_IOC_SCOPE
 * @pid: process to take in, in the caller's pid namespace; may be repeated
 * @flags: KTAP_SCOPE_F_*
 *
 * Before the first one every task is in scope.
 */
struct ktap_session_scope {
	__u32 pid;
	__u32 flags;
};

/**
 * struct ktap_session_rates - argument of KTAP_IOC_RATES
 * @every: of the hits on a CPU, one in so many makes a record; 0: each
 * @per_second: records in each second, on all CPUs together; 0: no limit
 * @max: records, on all CPUs together: when they are made the probe is
 *	detached by itself, with ktap_session_state.nr_attached going down; 0: no
 *	limit
 *
 * For each probe attached after it, by itself. Hits that scope or filter refuse
 * do not count here; those that the rates refuse are counted as limited. A
 * record that is lost counts for @every and @per_second, and not for @max.
 */
struct ktap_session_rates {
	__u32 every;
	__u32 per_second;
	__u64 max;
};

/**
 * struct ktap_session_counts - argument of KTAP_IOC_COUNTS
 * @id: a probe that the session has, or had, attached
 * @cpu: a CPU, or -1 for the sum over all
 * @counts: answer
 */
struct ktap_session_counts {
	__u32 id;
	__s32 cpu;
	struct ktap_counts counts;
};

#define KTAP_IOC_MAGIC		0xb7
#define KTAP_IOC_SETUP		_IOWR(KTAP_IOC_MAGIC, 0, struct ktap_session_setup)
#define KTAP_IOC_STATE		_IOR(KTAP_IOC_MAGIC, 1, struct ktap_session_state)
#define KTAP_IOC_ATTACH		_IOW(KTAP_IOC_MAGIC, 2, struct ktap_session_attach)
#define KTAP_IOC_DETACH		_IOW(KTAP_IOC_MAGIC, 3, struct ktap_session_attach)
#define KTAP_IOC_SCOPE		_IOW(KTAP_IOC_MAGIC, 4, struct ktap_session_scope)
#define KTAP_IOC_COUNTS		_IOWR(KTAP_IOC_MAGIC, 5, struct ktap_session_counts)
#define KTAP_IOC_ATTACH_MANY	_IOWR(KTAP_IOC_MAGIC, 6, struct ktap_session_attach_many)
#define KTAP_IOC_DETACH_MANY	_IOWR(KTAP_IOC_MAGIC, 7, struct ktap_session_attach_many)
#define KTAP_IOC_RATES		_IOW(KTAP_IOC_MAGIC, 8, struct ktap_session_rates)

#endif /* _UAPI_LINUX_KTAP_H */
