#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Returns: what functions of our module return and were called with, recursion,
# accounting of calls, probes that go while calls are pending; and where the
# kernel has kprobe_events, what that says of the same returns.

. "${BASH_SOURCE[0]%/*}/lib.sh"

for kernel in $(kernels debian-6.1 debian-6.12 bare bare-uprobes \
	debian-6.1-arm64 debian-6.12-arm64 debug); do
	options=()
	# pending calls, memory and locks: the slow kernel looks
	[ "$kernel" != debug ] || options=(--leaks)
	guest "$kernel" --smp 2 "${options[@]}" \
		--module "$(target_module "$kernel")" \
		--add "$(program blocker "$kernel")" -- return.guest
done
finish
