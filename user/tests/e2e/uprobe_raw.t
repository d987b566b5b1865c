#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Probes of user code as the module has them, without the tool: uraw probes
# itself.

. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

ATTEMPTS=${ATTEMPTS:-"values memory refusals tasks scope many returns"}

# build_uraw KERNEL: prints the path.
# shellcheck disable=SC2317 # called in a substitution
build_uraw()
{
	local cc=gcc out=$WORK/uraw

	if is_arm64 "$1"; then
		cc=aarch64-linux-gnu-gcc
		out=$WORK/arm64/uraw
		mkdir -p "$WORK/arm64"
	fi
	[ -x "$out" ] ||
		$cc -std=gnu11 -D_GNU_SOURCE -O1 -g -Wall -Wextra -Werror \
			-Wno-missing-field-initializers -static -no-pie \
			-I"$TOP/include/uapi" -o "$out" \
			"$E2E"/uraw/*.c "$E2E"/tell/tell.c -pthread >&2 || return
	echo "$out"
}

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
