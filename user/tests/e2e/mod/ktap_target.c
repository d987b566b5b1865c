// SPDX-License-Identifier: GPL-2.0
/*
 * ktap_target: functions to probe, called with arguments that every test
 * knows. 'echo NAME [TIMES] >/sys/module/ktap_target/parameters/call' calls
 * one of the groups in calls[]; the parameter 'onload' calls one while the
 * module is being loaded.
 *
 * Every call is made by the task that writes, in the order of the text here.
 * What is not static has one address for the kernel's symbols to tell.
 */
#include <linux/compiler.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/kstrtox.h>
#include <linux/ktime.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/string.h>
#include <linux/tracepoint.h>
#include <linux/vmalloc.h>

/* Newer kernels append to the name of one that is declared without an event. */
#ifdef DECLARE_TRACE_EVENT
#define DECLARE_EVENT	DECLARE_TRACE_EVENT
#else
#define DECLARE_EVENT	DECLARE_TRACE
#endif

/*
 * What is probed: a real call with all of its arguments, whatever the compiler
 * knows about the callee.
 */
#define TARGET noinline noipa
#define noipa __attribute__((noipa))

/* ---- a number of arguments: the n'th is 11 * n; the sum is returned -------- */

long ktap_target_args0(void);
long ktap_target_args1(long a);
long ktap_target_args2(long a, long b);
long ktap_target_args3(long a, long b, long c);
long ktap_target_args4(long a, long b, long c, long d);
long ktap_target_args5(long a, long b, long c, long d, long e);
long ktap_target_args6(long a, long b, long c, long d, long e, long f);
long ktap_target_args7(long a, long b, long c, long d, long e, long f, long g);
long ktap_target_args8(long a, long b, long c, long d, long e, long f, long g,
		       long h);

TARGET long ktap_target_args0(void)
{
	return 1000;
}

TARGET long ktap_target_args1(long a)
{
	return a;
}

TARGET long ktap_target_args2(long a, long b)
{
	return a + b;
}

TARGET long ktap_target_args3(long a, long b, long c)
{
	return a + b + c;
}

TARGET long ktap_target_args4(long a, long b, long c, long d)
{
	return a + b + c + d;
}

TARGET long ktap_target_args5(long a, long b, long c, long d, long e)
{
	return a + b + c + d + e;
}

TARGET long ktap_target_args6(long a, long b, long c, long d, long e, long f)
{
	return a + b + c + d + e + f;
}

TARGET long ktap_target_args7(long a, long b, long c, long d, long e, long f,
			      long g)
{
	return a + b + c + d + e + f + g;
}

TARGET long ktap_target_args8(long a, long b, long c, long d, long e, long f,
			      long g, long h)
{
	return a + b + c + d + e + f + g + h;
}

static void call_args(void)
{
	ktap_target_args0();
	ktap_target_args1(11);
	ktap_target_args2(11, 22);
	ktap_target_args3(11, 22, 33);
	ktap_target_args4(11, 22, 33, 44);
	ktap_target_args5(11, 22, 33, 44, 55);
	ktap_target_args6(11, 22, 33, 44, 55, 66);
	ktap_target_args7(11, 22, 33, 44, 55, 66, 77);
	ktap_target_args8(11, 22, 33, 44, 55, 66, 77, 88);
}

/* ---- sizes and signs ------------------------------------------------------- */

s8 ktap_target_s8(s8 a);
s16 ktap_target_s16(s16 a);
s32 ktap_target_s32(s32 a);
s64 ktap_target_s64(s64 a);
u8 ktap_target_u8(u8 a);
u16 ktap_target_u16(u16 a);
u32 ktap_target_u32(u32 a);
u64 ktap_target_u64(u64 a);

TARGET s8 ktap_target_s8(s8 a)
{
	return a;
}

TARGET s16 ktap_target_s16(s16 a)
{
	return a;
}

TARGET s32 ktap_target_s32(s32 a)
{
	return a;
}

TARGET s64 ktap_target_s64(s64 a)
{
	return a;
}

TARGET u8 ktap_target_u8(u8 a)
{
	return a;
}

TARGET u16 ktap_target_u16(u16 a)
{
	return a;
}

TARGET u32 ktap_target_u32(u32 a)
{
	return a;
}

