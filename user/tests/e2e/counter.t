#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# $perf(): counters of perf, compared with getrusage() and /proc/stat; where there is no such
# counter; CPUs that go and come; and that no event of perf is left behind.

. "${BASH_SOURCE[0]%/*}/lib.sh"

for kernel in $(kernels debian-6.12 debian-6.12-arm64 bare debug); do
	guest "$kernel" --smp 2 --add "$(program pages "$kernel")" -- counter.guest
done
finish
