/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * ktap: the interface between ktap.ko and user space.
 *
 * The module has two interfaces:
 *
 *   control  generic netlink, family "ktap": creates, deletes, lists, enables and
 *            counts probes. A probe outlives the process that created it, unless it
 *            is transient.
 *   data     /dev/ktap: one open file is one session. A session owns a ring per CPU
 *            and attaches probes to it. Closing the file detaches them and frees the
 *            rings.
 *
 * Control
 * =======
 * Every request needs CAP_PERFMON or CAP_SYS_ADMIN in the initial user namespace. Every
 * refusal carries an extack string, and the invalid attribute if there is one. Integers
 * are in host byte order. Attributes in [] are optional.
 *
 *   KTAP_CMD_INFO_GET     { [VERBOSE] }
 *     -> { ABI, MODULE_VERSION, ARCH, FEATURES, CLOCK, LIMITS, [OFFSETS],
 *          [ANCHOR], ADDRESSES, [SYMBOLS], with VERBOSE [UNWINDER] }
 *     ANCHOR is the run-time address of the function KTAP_ANCHOR. Less its address in
 *     vmlinux it is the relocation offset of the kernel. ADDRESSES reports whether the
 *     caller may see such addresses. The rule is the one for /proc/kallsyms: CAP_SYSLOG
 *     and the sysctl kernel.kptr_restrict. The process that opened the socket must have
 *     the capability too. While SYMBOLS does not change, no module was loaded or
 *     unloaded and /proc/kallsyms lists the same code. Another boot, or another load of
 *     ktap.ko, has another value. It is missing for a second after each change, because
 *     /proc/kallsyms may still change then.
 *
 *   KTAP_CMD_PROBE_NEW    { NAME, TYPE, place, PROG, [FLAGS], [BLOB_SIZE],
 *                           [BLOB_DATA], [ENTRY_PROG], [MAXACTIVE], [HOOK],
 *                           [FRAME_REGS, [FRAME_ADDR], [FRAME_OFFSET]] }
 *     -> { ID }
 *     The place depends on the type:
 *       KPROBE, KRETPROBE    [ADDR], [SYMBOL, [OFFSET]]: at least one of ADDR and
 *                            SYMBOL; with both, ADDR is probed and SYMBOL is for
 *                            display
 *       UPROBE, URETPROBE    FD, OFFSET, [REF_OFFSET], [PATH], [SYMBOL]: byte OFFSET of
 *                            an open file; REF_OFFSET is the offset of a USDT
 *                            semaphore; PATH and SYMBOL are for display
 *       TRACEPOINT           SYMBOL
 *       WATCHPOINT           ADDR, LENGTH (1 for EXEC), ACCESS, [SYMBOL, [OFFSET]]
 *       SYSCALL, SYSRET      SYSCALL, [ADDR], [SYMBOL]: the system call number of
 *                            64-bit programs; ADDR and SYMBOL are for display
 *       TIMER                PERIOD, [EACH_CPU]: ticks each PERIOD ns on each CPU that is
 *                            online, or without EACH_CPU on one of them. The program reads
 *                            the registers of the interrupted code
 *     A SYMBOL "MODULE:NAME" ties the probe to that module: unloading the module
 *     disarms the probe, loading it looks the symbol up and arms the probe again. With
 *     KTAP_PROBE_F_WAIT the module need not be loaded yet.
 *
 *     A return probe may have a second program, ENTRY_PROG, that runs at the entry.
 *     PROG reads its payload at the return. An entry program cannot filter. At a return
 *     the program counter is the return address. If the instances for MAXACTIVE calls
 *     exceed a limit of the module, the refusal carries their size in bytes as its
 *     cookie (NLMSGERR_ATTR_COOKIE, u64).
 *
 *     A program whose hit may take longer than the module allows is refused with E2BIG;
 *     the cookie is the time in ns. If BLOB_SIZE is not zero, the probe cannot be
 *     attached or enabled until its blob is complete. BLOB_DATA is the first part of the
 *     blob, BLOB_PUT adds the rest. HOOK selects the hook of a KPROBE: "ftrace" or
 *     "kprobe". Without HOOK, ftrace serves the probe if the place is the entry of a
 *     function that ftrace can trace and the program reads only registers that ftrace
 *     provides.
 *
 *     A KPROBE or UPROBE inside a function may have FRAME_REGS: registers to store at
 *     each entry of the function. A second probe at the entry, which is armed with the
 *     first and makes no records, stores them; the program reads them with
 *     KTAP_OP_FRAME. The entry is at FRAME_ADDR, or FRAME_OFFSET bytes from SYMBOL; for a
 *     UPROBE it is byte FRAME_OFFSET of the file. With both, FRAME_ADDR is the present
 *     address, and FRAME_OFFSET gives the address when the module of SYMBOL is loaded
 *     again. The key of a frame is the task and the CFA, the stack pointer before the
 *     call. MAXACTIVE frames are stored at most. A frame whose entry may have been missed
 *     is not found.
 *
 *     The programs of SYSCALL and SYSRET equal those of a KPROBE and a KRETPROBE on the
 *     function that serves the call. At its entry they may read the first argument, the
 *     address of the caller's struct pt_regs, but not other registers. At its return they
 *     may read the return value and the program counter, which is the place where the
 *     kernel reports the return. Two tracepoints of the kernel serve all of these
 *     probes. Calls of 32-bit programs are not hits. A SYSRET with an entry program
 *     follows calls that began after it was armed, except exit and rt_sigreturn.
 *
 *     A name is unique, except for probes with KTAP_PROBE_F_SHARED. Several of these may
 *     share a name and form one event; the sender ensures that their records have one
 *     layout. A look-up by NAME finds the one with the lowest id.
 *
 *   KTAP_CMD_PROBE_DEL    { ID | IDS }
 *     With IDS all of them are deleted, or none if one does not exist.
 *   KTAP_CMD_PROBE_SET    { ID | IDS, ENABLED }
 *     With IDS all of them are set, or none. A request may arm or disarm at most
 *     KTAP_ARM_MAX probes that are not served by ftrace. If everything that would run at
 *     one place may take longer than the module allows for a hit, the request is refused
 *     with EDQUOT, and the cookie is the time in ns. Armed timers may tick
 *     KTAP_TIMER_TICKS_MAX times a second in all; a request for more is refused with
 *     EUSERS. A probe of user code whose file was written to since it was defined cannot be
 *     armed: ESTALE. While such a probe is armed, no other one of its file can be: EBUSY.
 *     KTAP_IOC_ATTACH and KTAP_IOC_SCOPE fail likewise.
 *   KTAP_CMD_PROBE_GET    { ID | NAME } -> probe        (dump: {} -> probe ...)
 *     probe = { ID, NAME, TYPE, FLAGS, [ADDR], [SYMBOL, OFFSET], ENABLED,
 *               NR_SESSIONS, RECORD_MAX, BLOB_SIZE, OWNER_PID, HOOK,
 *               [MAXACTIVE], [PATH], [FILE_STATE], [REF_OFFSET], [LENGTH, ACCESS],
 *               [PERIOD, [EACH_CPU]],
 *               [WAITING], [OVERLOADED], [LOCKED_DOWN], [FRAME_HOOK],
 *               COST }
 *     ADDR is present under the same conditions as ANCHOR. COST does not include the
 *     entry program and the storing of frames.
 *
 *   KTAP_CMD_BLOB_PUT     { ID, BLOB_OFFSET, BLOB_DATA }
 *     Chunks must come in order: BLOB_OFFSET is the number of bytes put so far.
 *   KTAP_CMD_BLOB_GET     { ID, BLOB_OFFSET } -> { ID, BLOB_OFFSET, BLOB_DATA }
 *     A reply without data marks the end.
 *
 *   KTAP_CMD_STATS_GET    dump only: { [ID], [VERBOSE] } -> stats ...
 *     stats = { ID, NAME, COUNTS, MISSED, NR_SESSIONS, [RETURNS], [FRAMES],
 *     [STATE], [OVERLOADED], [LOCKED_DOWN] }: totals of one probe, past attachments included.
 *     With VERBOSE a { ID, SESSION, CPU, COUNTS } follows for each live attachment and
 *     each CPU on which it had a hit. SESSION 0 is the counting of ENABLED.
 *
 *   KTAP_CMD_SESSION_GET  dump only: {} -> { SESSION, OWNER_PID, OWNER_COMM,
 *                                            NR_PROBES, RING_BYTES,
 *                                            [PROBE_MODULE, MODULE_STATE] } ...
 *     With PROBE_MODULE it is the session of a probe module: OWNER_COMM is the module's
 *     name, cut. OWNER_PID is the process that loaded the module, then the one that has its
 *     device open; 0: it was opened, and none has it open now.
 *
 * The multicast group "events" announces PROBE_NEW, PROBE_DEL and PROBE_SET with the ID
 * and NAME of the probe. PROBE_SET with OVERLOADED: hits of the probe took more of a CPU
 * than the module's overload_percent allows, so it was disarmed and detached from all
 * sessions. Enabling it, or attaching it to another session, arms it again. A session
 * that had it attached keeps its counts and cannot attach it again. PROBE_SET with
 * LOCKED_DOWN: kernel lockdown was raised to a mode that forbids probes
 * (confidentiality). All probes were disarmed and detached in the same way, and cannot be
 * armed again.
 *
 * Data
 * ====
 * Open /dev/ktap and call KTAP_IOC_SETUP once, then KTAP_IOC_SCOPE and KTAP_IOC_ATTACH in
 * any order. At mmap offset (cpu * KTAP_MMAP_STRIDE) is the consumer page of a CPU
 * (struct ktap_ring_consumer; may be mapped writable). The next page is the producer page
 * (struct ktap_ring_producer; read-only), and the data follows. mmap fails with ENXIO for
 * a CPU without a ring. A CPU that comes online later gets its ring then, which
 * increments ktap_session_state.generation.
 *
 * Map
 * ===
 * KTAP_IOC_MAP creates a map: tables, one per CPU, that aggregate hits instead of records.
 * A probe that KTAP_IOC_ATTACH_MANY attaches with KTAP_ATTACH_F_MAP writes to it. At mmap
 * offset KTAP_MMAP_MAPS + (map * nr_cpus + cpu) * KTAP_MMAP_STRIDE is the table of a CPU:
 * struct ktap_map_head, then the slots. It is read-only.
 *
 * The key of a hit is the payload that the program built, with zeros in place of the
 * values and of the fault bits of the values. A slot has one key. Its counters only grow;
 * nothing is cleared. A key may be in several slots of a table, and in the tables of
 * several CPUs: the reader adds them up. A key that finds no slot in KTAP_MAP_TRIES is
 * counted in the row "other", which is the last slot and has no key.
 *
 * Stacks
 * ======
 * A session that attached a program with KTAP_OP_KSTACK or KTAP_OP_USTACK has a table of
 * stacks, which all CPUs share. At mmap offset KTAP_MMAP_STACKS is struct ktap_stacks_head;
 * it is read-only.
 * A record has the id of its stack, which is a hash of what the stack contains. A stack is
 * in the table before a record with its id is complete: so the reader loads the head of the
 * ring, then reads the stacks, then the records. Nothing is ever removed or changed. A stack
 * may be there twice. A stack that finds no space is counted as lost, and its id is not in
 * the table.
 *
 * User stacks
 * ===========
 * A frame of a user stack is a place in a file: the number of the file in the high 16 bits,
 * the offset in the file in the others. So it is the same in all processes that map the
 * file. Number 0 means an address that no file is mapped at, KTAP_USER_VDSO the vDSO, and
 * KTAP_USER_UNNUMBERED any file that was met when nearly all numbers were in use. Numbers
 * are the same for all sessions while one of them has user stacks. A file gets its number when
 * a hit meets it, or from KTAP_IOC_USER_TABLE. A file that was written to since then is another
 * file: its size or the time of its last change differ, which do not count while a process has
 * a shared mapping of it for writing. KTAP_IOC_USER_FILES tells which file a
 * number is, at the latest when the hit that gave it has ended.
 *
 * KTAP_IOC_USER_TABLE gives the module the unwind information of a file: for each range of
 * code a rule how to find the caller. Hits follow frame pointers where no table has a rule.
 * A table belongs to the sessions that gave it. If a file has a table, it is kept, and the
 * later one is ignored.
 *
 * State
 * =====
 * KTAP_OP_STATE_PUT stores a number under a key, and KTAP_OP_STATE_GET loads it in the
 * program of another probe, on any CPU and in any context. The transient probes that one
 * socket created share a table of such entries, and so do the probes of a probe module. All
 * others share one by the GROUP in their name. A table has as many entries as the module
 * parameter state_entries says, in sets of 8. A full set loses its oldest entry, which is
 * counted. A table is freed with the last probe that uses it.
 *
 * A program that stores state and makes no payload is silent: the hits of an attachment
 * without a map are counted, and no records are made.
 *
 * Counters
 * ========
 * KTAP_OP_COUNTER reads a counter of perf. While a probe exists whose programs read an event,
 * each CPU that is online has a counter for it, which all probes share. PROBE_NEW is refused
 * with the error of perf if no CPU can have one. The cookie is then the event, if the
 * attribute at fault is a program, and the error neither E2BIG nor ENOSPC nor ENOMEM. A CPU
 * that comes online gets its counters a moment later; until then its hits cannot read them.
 *
 * Probe module
 * ============
 * /dev/ktap-NAME is the device of the probe module NAME. read() gives the records as
 * ktap.data (ktap_data.h), up to its end when the module was removed. One process at a time
 * may have it open. The module arms its probes when it is loaded and disarms them when it is
 * removed; a descriptor that only reads has no part in that.
 *
 * KTAP_IOC_TIE ties the session of the module to an open file of the device. If the module
 * was loaded with the parameter tied=1, it waits for that before it arms its probes. When
 * the last descriptor of that file is closed, also by the end of its process, the probes are
 * disarmed once and for all: the module is idle and can only be removed. poll() of a file that is
 * tied reports that it is readable when a ring has its watermark, half of its size, or when
 * the module was removed; of any other file, when there is a record.
 *
 * Ring
 * ====
 * Positions are free-running byte counts; the data of a position is at (position % size).
 * The data area is a power-of-two number (at least 4) of sub-buffers. No record crosses a
 * sub-buffer boundary. The first record of each sub-buffer is a struct ktap_rec_subbuf,
 * so a reader can start at any sub-buffer.
 *
 *   keep-oldest   the reader loads head (acquire), reads [tail, head) in place and
 *                 stores tail (release). A record that does not fit is lost and counted.
 *                 A forged tail can only lose records.
 *   overwrite     the reader copies a sub-buffer, issues a read barrier, then loads
 *                 reserve. The copy is valid if reserve is at most the ring's size past
 *                 the start of the copy.
 *
 * Records
 * =======
 * A record begins with struct ktap_rec_head, except ktap_rec_again, which has a thread id
 * instead of the time. size is a multiple of 8 and includes the header. Ids below
 * KTAP_REC_FIRST_PROBE are state records, the others are ids of probes. The payload of a
 * probe's record is what its program stored.
 *
 * time_low is the low half of the raw counter. The full value is
 *      full + (__s32)(time_low - (__u32)full)
 * where full comes from the last ktap_rec_subbuf or ktap_rec_time before the record. The
 * time_low of padding is not valid. Two records may be any time apart, and time may go
 * backwards. To get CLOCK_MONOTONIC, interpolate between the (raw, mono) pairs of
 * consecutive sub-buffers. ktap_session_state provides a pair at any time.
 *
 * The task of a record is in the last ktap_rec_subbuf, ktap_rec_task or ktap_rec_again
 * before it.
 *
 * State that has changed is written before a record, in this order: ktap_rec_time,
 * ktap_rec_lost, then ktap_rec_task or ktap_rec_again. ktap_rec_subbuf contains time and
 * task. Redundant state records, and any other order, are valid: older modules wrote
 * ktap_rec_lost first, with a time_low for which ktap_rec_time was due.
 *
 * Marks
 * =====
 * KTAP_IOC_MARK puts text into the ring of the CPU that executes it, of every session
 * that has a probe attached and records its hits. The calling file need not be set up. The
 * record is a struct ktap_rec_mark, whose task is the caller. It is the hit of no probe, and
 * ktap_counts does not count it: KTAP_IOC_MARKS does. A mark that does not fit into a ring is
 * lost; the next struct ktap_rec_lost counts it, too. After KTAP_IOC_DETACH of the last probe
 * no mark comes any more. A reader that does not know this record skips it.
 */
