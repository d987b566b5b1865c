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

/* ctl_open() - fails with one clear line when the module is not loaded, when
 * the caller lacks the capability, or when the ABI differs (and then says
 * which side to update).
 */
int ctl_open(struct diag *d, struct ctl **ret);
void ctl_close(struct ctl *ctl);

/* ctl_attr() - the KTAP_A_* at fault in the last refusal, or 0: the caller
 * knows which column of the definition it came from.
 */
unsigned int ctl_attr(const struct ctl *ctl);

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

int ctl_info(struct ctl *ctl, struct diag *d, struct ctl_info *ret);

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

/* ctl_probe_new() - nothing is left behind on failure. -EEXIST: name taken. */
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

/* ctl_new_diag() - why a request was refused. Return: @result->err. */
int ctl_new_diag(const struct ctl_new *result, struct diag *d);

int ctl_probe_del(struct ctl *ctl, uint32_t id, struct diag *d);

/* ctl_probes_del(), ctl_probes_enable() - all of them, or none; at most
 * KTAP_IDS_MAX, and to enable or disable KTAP_ARM_MAX that ftrace does not serve.
 */
int ctl_probes_del(struct ctl *ctl, const uint32_t *ids, size_t nr,
		   struct diag *d);
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
};

struct ctl_probes {
	struct ctl_probe *probes;
	size_t nr;
};

int ctl_probes_get(struct ctl *ctl, struct diag *d, struct ctl_probes *ret);
void ctl_probes_deinit(struct ctl_probes *probes);

/* ctl_blob_get() - the whole blob of a probe, malloc'ed. */
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
	bool overloaded;
	bool locked_down;
};

struct ctl_stats_list {
	struct ctl_stats *rows;
	size_t nr;
};

int ctl_stats_get(struct ctl *ctl, bool verbose, struct diag *d,
		  struct ctl_stats_list *ret);
void ctl_stats_deinit(struct ctl_stats_list *list);

struct ctl_session {
	uint64_t session;
	uint32_t pid;
	char *comm;
	uint32_t nr_probes;
	uint64_t ring_bytes;
};

struct ctl_sessions {
	struct ctl_session *sessions;
	size_t nr;
};

int ctl_sessions_get(struct ctl *ctl, struct diag *d, struct ctl_sessions *ret);
void ctl_sessions_deinit(struct ctl_sessions *sessions);

#endif /* KTAP_WIRE_CTL_H */
