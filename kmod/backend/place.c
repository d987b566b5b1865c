// SPDX-License-Identifier: GPL-2.0
/*
 * Places at which the kernel would accept a kprobe but should not.
 *
 * With CONFIG_OPTPROBES (x86), register_kprobe() decodes the function from its first to
 * its last byte (can_optimize() in arch/x86/kernel/kprobes/opt.c). For the last function
 * of a module, it takes the last byte of the module's code as the end, padding included.
 * Since 6.4 (commit ac3b43283923, module memory in parts) no page is mapped after that,
 * and decoding an instruction that begins in the last byte of the padding reads past the
 * end: an oops.
 *
 * A function before a gap in the kernel's own code is also taken to extend to the end of
 * the gap. The gap after srso_alias_safe_ret() is a megabyte, up to the next 2 MiB page.
 * Decoding it can take longer than the watchdog allows.
 *
 * With KASAN, KCSAN, KMSAN or KCOV the compiler makes code call a function of the sanitizer
 * before it accesses memory. The kernel's handler of breakpoints is such code, and accesses
 * memory before it notes that a kprobe is running. With a kprobe in such a function, it
 * calls itself until the stack is full.
 *
 * The same happens with a breakpoint in ftrace's entry code (entry-ftrace.S, ftrace_64.S)
 * if a tracer follows a function that handles breakpoints, such as get_kprobe(): that is
 * called, ftrace's entry code runs, and the next breakpoint comes before ftrace looks for
 * recursion.
 *
 * On a preemptible x86 kernel, optimized_callback() ends with preempt_enable(), and ftrace's
 * tracers with preempt_enable_notrace(). If the task is to be preempted, these call
 * preempt_schedule_thunk() and preempt_schedule_notrace(). With an optimized kprobe there,
 * one leads to the next until the stack is full.
 *
 * A breakpoint inside a hit of a kprobe is counted as missed, and its instruction is
 * executed. The kernel cannot do that twice: reenter_kprobe() executes a BUG. With
 * CONFIG_TRACE_IRQFLAGS and CONFIG_PROVE_LOCKING, the exit from a breakpoint calls the
 * tracepoint irq_enable and lockdep (irqentry_nmi_exit(), arm64_exit_el1_dbg()), before the
 * instruction has been executed. So if a kprobe in there follows one that interrupts a
 * third, the kernel stops.
 *
 * An x86 processor that comes online runs some functions before it loads its table of
 * exceptions. A breakpoint there resets the machine. (An optimized kprobe has a breakpoint
 * while it is armed.)
 *
 * With CONFIG_PROVE_RCU the kernel's handler of a return that is followed calls functions
 * of RCU's checks, more than once for each return. If their returns are followed, too, the
 * handler calls itself until no instance is left, for each return again.
 */
#include <linux/atomic.h>
#include <linux/kallsyms.h>
#include <linux/module.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "backend/ftrace.h"
#include "backend/place.h"

/*
 * Built in (CONFIG_KTAP=y), THIS_MODULE is NULL. The linker places the code of the
 * objects in Kbuild's order, with begin.o first and end.o last. If the order differs
 * (LTO), this function is not between the two, and no address counts as ktap's. The
 * kernel still refuses the functions of the hit path, which are NOKPROBE_SYMBOL.
 */
static bool is_ours(unsigned long addr)
{
#ifdef MODULE
	return within_module(addr, THIS_MODULE);
#else
	unsigned long begin = (unsigned long)ktap_text_begin;
	unsigned long end = (unsigned long)ktap_text_end;
	unsigned long here = (unsigned long)ktap_place_forbidden;

	return here > begin && here < end && addr >= begin && addr < end;
#endif
}

/* Several times the size of the largest compiled function. */
#define READ_MAX SZ_256K

/* How the names of functions begin that instrumented code calls. */
static const char *const sanitizers[] = {
	"__asan_", "__hwasan_", "__kasan_check_", "kasan_check_", "__tsan_", "__kcsan_",
	"kcsan_", "__msan_", "kmsan_", "__sanitizer_cov_", NULL
};

/* Those that trace_hardirqs_on_prepare() calls. */
static const char *const irqflags[] = {
	"trace_irq_enable", "trace_irq_disable", "__traceiter_irq_", NULL
};

/* Those that lockdep_hardirqs_on_prepare() calls. */
static const char *const lockdep[] = {
	"lockdep_hardirqs_on_prepare", "__trace_hardirqs_on_caller", "mark_held_locks",
	"mark_lock", "mark_usage", "check_irq_usage", "check_usage_", "find_usage_",
	"__bfs", "usage_", "save_trace", "read_lock_is_recursive", "HARDIRQ_verbose",
	"SOFTIRQ_verbose", NULL
};

/* Those that an optimized kprobe calls. */
static const char *const preemption[] = {
	"preempt_schedule_thunk", "preempt_schedule_notrace", NULL
};

/* Those in ftrace's entry code. */
static const char *const trampolines[] = {
	"ftrace_call", "ftrace_regs_call", "ftrace_common", "ftrace_graph_call",
	"ftrace_stub", "return_to_handler", "__fentry__", "_mcount", NULL
};

