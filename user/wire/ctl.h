/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Control: the generic netlink client. Kernel refusals come back as a diag
 * with the kernel's own extack text.
 */
#ifndef KTAP_WIRE_CTL_H
#define KTAP_WIRE_CTL_H

#include <linux/ktap.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"

struct ctl;

/**
 * ctl_open() - connect to the module
 * @d: on failure: one clear line; NULL is allowed, as for all functions here
 * @ret: client; release with ctl_close(); unchanged on failure
 *
 * Return: 0; -ENOENT: the module is not loaded, or this is not the initial network
 *	namespace; -EPERM: the capability is missing; -EPROTO: the ABI differs, and the line
 *	says which side to update; -ENOMEM; -EBADMSG; the error of the socket.
 */
int ctl_open(struct diag *d, struct ctl **ret);

/**
 * ctl_close() - close the socket and free the client
 * @ctl: client, or NULL
 *
 * The module then deletes the probes with KTAP_PROBE_F_TRANSIENT that @ctl created.
 */
void ctl_close(struct ctl *ctl);

/**
 * ctl_attr() - get the attribute at fault in the last refusal
 * @ctl: client
 *
 * The caller knows which column of the definition the attribute came from. The answer is about
 * the last request, but not about those of ctl_probes_new(): see struct ctl_new.
 *
 * Return: KTAP_A_*; 0: the kernel named none, or did not refuse the request.
 */
unsigned int ctl_attr(const struct ctl *ctl);

/**
 * ctl_event() - get the event of KTAP_OP_COUNTER that the last refusal is about
 * @ctl: client
 * @err: negative errno of the refusal
 *
 * Like ctl_attr() it answers for the last request.
 *
 * Return: KTAP_COUNTER(); 0: it is about no event.
 */
uint64_t ctl_event(const struct ctl *ctl, int err);

/**
 * ctl_event_of() - the same for a refusal that is known
 * @err: its negative errno
 * @attr: attribute at fault
 * @number: number that came with it
 *
 * Return: KTAP_COUNTER(), or 0.
 */
uint64_t ctl_event_of(int err, unsigned int attr, uint64_t number);

struct ctl_info {
	uint32_t abi;
	char version[64];
	enum ktap_arch arch;
	uint64_t features;
	enum ktap_clock clock;
	struct ktap_limits limits;
	bool has_offsets;
	struct ktap_offsets offsets;
	uint64_t anchor;	/* address of KTAP_ANCHOR; 0: hidden, or not told */
	enum ktap_addresses addresses; /* 0: the module does not say */
	uint64_t symbols;	/* the same: so is /proc/kallsyms; 0: not told */
};

/**
 * ctl_info() - ask the module what it is, and for its limits
 * @ctl: client
 * @d: on failure
 * @ret: filled; members that the module does not send are zero
 *
 * If the ABI of the module is not KTAP_ABI, only @ret->abi is filled.
 *
 * Return: 0, also with another ABI; -EBADMSG: the answer makes no sense; what the kernel or
 *	the socket said.
 */
int ctl_info(struct ctl *ctl, struct diag *d, struct ctl_info *ret);

/**
 * ctl_unwinder() - ask the module what finds the frames of kernel stacks
 * @ctl: client
 * @d: on failure
 * @ret: enum ktap_unwinder; 0: the module does not say
 *
 * Return: as ctl_info().
 */
int ctl_unwinder(struct ctl *ctl, struct diag *d, uint32_t *ret);

/**
 * struct ctl_probe_new - a request; the blob is uploaded in chunks. What is
 * zero or NULL is not sent, but @fd: that goes with user probes.
 */
struct ctl_probe_new {
	const char *name;
	uint32_t type;
	uint32_t flags;
	uint64_t address;	/* 0: none */
	const char *symbol;	/* NULL: none */
	uint64_t offset;
	const struct ktap_insn *insns;
	size_t nr_insns;
	const void *blob;
	size_t blob_size;
	const struct ktap_insn *entry_insns;
	size_t nr_entry_insns;
	uint32_t maxactive;
	int fd;			/* user probes: the open file; @offset is in it */
	const char *path;
	uint64_t ref_offset;
	uint32_t length;	/* watchpoints */
	uint32_t access;
	const char *hook;	/* "ftrace", "kprobe" */
	uint64_t period;	/* timers: ns */
	bool each_cpu;
	uint32_t syscall;	/* KTAP_TYPE_SYSCALL and KTAP_TYPE_SYSRET: its number */
	const uint8_t *frame_regs; /* kept at the entry of the function */
	size_t nr_frame_regs;
	uint64_t frame_address;	/* kernel: where that is; 0: not known */
	bool has_frame_offset;
	uint64_t frame_offset;
};

