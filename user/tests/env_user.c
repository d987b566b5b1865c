// SPDX-License-Identifier: GPL-2.0
/* The made world in user space. */
#include "env_user.h"
#include "hit/ring.h"

#include "../../kunit/pure/world.c"

void ktap_ring_wake(struct ktap_ring *r)
{
	env_world.wakes++;
}