#ifndef _UAPI_LINUX_KTAP_H
#define _UAPI_LINUX_KTAP_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define KTAP_ABI		2	/* changes when an old tool would misread */
#define KTAP_GENL_NAME		"ktap"
#define KTAP_GENL_VERSION	1
#define KTAP_GENL_MCGRP		"events"

/* The function at KTAP_A_ANCHOR. Every kernel that ktap supports has it. */
#define KTAP_ANCHOR		"register_kprobe"

/* Limits that both sides compile in. KTAP_A_LIMITS has the run-time limits. */
#define KTAP_NAME_MAX		128	/* event name with group, with NUL */
#define KTAP_SYMBOL_MAX		512	/* symbol name, with NUL */
#define KTAP_PROG_MAX		960	/* instructions: fits in 16 KiB */
#define KTAP_NR_SLOTS		8	/* scratch registers of a program */
#define KTAP_NR_FAULTS		64	/* fault bits of a program */
#define KTAP_STRING_MAX		16384	/* bytes of one string, with NUL */
#define KTAP_RECORD_MAX		65528	/* bytes of one record, with header */
#define KTAP_IDS_MAX		1024	/* probes in one message */
#define KTAP_BLOB_CHUNK		8192	/* bytes in one BLOB_PUT or BLOB_GET */
#define KTAP_COMM_LEN		16	/* TASK_COMM_LEN */
#define KTAP_NR_ARGS		12	/* arguments of a tracepoint */
#define KTAP_BYTES_MAX		16384	/* bytes of one KTAP_OP_BYTES */
#define KTAP_PATTERN_MAX	255	/* bytes of one KTAP_OP_MATCH pattern */
#define KTAP_MATCH_MAX		1024	/* bytes of a string that a pattern sees */
#define KTAP_ENTRY_MAX		2048	/* bytes that an entry program may store */
#define KTAP_ATTACH_MAX		65536	/* probes in one KTAP_IOC_ATTACH_MANY */
#define KTAP_MARK_MAX		255	/* bytes of the text of a mark */
#define KTAP_ARM_MAX		64	/* slow hooks armed by one request */
#define KTAP_NR_ENTRY_STRINGS	16	/* strings that it may store */
#define KTAP_STACK_FRAMES_MAX	127	/* frames of a stack */
#define KTAP_NR_STACKS		4	/* stacks of a program */
#define KTAP_NR_COUNTERS	8	/* different events that a program reads */
#define KTAP_MAXACTIVE_MAX	32767	/* calls that a probe may follow */
#define KTAP_NR_FRAME_REGS	16	/* registers stored per frame */
#define KTAP_SYSCALLS_MAX	512	/* system calls have lower numbers */
#define KTAP_TIMER_MIN		100000ULL	/* shortest period of a timer, in ns */
#define KTAP_TIMER_MAX		86400000000000ULL /* longest period, in ns: a day */
#define KTAP_TIMER_TICKS_MAX	20000	/* ticks a second of all armed timers */

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
	KTAP_A_PAD,		/* padding of 64-bit attributes */
	KTAP_A_ABI,		/* u32, KTAP_ABI of the module */
	KTAP_A_MODULE_VERSION,	/* string */
	KTAP_A_ARCH,		/* u32, enum ktap_arch */
	KTAP_A_FEATURES,	/* u64, KTAP_FEATURE_* */
	KTAP_A_CLOCK,		/* u32, enum ktap_clock */
	KTAP_A_LIMITS,		/* struct ktap_limits; may grow at its end */
	KTAP_A_ID,		/* u32, id of a probe, also in its records */
	KTAP_A_NAME,		/* string, [GROUP:]EVENT */
	KTAP_A_TYPE,		/* u32, enum ktap_type */
	KTAP_A_FLAGS,		/* u32, KTAP_PROBE_F_* */
	KTAP_A_ADDR,		/* u64, run-time address */
	KTAP_A_SYMBOL,		/* string */
	KTAP_A_OFFSET,		/* u64, bytes from SYMBOL */
	KTAP_A_PROG,		/* array of struct ktap_insn */
	KTAP_A_ENABLED,		/* u8, 0 or 1 */
	KTAP_A_NR_SESSIONS,	/* u32, sessions that have it attached */
	KTAP_A_RECORD_MAX,	/* u32, bytes of the largest record */
	KTAP_A_OWNER_PID,	/* u32, creator, in the initial pid namespace */
	KTAP_A_OWNER_COMM,	/* string */
	KTAP_A_HOOK,		/* string, name of the hook: "kprobe", ... */
	KTAP_A_BLOB_SIZE,	/* u32, bytes of the complete blob */
	KTAP_A_BLOB_OFFSET,	/* u32, bytes */
	KTAP_A_BLOB_DATA,	/* binary, at most KTAP_BLOB_CHUNK bytes */
	KTAP_A_VERBOSE,		/* flag */
	KTAP_A_COUNTS,		/* struct ktap_counts; may grow at its end */
	KTAP_A_MISSED,		/* u64, hits that the kernel skipped */
	KTAP_A_SESSION,		/* u64, number of a session, never reused */
	KTAP_A_CPU,		/* u32 */
	KTAP_A_NR_PROBES,	/* u32, probes attached to the session */
	KTAP_A_RING_BYTES,	/* u64, memory of the session's rings */
	KTAP_A_ENTRY_PROG,	/* array of struct ktap_insn */
	KTAP_A_MAXACTIVE,	/* u32, calls followed at once; 0: the default */
	KTAP_A_FD,		/* u32, file descriptor of the sender */
	KTAP_A_PATH,		/* string */
	KTAP_A_REF_OFFSET,	/* u64, file offset of the 16-bit USDT semaphore */
	KTAP_A_LENGTH,		/* u32, watched bytes: 1, 2, 4 or 8 */
	KTAP_A_ACCESS,		/* u32, KTAP_ACCESS_* */
	KTAP_A_RETURNS,		/* struct ktap_returns; may grow at its end */
	KTAP_A_OFFSETS,		/* struct ktap_offsets; may grow at its end */
	KTAP_A_IDS,		/* array of u32, at most KTAP_IDS_MAX */
	KTAP_A_WAITING,		/* flag: its module is not loaded */
	KTAP_A_OVERLOADED,	/* flag: the overload guard disarmed it */
	KTAP_A_FRAME_REGS,	/* array of u8, enum ktap_reg_*; at most KTAP_NR_FRAME_REGS */
	KTAP_A_FRAME_ADDR,	/* u64, run-time address of the function's entry */
	KTAP_A_FRAME_OFFSET,	/* u64, the entry: bytes from SYMBOL, or offset in the file */
	KTAP_A_FRAME_HOOK,	/* string, name of the hook at the entry: "kprobe", ... */
	KTAP_A_FRAMES,		/* struct ktap_frames; may grow at its end */
	KTAP_A_ANCHOR,		/* u64, address of KTAP_ANCHOR */
	KTAP_A_ADDRESSES,	/* u32, enum ktap_addresses */
	KTAP_A_COST,		/* u64, worst cost of a hit for one session, in ns */
	KTAP_A_LOCKED_DOWN,	/* flag: kernel lockdown disarmed it */
	KTAP_A_SYMBOLS,		/* u64, changes with what /proc/kallsyms lists */
	KTAP_A_SYSCALL,		/* u32, number of a system call */
	KTAP_A_PERIOD,		/* u64, ns between two ticks of a timer */
	KTAP_A_EACH_CPU,	/* flag: the timer ticks on each CPU */
	KTAP_A_PROBE_MODULE,	/* string, name of a probe module */
	KTAP_A_MODULE_STATE,	/* u32, enum ktap_module_state */
	KTAP_A_STATE,		/* struct ktap_state_counts; may grow at its end */
	KTAP_A_UNWINDER,	/* u32, enum ktap_unwinder */
	KTAP_A_FILE_STATE,	/* u32, enum ktap_file_state; absent: as it was */
	__KTAP_A_MAX
};

