// SPDX-License-Identifier: GPL-2.0
/*
 * ktap status: what this kernel and the module offer, and who uses them. It
 * says what it can also where the module, or the right to talk to it, is
 * missing.
 */
#include <errno.h>
#include <linux/capability.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/utsname.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "cli/cmd.h"
#include "cli/members.h"
#include "cli/options.h"
#include "cli/print.h"
#include "cli/say.h"
#include "cli/table.h"
#include "place/ksyms.h"
#include "wire/ctl.h"
#include "wire/loaded.h"

static const struct option_row rows[] = {
	OPTION_JSON,
	{ 0 }
};

static const struct usage usage = {
	.synopsis = "[--json]",
	.about = "Shows what the kernel and the module support, and which processes have sessions.",
	.rows = rows,
};

#define FTRACE_ENABLED "/proc/sys/kernel/ftrace_enabled"
#define MODULE_VERSION "/sys/module/ktap/version"

/**
 * struct status - all there is to show
 * @u: kernel
 * @lockdown: "none", "integrity", ...; "unknown" where it cannot be seen
 * @version: of the loaded module; empty: not loaded
 * @ftrace_off: the kernel has it, and a sysctl has turned it off
 * @may_probe: the caller has CAP_PERFMON or CAP_SYS_ADMIN
 * @may_see: and addresses of the kernel are shown to him
 * @hidden_by: why not
 * @ctl: the module answers
 * @info: what it says
 * @unwinder: enum ktap_unwinder; 0: it does not say
 * @sessions: those that are open
 */
struct status {
	struct utsname u;
	char lockdown[32];
	char version[64];
	bool ftrace_off;
	bool may_probe;
	bool may_see;
	const char *hidden_by;
	struct ctl *ctl;
	struct ctl_info info;
	uint32_t unwinder;
	struct ctl_sessions sessions;
};

/* ---- finding out ----------------------------------------------------------- */

static bool read_line(const char *path, char *ret, size_t size)
{
	_cleanup_fclose_ FILE *f = fopen(path, "re");

	if (!f || !fgets(ret, size, f))
		return false;
	ret[strcspn(ret, "\n")] = '\0';
	return true;
}

/* Only where there is ftrace. The module does not know until it wants ftrace. */
static void take_ftrace(struct status *s)
{
	char line[16];

	s->ftrace_off = read_line(FTRACE_ENABLED, line, sizeof(line)) &&
			!strcmp(line, "0");
}

static bool capable(const struct __user_cap_data_struct data[2], int cap)
{
	return data[cap / 32].effective & (1U << (cap % 32));
}

static void take_capabilities(struct status *s)
{
	struct __user_cap_header_struct head = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct data[2] = { 0 };

	if (syscall(SYS_capget, &head, data))
		return;
	s->may_probe = capable(data, CAP_PERFMON) ||
		       capable(data, CAP_SYS_ADMIN);
	s->may_see = capable(data, CAP_SYSLOG) && !addresses_restricted();
	s->hidden_by = addresses_hidden_by();
}

static int status_init(struct status *s, struct diag *d)
{
	int err;

	*s = (struct status){ 0 };
	uname(&s->u);
	if (!lockdown_mode(s->lockdown, sizeof(s->lockdown)))
		snprintf(s->lockdown, sizeof(s->lockdown), "unknown");
	take_ftrace(s);
	take_capabilities(s);
	if (!read_line(MODULE_VERSION, s->version, sizeof(s->version)))
		s->version[0] = '\0';
	err = ctl_open(d, &s->ctl);
	if (!err)
		err = ctl_info(s->ctl, d, &s->info);
	if (!err)
		err = ctl_unwinder(s->ctl, d, &s->unwinder);
	if (!err)
		err = ctl_sessions_get(s->ctl, d, &s->sessions);
	if (err) {
		ctl_close(s->ctl);
		s->ctl = NULL;
		return err;
	}
	/* the module knows best: it is who tells them */
	if (s->info.addresses)
		s->may_see = s->info.addresses == KTAP_ADDRESSES_SHOWN;
	if (s->info.addresses == KTAP_ADDRESSES_CAPABILITY)
		s->hidden_by = "no CAP_SYSLOG";
	return 0;
}

