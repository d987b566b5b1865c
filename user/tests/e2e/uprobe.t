#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Probes in programs: what they show is what the program itself says of its
# arguments, return values, strings and USDT probes. Kernels without uprobes
# say what is missing.

. "${BASH_SOURCE[0]%/*}/lib.sh"

for kernel in $(kernels debian-6.1 debian-6.12 bare-uprobes debian-6.1-arm64 \
	debian-6.12-arm64); do
	guest "$kernel" --smp 4 --add "$(program utarget "$kernel")" \
		--add "$(program pending "$kernel")" -- uprobe.guest
done
for kernel in $(kernels bare); do
	guest "$kernel" --add "$(program utarget "$kernel")" -- uprobe-none.guest
done
finish
