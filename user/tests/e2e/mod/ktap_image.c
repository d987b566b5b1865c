// SPDX-License-Identifier: GPL-2.0
/*
 * ktap_image: a function, and a tracepoint, with six arguments that who writes
 * has chosen, and memory that he knows: for programs that are compared with
 * what they are in user space. 'echo A B C D E F >parameters/pass' passes both,
 * in hexadecimal; the parameter 'image' is the memory's address. Behind it
 * nothing is mapped.
 */
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/tracepoint.h>
#include <linux/vmalloc.h>

/* Newer kernels append to the name of one that is declared without an event. */
#ifdef DECLARE_TRACE_EVENT
#define DECLARE_EVENT	DECLARE_TRACE_EVENT
#else
#define DECLARE_EVENT	DECLARE_TRACE
#endif

#define IMAGE_SIZE (4 * PAGE_SIZE)

static ulong image;
module_param(image, ulong, 0400);
MODULE_PARM_DESC(image, "where the memory is");

long ktap_image_args(long a, long b, long c, long d, long e, long f);

noinline __attribute__((noipa)) long ktap_image_args(long a, long b, long c, long d,
						     long e, long f)
{
	return a + b + c + d + e + f;
}

#define IMAGE_PROTO TP_PROTO(long a, long b, long c, long d, long e, long f)
#define IMAGE_ARGS TP_ARGS(a, b, c, d, e, f)

DECLARE_EVENT(ktap_image_event, IMAGE_PROTO, IMAGE_ARGS);
#ifdef CONFIG_TRACEPOINTS
DEFINE_TRACE(ktap_image_event, IMAGE_PROTO, IMAGE_ARGS);
#endif

static int pass_set(const char *text, const struct kernel_param *kp)
{
	unsigned long a, b, c, d, e, f;

	if (sscanf(text, "%lx %lx %lx %lx %lx %lx", &a, &b, &c, &d, &e, &f) != 6)
		return -EINVAL;
	ktap_image_args(a, b, c, d, e, f);
	trace_ktap_image_event(a, b, c, d, e, f);
	return 0;
}

static const struct kernel_param_ops pass_ops = {
	.set = pass_set,
};

module_param_cb(pass, &pass_ops, NULL, 0200);
MODULE_PARM_DESC(pass, "six numbers in hexadecimal");

/* Short strings, and long ones: the same as in fuzz/memory.c, in user space. */
static u8 image_byte(u32 i)
{
	return i % (i & 4096 ? 1021 : 61) == 60 ? 0 : i * 2654435761U >> 24 | 1;
}

static void fill(u8 *to)
{
	u32 i;

	for (i = 0; i < IMAGE_SIZE; i++)
		to[i] = image_byte(i);
}

static int __init ktap_image_init(void)
{
	u8 *to = vmalloc(IMAGE_SIZE);

	if (!to)
		return -ENOMEM;
	fill(to);
	image = (ulong)to;
	return 0;
}

static void __exit ktap_image_exit(void)
{
	vfree((void *)image);
}

module_init(ktap_image_init);
module_exit(ktap_image_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("known memory for ktap's tests to read");
