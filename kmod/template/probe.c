// SPDX-License-Identifier: GPL-2.0
/*
 * The template of a probe module. "ktap module" makes a probe module of it without a
 * compiler: it puts an image in place of the one below and changes the name of the module.
 */
#include <linux/err.h>
#include <linux/module.h>

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

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("ktap: probes of their own");
