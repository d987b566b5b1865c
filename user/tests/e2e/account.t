#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Every hit is accounted for: under load on two CPUs, with a ring that is too
# small, in overwrite mode, for a scope, and after the sessions are gone.

. "${BASH_SOURCE[0]%/*}/lib.sh"

for kernel in $(kernels debian-6.1 debian-6.12 bare debian-6.12-arm64 debug); do
	hits=10000
	[ "$kernel" != debian-6.1 ] || hits=50000
	guest "$kernel" --smp 2 --add "$(program pty "$kernel")" -- account.guest $hits
done
finish