TARGET u64 ktap_target_u64(u64 a)
{
	return a;
}

static void call_sizes(void)
{
	ktap_target_s8(-8);
	ktap_target_s16(-1600);
	ktap_target_s32(-320000);
	ktap_target_s64(-6400000000LL);
	ktap_target_u8(0x88);
	ktap_target_u16(0x8416);
	ktap_target_u32(0x84210032);
	ktap_target_u64(0x8421000000000064ULL);
}

/* ---- strings --------------------------------------------------------------- */

long ktap_target_string(const char *s, long len);
long ktap_target_strings(const char *const *s, long nr);

/* The length that is passed is returned. */
TARGET long ktap_target_string(const char *s, long len)
{
	return len;
}

TARGET long ktap_target_strings(const char *const *s, long nr)
{
	return nr;
}

static void string(const char *s)
{
	ktap_target_string(s, strlen(s));
}

static void call_strings(void)
{
	static const char *const words[] = { "one", "two", "three", "", NULL };
	static char hundred[101];

	memset(hundred, 'x', sizeof(hundred) - 1);
	string("hello");
	string("");
	string("two words \"quoted\"\n");
	string(hundred);
	ktap_target_string(NULL, -1);
	ktap_target_strings(words, ARRAY_SIZE(words));
}

/* ---- structures and arrays ------------------------------------------------- */

enum ktap_target_colour { TARGET_RED, TARGET_GREEN = 5, TARGET_BLUE = -7 };

/* struct ktap_target_box - offsets are asserted in call_boxes() */
struct ktap_target_box {
	s32 width;
	u16 height;
	u8 small : 3;
	u8 : 1;
	u8 large : 4;
	s8 balance;
	char label[16];
	const char *name;
	struct ktap_target_box *next;
	enum ktap_target_colour colour;
	u32 numbers[4];
};

long ktap_target_box(struct ktap_target_box *box);
long ktap_target_array(const u32 *numbers, long nr);

TARGET long ktap_target_box(struct ktap_target_box *box)
{
	return (long)box->width * box->height;
}

TARGET long ktap_target_array(const u32 *numbers, long nr)
{
	return numbers[nr - 1];
}

struct ktap_target_box ktap_target_inner = {
	.width = -3, .height = 4, .small = 5, .large = 9, .balance = -1,
	.label = "inner", .name = "the inner box", .colour = TARGET_BLUE,
	.numbers = { 10, 20, 30, 40 },
};

struct ktap_target_box ktap_target_outer = {
	.width = 1000, .height = 2000, .small = 2, .large = 12, .balance = 100,
	.label = "outer", .name = "the outer box", .next = &ktap_target_inner,
	.colour = TARGET_GREEN, .numbers = { 1, 2, 3, 4000000000U },
};

static void call_boxes(void)
{
	BUILD_BUG_ON(offsetof(struct ktap_target_box, height) != 4);
	BUILD_BUG_ON(offsetof(struct ktap_target_box, balance) != 7);
	BUILD_BUG_ON(offsetof(struct ktap_target_box, label) != 8);
	BUILD_BUG_ON(offsetof(struct ktap_target_box, name) != 24);
	BUILD_BUG_ON(offsetof(struct ktap_target_box, next) != 32);
	BUILD_BUG_ON(offsetof(struct ktap_target_box, colour) != 40);
	BUILD_BUG_ON(offsetof(struct ktap_target_box, numbers) != 44);
	ktap_target_box(&ktap_target_outer);
	ktap_target_box(&ktap_target_inner);
	ktap_target_array(ktap_target_outer.numbers, 4);
}

/* ---- memory that is hard to read ------------------------------------------- */

/*
 * Two pages of vmalloc memory, behind which nothing is mapped: a string over
 * the border of the pages, one that ends with the last byte, one that does
 * not end, a word of which half is there, and an address that nobody maps.
 */
static void call_memory(void)
{
	char *two = vmalloc(2 * PAGE_SIZE);
	char *end = two + 2 * PAGE_SIZE;

	if (!two)
		return;
	strcpy(two + PAGE_SIZE - 4, "over the border");
	string(two + PAGE_SIZE - 4);
	strcpy(end - 4, "end");
	string(end - 4);
	memcpy(end - 8, "no end!!", 8);
	ktap_target_string(end - 8, 8);
	ktap_target_array((u32 *)end - 1, 1);
	ktap_target_string(end, 0);
	vfree(two);
}

