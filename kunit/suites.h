/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KTAP_KUNIT_SUITES_H
#define KTAP_KUNIT_SUITES_H

#include <kunit/test.h>

/* Missing in 6.1. */
#ifndef KUNIT_CASE_SLOW
#define KUNIT_CASE_SLOW(test) KUNIT_CASE(test)
#endif

extern struct kunit_suite ktap_memory_suite;
extern struct kunit_suite ktap_ring_nest_suite;
extern struct kunit_suite ktap_probe_suite;
extern struct kunit_suite ktap_return_suite;
extern struct kunit_suite ktap_shared_suite;
extern struct kunit_suite ktap_calls_suite;
extern struct kunit_suite ktap_tree_suite;
extern struct kunit_suite ktap_orc_suite;
extern struct kunit_suite ktap_records_suite;

#endif /* KTAP_KUNIT_SUITES_H */
