#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Nothing stays armed and nothing stays held: killed tools, an unloaded module
# under fire, signals, time limits, readers that leave.

. "${BASH_SOURCE[0]%/*}/lib.sh"

for kernel in $(kernels debian-6.1 debian-6.12 debian-6.1-arm64); do
	case $kernel in
	# these kernels do not expedite grace periods (rcu_normal_after_boot)
	*-rt) limit=3000 ;;
	*) limit=1000 ;;
	esac
	guest "$kernel" --smp 2 -- lifetime.guest $limit
done
# with sanitizers, under emulation, everything takes its time
for kernel in $(kernels debug); do
	guest "$kernel" --smp 2 -- lifetime.guest 10000
done
finish
