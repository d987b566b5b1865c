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
 * locked_down() - whether kernel lockdown is in force, in any mode
 * @mode: set to the mode if it is; cut if it does not fit
 * @size: of @mode
 *
 * Return: false also where it cannot be seen.
 */
bool locked_down(char *mode, size_t size);

/**
 * signatures_enforced() - whether this kernel refuses each module that is not signed
 *
 * Kernel lockdown, which refuses them too, is not considered here.
 *
 * Return: false where it cannot be seen.
 */
bool signatures_enforced(void);

/**
 * not_loaded() - record that the module is not loaded, and how to load it
 * @err: negative errno to return
 * @d: where; NULL is allowed
 *
 * The hint names modprobe. Where ktap.ko must be signed, it says so.
 *
 * Return: @err.
 */
int not_loaded(int err, struct diag *d);

#endif /* KTAP_WIRE_LOADED_H */
