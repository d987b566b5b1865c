// SPDX-License-Identifier: GPL-2.0
/*
 * Where the code of ktap ends when it is built into the kernel: see
 * backend/place.c.
 */
#include "backend/place.h"

void ktap_text_end(void)
{
}
