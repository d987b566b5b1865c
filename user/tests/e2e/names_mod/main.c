// SPDX-License-Identifier: GPL-2.0
/*
 * ktap_names_LEVEL: variables whose values are known. Reading
 * /sys/module/ktap_names_LEVEL/parameters/run calls all that can be probed, and
 * gives what the program of the corpus says meanwhile.
 */
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/smp.h>

#include "libc/stdio.h"
#include "twin.h"

static DEFINE_MUTEX(lock);
static char *said;
static size_t said_size;

int names_printf(const char *format, ...)
{
	va_list ap;
	int n;

	va_start(ap, format);
	n = vscnprintf(said + said_size, PAGE_SIZE - said_size, format, ap);
	va_end(ap);
	said_size += n;
	return n;
}

/* ---- of each CPU ------------------------------------------------------------ */

static DEFINE_PER_CPU(long, names_of_cpu);
DEFINE_PER_CPU(int, names_other_of_cpu);

/* 1000 and the number of the CPU that runs it. */
static noinline long names_on_cpu(void)
{
	int cpu = get_cpu();

	this_cpu_write(names_of_cpu, 1000 + cpu);
	this_cpu_write(names_other_of_cpu, 0);
	barrier();
	names_printf("cpu: %d\n", cpu); /* PROBE cpu: value=names_of_cpu */
	put_cpu();
	return cpu;
}

/* ---- while the module is loaded -------------------------------------------- */

static int names_at_start __initdata = 33;

int __init names_early(int given);
noinline int __init names_early(int given)
{
	return given + names_at_start;
}

/* ---- calling ------------------------------------------------------------------ */

static int run_get(char *buffer, const struct kernel_param *kp)
{
	char name[] = "names", *words[] = { name, NULL };

	mutex_lock(&lock);
	said = buffer;
	said_size = 0;
	names_main(1, words);
	names_call_a(1);
	names_call_b(2);
	names_on_cpu();
	mutex_unlock(&lock);
	return said_size;
}

static const struct kernel_param_ops run_ops = {
	.get = run_get,
};

module_param_cb(run, &run_ops, NULL, 0400);
MODULE_PARM_DESC(run, "read: call all that can be probed");

static int __init names_init(void)
{
	return names_early(5) == 38 ? 0 : -EINVAL;
}

static void __exit names_exit(void)
{
}

module_init(names_init);
module_exit(names_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("variables for ktap's tests to name");
