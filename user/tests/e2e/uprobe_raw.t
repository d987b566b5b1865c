#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Probes of user code as the module has them, without the tool: uraw probes
# itself.

. "${BASH_SOURCE[0]%/*}/lib.sh"

ATTEMPTS=${ATTEMPTS:-"values memory refusals tasks scope many returns"}

# raw KERNEL [OPTION...]
raw()
{
	local kernel=$1

	shift
	# shellcheck disable=SC2086 # a list
	guest "$kernel" --smp 4 "$@" --add "$(build_uraw "$kernel")" -- \
		uprobe_raw.guest $ATTEMPTS
}

for kernel in $(kernels debian-6.1 debian-6.12 bare-uprobes debian-6.1-arm64 \
	debian-6.12-arm64); do
	raw "$kernel"
done
for kernel in $(kernels bare); do
	ATTEMPTS=absent raw "$kernel"
done
for kernel in $(kernels debug); do
	raw "$kernel" --leaks
done
finish
