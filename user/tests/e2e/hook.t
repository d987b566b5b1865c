#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The ftrace hook: the same records as through a kprobe, exact accounting on
# four CPUs, and thousands of functions at once.

. "${BASH_SOURCE[0]%/*}/lib.sh"

for kernel in $(kernels debug debian-6.1 debian-6.12 debian-6.1-arm64 \
	debian-6.12-arm64); do
	guest "$kernel" --smp 4 \
		--module "$(target_module "$kernel")" -- hook.guest
done
for kernel in $(kernels debian-6.12); do
	guest "$kernel" --icount -- bulk.guest
done
finish
