#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Programs of Go, whose stacks a return probe would spoil: returns are seen at RET
# instructions instead.

. "${BASH_SOURCE[0]%/*}/lib.sh"

for kernel in $(kernels debian-6.1 debian-6.12-arm64); do
	guest "$kernel" --add "$(program golike "$kernel")" -- go.guest
done
finish