static const char *clock_name(enum ktap_clock clock)
{
	static const char *const names[] = {
		[KTAP_CLOCK_MONO] = "mono",
		[KTAP_CLOCK_TSC] = "tsc",
		[KTAP_CLOCK_CNTVCT] = "cntvct",
	};

	if (clock < ARRAY_SIZE(names) && names[clock])
		return names[clock];
	return "unknown";
}

/* struct unwinder - what finds the callers of a kernel stack, for machines and for people */
static const struct unwinder {
	const char *name;
	const char *text;
} unwinders[] = {
	[KTAP_UNWINDER_NONE] = { "none", "nothing finds callers (CONFIG_UNWINDER_GUESS)" },
	[KTAP_UNWINDER_KERNEL_FP] = { "kernel-fp", "the kernel finds callers by frame pointers" },
	[KTAP_UNWINDER_KERNEL_ORC] = { "kernel-orc",
		"the kernel finds callers by its ORC tables, whose symbols are not there for ktap" },
	[KTAP_UNWINDER_ORC] = { "ktap-orc", "ktap finds callers by the kernel's ORC tables" },
	[KTAP_UNWINDER_RECORDS] = { "ktap-records", "ktap finds callers by arm64's frame records" },
};

/* NULL: the module does not say, or what a later one knows. */
static const struct unwinder *unwinder_of(const struct status *s)
{
	return s->unwinder < ARRAY_SIZE(unwinders) && unwinders[s->unwinder].name ?
	       &unwinders[s->unwinder] : NULL;
}

/* struct feature - a bit of the module's, in words
 * @bit: KTAP_FEATURE_*
 * @name: for people and machines
 * @option: that the kernel is built without, where it is missing
 * @arm64: on that machine there is another reason
 */
static const struct feature {
	uint64_t bit;
	const char *name;
	const char *option;
	const char *arm64;
} features[] = {
	{ KTAP_FEATURE_KPROBE, "kprobe", "CONFIG_KPROBES" },
	{ KTAP_FEATURE_KRETPROBE, "kretprobe", "CONFIG_KRETPROBES" },
	{ KTAP_FEATURE_UPROBE, "uprobe", "CONFIG_UPROBES" },
	{ KTAP_FEATURE_TRACEPOINT, "tracepoint", "CONFIG_TRACEPOINTS without CONFIG_CFI" },
	{ KTAP_FEATURE_WATCHPOINT, "watchpoint", "CONFIG_HAVE_HW_BREAKPOINT",
	  "a module cannot step over the access" },
	{ KTAP_FEATURE_TIMER, "timer", NULL },
	{ KTAP_FEATURE_SYSCALL, "syscall", "CONFIG_TRACEPOINTS or CONFIG_HAVE_SYSCALL_TRACEPOINTS" },
	{ KTAP_FEATURE_FTRACE, "ftrace", "CONFIG_DYNAMIC_FTRACE" },
	{ KTAP_FEATURE_SCOPE, "scope", NULL },
	{ KTAP_FEATURE_COUNTER, "counter", "CONFIG_PERF_EVENTS" },
	{ KTAP_FEATURE_USTACK, "ustack", "before Linux 6.1 hits cannot look up mappings" },
};

/* Features that the kernel has, and those that were turned off since: see take_ftrace(). */
static uint64_t offered(const struct status *s)
{
	return s->info.features & ~(s->ftrace_off ? KTAP_FEATURE_FTRACE : 0);
}

/* ---- text ---------------------------------------------------------------- */

