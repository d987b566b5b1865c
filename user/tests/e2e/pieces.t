#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Structures that are in registers, and of which a part is nowhere, in
# prog/pieces.c, optimised by both compilers.

. "${BASH_SOURCE[0]%/*}/lib.sh"

for kernel in $(kernels debian-6.1 debian-6.12-arm64); do
	adds=()
	for cc in gcc clang; do
		out=$WORK/$kernel-$cc command=("$cc")
		if is_arm64 "$kernel"; then
			[ "$cc" = gcc ] && command=(aarch64-linux-gnu-gcc)
			[ "$cc" = clang ] && command+=(--target=aarch64-linux-gnu)
		fi
		"${command[@]}" -std=gnu11 -Wall -Wextra -Werror -g -O2 -static \
			-o "$out" "$E2E/prog/pieces.c" || die "cannot build with $cc"
		adds+=(--add "$out:/root/$cc")
	done
	guest "$kernel" "${adds[@]}" --add "$E2E/prog/pieces.c" -- pieces.guest
done
finish
