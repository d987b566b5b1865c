#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Every function that a kernel lets be probed, in batches. Where a machine has
# several clock sources, once with each: a hit that reads the time calls it.
# CLOCKS=hpet chooses.

. "${BASH_SOURCE[0]%/*}/lib.sh"

# every KERNEL [CLOCKSOURCE]
every()
{
	guest "$1" --smp 2 --mem 1536 --timeout 3600 -- every.guest "${2:-}"
}

if [ -n "${KTAP_FULL:-}${KERNELS:-}" ]; then
	for kernel in $(kernels debian-6.1 debian-6.12); do
		for clock in ${CLOCKS:-tsc hpet acpi_pm}; do
			every "$kernel" "$clock"
		done
	done
	for kernel in $(kernels debian-6.1-arm64 debian-6.12-arm64 debug); do
		every "$kernel"
	done
else
	skip "every function" "takes an hour: KTAP_FULL=1, or KERNELS=debian-6.1"
fi
finish