static void line(const char *head, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static void line(const char *head, const char *fmt, ...)
{
	_cleanup_buf_ struct buf text = BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(&text, fmt, ap);
	va_end(ap);
	print_line("%-12s%s", head, buf_str(&text));
}

static const char *reason(const struct status *s, const struct feature *f)
{
	return f->arm64 && !strcmp(s->u.machine, "aarch64") ? f->arm64 : f->option;
}

static void print_features(const struct status *s)
{
	_cleanup_buf_ struct buf yes = BUF_INIT, no = BUF_INIT;
	uint64_t bits = offered(s);

	for (size_t i = 0; i < ARRAY_SIZE(features); i++) {
		const struct feature *f = &features[i];

		if (bits & f->bit)
			buf_printf(&yes, " %s", f->name);
		else if (s->info.features & f->bit)
			buf_printf(&no, " %s (turned off: sysctl kernel.ftrace_enabled)",
				   f->name);
		else if (reason(s, f))
			buf_printf(&no, " %s (%s)", f->name, reason(s, f));
		else
			buf_printf(&no, " %s", f->name);
	}
	line("offers", "%s", buf_str(&yes) + !!yes.size);
	if (no.size)
		line("refuses", "%s", buf_str(&no) + 1);
}

/* Modules before this do not tell: they have no limit for all of it. */
static void print_memory(const struct ktap_limits *l)
{
	if (!l->memory_max)
		return;
	line("programs", "%llu bytes", (unsigned long long)l->program_total);
	line("scratch", "%llu bytes", (unsigned long long)l->scratch_total);
	line("scopes", "%llu bytes", (unsigned long long)l->scope_total);
	line("other", "%llu bytes", (unsigned long long)l->other_total);
	line("memory", "%llu of %llu bytes, all of these",
	     (unsigned long long)l->memory_total,
	     (unsigned long long)l->memory_max);
}

/* Of a probe module, or NULL. */
static const char *state_name(enum ktap_module_state state)
{
	static const char *const names[] = {
		[KTAP_MODULE_ARMED] = "armed",
		[KTAP_MODULE_WAITS] = "waits",
		[KTAP_MODULE_TIED] = "tied",
		[KTAP_MODULE_IDLE] = "idle",
		[KTAP_MODULE_REMOVED] = "removed",
	};

	return state < ARRAY_SIZE(names) ? names[state] : NULL;
}

/* What a person wants to know of a probe module, and what to do with it. */
static void put_state(struct buf *b, const struct ctl_session *o)
{
	switch (o->state) {
	case KTAP_MODULE_ARMED:
		buf_puts(b, ", armed until it is removed");
		break;
	case KTAP_MODULE_WAITS:
		buf_puts(b, ", waits for 'ktap run'");
		break;
	case KTAP_MODULE_TIED:
		buf_puts(b, ", armed for 'ktap run'");
		break;
	case KTAP_MODULE_IDLE:
		buf_puts(b, ", idle, since its 'ktap run' ended: the next one replaces it");
		break;
	case KTAP_MODULE_REMOVED:
		buf_puts(b, ", removed, and not read to its end");
		break;
	}
}

static void print_session(const struct ctl_session *o)
{
	_cleanup_buf_ struct buf b = BUF_INIT;

	if (o->module) {
		buf_printf(&b, "the probe module %s", o->module);
		if (o->pid)
			buf_printf(&b, " (pid %u)", o->pid);
		put_state(&b, o);
	} else {
		buf_printf(&b, "%s (pid %u)", o->comm ? o->comm : "?", o->pid);
	}
	line("session", "%llu of %s: %u events, %llu bytes of rings",
	     (unsigned long long)o->session, buf_str(&b), o->nr_probes,
	     (unsigned long long)o->ring_bytes);
}

static void print_module(const struct status *s)
{
	const struct ktap_limits *l = &s->info.limits;

	line("module", "ktap %s, ABI %u", s->info.version, s->info.abi);
	print_features(s);
	line("clock", "%s", clock_name(s->info.clock));
	if (unwinder_of(s))
		line("kstack", "%s", unwinder_of(s)->text);
	line("events", "%u of %u", l->nr_probes, l->probes_max);
	line("definitions", "%llu of %llu bytes, %llu for one event",
	     (unsigned long long)l->blob_total,
	     (unsigned long long)l->blob_total_max,
	     (unsigned long long)l->blob_max);
	line("rings", "%llu of %llu bytes, by default %llu for one CPU",
	     (unsigned long long)l->ring_total,
	     (unsigned long long)l->ring_total_max,
	     (unsigned long long)l->ring_default);
	line("returns", "%llu of %llu bytes",
	     (unsigned long long)l->return_total,
	     (unsigned long long)l->return_total_max);
	if (l->hit_cost_max)
		line("hits", "at most %llu ns each",
		     (unsigned long long)l->hit_cost_max);
	print_memory(l);
	for (size_t i = 0; i < s->sessions.nr; i++)
		print_session(&s->sessions.sessions[i]);
}

static void print_text(const struct status *s)
{
	line("kernel", "%s %s", s->u.release, s->u.machine);
	line("lockdown", "%s", s->lockdown);
	line("caller", "%s define events, %s see addresses%s%s",
	     s->may_probe ? "may" : "may not", s->may_see ? "may" : "may not",
	     s->may_see ? "" : ": ", s->may_see ? "" : s->hidden_by);
	if (s->ctl)
		print_module(s);
	else if (s->version[0])
		line("module", "ktap %s", s->version);
	else
		line("module", "not loaded");
}

/* ---- JSON ---------------------------------------------------------------- */

static void put_limits(struct json *j, const struct ktap_limits *l)
{
	json_key(j, "limits");
	json_object(j);
	member_u64(j, "events", l->nr_probes);
	member_u64(j, "events_max", l->probes_max);
	member_u64(j, "definitions", l->blob_total);
	member_u64(j, "definitions_max", l->blob_total_max);
	member_u64(j, "definition_max", l->blob_max);
	member_u64(j, "rings", l->ring_total);
	member_u64(j, "rings_max", l->ring_total_max);
	member_u64(j, "ring_default", l->ring_default);
	member_u64(j, "returns", l->return_total);
	member_u64(j, "returns_max", l->return_total_max);
	member_u64(j, "hit_cost_max", l->hit_cost_max);
	if (l->memory_max) {
		member_u64(j, "programs", l->program_total);
		member_u64(j, "scratch", l->scratch_total);
		member_u64(j, "scopes", l->scope_total);
		member_u64(j, "other", l->other_total);
		member_u64(j, "memory", l->memory_total);
		member_u64(j, "memory_max", l->memory_max);
	}
	json_object_end(j);
}

static void put_sessions(struct json *j, const struct ctl_sessions *all)
{
	json_key(j, "sessions");
	json_array(j);
	for (size_t i = 0; i < all->nr; i++) {
		const struct ctl_session *s = &all->sessions[i];

		json_object(j);
		member_u64(j, "session", s->session);
		member_u64(j, "pid", s->pid);
		member_str(j, "comm", s->comm);
		member_u64(j, "events", s->nr_probes);
		member_u64(j, "ring_bytes", s->ring_bytes);
		if (s->module) {
			member_str(j, "module", s->module);
			member_str(j, "module_state", state_name(s->state));
		}
		json_object_end(j);
	}
	json_array_end(j);
}

static void put_module(struct json *j, const struct status *s)
{
	member_str(j, "version", s->info.version);
	member_u64(j, "abi", s->info.abi);
	member_str(j, "clock", clock_name(s->info.clock));
	if (s->unwinder)
		member_str(j, "unwinder", unwinder_of(s) ? unwinder_of(s)->name : "unknown");
	if (s->info.anchor)
		member_hex(j, "anchor", s->info.anchor);
	json_key(j, "features");
	json_object(j);
	for (size_t i = 0; i < ARRAY_SIZE(features); i++)
		member_bool(j, features[i].name, offered(s) & features[i].bit);
	json_object_end(j);
	put_limits(j, &s->info.limits);
	put_sessions(j, &s->sessions);
}

static void print_json(const struct status *s)
{
	struct json_line line;
	struct json *j = &line.json;

	json_line_begin(&line);
	member_str(j, "kernel", s->u.release);
	member_str(j, "machine", s->u.machine);
	member_str(j, "lockdown", s->lockdown);
	member_bool(j, "may_define", s->may_probe);
	member_bool(j, "may_see_addresses", s->may_see);
	if (!s->may_see)
		member_str(j, "addresses_hidden_by", s->hidden_by);
	member_bool(j, "loaded", s->ctl || s->version[0]);
	if (s->ctl)
		put_module(j, s);
	json_line_end(&line);
}

static int status_option(void *ctx, int key, const char *value,
			 struct diag *d)
{
	bool *json = ctx;

	(void)key;
	(void)value;
	(void)d;
	*json = true;
	return 0;
}

int cmd_status(int argc, char **argv)
{
	_cleanup_diag_ struct diag d = { 0 };
	struct status s;
	struct words words;
	bool json = false;
	int ret;

	ret = options_parse(&usage, argc, argv, status_option, &json, &d,
			    &words);
	if (ret > 0)
		return 0;
	if (!ret && words.nr)
		ret = diag_set(&d, -EINVAL, DIAG_EXTRA_WORD, words.word[0]);
	if (ret)
		return say_failure(&d, NULL);
	ret = status_init(&s, &d);
	if (json)
		print_json(&s);
	else
		print_text(&s);
	ctl_sessions_deinit(&s.sessions);
	ctl_close(s.ctl);
	return ret ? say_failure(&d, NULL) : 0;
}
