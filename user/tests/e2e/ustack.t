#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# $ustack: stacks of a program without frame pointers, compared with those that it takes
# itself. Kernels that cannot look up mappings at a hit say so.

. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

for kernel in $(kernels debian-6.1 debian-6.12 debian-6.12-arm64); do
	strip="strip"
	! is_arm64 "$kernel" || strip=aarch64-linux-gnu-strip
	named=$(program ustack "$kernel") || continue
	$strip -o "${named}_bare" "$named" || continue
	guest "$kernel" --smp 2 --add "$named" --add "${named}_bare" \
		--add "$(program remap "$kernel")" -- ustack.guest
done
for kernel in $(kernels debian-5.10); do
	guest "$kernel" -- ustack-none.guest
done
finish
