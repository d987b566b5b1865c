#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What every kernel must give or refuse, in one boot of each: a check begins with
# the name of what it is about, and scripts/matrix makes a table of that.
#
# Those that no other test is run on by itself; KERNELS= may name any.

. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

for kernel in ${KERNELS:-debian-5.10 debian-7 debian-5.10-arm64 debian-6.12-rt}; do
	guest "$kernel" --smp 2 --add "$(program utarget "$kernel")" -- conform.guest
done
finish
