#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# ktap's walk over the ORC tables of x86-64 finds what the kernel's unwinder finds: at
# entries and returns of functions, and in whatever timers interrupt.
# kernels: debian-6.1 debian-7 bare debug

. "${BASH_SOURCE[0]%/*}/lib.sh"

for kernel in $(kernels debian-6.1 debian-7 bare debug); do
	if is_arm64 "$kernel"; then
		skip "$kernel: walks over ORC tables" "this architecture has none"
	elif ! target_module "$kernel" >/dev/null; then
		result 1 "$kernel: the module is built"
	else
		guest "$kernel" --smp 2 \
			--module "$TOP/build/target/$kernel/ktap_walks.ko" -- walks.guest
	fi
done
finish