#define KTAP_A_MAX (__KTAP_A_MAX - 1)

enum ktap_arch {
	KTAP_ARCH_X86_64 = 1,
	KTAP_ARCH_ARM64 = 2,
};

/**
 * enum ktap_addresses - may the caller see addresses of kernel code?
 * @KTAP_ADDRESSES_SHOWN: yes
 * @KTAP_ADDRESSES_CAPABILITY: no, the caller or the opener of its socket lacks CAP_SYSLOG
 * @KTAP_ADDRESSES_RESTRICTED: no, kernel.kptr_restrict hides them
 */
enum ktap_addresses {
	KTAP_ADDRESSES_SHOWN = 1,
	KTAP_ADDRESSES_CAPABILITY = 2,
	KTAP_ADDRESSES_RESTRICTED = 3,
};

/**
 * enum ktap_unwinder - what finds the frames of kernel stacks
 * @KTAP_UNWINDER_NONE: nothing: a stack has only the place of the probe
 * @KTAP_UNWINDER_KERNEL_FP: the kernel, by frame pointers
 * @KTAP_UNWINDER_KERNEL_ORC: the kernel, by its ORC tables
 * @KTAP_UNWINDER_ORC: ktap, by the kernel's ORC tables; the kernel where a frame is not simple
 * @KTAP_UNWINDER_RECORDS: ktap, by the frame records of arm64
 */
