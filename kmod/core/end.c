// SPDX-License-Identifier: GPL-2.0
/* End of ktap's code when it is built into the kernel: see backend/place.c. */
#include "backend/place.h"

void ktap_text_end(void)
{
}
