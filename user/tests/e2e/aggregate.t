#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Hits that are added up by key in the kernel: count, sum, hist and stats, against what
# a recording of the same run says.

. "${BASH_SOURCE[0]%/*}/lib.sh"

for kernel in $(kernels debian-6.1 debian-6.12-arm64 debug); do
	guest "$kernel" --smp 4 --add "$(program calls "$kernel")" -- aggregate.guest
done
finish
