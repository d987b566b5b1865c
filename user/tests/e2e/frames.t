#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Values at the entry of the function that a probe is in, kept by the probe's
# companion: uraw probes itself and our module.

. "${BASH_SOURCE[0]%/*}/lib.sh"

# frames KERNEL ATTEMPT...
frames()
{
	local kernel=$1
	local -a options=()

	shift
	[ "$kernel" != debug ] || options=(--leaks)
	guest "$kernel" --smp 2 "${options[@]}" \
		--module "$(target_module "$kernel")" \
		--add "$(build_uraw "$kernel")" -- frames.guest "$@"
}

for kernel in $(kernels debian-6.1 debian-6.12 bare-uprobes debian-6.1-arm64 \
	debian-6.12-arm64 debug); do
	frames "$kernel" frames kframes
done
for kernel in $(kernels bare); do
	frames "$kernel" kframes
done
finish
