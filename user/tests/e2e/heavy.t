#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The dearest program that is allowed, on a function that every CPU calls all
# the time with interrupts off: the machine goes on, and is rid of it soon.

. "${BASH_SOURCE[0]%/*}/lib.sh"

for kernel in $(kernels debian-6.1 debian-6.12); do
	guest "$kernel" --smp 2 --add "$(program calls "$kernel")" -- heavy.guest
done
finish