enum ktap_unwinder {
	KTAP_UNWINDER_NONE = 1,
	KTAP_UNWINDER_KERNEL_FP = 2,
	KTAP_UNWINDER_KERNEL_ORC = 3,
	KTAP_UNWINDER_ORC = 4,
	KTAP_UNWINDER_RECORDS = 5,
};

/**
 * enum ktap_file_state - how the file of a uprobe or uretprobe has changed
 * @KTAP_FILE_REPLACED: its name was removed, or is now that of another file. The probe stays
 *	on the old file, which processes may still run.
 * @KTAP_FILE_CHANGED: it was written to, or its time was set. The probe cannot be armed, and if
 *	it is armed, processes that map the file from now on are not probed.
 */
enum ktap_file_state {
	KTAP_FILE_REPLACED = 1,
	KTAP_FILE_CHANGED = 2,
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
	KTAP_TYPE_TIMER = 9,
	__KTAP_TYPE_MAX
};

#define KTAP_TYPE_MAX (__KTAP_TYPE_MAX - 1)

#define KTAP_ACCESS_READ	(1U << 0)
#define KTAP_ACCESS_WRITE	(1U << 1)
#define KTAP_ACCESS_EXEC	(1U << 2)

/* Delete the probe when the netlink socket that created it is closed. */
#define KTAP_PROBE_F_TRANSIENT	(1U << 0)
/* Other probes with this flag may have the same name. */
#define KTAP_PROBE_F_SHARED	(1U << 1)
/* The module of SYMBOL may be loaded later. */
#define KTAP_PROBE_F_WAIT	(1U << 2)
/* SYSRET: count errors and the time in calls, for tasks in scope. */
#define KTAP_PROBE_F_TIMES	(1U << 3)
#define __KTAP_PROBE_F_ALL \
	(KTAP_PROBE_F_TRANSIENT | KTAP_PROBE_F_SHARED | KTAP_PROBE_F_WAIT | \
	 KTAP_PROBE_F_TIMES)

#define KTAP_FEATURE_KPROBE	(1ULL << 0)
/* Scope by process tree works: the kernel can follow new tasks. */
#define KTAP_FEATURE_SCOPE	(1ULL << 1)
#define KTAP_FEATURE_KRETPROBE	(1ULL << 2)
#define KTAP_FEATURE_UPROBE	(1ULL << 3)
#define KTAP_FEATURE_TRACEPOINT	(1ULL << 4)
#define KTAP_FEATURE_WATCHPOINT	(1ULL << 5)
#define KTAP_FEATURE_FTRACE	(1ULL << 6)
#define KTAP_FEATURE_SYSCALL	(1ULL << 7)
#define KTAP_FEATURE_TIMER	(1ULL << 8)
/* Programs may take the kernel stack. */
#define KTAP_FEATURE_KSTACK	(1ULL << 9)
/* There are probe modules, and KTAP_IOC_TIE. */
#define KTAP_FEATURE_TIE	(1ULL << 10)
/* Programs may have state: KTAP_OP_STATE_PUT and KTAP_OP_STATE_GET. */
#define KTAP_FEATURE_STATE	(1ULL << 11)
/* Programs may take the user stack: KTAP_OP_USTACK. */
#define KTAP_FEATURE_USTACK	(1ULL << 12)
/* Programs may read counters: KTAP_OP_COUNTER. */
#define KTAP_FEATURE_COUNTER	(1ULL << 13)

/**
 * enum ktap_module_state - what the probes of a probe module depend on
 * @KTAP_MODULE_ARMED: armed until the module is removed
 * @KTAP_MODULE_WAITS: not armed yet: loaded with tied=1, and not tied
 * @KTAP_MODULE_TIED: armed until the descriptor that was tied is closed
 * @KTAP_MODULE_IDLE: disarmed once and for all: that descriptor was closed, or arming failed
 * @KTAP_MODULE_REMOVED: the module was removed, and its reader reads the rest
 */
enum ktap_module_state {
	KTAP_MODULE_ARMED = 1,
	KTAP_MODULE_WAITS = 2,
	KTAP_MODULE_TIED = 3,
	KTAP_MODULE_IDLE = 4,
	KTAP_MODULE_REMOVED = 5,
};

/**
 * enum ktap_clock - raw counter of records
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
 * struct ktap_limits - run-time limits and usage of the module
 * @ring_default: default size of a CPU's ring, in bytes
 * @ring_total_max: limit of @ring_total (module parameter)
 * @ring_total: bytes of all rings
 * @blob_max: limit of one probe's blob, in bytes
 * @blob_total_max: limit of @blob_total (module parameter)
 * @blob_total: bytes of all blobs
 * @probes_max: limit of @nr_probes
 * @nr_probes: number of probes
 * @return_total_max: limit of @return_total (module parameter)
 * @return_total: bytes of the instances of all return probes and of stored frames
 * @hit_cost_max: limit in ns for a hit of one program, and for everything that runs at
 *	one place (module parameter)
 * @memory_max: limit of @memory_total (module parameter); 0: the module does not report
 *	it
 * @memory_total: bytes of all kinds: rings, blobs, return_total, and the following
 * @program_total: bytes of programs
 * @scratch_total: bytes of the buffers in which programs build records
 * @scope_total: bytes of the scopes of sessions
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
 * struct ktap_counts - outcomes of the hits of a probe
 * @hits: calls of ktap's handler
 * @filtered: rejected by the filter of the program
 * @limited: rejected by scope or rate, or hits of the session's own reader
 * @counted: hits of an enabled probe, which has no ring, or of one that only stores state
 * @recorded: records written
 * @lost_full: the ring was full
 * @lost_deep: handlers were nested too deeply for the scratch buffers
 * @lost_big: larger than a sub-buffer
 * @lost_no_ring: the CPU had no ring, or no table of the map
 * @aggregated: counted in a slot of a map
 * @other: counted in the row "other" of a map, because its slots were taken
 *
 * hits is exactly the sum of the others once the probe is detached and an RCU grace
 * period has passed.
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
	__u64 aggregated;
	__u64 other;
};

/**
 * struct ktap_returns - further counts of a return probe, never added to the others
 * @entries: calls whose return is to be recorded
 * @no_instance: calls that were not followed because MAXACTIVE calls were pending. For a
 *	uretprobe only the values of the entry program are missing: the return is a hit
 * @too_deep: calls that were not followed because of the kernel's nesting limit
 * @pending: entries that have not returned, or never will (exit, longjmp)
 * @errors: with KTAP_PROBE_F_TIMES: calls that returned an error; else 0
 * @time: with KTAP_PROBE_F_TIMES: time in all calls, in ns; else 0
 *
 * A hit is a return. Counts that the kernel keeps are lower bounds on SMP.
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
 * struct ktap_frames - further counts of a probe with FRAME_REGS, never added to the
 * others
 * @entries: entries of the function that were seen
 * @dropped: entries that were not stored, because too many were at once
 * @no_entry: hits whose program did not find its frame
 */
