/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What Documentation/examples/orders.c needs of <sys/sdt.h>, for machines that
 * do not have the package systemtap-sdt-dev.
 */
#ifndef KTAP_TESTS_SYS_SDT_H
#define KTAP_TESTS_SYS_SDT_H

#include "../../../sdt.h"

/* An int and a long. */
#define DTRACE_PROBE2(provider, name, first, second)			\
	SDT_MARK(provider, name, SDT_NO_SEMAPHORE, "-4@%0 -8@%1",	\
		 "nor"(first), "nor"(second))

#endif /* KTAP_TESTS_SYS_SDT_H */
