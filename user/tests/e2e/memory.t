#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Memory: where there is little, ktap is refused what it asks for, with the size,
# and nobody is killed; what ktap status tells is true.

. "${BASH_SOURCE[0]%/*}/lib.sh"

check "nlraw is built" build_nlraw
for kernel in $(kernels debian-6.1 debian-6.12); do
	guest "$kernel" --smp 2 --mem 640 --add "$WORK/nlraw" \
		--add "$(program hog "$kernel")" -- memory.guest
done
finish