/**
 * ctl_encode_new() - the attributes of a request, without sending it
 * @req: request; the blob is not among them
 * @ret: netlink attributes; malloc'ed
 * @size: bytes
 *
 * Return: 0, -ENOMEM, or -EMSGSIZE if no message has room for them.
 */
int ctl_encode_new(const struct ctl_probe_new *req, void **ret, size_t *size);

/**
 * ctl_probe_new() - create a probe and upload its blob
 * @ctl: client
 * @req: request; not kept
 * @d: on failure; after a refusal ctl_attr() has the attribute at fault
 * @ret_id: id of the probe; unchanged on failure
 *
 * On failure no probe is left, unless the socket fails or the answer makes no sense. With
 * KTAP_PROBE_F_TRANSIENT the probe lives until ctl_close().
 *
 * Return: 0; -EEXIST: the name is taken; -EMSGSIZE: the request does not fit in a message;
 *	-EBADMSG: the answer makes no sense; what the kernel or the socket said.
 */
int ctl_probe_new(struct ctl *ctl, const struct ctl_probe_new *req,
		  struct diag *d, uint32_t *ret_id);

#define CTL_BATCH 64

/**
 * struct ctl_new - what became of one of several requests
 * @id: of the probe; 0: it was refused
 * @err: 0, or why not
 * @attr: KTAP_A_* at fault, or 0
 * @text: what the kernel said, or ""
 * @number: that came with it, or 0
 * @cost_max: ns that a hit may take; 0: not told
 */
struct ctl_new {
	uint32_t id;
	int err;
	unsigned int attr;
	char text[256];
	uint64_t number;
	uint64_t cost_max;
};

/**
 * ctl_probes_new() - several requests in one message
 * @ctl: control
 * @reqs: requests
 * @nr: how many; at most CTL_BATCH are sent, and as many as fit
 * @ret: what became of each that was sent
 * @d: on failure
 *
 * What is refused leaves nothing behind, and does not stop those after it.
 *
 * Return: how many were sent, at least one; negative when the socket failed:
 * then those of these requests that were carried out are not known, and go with
 * the socket.
 */
int ctl_probes_new(struct ctl *ctl, const struct ctl_probe_new *reqs, size_t nr,
		   struct ctl_new *ret, struct diag *d);

/**
 * ctl_new_diag() - record why a request was refused
 * @result: of ctl_probes_new(); @result->err is not 0
 * @d: where
 *
 * Return: @result->err.
 */
int ctl_new_diag(const struct ctl_new *result, struct diag *d);

/**
 * ctl_probe_del() - delete a probe
 * @ctl: client
 * @id: of the probe
 * @d: on failure
 *
 * The module detaches it from the sessions that have it.
 *
 * Return: 0; -ENOENT: there is no such probe; what the kernel or the socket said.
 */
int ctl_probe_del(struct ctl *ctl, uint32_t id, struct diag *d);

/**
 * ctl_probes_del() - delete probes: all of them, or none
 * @ctl: client
 * @ids: of the probes, each once
 * @nr: how many, at most KTAP_IDS_MAX
 * @d: on failure
 *
 * Return: 0; -ENOENT: one of them does not exist; what the kernel or the socket said.
 */
int ctl_probes_del(struct ctl *ctl, const uint32_t *ids, size_t nr,
		   struct diag *d);

/**
 * ctl_probes_enable() - enable or disable probes: all of them, or none
 * @ctl: client
 * @ids: of the probes, each once
 * @nr: how many, at most KTAP_IDS_MAX; at most KTAP_ARM_MAX of those that change may have a
 *	hook other than "ftrace" and "syscall"
 * @on: enable; else disable
 * @d: on failure
 *
 * An enabled probe counts its hits without a session. Sessions do not depend on it.
 *
 * Return: 0, also for probes that were in that state; -ENOENT: one of them does not exist;
 *	what the kernel or the socket said: see KTAP_CMD_PROBE_SET in <linux/ktap.h>.
 */
int ctl_probes_enable(struct ctl *ctl, const uint32_t *ids, size_t nr, bool on,
		      struct diag *d);

struct ctl_probe {
	uint32_t id;
	char *name;
	uint32_t type;
	uint32_t flags;
	uint64_t address;
	char *module;		/* that the probe follows; or NULL */
	char *symbol;
	uint64_t offset;
	bool enabled;
	uint32_t nr_sessions;
	uint32_t record_max;
	uint64_t cost;		/* ns of a hit, at most; 0: not told */
	uint32_t blob_size;
	uint32_t owner_pid;
	uint32_t maxactive;	/* calls followed at once; 0: it follows none */
	uint64_t period;	/* of a timer, in ns; 0: it is none */
	bool each_cpu;		/* the timer ticks on each CPU */
	char *hook;
	char *frame_hook;	/* what serves the function's entry; or NULL */
	bool waiting;		/* its module is not loaded */
	bool overloaded;	/* the module's guard disarmed it */
	bool locked_down;	/* kernel lockdown did */
	uint32_t file_state;	/* enum ktap_file_state; 0: as it was, or there is no file */
};

