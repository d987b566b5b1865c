#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Who hit: more tasks than a ring remembers take turns, and one changes its name.
# Each record has its task twice, once as the ring tells it and once as arguments.

. "${BASH_SOURCE[0]%/*}/lib.sh"

for kernel in $(kernels debian-6.1 debian-6.12 debian-6.12-arm64 debug); do
	guest "$kernel" --smp 2 -- tasks.guest
done
finish
