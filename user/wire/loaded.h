/* SPDX-License-Identifier: GPL-2.0 */
/* What keeps the module out. */
#ifndef KTAP_WIRE_LOADED_H
#define KTAP_WIRE_LOADED_H

#include <stdbool.h>
#include <stddef.h>

#include "base/diag.h"

/**
 * lockdown_mode() - the kernel's lockdown
 * @ret: "none", "integrity", "confidentiality"
 * @size: of @ret
 *
 * Return: false where it cannot be seen.
 */
bool lockdown_mode(char *ret, size_t size);

/**
 * not_loaded() - record that the module is not loaded, and how to load it
 * @err: negative errno to return
 * @d: where; NULL is allowed
 *
 * The hint names modprobe. Under kernel lockdown it adds that ktap.ko must be signed.
 *
 * Return: @err.
 */
int not_loaded(int err, struct diag *d);

#endif /* KTAP_WIRE_LOADED_H */