struct ctl_probes {
	struct ctl_probe *probes;
	size_t nr;
};

/**
 * ctl_probes_get() - list all probes, by ascending id
 * @ctl: client
 * @d: on failure
 * @ret: filled; release with ctl_probes_deinit(); empty on failure
 *
 * A list that changed while it was read is read again, at most ten times in all.
 *
 * Return: 0; -EAGAIN: it changes faster than it can be read; -ENOMEM; -EBADMSG: an answer
 *	makes no sense; what the kernel or the socket said.
 */
int ctl_probes_get(struct ctl *ctl, struct diag *d, struct ctl_probes *ret);

/**
 * ctl_probes_deinit() - free a list of probes
 * @probes: list; all zeros is allowed; afterwards it is empty
 */
void ctl_probes_deinit(struct ctl_probes *probes);

/**
 * ctl_blob_get() - read the blob of a probe
 * @ctl: client
 * @id: of the probe
 * @d: on failure
 * @ret: blob; the caller releases it with free(); not NULL, also if the probe has none; on
 *	failure unchanged or NULL
 * @ret_size: its bytes; unchanged on failure
 *
 * While the creator of the probe uploads the blob, only its first part may be there.
 *
 * Return: 0; -ENOENT: there is no such probe; -ENOMEM; what the kernel or the socket said.
 */
int ctl_blob_get(struct ctl *ctl, uint32_t id, struct diag *d, void **ret,
		 size_t *ret_size);

/**
 * struct ctl_stats - totals of a probe, or one attachment on one CPU
 * @id: probe
 * @name: of the probe; owned; NULL in rows of an attachment
 * @is_total: totals of the probe
 * @session: attachment rows: whose; 0 is the counting of an enabled probe
 * @cpu: attachment rows
 * @counts: accounting
 * @missed: totals only: hits the kernel itself skipped
 * @nr_sessions: totals only
 * @is_return: totals only: of a return probe
 * @returns: what is known of its calls
 * @has_frames: totals only: of a probe that needs the function's entry
 * @frames: what is known of these
 * @has_state: totals only: of a probe that stores or loads state
 * @state: counts of that
 * @overloaded: totals only: the module's guard disarmed it
 * @locked_down: totals only: kernel lockdown did
 */
struct ctl_stats {
	uint32_t id;
	char *name;
	bool is_total;
	uint64_t session;
	uint32_t cpu;
	struct ktap_counts counts;
	uint64_t missed;
	uint32_t nr_sessions;
	bool is_return;
	struct ktap_returns returns;
	bool has_frames;
	struct ktap_frames frames;
	bool has_state;
	struct ktap_state_counts state;
	bool overloaded;
	bool locked_down;
};

struct ctl_stats_list {
	struct ctl_stats *rows;
	size_t nr;
};

/**
 * ctl_stats_get() - list the counts of all probes, by ascending id
 * @ctl: client
 * @verbose: after the totals of a probe there is a row for each of its attachments and each
 *	CPU on which that one had a hit
 * @d: on failure
 * @ret: filled; release with ctl_stats_deinit(); empty on failure
 *
 * Return: as ctl_probes_get().
 */
int ctl_stats_get(struct ctl *ctl, bool verbose, struct diag *d,
		  struct ctl_stats_list *ret);

/**
 * ctl_stats_deinit() - free a list of counts
 * @list: list; all zeros is allowed; afterwards it is empty
 */
void ctl_stats_deinit(struct ctl_stats_list *list);

/**
 * struct ctl_session - one open session
 * @session: its number
 * @pid: who has it open; 0: nobody, of a probe module
 * @comm: name of that process when it opened it; of a probe module, its name, cut
 * @nr_probes: probes that it has attached
 * @ring_bytes: memory of its rings
 * @module: name of the probe module that it belongs to, or NULL
 * @state: of that module
 */
struct ctl_session {
	uint64_t session;
	uint32_t pid;
	char *comm;
	uint32_t nr_probes;
	uint64_t ring_bytes;
	char *module;
	enum ktap_module_state state;
};

struct ctl_sessions {
	struct ctl_session *sessions;
	size_t nr;
};

/**
 * ctl_sessions_get() - list all open sessions, by ascending number
 * @ctl: client
 * @d: on failure
 * @ret: filled; release with ctl_sessions_deinit(); empty on failure
 *
 * Return: as ctl_probes_get().
 */
int ctl_sessions_get(struct ctl *ctl, struct diag *d, struct ctl_sessions *ret);

/**
 * ctl_sessions_deinit() - free a list of sessions
 * @sessions: list; all zeros is allowed; afterwards it is empty
 */
void ctl_sessions_deinit(struct ctl_sessions *sessions);

#endif /* KTAP_WIRE_CTL_H */
