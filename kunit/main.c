// SPDX-License-Identifier: GPL-2.0
/* Module with the suites that need kprobes. The suites of plain C code are in pure/. */
#include <linux/module.h>

#include "hit/guard.h"
#include "suites.h"

/* Stub: the suites have no probe that could be disarmed. */
void ktap_guard_tripped(const struct ktap_site *site)
{
}

/* kunit.py takes a suite without tests for an error. */
#ifdef CONFIG_UNWINDER_ORC
kunit_test_suites(&ktap_memory_suite, &ktap_ring_nest_suite, &ktap_probe_suite,
		  &ktap_return_suite, &ktap_shared_suite, &ktap_calls_suite, &ktap_tree_suite,
		  &ktap_orc_suite);
#elif defined(CONFIG_ARM64)
kunit_test_suites(&ktap_memory_suite, &ktap_ring_nest_suite, &ktap_probe_suite,
		  &ktap_return_suite, &ktap_shared_suite, &ktap_calls_suite, &ktap_tree_suite,
		  &ktap_records_suite);
#else
kunit_test_suites(&ktap_memory_suite, &ktap_ring_nest_suite, &ktap_probe_suite,
		  &ktap_return_suite, &ktap_shared_suite, &ktap_calls_suite, &ktap_tree_suite);
#endif

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("KUnit tests of ktap");
