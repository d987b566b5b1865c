#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Values: integers of every size and sign, strings that are hard to read,
# kernel memory, the stack; and where the kernel has kprobe_events, what that
# says of the same calls.

. "${BASH_SOURCE[0]%/*}/lib.sh"

for kernel in $(kernels debian-6.1 debian-6.12 bare debian-6.1-arm64 \
	debian-6.12-arm64); do
	guest "$kernel" --add "$(program openstr "$kernel")" \
		--add "$(program seek "$kernel")" -- values.guest
done
finish
