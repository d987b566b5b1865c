#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# store(), $load() and $take(): values that one probe stores for another, on one CPU and
# on several at once, in interrupts, and in a table that is too small.

. "${BASH_SOURCE[0]%/*}/lib.sh"

for kernel in $(kernels debian-6.1 debian-6.12-arm64 debug); do
	for smp in 1 4; do
		guest "$kernel" --smp $smp --add "$(program calls "$kernel")" -- \
			state.guest
	done
done
finish
