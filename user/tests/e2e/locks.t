#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Nobody waits for a hit that sleeps but who wants its probe changed: other
# commands, modules and CPUs go on. And many who change the same things at once
# come to an end, with nothing left.

. "${BASH_SOURCE[0]%/*}/lib.sh"

for kernel in $(kernels debian-6.1 debian-6.12 debug debian-6.12-arm64); do
	options=()
	# where the kernel can tell what was left, it is asked
	[ "$kernel" != debug ] || options=(--leaks)
	guest "$kernel" --smp 2 "${options[@]}" \
		--add "$(program late "$kernel")" \
		--add "$(program utarget "$kernel")" \
		--module "$(target_module "$kernel")" -- locks.guest "$kernel"
done
finish
