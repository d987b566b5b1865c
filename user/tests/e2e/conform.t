#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What every kernel must give or refuse, in one boot of each: a check begins with
# the name of what it is about, and scripts/matrix makes a table of that.
#
# Without KERNELS: those on which 'make check' runs few other tests, or none.

. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

for kernel in ${KERNELS:-debian-5.10 debian-6.1 debian-7 debian-5.10-arm64 debian-6.1-arm64 \
		debian-6.12-arm64 debian-6.12-rt bare bare-uprobes}; do
	guest "$kernel" --smp 2 --add "$(program utarget "$kernel")" \
		--add "$(program seek "$kernel")" -- conform.guest
done
finish
