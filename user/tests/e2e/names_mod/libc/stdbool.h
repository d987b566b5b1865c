/* SPDX-License-Identifier: GPL-2.0 */
#include <linux/stddef.h>
#include <linux/types.h>