/* ---- returns --------------------------------------------------------------- */

long ktap_target_factorial(long n);
long ktap_target_even(long n);
long ktap_target_odd(long n);
int ktap_target_error(int err);
const char *ktap_target_pointer(long nr);
void *ktap_target_err_ptr(long err);
void ktap_target_nothing(void);
long ktap_target_sleep(unsigned int ms);

/* 5 calls itself for 4 to 1 and returns 120. */
TARGET long ktap_target_factorial(long n)
{
	long below;

	if (n <= 1)
		return 1;
	below = ktap_target_factorial(n - 1);
	OPTIMIZER_HIDE_VAR(below); /* no loop instead of the calls */
	return n * below;
}

/* Each calls the other; the depth comes back. */
TARGET long ktap_target_even(long n)
{
	long below = n ? ktap_target_odd(n - 1) : 0;

	OPTIMIZER_HIDE_VAR(below);
	return below + !!n;
}

TARGET long ktap_target_odd(long n)
{
	long below = n ? ktap_target_even(n - 1) : 0;

	OPTIMIZER_HIDE_VAR(below);
	return below + !!n;
}

TARGET int ktap_target_error(int err)
{
	return -err;
}

TARGET const char *ktap_target_pointer(long nr)
{
	return nr ? "returned text" : NULL;
}

TARGET void *ktap_target_err_ptr(long err)
{
	return ERR_PTR(-err);
}

TARGET void ktap_target_nothing(void)
{
	barrier();
}

/* At least that long by the clock: timers, which jiffies drive, may be early. */
TARGET long ktap_target_sleep(unsigned int ms)
{
	ktime_t end = ktime_add_ms(ktime_get(), ms);

	while (ktime_before(ktime_get(), end))
		msleep(ms / 10);
	return ms;
}

static void call_returns(void)
{
	ktap_target_factorial(5);
	ktap_target_even(3);
	ktap_target_error(0);
	ktap_target_error(ENOENT);
	ktap_target_pointer(0);
	ktap_target_pointer(1);
	ktap_target_err_ptr(EINVAL);
	ktap_target_nothing();
}

static void call_sleep(void)
{
	ktap_target_sleep(100);
}

/* What changes between a call and its return. */
char ktap_target_note[16];
long ktap_target_change(char *note);

TARGET long ktap_target_change(char *note)
{
	strscpy(note, "after", sizeof(ktap_target_note));
	return 5;
}

static void call_change(void)
{
	strscpy(ktap_target_note, "before", sizeof(ktap_target_note));
	ktap_target_change(ktap_target_note);
}

/* ---- counting -------------------------------------------------------------- */

/* For a watchpoint: written once in each call. */
long ktap_target_counter;

long ktap_target_count(long i, long twice, long thrice);

TARGET long ktap_target_count(long i, long twice, long thrice)
{
	WRITE_ONCE(ktap_target_counter, i);
	return i;
}

/* 1 to 1000. */
static void call_count(void)
{
	long i;

	for (i = 1; i <= 1000; i++)
		ktap_target_count(i, 2 * i, 3 * i);
}

/* ---- inside of a function -------------------------------------------------- */

long ktap_target_framed(long n, unsigned int ms, long depth);

/*
 * ktap_target_framed_inside is behind everything that the function calls, when
 * nothing is left of its arguments. Its CFA is in ax or x9 there.
 */
#ifdef CONFIG_X86_64
#define CFA_REGISTER "ax"
#define JUMP "jmp"
#else
#define CFA_REGISTER "x9"
#define JUMP "b"
#endif

TARGET long ktap_target_framed(long n, unsigned int ms, long depth)
{
	register unsigned long cfa asm(CFA_REGISTER);
	long below = 0;

	if (ms)
		msleep(ms);
	if (depth)
		below = ktap_target_framed(n + 1, ms, depth - 1);
	cfa = (unsigned long)__builtin_dwarf_cfa();
	asm volatile(".globl ktap_target_framed_inside\n"
		     "ktap_target_framed_inside:\n"
		     "	nop" : "+r" (cfa), "+r" (below));
	return below + 1;
}

/*
 * A jump to a label that has a symbol, as files in assembler have them. There @n is above
 * the return address.
 */
