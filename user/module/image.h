/* SPDX-License-Identifier: GPL-2.0 */
/* The image of a probe module: a bundle as ktap.ko reads it. */
#ifndef KTAP_MODULE_IMAGE_H
#define KTAP_MODULE_IMAGE_H

#include <stddef.h>

#include "base/diag.h"
#include "bundle/bundle.h"

/**
 * image_make() - turn a bundle into the image of a probe module
 * @b: bundle, for one kernel at most
 * @d: on failure
 * @ret: bytes of the image (include/uapi/linux/ktap_image.h); malloc'ed
 * @size: how many
 *
 * The image has the parameters of @b, in their order.
 *
 * Return: 0; -EINVAL for a bundle that has what a probe module cannot have; -ENOMEM.
 */
int image_make(const struct bundle *b, struct diag *d, void **ret, size_t *size);

#endif /* KTAP_MODULE_IMAGE_H */
