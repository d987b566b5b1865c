// SPDX-License-Identifier: GPL-2.0
/*
 * ktap_stack: calls whose stack the kernel itself shows. 'echo N >down' calls
 * ktap_stack_down(), which calls itself N times and then ktap_stack_mid(), which saves its
 * stack with the kernel's stack_trace_save(), passes a tracepoint and calls
 * ktap_stack_leaf(). 'echo MS >spin' loops in ktap_stack_spin(), 'echo N >irq' calls
 * ktap_stack_mid() from a timer N times, 'echo 1 >fault' executes ktap_stack_fault(), whose
 * first instruction faults.
 * 'echo N >mark' calls ktap_stack_mark(N), and 'watched' reads what a debugger writes there.
 * 'saved' has the stack that was saved last, one frame a line, without ktap_stack_mid().
 */
#include <linux/compiler.h>
#include <linux/delay.h>
#include <linux/hrtimer.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/kstrtox.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/stacktrace.h>
#include <linux/tracepoint.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

#include "compat.h"

/* Newer kernels append to the name of one that is declared without an event. */
#ifdef DECLARE_TRACE_EVENT
#define DECLARE_EVENT	DECLARE_TRACE_EVENT
#else
#define DECLARE_EVENT	DECLARE_TRACE
#endif

/* A real call, whatever the compiler knows. */
#define TARGET noinline __attribute__((noipa))

#define DEPTH_MAX	100
#define MS_MAX		5000

static unsigned long frames[128];
static unsigned int nr_frames;
static struct hrtimer timer;
static unsigned int left;
static int watched;
static volatile long sink;

DECLARE_EVENT(ktap_stack_event, TP_PROTO(long x), TP_ARGS(x));
#ifdef CONFIG_TRACEPOINTS
DEFINE_TRACE(ktap_stack_event, TP_PROTO(long x), TP_ARGS(x));
#endif

long ktap_stack_bottom(long x);
long ktap_stack_leaf(long x);
long ktap_stack_mid(long x);
long ktap_stack_down(long n);
long ktap_stack_spin(long ms);
void ktap_stack_fault(const void *at);
void ktap_stack_mark(long n);

TARGET long ktap_stack_bottom(long x)
{
	return x + sink;
}

/* It has a frame, and calls a function that has none. */
TARGET long ktap_stack_leaf(long x)
{
	volatile long a[6];

	a[x & 3] = x;
	a[5] = ktap_stack_bottom(x + 1);
	return a[5] + a[x & 3];
}

TARGET long ktap_stack_mid(long x)
{
	nr_frames = stack_trace_save(frames, ARRAY_SIZE(frames), 0);
	trace_ktap_stack_event(x);
	return ktap_stack_leaf(x) + 1;
}

/* A debugger stops here. */
TARGET void ktap_stack_mark(long n)
{
	sink = n;
}

TARGET long ktap_stack_down(long n)
{
	long below = n > 1 ? ktap_stack_down(n - 1) : ktap_stack_mid(n);

	barrier(); /* else the compiler makes a loop of it */
	sink = below;
	return below + 1;
}

TARGET long ktap_stack_spin(long ms)
{
	ktime_t end = ktime_add_ms(ktime_get(), ms);

	nr_frames = stack_trace_save(frames, ARRAY_SIZE(frames), 0);
	while (ktime_before(ktime_get(), end))
		sink += ktap_stack_bottom(ms);
	return sink;
}

static enum hrtimer_restart on_tick(struct hrtimer *t)
{
	sink += ktap_stack_mid(2);
	if (!--left)
		return HRTIMER_NORESTART;
	hrtimer_forward_now(t, ms_to_ktime(2));
	return HRTIMER_RESTART;
}

/* Until 5.17 arm64 has one kind of fixup. */
#if defined(CONFIG_ARM64) && !defined(_ASM_EXTABLE_UACCESS)
#define _ASM_EXTABLE_UACCESS _ASM_EXTABLE
#endif

/* It follows a function without a gap. */
#ifdef CONFIG_X86_64
asm(".pushsection .text\n"
	".type ktap_stack_before, @function\n"
	"ktap_stack_before:\n"
	ASM_RET
	".size ktap_stack_before, .-ktap_stack_before\n"
	".type ktap_stack_fault, @function\n"
	"ktap_stack_fault:\n"
	"1: movq (%rdi), %rax\n"
	"2: " ASM_RET
	".size ktap_stack_fault, .-ktap_stack_fault\n"
	_ASM_EXTABLE(1b, 2b)
	".popsection\n");
#else
asm(".pushsection .text\n"
	".type ktap_stack_before, %function\n"
	"ktap_stack_before:\n"
	"ret\n"
	".size ktap_stack_before, .-ktap_stack_before\n"
	".type ktap_stack_fault, %function\n"
	"ktap_stack_fault:\n"
	"1: ldr x0, [x0]\n"
	"2: ret\n"
	".size ktap_stack_fault, .-ktap_stack_fault\n"
	_ASM_EXTABLE_UACCESS(1b, 2b)
	".popsection\n");
