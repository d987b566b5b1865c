// SPDX-License-Identifier: GPL-2.0
/*
 * The suites of ktap that need a kernel with kprobes around them, in one module.
 * What is plain C is in pure/.
 */
#include <linux/module.h>

#include "hit/guard.h"
#include "suites.h"

/* There is nobody here from whom to take a probe. */
void ktap_guard_tripped(const struct ktap_site *site)
{
}

kunit_test_suites(&ktap_memory_suite, &ktap_ring_nest_suite, &ktap_probe_suite,
		  &ktap_return_suite, &ktap_calls_suite);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("KUnit tests of ktap");