struct ktap_frames {
	__u64 entries;
	__u64 dropped;
	__u64 no_entry;
};

/**
 * struct ktap_state_counts - further counts of a probe with state, never added to the others
 * @stores: values that were stored
 * @replaced: entries of other keys that were lost for them
 * @unstored: values that were not stored: they or their keys could not be read, or other
 *	CPUs wrote to the same set all the time
 * @loads: values that were looked up
 * @misses: of these, those whose key had no entry
 */
struct ktap_state_counts {
	__u64 stores;
	__u64 replaced;
	__u64 unstored;
	__u64 loads;
	__u64 misses;
};

/**
 * struct ktap_offsets - offsets in kernel structures, for %pd and %pD
 * @dentry_name: offset of the pointer to the name in struct dentry
 * @file_dentry: offset of the pointer to the dentry in struct file
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
 * @KTAP_OP_STACK: dst = word @imm of the kernel stack, counted from the stack pointer;
 *	bad if it is not on that stack
 * @KTAP_OP_LOAD: dst = @size bytes at (slot a + (s64)@imm), zero-extended, or
 *	sign-extended with KTAP_INSN_F_SIGNED; user memory with KTAP_INSN_F_USER
 * @KTAP_OP_ALU: dst = a (@size: enum ktap_alu) b
 * @KTAP_OP_ALUI: dst = a (@size: enum ktap_alu) @imm
 * @KTAP_OP_JZ: skip the next @imm instructions if slot a is zero or bad
 * @KTAP_OP_JMP: skip the next @imm instructions
 * @KTAP_OP_FILTER: end without a record if slot a is zero or bad
 * @KTAP_OP_STORE: store the low @size bytes of slot a at byte @off of the payload; a bad
 *	slot stores zero and sets fault bit @b, unless that is KTAP_NO_FAULT
 * @KTAP_OP_STRING: append the string at the address in slot a to the payload, at most
 *	@imm bytes with its NUL, and store a struct ktap_string at byte @off. User memory with
 *	KTAP_INSN_F_USER
 * @KTAP_OP_COMM: store KTAP_COMM_LEN bytes of the task's comm at byte @off
 * @KTAP_OP_FAULTS: store the low @size bytes of the fault mask at byte @off
 * @KTAP_OP_CTX: dst = enum ktap_ctx @imm
 * @KTAP_OP_ARG: dst = argument @imm, from 0, of the tracepoint
 * @KTAP_OP_BYTES: store @imm bytes at the address in slot a at byte @off of the payload;
 *	unless all can be read, store zeros and set fault bit @b, unless that is
 *	KTAP_NO_FAULT. User memory with KTAP_INSN_F_USER
 * @KTAP_OP_MATCH: dst = 1 if the first KTAP_MATCH_MAX bytes of the string at the address
 *	in slot a match a glob (* ? [a-z] [!a-z] \), else 0; bad if the string cannot be read.
 *	The glob has @imm bytes and is in the KTAP_OP_DATA instructions that follow. User
 *	memory with KTAP_INSN_F_USER
 * @KTAP_OP_DATA: the next 8 bytes of the glob, in @imm
 * @KTAP_OP_ENTRY: return probes: dst = @size bytes at byte @imm of the entry program's
 *	payload, zero- or sign-extended as in KTAP_OP_LOAD; bad if the entry program set its
 *	fault bit @b (KTAP_NO_FAULT: it has none)
 * @KTAP_OP_ENTRY_BYTES: return probes: copy bytes of the entry program's payload to byte
 *	@off. The low 32 bits of @imm are their number, the high 32 bits their offset. Its
 *	fault bit @b is copied too
 * @KTAP_OP_ENTRY_STRING: return probes: append the string that the entry program stored
 *	with its @imm'th KTAP_OP_STRING, from 0 in program order, and store a struct
 *	ktap_string at byte @off
 * @KTAP_OP_FRAME: dst = value @imm of FRAME_REGS in the frame of this task with the CFA
 *	in slot a; if there is no such frame, bad, and set fault bit @b, unless that is
 *	KTAP_NO_FAULT
 * @KTAP_OP_KSTACK: dst = id of the kernel stack of the probed code, of at most @imm frames.
 *	At a tracepoint it begins in the function that contains the tracepoint. Not in entry
 *	programs
 * @KTAP_OP_STATE_PUT: store the value of slot b under the key in slot a. If one of them is
 *	bad, nothing is stored, and an entry of that key is freed. With KTAP_INSN_F_TASK the
 *	key is the address of a struct task_struct, and the time when the task started is a
 *	part of the key. Not in entry programs
 * @KTAP_OP_STATE_GET: dst = value that was stored under the key in slot a; if there is none,
 *	bad, and set fault bit @b, unless that is KTAP_NO_FAULT. With KTAP_INSN_F_TAKE the
 *	entry is freed. KTAP_INSN_F_TASK as in KTAP_OP_STATE_PUT. Not in entry programs
 * @KTAP_OP_USTACK: dst = id of the user stack of the task, of at most @imm frames. It begins
 *	where the task entered the kernel, or in user code at the place of the hit. Not in
 *	entry programs
 * @KTAP_OP_COUNTER: dst = count of the event @imm (KTAP_COUNTER()) on this CPU since its
 *	counter was made; bad if the CPU has no counter for it, or the counter cannot be read now
 *
 * A program computes in KTAP_NR_SLOTS 64-bit slots. A slot whose value could not be read
 * is bad, and so is a result computed from a bad slot. Offsets count from the end of the
 * record header. The fixed part of a payload ends after its highest store. Strings follow
 * it directly, in the order in which the program stored them, without padding between
 * them. Zeros fill the record up to a multiple of 8. A program that does more than store
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
	KTAP_OP_KSTACK,
	KTAP_OP_STATE_PUT,
	KTAP_OP_STATE_GET,
	KTAP_OP_USTACK,
	KTAP_OP_COUNTER,
	__KTAP_OP_MAX
};

#define KTAP_OP_MAX (__KTAP_OP_MAX - 1)

/* Operations of KTAP_OP_ALU and KTAP_OP_ALUI; comparisons return 0 or 1. */
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
 * enum ktap_ctx - values of KTAP_OP_CTX
 * @KTAP_CTX_CPU: number of this CPU
 * @KTAP_CTX_TGID: process id in the initial pid namespace
 * @KTAP_CTX_TID: thread id in the initial pid namespace
 * @KTAP_CTX_UID: real user id in the initial user namespace
 * @KTAP_CTX_CGROUP: id of the task's cgroup in the default hierarchy; 0: none
 * @KTAP_CTX_TIME: CLOCK_MONOTONIC (fast, NMI-safe variant), in nanoseconds
 * @KTAP_CTX_RETADDR: return probes: the return address
 * @KTAP_CTX_COMM: address of the task's comm
 * @KTAP_CTX_TASK: address of the task's struct task_struct
 * @KTAP_CTX_PERCPU: offset to add to the address of a per-CPU variable
 * @KTAP_CTX_THREAD: the task's thread pointer in user space: the base of %fs, or
 *	tpidr_el0
 * @KTAP_CTX_PPID: id of the parent process in the initial pid namespace
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
#define KTAP_INSN_F_TASK	(1U << 2)
#define KTAP_INSN_F_TAKE	(1U << 3)
#define __KTAP_INSN_F_ALL \
	(KTAP_INSN_F_USER | KTAP_INSN_F_SIGNED | KTAP_INSN_F_TASK | \
	 KTAP_INSN_F_TAKE)

