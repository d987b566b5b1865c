#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# 'ktap record' keeps up with a task that hits as fast as it can, at the default
# size of the ring. Under --icount, so that it does not depend on this machine;
# on two processors, and beside peers, it is scripts/bench/way-out's to say.

. "${BASH_SOURCE[0]%/*}/lib.sh"

for kernel in $(kernels debian-6.1 debian-6.12); do
	gcc -D_GNU_SOURCE -O2 -static -o "$WORK/burst" "$TOP/scripts/bench/burst.c"
	guest "$kernel" --icount --mem 1024 --add "$WORK/burst" -- way-out.guest
done
finish
