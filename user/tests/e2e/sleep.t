#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Hits of user code that wait for memory: a userfaultfd gives it soon, late, or
# never. A hit waits for a while and keeps no CPU meanwhile.

. "${BASH_SOURCE[0]%/*}/lib.sh"

for kernel in $(kernels debian-6.1 debian-6.12 debian-6.12-arm64 debug); do
	guest "$kernel" --smp 2 --add "$(program late "$kernel")" -- sleep.guest
done
finish