long ktap_target_labels(long n);
TARGET long ktap_target_labels(long n)
{
	n += ktap_target_args1(n);
	asm volatile(JUMP " ktap_target_label\n"
		     "	nop\n"
		     ".globl ktap_target_label\n"
		     "ktap_target_label:\n"
		     "	nop" : "+r" (n));
	return n + ktap_target_args2(n, 22);
}

static void call_labels(void)
{
	ktap_target_labels(11);
}

/* One by itself, and four in each other. */
static void call_framed(void)
{
	ktap_target_framed(7, 0, 0);
	ktap_target_framed(11, 0, 3);
}

/* A real-time kernel takes half a second to arm what was disarmed just before. */
static void call_framed_asleep(void)
{
	ktap_target_framed(9, 1200, 0);
}

/* ---- calling --------------------------------------------------------------- */

static const struct {
	const char *name;
	void (*run)(void);
} calls[] = {
	{ "args", call_args },
	{ "sizes", call_sizes },
	{ "strings", call_strings },
	{ "boxes", call_boxes },
	{ "memory", call_memory },
	{ "returns", call_returns },
	{ "sleep", call_sleep },
	{ "change", call_change },
	{ "count", call_count },
	{ "framed", call_framed },
	{ "labels", call_labels },
	{ "framed_asleep", call_framed_asleep },
};

static int call_by_name(const char *name, unsigned int times)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(calls); i++)
		if (!strcmp(calls[i].name, name))
			break;
	if (i == ARRAY_SIZE(calls))
		return -ENOENT;
	while (times--) {
		calls[i].run();
		cond_resched();
	}
	return 0;
}

/* "NAME" or "NAME TIMES" */
static int call_set(const char *text, const struct kernel_param *kp)
{
	char room[64], *times, *name;
	unsigned int nr = 1;
	int err;

	if (strscpy(room, text, sizeof(room)) < 0)
		return -EINVAL;
	times = strim(room);
	name = strsep(&times, " ");
	err = times ? kstrtouint(times, 10, &nr) : 0;
	return err ?: call_by_name(name, nr);
}

static const struct kernel_param_ops call_ops = {
	.set = call_set,
};

module_param_cb(call, &call_ops, NULL, 0200);
MODULE_PARM_DESC(call, "NAME [TIMES]: call a group of functions");

/* ---- a tracepoint ---------------------------------------------------------- */

#define EVENT_PROTO TP_PROTO(long a, long b, long c, long d, long e, long f,	\
			     long g, long h)
#define EVENT_ARGS TP_ARGS(a, b, c, d, e, f, g, h)

DECLARE_EVENT(ktap_target_event, EVENT_PROTO, EVENT_ARGS);
#ifdef CONFIG_TRACEPOINTS
DEFINE_TRACE(ktap_target_event, EVENT_PROTO, EVENT_ARGS);
#endif

/* "N": the arguments are N, -N, N + 2, ... N + 6, N + 100. */
static int event_set(const char *text, const struct kernel_param *kp)
{
	long n;
	int err = kstrtol(text, 0, &n);

	if (!err)
		trace_ktap_target_event(n, -n, n + 2, n + 3, n + 4, n + 5,
					n + 6, n + 100);
	return err;
}

static const struct kernel_param_ops event_ops = {
	.set = event_set,
};

module_param_cb(event, &event_ops, NULL, 0200);
MODULE_PARM_DESC(event, "N: pass the tracepoint with known arguments");

/* ---- a word that is watched ------------------------------------------------ */

extern long ktap_target_word;
long ktap_target_word; /* probed by name */
module_param_named(word, ktap_target_word, long, 0600);
MODULE_PARM_DESC(word, "read and written as it says");

static char *onload = "";
module_param(onload, charp, 0400);
MODULE_PARM_DESC(onload, "group of functions to call while the module loads");

/* Code that is freed when the module is there. */
int ktap_target_early(int a);
noipa int __init ktap_target_early(int a)
{
	return a + 1;
}

static int __init ktap_target_init(void)
{
	ktap_target_early(5);
	return *onload ? call_by_name(onload, 1) : 0;
}

static void __exit ktap_target_exit(void)
{
}

module_init(ktap_target_init);
module_exit(ktap_target_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("functions for ktap's tests to probe");
