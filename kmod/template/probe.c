// SPDX-License-Identifier: GPL-2.0
/*
 * The template of a probe module. "ktap module" makes a probe module of it without a
 * compiler: it puts an image in place of the one below and changes the name of the module.
 */
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/moduleparam.h>

#include "core/image.h"

static struct ktap_image_params params;
static char *mode = "keep";
static struct ktap_image *image;

module_param(mode, charp, 0444);
MODULE_PARM_DESC(mode, "keep: lose the newest records if a ring is full; overwrite: the oldest");
module_param_named(ring_kb, params.ring_kb, uint, 0444);
MODULE_PARM_DESC(ring_kb, "KiB of the ring of each CPU, a power of two (1024)");
module_param_named(pid, params.pid, int, 0444);
MODULE_PARM_DESC(pid, "record this process and its descendants only");
module_param_named(rows, params.rows, uint, 0444);
MODULE_PARM_DESC(rows, "keys that each map has room for on each CPU (4096)");
module_param_named(tied, params.tied, bool, 0444);
MODULE_PARM_DESC(tied, "arm the probes when \"ktap run\" ties them to its descriptor (n)");

/* ---- parameters of the probes ----------------------------------------------------- */

/*
 * Their types are in the image, which is read later: ktap.ko refuses a value that does not
 * fit.
 */
static int slot_set(const char *text, const struct kernel_param *kp)
{
	struct ktap_image_slot *slot = kp->arg;
	s64 value;
	int err;

	slot->negative = *text == '-';
	if (slot->negative)
		err = kstrtos64(text, 0, &value);
	else
		err = kstrtou64(text, 0, &slot->value);
	if (!err && slot->negative)
		slot->value = value;
	slot->given = !err;
	return err;
}

static int slot_get(char *buffer, const struct kernel_param *kp)
{
	const struct ktap_image_slot *slot = kp->arg;
	u64 value = READ_ONCE(slot->value);

	switch (READ_ONCE(slot->kind)) {
	case KTAP_IMAGE_HEX:
		return scnprintf(buffer, PAGE_SIZE, "0x%llx\n", value);
	case KTAP_IMAGE_SIGNED:
		return scnprintf(buffer, PAGE_SIZE, "%lld\n", (s64)value);
	default:
		return scnprintf(buffer, PAGE_SIZE, "%llu\n", value);
	}
}

static const struct kernel_param_ops slot_ops = {
	.set = slot_set,
	.get = slot_get,
};

/*
 * "ktap module" changes the names of as many as the probes have, and lets sysfs show them.
 * It finds a name by its text, which has room for any, and the rest by the level, which
 * has no other meaning in a module.
 */
#define SLOT(nr) \
	__module_param_call("", ktap_parameter_slot_of_probe_##nr, &slot_ops, \
			    &params.slots[(nr) - 10], 0, KTAP_IMAGE_SLOT_LEVEL + (nr) - 10, 0)

SLOT(10);
SLOT(11);
SLOT(12);
SLOT(13);
SLOT(14);
SLOT(15);
SLOT(16);
SLOT(17);
SLOT(18);
SLOT(19);
SLOT(20);
SLOT(21);
SLOT(22);
SLOT(23);
SLOT(24);
SLOT(25);

/*
 * The only object of its section. It is not static and not constant, so that the compiler
 * reads it at run time.
 */
struct ktap_image_head ktap_image_bytes __section(KTAP_IMAGE_SECTION) __used = {
	.magic = KTAP_IMAGE_MAGIC,
	.version = KTAP_IMAGE_VERSION,
	.size = sizeof(ktap_image_bytes),
};

static int __init probe_init(void)
{
	params.overwrite = sysfs_streq(mode, "overwrite");
	if (!params.overwrite && !sysfs_streq(mode, "keep")) {
		pr_err("%s: mode=%s: it is keep or overwrite\n",
		       module_name(THIS_MODULE), mode);
		return -EINVAL;
	}
	image = ktap_image_start(THIS_MODULE, &ktap_image_bytes, &params);
	return PTR_ERR_OR_ZERO(image);
}

static void __exit probe_exit(void)
{
	ktap_image_stop(image);
}

module_init(probe_init);
module_exit(probe_exit);

#ifdef CONFIG_MODULE_SIG_HASH
/* "ktap module" signs with it, as the build of the kernel signs the modules of the kernel. */
MODULE_INFO(sign_hash, CONFIG_MODULE_SIG_HASH);
#endif
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("ktap: probes of their own");