#endif

/* The page after an area is not mapped. */
static int set_fault(const char *val, const struct kernel_param *kp)
{
	void *area = vmalloc(PAGE_SIZE);

	if (!area)
		return -ENOMEM;
	ktap_stack_fault((char *)area + PAGE_SIZE);
	vfree(area);
	return 0;
}

#if defined(CONFIG_X86_64) && defined(CONFIG_OPTPROBES)
long ktap_stack_detour(const unsigned long *bp);
extern u8 ktap_stack_detoured[];

/* Its bp is no frame pointer, but looks like one. */
asm(".pushsection .text\n"
	".type ktap_stack_detour, @function\n"
	"ktap_stack_detour:\n"
	"pushq %rbp\n"
	"movq %rdi, %rbp\n"
	"ktap_stack_detoured:\n"
	"movl $1, %eax\n"
	"popq %rbp\n"
	ASM_RET
	".size ktap_stack_detour, .-ktap_stack_detour\n"
	".popsection\n");

/* Called from code that the kernel made, which jumps back behind the place. */
static int at_detour(struct kprobe *kp, struct pt_regs *regs)
{
	sink += ktap_stack_mid(3);
	return 0;
}

static struct kprobe detour = { .pre_handler = at_detour };

/* Waits until the kernel has put a jump to its code there. */
static bool is_detoured(void)
{
	int i;

	for (i = 0; i < 100 && READ_ONCE(*ktap_stack_detoured) != 0xe9; i++)
		msleep(50);
	return i < 100;
}

static int set_detour(const char *val, const struct kernel_param *kp)
{
	unsigned long fake[] = { 0, (unsigned long)set_fault + 1 };
	int err;

	detour.flags = 0;
	detour.addr = ktap_stack_detoured;
	err = register_kprobe(&detour);
	if (err)
		return err;
	if (is_detoured())
		sink += ktap_stack_detour(fake);
	else
		err = -EAGAIN;
	unregister_kprobe(&detour);
	return err;
}

static const struct kernel_param_ops detour_ops = { .set = set_detour };
module_param_cb(detour, &detour_ops, NULL, 0200);
#endif

static int get(const char *val, long max, long *ret)
{
	return kstrtol(val, 0, ret) ?: *ret < 1 || *ret > max ? -EINVAL : 0;
}

static int set_down(const char *val, const struct kernel_param *kp)
{
	long n;
	int err = get(val, DEPTH_MAX, &n);

	if (!err)
		sink += ktap_stack_down(n);
	return err;
}

static int set_spin(const char *val, const struct kernel_param *kp)
{
	long ms;
	int err = get(val, MS_MAX, &ms);

	if (!err)
		sink += ktap_stack_spin(ms);
	return err;
}

static int set_irq(const char *val, const struct kernel_param *kp)
{
	long n;
	int err = get(val, MS_MAX, &n);

	if (err)
		return err;
	left = n;
	/* each tick has to interrupt this task */
	preempt_disable();
	hrtimer_start(&timer, ms_to_ktime(1), HRTIMER_MODE_REL_HARD);
	while (READ_ONCE(left))
		cpu_relax();
	preempt_enable();
	return 0;
}

static int set_mark(const char *val, const struct kernel_param *kp)
{
	long n;
	int err = kstrtol(val, 0, &n);

	if (!err)
		ktap_stack_mark(n);
	return err;
}

static int get_saved(char *buffer, const struct kernel_param *kp)
{
	unsigned int i;
	int n = 0;

	for (i = 1; i < nr_frames; i++)
		n += scnprintf(buffer + n, PAGE_SIZE - n, "%pS\n",
			       (void *)frames[i]);
	return n;
}

static const struct kernel_param_ops down_ops = { .set = set_down };
static const struct kernel_param_ops spin_ops = { .set = set_spin };
static const struct kernel_param_ops irq_ops = { .set = set_irq };
static const struct kernel_param_ops fault_ops = { .set = set_fault };
static const struct kernel_param_ops mark_ops = { .set = set_mark };
static const struct kernel_param_ops saved_ops = { .get = get_saved };

module_param_cb(down, &down_ops, NULL, 0200);
module_param_cb(spin, &spin_ops, NULL, 0200);
module_param_cb(irq, &irq_ops, NULL, 0200);
module_param_cb(fault, &fault_ops, NULL, 0200);
module_param_cb(mark, &mark_ops, NULL, 0200);
module_param(watched, int, 0400);
module_param_cb(saved, &saved_ops, NULL, 0400);

static int __init ktap_stack_init(void)
{
	ktap_hrtimer_setup(&timer, on_tick, HRTIMER_MODE_REL_HARD);
	return 0;
}
module_init(ktap_stack_init);

static void __exit ktap_stack_exit(void)
{
	hrtimer_cancel(&timer);
}
module_exit(ktap_stack_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("calls whose stack the kernel itself shows");
