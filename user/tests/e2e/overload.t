#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A probe that takes too much of a CPU is disarmed, and that is said; one that
# does not is left alone.

. "${BASH_SOURCE[0]%/*}/lib.sh"

for kernel in $(kernels debian-6.1 debian-6.12 bare debian-6.12-arm64 debug); do
	guest "$kernel" --smp 2 \
		--add "$(program calls "$kernel")" -- overload.guest
done
finish
