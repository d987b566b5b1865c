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

/* not_loaded() - the module is not there, and how it may come. Return: @err. */
int not_loaded(int err, struct diag *d);

#endif /* KTAP_WIRE_LOADED_H */