/* Those that a processor runs before it has its table of exceptions. */
static const char *const bringup[] = {
	"secondary_startup_64", "verify_cpu", "early_setup_idt", "setup_ghcb",
	"start_secondary", "cr4_init", "native_write_cr4", "cpu_init_exception_handling",
	"load_current_idt", NULL
};

/* Those that rethook_trampoline_handler() calls. */
static const char *const followers[] = {
	"rcu_read_lock_", "rcu_lockdep_current_cpu_online", "rcu_is_watching",
	"debug_lockdep_rcu_enabled", "lock_is_held", NULL
};

static const char handles_kprobes[] =
	"the code of this kernel that handles kprobes calls this function";

/*
 * What must not be probed, by its name, in kernels with these options. (UBSAN's functions
 * are called after errors only.)
 */
static const struct {
	bool here;
	const char *const *prefixes;
	const char *why;
} forbidden[] = {
	{ IS_ENABLED(CONFIG_KASAN) || IS_ENABLED(CONFIG_KCSAN) ||
	  IS_ENABLED(CONFIG_KMSAN) || IS_ENABLED(CONFIG_KCOV), sanitizers, handles_kprobes },
	{ IS_ENABLED(CONFIG_TRACE_IRQFLAGS), irqflags, handles_kprobes },
	{ IS_ENABLED(CONFIG_PROVE_LOCKING), lockdep, handles_kprobes },
	{ true, preemption, handles_kprobes },
	{ true, trampolines, "ftrace enters and leaves its tracers here" },
	{ true, bringup,
	  "a processor that comes online runs this before it can handle a breakpoint" },
};

static bool begins_with_one(const char *name, const char *const *prefixes)
{
	for (; *prefixes; prefixes++)
		if (str_has_prefix(name, *prefixes))
			return true;
	return false;
}

/* Return: why the kernel would not survive a kprobe in that function, or NULL. */
static const char *is_forbidden(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(forbidden); i++)
		if (forbidden[i].here && begins_with_one(name, forbidden[i].prefixes))
			return forbidden[i].why;
	return NULL;
}

/* struct extent - function that contains an address; all 0: not known */
struct extent {
	unsigned long begin;
	unsigned long end;
	bool in_module;
};

/* @why, if not NULL, receives why it must not be probed, or NULL. */
static struct extent extent_of(unsigned long addr, const char **why)
{
	char *text = kmalloc(KSYM_SYMBOL_LEN, GFP_KERNEL);
	unsigned long offset, size;
	struct extent e = {};
	char *at;

	if (!text)
		return e;
	sprint_symbol(text, addr);
	at = strrchr(text, '+');
	if (at && sscanf(at, "+0x%lx/0x%lx", &offset, &size) == 2) {
		e.begin = addr - offset;
		e.end = e.begin + size;
		e.in_module = strchr(at, '[');
		if (why)
			*why = is_forbidden(text);
	}
	kfree(text);
	return e;
}

/**
 * ktap_place_function() - find the function that contains an address
 * @addr: address
 *
 * Context: process; may sleep.
 * Return: the address of the function, or 0 if it is not known.
 */
unsigned long ktap_place_function(unsigned long addr)
{
	return extent_of(addr, NULL).begin;
}

/* Checks what register_kprobe() would decode. It decodes nothing at an ftrace site. */
static const char *hurts_to_read(const struct extent *e, unsigned long addr)
{
	const char *why = NULL;
	u8 byte;

	if (!IS_ENABLED(CONFIG_OPTPROBES))
		return NULL;
	if (e->end - e->begin > READ_MAX)
		why = "for a kprobe here this kernel would decode the padding after its code";
	else if (e->in_module && copy_from_kernel_nofault(&byte, (void *)e->end, 1))
		why = "for a kprobe here this kernel would read past the end of the module";
	return why && !ktap_ftrace_find_site(addr) ? why : NULL;
}

/**
 * ktap_place_forbidden() - may no kprobe be at an address?
 * @addr: address
 *
 * Context: process, under ktap_kernel_arming.lock; may sleep.
 * Return: the reason, or NULL if it may.
 */
const char *ktap_place_forbidden(unsigned long addr)
{
	const char *why = NULL;
	struct extent e;

	if (is_ours(addr))
		return "ktap does not probe itself";
	e = extent_of(addr, &why);
	return why ? why : hurts_to_read(&e, addr);
}

/**
 * ktap_place_unfollowed() - may no return probe be at an address?
 * @addr: address of a function at which a kprobe may be
 *
 * Context: process, under ktap_kernel_arming.lock; may sleep.
 * Return: the reason, or NULL if it may.
 */
const char *ktap_place_unfollowed(unsigned long addr)
{
	char *name = IS_ENABLED(CONFIG_PROVE_RCU) ? kmalloc(KSYM_SYMBOL_LEN, GFP_KERNEL) : NULL;
	bool is_used;

	if (!name)
		return NULL;
	sprint_symbol_no_offset(name, addr);
	is_used = begins_with_one(name, followers);
	kfree(name);
	return is_used ? "the code of this kernel that follows calls uses this function" : NULL;
}

/**
 * ktap_place_number() - a number for the place of a probe: see struct ktap_spot
 *
 * Context: any.
 * Return: number that no other place has had, unless there were 2^32; not 0.
 */
u32 ktap_place_number(void)
{
	static atomic_t last;
	u32 nr;

	do
		nr = atomic_inc_return(&last);
	while (!nr);
	return nr;
}
