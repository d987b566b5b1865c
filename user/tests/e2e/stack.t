#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# $kstack: stacks of the kernel, compared with those that the kernel itself saves.
# kernels: debian-6.1 debian-6.12-arm64 debug

. "${BASH_SOURCE[0]%/*}/lib.sh"

for kernel in $(kernels debian-6.1 debian-6.12-arm64 debug); do
	if ! target_module "$kernel" >/dev/null; then
		result 1 "$kernel: the module is built"
		continue
	fi
	guest "$kernel" --smp 2 \
		--module "$TOP/build/target/$kernel/ktap_stack.ko" -- stack.guest
done
finish
