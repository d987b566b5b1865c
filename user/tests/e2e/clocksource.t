#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Clock sources whose reading is a function that can be probed: a hit that reads
# the time calls it, and that call must not become a hit of its own. The raw
# clock is then the TSC, or with an unstable one that clock source itself.

. "${BASH_SOURCE[0]%/*}/lib.sh"

for kernel in $(kernels debian-6.1 debian-6.12); do
	for append in "" tsc=unstable; do
		guest "$kernel" --smp 2 ${append:+--append "$append"} \
			--add "$(program clocks "$kernel")" -- clocksource.guest
	done
done
finish
