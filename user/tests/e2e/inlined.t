#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Functions that were inlined, in prog/inlined.c: all copies are one event, and
# 'ktap list -v' says how each came to be where it is.

. "${BASH_SOURCE[0]%/*}/lib.sh"

for kernel in $(kernels debian-6.1); do
	command=gcc
	! is_arm64 "$kernel" || command=aarch64-linux-gnu-gcc
	"$command" -std=gnu11 -Wall -Wextra -Werror -g -O1 -static \
		-o "$WORK/inlined" "$E2E/prog/inlined.c" || exit 1
	guest "$kernel" --add "$WORK/inlined" --add "$E2E/prog/inlined.c" -- \
		inlined.guest
done
finish