/*
 * An event of KTAP_OP_COUNTER: its enum perf_type_id, PERF_TYPE_HARDWARE or
 * PERF_TYPE_SOFTWARE, and its enum perf_hw_id or perf_sw_ids, as in linux/perf_event.h. No
 * event is 0.
 */
#define KTAP_COUNTER(type, config)	(((__u64)(type) + 1) << 32 | (config))
#define KTAP_COUNTER_TYPE(event)	((__u32)((event) >> 32) - 1)
#define KTAP_COUNTER_CONFIG(event)	((__u32)(event))
#define KTAP_COUNTER_CONFIGS		64	/* ids are below; the kernel may know fewer */

#define KTAP_NO_FAULT		0xff

/**
 * struct ktap_insn - an instruction; unused members are zero
 * @op: enum ktap_op
 * @dst: slot that is written
 * @a: slot that is read
 * @b: second slot that is read, or a fault bit
 * @size: 1, 2, 4 or 8 bytes, or enum ktap_alu
 * @flags: KTAP_INSN_F_*
 * @off: offset in the payload
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
 * Registers by index. The kernel accepts no offsets into pt_regs: an index selects a row
 * of the architecture's table.
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

/* Ids of state records. */
enum ktap_rec_id {
	KTAP_REC_PAD,		/* skip it; size 0: skip to the next sub-buffer */
	KTAP_REC_SUBBUF,	/* struct ktap_rec_subbuf */
	KTAP_REC_TIME,		/* struct ktap_rec_time */
	KTAP_REC_TASK,		/* struct ktap_rec_task */
	KTAP_REC_LOST,		/* struct ktap_rec_lost */
	KTAP_REC_AGAIN,		/* struct ktap_rec_again */
	KTAP_REC_MARK,		/* struct ktap_rec_mark */
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
 * @seq: number of the sub-buffer in this ring: its position / its size
 * @raw: raw counter
 * @mono: CLOCK_MONOTONIC at the same moment, in nanoseconds
 * @tid: thread of the next record (initial pid namespace)
 * @tgid: process of that thread
 * @comm: comm of that thread
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
 * struct ktap_rec_time - full time, because the last one is too far away
 * @head: record header
 * @raw: raw counter
 */
struct ktap_rec_time {
	struct ktap_rec_head head;
	__u64 raw;
};

/**
 * struct ktap_rec_task - the task changed
 * @head: record header
 * @tid: thread (initial pid namespace)
 * @tgid: process of that thread
 * @comm: comm of that thread
 */
struct ktap_rec_task {
	struct ktap_rec_head head;
	__u32 tid;
	__u32 tgid;
	char comm[KTAP_COMM_LEN];
};

#define KTAP_NR_TOLD		64	/* tasks that ktap_rec_again may refer to */

/**
 * struct ktap_rec_again - the task changed to one that the sub-buffer has named before
 * @id: KTAP_REC_AGAIN
 * @size: bytes of the record
 * @tid: thread (initial pid namespace)
 *
 * Its process and comm are in the last ktap_rec_subbuf or ktap_rec_task of this
 * sub-buffer whose @tid is equal modulo KTAP_NR_TOLD; that record is for this thread. So
 * a reader needs to store KTAP_NR_TOLD tasks at most, and none across sub-buffers.
 */
struct ktap_rec_again {
	__u16 id;
	__u16 size;
	__u32 tid;
};

/**
 * struct ktap_rec_lost - records were lost here because the ring was full
 * @head: record header
 * @count: number of records lost since the last ktap_rec_lost
 */
struct ktap_rec_lost {
	struct ktap_rec_head head;
	__u64 count;
};

/**
 * struct ktap_rec_mark - the text of KTAP_IOC_MARK
 * @head: record header
 * @text: the text, from 1 to KTAP_MARK_MAX bytes, none of which is NUL; NULs fill the record
 *	up to a multiple of 8. Nothing else is known of the bytes
 */
struct ktap_rec_mark {
	struct ktap_rec_head head;
	char text[];
};

/**
 * struct ktap_string - the fixed part of a string argument
 * @len: bytes appended for it, with the NUL; 0 if it could not be read
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
 * struct ktap_ring_consumer - page that user space writes
 * @tail: position up to which the reader has read
 */
struct ktap_ring_consumer {
	__u64 tail;
};

/**
 * struct ktap_ring_producer - page that the kernel writes
 * @magic: KTAP_RING_MAGIC
 * @cpu: CPU of this ring
 * @size: bytes of data
 * @data_offset: offset of the data from this structure, in bytes
 * @subbuf_size: bytes of a sub-buffer
 * @reserve: position up to which space is reserved by writers. In keep-oldest mode it also
 *	shrinks
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

/* ---- maps ------------------------------------------------------------- */

#define KTAP_MMAP_MAPS		(1ULL << 48)	/* mmap offset of the first table */
#define KTAP_MAP_MAGIC		0x50414d4bU	/* "KMAP" */
#define KTAP_NR_MAPS		1024	/* maps of a session */
#define KTAP_NR_MAP_VALUES	16	/* values of a map */
#define KTAP_MAP_KEY_MAX	1024	/* bytes of a key */
#define KTAP_MAP_SLOTS_MAX	(1U << 20)	/* slots of a table */
#define KTAP_MAP_STEPS_MAX	1024	/* steps of a linear histogram */
#define KTAP_MAP_TRIES		64	/* slots that a hit looks at */
#define KTAP_MAP_BUSY		1	/* tag of a slot whose key is being written */
#define KTAP_NR_LOG2		66	/* buckets of KTAP_MAP_LOG2 */

/**
 * enum ktap_map_kind - what a map does with a value
 * @KTAP_MAP_IGNORE: nothing; the bytes are not part of the key
 * @KTAP_MAP_SUM: adds it up, in 3 words: faulted, low and high half of the sum
 * @KTAP_MAP_STATS: also keeps the extremes, in 5 words: faulted, low, high, the largest
 *	value, the complement of the smallest value. Both extremes have the sign bit inverted
 *	if the value is signed, so that they can be compared as unsigned numbers
 * @KTAP_MAP_LOG2: counts powers of two, in 1 + KTAP_NR_LOG2 words: faulted; negative;
 *	zero; then from 2^i to 2^(i+1) - 1
 * @KTAP_MAP_LINEAR: counts steps, in 3 + @nr words: faulted; less than @min; @nr steps; more
 *
 * A value that could not be read only increments "faulted".
 */
enum ktap_map_kind {
	KTAP_MAP_IGNORE,
	KTAP_MAP_SUM,
	KTAP_MAP_STATS,
	KTAP_MAP_LOG2,
	KTAP_MAP_LINEAR,
	__KTAP_MAP_KINDS
};

#define KTAP_MAP_F_SIGNED	(1U << 0)

/**
 * struct ktap_map_value - a value of a map
 * @kind: enum ktap_map_kind
 * @size: its bytes: 1, 2, 4 or 8
 * @flags: KTAP_MAP_F_*
 * @fault: its fault bit, or KTAP_NO_FAULT
 * @off: offset in the payload
 * @nr: KTAP_MAP_LINEAR: number of steps
 * @reserved: zero
 * @min: KTAP_MAP_LINEAR: lower end of the first step
 * @step: KTAP_MAP_LINEAR: width of a step
 */
struct ktap_map_value {
	__u8 kind;
	__u8 size;
	__u8 flags;
	__u8 fault;
	__u16 off;
	__u16 nr;
	__u64 min;
	__u64 step;
};

/**
 * struct ktap_session_map - argument of KTAP_IOC_MAP
 * @nr_slots: keys that a table holds: a power of two
 * @key_size: bytes of the largest payload, a multiple of 8
 * @nr_values: length of @values
 * @faults_off: offset of the fault mask in the payload
 * @faults_size: bytes of the fault mask; 0: there is none
 * @map: reply: number of the map in the session
 * @reserved: zero
 * @bytes: reply: bytes of a table
 * @values: values
 */
struct ktap_session_map {
	__u32 nr_slots;
	__u32 key_size;
	__u32 nr_values;
	__u16 faults_off;
	__u16 faults_size;
	__u32 map;
	__u32 reserved;
	__u64 bytes;
	struct ktap_map_value values[KTAP_NR_MAP_VALUES];
};

/**
 * struct ktap_map_head - begin of a table
 * @magic: KTAP_MAP_MAGIC
 * @cpu: CPU that writes it
 * @nr_slots: keys that it holds; one more slot follows for the row "other"
 * @slot_size: bytes of a slot
 * @slots_off: offset of the first slot
 * @key_off: offset of the key in a slot
 */
struct ktap_map_head {
	__u32 magic;
	__u32 cpu;
	__u32 nr_slots;
	__u32 slot_size;
	__u32 slots_off;
	__u32 key_off;
};

/**
 * struct ktap_map_slot - a row of a table
 * @tag: 0: free; KTAP_MAP_BUSY; else the key is complete
 * @key_size: bytes of the key
 * @reserved: zero
 * @count: hits
 * @words: words of the values in their order, then the key
 */
struct ktap_map_slot {
	__u64 tag;
	__u32 key_size;
	__u32 reserved;
	__u64 count;
	__u64 words[];
};

/* ---- stacks ----------------------------------------------------------- */

#define KTAP_MMAP_STACKS	(1ULL << 60)	/* mmap offset of the table */
#define KTAP_STACKS_MAGIC	0x4b54534bU	/* "KSTK" */

/**
 * enum ktap_stack_end - why a stack ends
 * @KTAP_STACK_COMPLETE: the outermost frame was reached
 * @KTAP_STACK_DEPTH: it has as many frames as it may have
 * @KTAP_STACK_FAULT: the caller of the last frame could not be found
 * @KTAP_STACK_NO_TABLE: the last frame is in code without unwind information
 * @KTAP_STACK_JIT: the last frame is in code that was generated at run time
 */
enum ktap_stack_end {
	KTAP_STACK_COMPLETE = 1,
	KTAP_STACK_DEPTH,
	KTAP_STACK_FAULT,
	KTAP_STACK_NO_TABLE,
	KTAP_STACK_JIT,
	__KTAP_STACK_ENDS
};

/* The caller of the innermost frame is not certain: one may be missing. */
#define KTAP_STACK_F_UNSURE	(1U << 0)
/* Frames are places in files, see KTAP_USER_FILE_SHIFT. A kernel thread has none. */
#define KTAP_STACK_F_USER	(1U << 1)
/* Further callers were found by frame pointers, in code without a table: any may be wrong. */
#define KTAP_STACK_F_BY_FP	(1U << 2)

/* Frames, beside the first, that a stack can mark as interrupted. */
#define KTAP_STACK_INTERRUPTED_MAX	4

/**
 * struct ktap_stack - a stack
 * @id: hash of all further members
 * @nr: number of frames
 * @end: enum ktap_stack_end
 * @flags: KTAP_STACK_F_*
 * @interrupted: indexes of frames, beside the first, that are no return addresses, because an
 *	interrupt, an exception or a signal stopped the code there; 0: there are no more. Of more
 *	than KTAP_STACK_INTERRUPTED_MAX the innermost ones are here
 * @frames: addresses, innermost first. The first one is the place of the probe, or where
 *	the code was interrupted or entered the kernel; the others are return addresses, except
 *	for those that @interrupted names
 */
struct ktap_stack {
	__u64 id;
	__u16 nr;
	__u8 end;
	__u8 flags;
	__u8 interrupted[KTAP_STACK_INTERRUPTED_MAX];
	__u64 frames[];
};

/**
 * struct ktap_stacks_head - begin of a table of stacks
 * @magic: KTAP_STACKS_MAGIC
 * @order_off: offset of an array of __u32: where each stack is, in units of 8 bytes from
 *	the begin of the table; 0: it is not complete
 * @order_max: length of that array
 * @stacks_end: offset of the end of the stacks
 * @used: low 32 bits: number of stacks that were begun; high 32 bits: see @stacks_end, in
 *	units of 8 bytes, of the space that is in use
 * @lost: stacks for which there was no space
 */
struct ktap_stacks_head {
	__u32 magic;
	__u32 order_off;
	__u32 order_max;
	__u32 stacks_end;
	__u64 used __attribute__((aligned(64)));
	__u64 lost;
};

/* ---- user stacks ------------------------------------------------------ */

#define KTAP_USER_FILE_SHIFT	48	/* a frame: number of the file above, offset below */
#define KTAP_USER_UNNUMBERED	0xfffdU	/* number of all files that found none free */
#define KTAP_USER_VDSO		0xfffeU	/* number of the vDSO */
#define KTAP_USER_FILES_MAX	4096	/* numbers of other files are below */
#define KTAP_USER_ROWS_MAX	(1U << 20)	/* rows of a table */
#define KTAP_USER_RULES_MAX	0x10000U	/* rules of a table */

/**
 * enum ktap_user_rule_kind - how to find the CFA, which is the stack pointer of the caller
 * @KTAP_USER_RULE_NONE: nothing is known: frame pointers
 * @KTAP_USER_RULE_UNKNOWN: the information cannot be expressed: the stack ends
 * @KTAP_USER_RULE_STOP: it is the outermost function
 * @KTAP_USER_RULE_SP: @cfa words from the stack pointer
 * @KTAP_USER_RULE_FP: @cfa words from the frame pointer
 * @KTAP_USER_RULE_DEREF_FP: it is in memory, @cfa words from the frame pointer. @fp counts
 *	from the frame pointer too, and the frame pointer is always in memory
 * @KTAP_USER_RULE_PLT: x86-64, stubs of 16 bytes that push a word: one word from the stack
 *	pointer, two from byte @cfa of a stub on
 * @KTAP_USER_RULE_SIGNAL: it returns from a signal handler: the registers of the interrupted
 *	code are on the stack
 */
enum ktap_user_rule_kind {
	KTAP_USER_RULE_NONE,
	KTAP_USER_RULE_UNKNOWN,
	KTAP_USER_RULE_STOP,
	KTAP_USER_RULE_SP,
	KTAP_USER_RULE_FP,
	KTAP_USER_RULE_DEREF_FP,
	KTAP_USER_RULE_PLT,
	KTAP_USER_RULE_SIGNAL,
	__KTAP_USER_RULES
};

/**
 * struct ktap_user_rule - how to find the caller
 * @kind: enum ktap_user_rule_kind
 * @reserved: zero
 * @cfa: see @kind; a word has 8 bytes
 * @fp: where the caller's frame pointer is, in words from the CFA; 0: it is unchanged
 * @ra: where the return address is, in words from the CFA; 0: in the link register
 */
struct ktap_user_rule {
	__u8 kind;
	__u8 reserved;
	__s16 cfa;
	__s16 fp;
	__s16 ra;
};

/**
 * struct ktap_session_table - argument of KTAP_IOC_USER_TABLE
 * @fd: the file, open for reading
 * @nr_rows: length of the arrays @pcs and @rows; 0: the file gets a number only
 * @nr_rules: length of the array @rules
 * @file: the number for which the table was made; 0: any. Reply: number of the file
 * @pcs: address of an array of __u32, strictly ascending: offset in the file from which on
 *	a rule applies
 * @rows: address of an array of __u16: the rule, by its number
 * @rules: address of an array of struct ktap_user_rule
 *
 * A file keeps the table that another session has brought, and the arrays are not read.
 * Fails with EOPNOTSUPP if the kernel has no user stacks, with ENFILE without a number that
 * is free, with ESTALE if the file has changed and has another number now, and with EINVAL for
 * a table that is not as described.
 */
struct ktap_session_table {
	__s32 fd;
	__u32 nr_rows;
	__u32 nr_rules;
	__u32 file;
	__u64 pcs;
	__u64 rows;
	__u64 rules;
};

#define KTAP_USER_FILE_F_TABLE	(1U << 0)	/* it has a table */

/**
 * struct ktap_user_file - a file that has a number
 * @file: its number
 * @flags: KTAP_USER_FILE_F_*
 * @tgid: process in which a hit met it first (initial pid namespace); 0: it came with
 *	KTAP_IOC_USER_TABLE
 * @generation: of its inode
 * @address: address in that process that it is mapped at
 * @inode: number of its inode
 * @major: device of the file system
 * @minor: likewise
 */
struct ktap_user_file {
	__u32 file;
	__u32 flags;
	__u32 tgid;
	__u32 generation;
	__u64 address;
	__u64 inode;
	__u32 major;
	__u32 minor;
};

/**
 * struct ktap_session_files - argument of KTAP_IOC_USER_FILES
 * @files: address of an array of struct ktap_user_file
 * @room: length of the array
 * @from: only files with this number or a larger one
 * @nr: reply: number of files in the array, in the order of their numbers
 * @total: reply: number of files of all sessions
 */
struct ktap_session_files {
	__u64 files;
	__u32 room;
	__u32 from;
	__u32 nr;
	__u32 total;
};

/* ---- sessions --------------------------------------------------------- */

#define KTAP_SESSION_F_OVERWRITE (1U << 0)	/* drop the oldest, not the newest */
#define KTAP_SESSION_F_SELF	(1U << 1)	/* record the hits of the opener too */
#define __KTAP_SESSION_F_ALL	(KTAP_SESSION_F_OVERWRITE | KTAP_SESSION_F_SELF)

/**
 * struct ktap_session_setup - argument of KTAP_IOC_SETUP
 * @flags: KTAP_SESSION_F_*
 * @subbuf_size: bytes, a power of two from the page size to 1 MiB; 0: 64 KiB, or a
 *	quarter of the ring if that is less
 * @ring_size: bytes of data per CPU, a power of two, at least 4 sub-buffers; 0: default
 *	of the module
 * @watermark: unread bytes in one ring that wake poll; 0: any record
 * @nr_cpus: reply: CPU numbers are below this
 * @clock: reply: enum ktap_clock
 * @reserved: zero
 * @clock_hz: reply: nominal frequency of the raw counter
 * @session: reply: number of the session
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
 * struct ktap_session_state - reply of KTAP_IOC_STATE
 * @raw: raw counter now
 * @mono: CLOCK_MONOTONIC at the same moment, in nanoseconds
 * @real: CLOCK_REALTIME at the same moment, in nanoseconds
 * @generation: changes when a CPU gets a ring
 * @nr_attached: number of attached probes; deleted probes do not count
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
 * @id: probe; DETACH: 0 means all probes of the session
 * @flags: zero
 *
 * DETACH returns when no handler writes to the session any more. The contents of the
 * rings and the counts are final then.
 */
struct ktap_session_attach {
	__u32 id;
	__u32 flags;
};

#define KTAP_ATTACH_F_MAP	(1U << 0)	/* aggregate in a map */

/**
 * struct ktap_session_attach_many - argument of KTAP_IOC_ATTACH_MANY and
 * KTAP_IOC_DETACH_MANY
 * @ids: address of an array of __u32
 * @nr: length of the array, at most KTAP_ATTACH_MAX
 * @done: reply: number of leading ids that are done
 * @flags: ATTACH: KTAP_ATTACH_F_*; DETACH: zero
 * @map: with KTAP_ATTACH_F_MAP: number of the map; else zero
 *
 * Same as KTAP_IOC_ATTACH or KTAP_IOC_DETACH for each id, but with one wait for all.
 * ATTACH stops after KTAP_ARM_MAX probes that a slow hook armed, and before a probe that
 * is refused. DETACH stops after KTAP_ARM_MAX probes that a slow hook disarmed. If the
 * first id is refused, the call fails.
 */
struct ktap_session_attach_many {
	__u64 ids;
	__u32 nr;
	__u32 done;
	__u32 flags;
	__u32 map;
};

#define KTAP_SCOPE_F_TREE	(1U << 0)	/* with its descendants */
#define __KTAP_SCOPE_F_ALL	KTAP_SCOPE_F_TREE

/**
 * struct ktap_session_scope - argument of KTAP_IOC_SCOPE
 * @pid: process to add, in the caller's pid namespace; may be repeated
 * @flags: KTAP_SCOPE_F_*
 *
 * Before the first call every task is in scope.
 */
struct ktap_session_scope {
	__u32 pid;
	__u32 flags;
};

/**
 * struct ktap_session_rates - argument of KTAP_IOC_RATES
 * @every: record one of this many hits on a CPU; 0: each
 * @per_second: limit of records per second, on all CPUs together; 0: none
 * @max: limit of records, on all CPUs together; 0: none. When it is reached the module
 *	detaches the probe, and ktap_session_state.nr_attached goes down
 *
 * Applies to each probe attached afterwards, separately. Hits that scope or filter reject
 * do not count here. Hits that the rates reject are counted as limited. A lost record
 * counts for @every and @per_second, and not for @max.
 */
struct ktap_session_rates {
	__u32 every;
	__u32 per_second;
	__u64 max;
};

/**
 * struct ktap_session_counts - argument of KTAP_IOC_COUNTS
 * @id: a probe that is or was attached to the session
 * @cpu: CPU, or -1 for the sum over all CPUs
 * @counts: reply
 */
struct ktap_session_counts {
	__u32 id;
	__s32 cpu;
	struct ktap_counts counts;
};

/**
 * struct ktap_marks - outcomes of marks
 * @recorded: they are in a ring
 * @lost_full: the ring was full
 * @lost_no_ring: the CPU had no ring
 *
 * Reply of KTAP_IOC_MARKS: of all marks of the session. It is final after KTAP_IOC_DETACH of
 * the last probe.
 */
struct ktap_marks {
	__u64 recorded;
	__u64 lost_full;
	__u64 lost_no_ring;
};

/**
 * struct ktap_session_mark - argument of KTAP_IOC_MARK
 * @text: address of the text, which has no NUL
 * @size: bytes of the text, from 1 to KTAP_MARK_MAX
 * @flags: zero
 * @marks: reply: of this mark, in all sessions. All zero: no session records
 */
struct ktap_session_mark {
	__u64 text;
	__u32 size;
	__u32 flags;
	struct ktap_marks marks;
};

/**
 * struct ktap_module_tie - argument of KTAP_IOC_TIE, on an open /dev/ktap-NAME
 * @flags: zero
 * @nr_probes: reply: probes that are armed
 * @session: reply: number of the session
 *
 * Fails with EBUSY if the file is tied already, with ESHUTDOWN if the module is idle, with
 * ENODEV if it was removed, or with the error from arming, which leaves the module idle.
 */
struct ktap_module_tie {
	__u32 flags;
	__u32 nr_probes;
	__u64 session;
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
#define KTAP_IOC_MAP		_IOWR(KTAP_IOC_MAGIC, 9, struct ktap_session_map)
#define KTAP_IOC_MARK		_IOWR(KTAP_IOC_MAGIC, 10, struct ktap_session_mark)
#define KTAP_IOC_MARKS		_IOR(KTAP_IOC_MAGIC, 11, struct ktap_marks)
#define KTAP_IOC_TIE		_IOWR(KTAP_IOC_MAGIC, 12, struct ktap_module_tie)
#define KTAP_IOC_USER_TABLE	_IOWR(KTAP_IOC_MAGIC, 13, struct ktap_session_table)
#define KTAP_IOC_USER_FILES	_IOWR(KTAP_IOC_MAGIC, 14, struct ktap_session_files)

/* KTAP_IOC_COUNTS of tools that do not know aggregated and other. */
#define KTAP_COUNTS_OLD_SIZE	80
#define KTAP_IOC_COUNTS_OLD \
	_IOC(_IOC_READ | _IOC_WRITE, KTAP_IOC_MAGIC, 5, KTAP_COUNTS_OLD_SIZE)

#endif /* _UAPI_LINUX_KTAP_H */
