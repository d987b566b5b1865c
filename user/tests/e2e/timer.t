#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Timers: rate, registers of what they interrupt, CPU hotplug, and limits.

. "${BASH_SOURCE[0]%/*}/lib.sh"

for kernel in $(kernels debian-6.1 debian-6.12-arm64 debug); do
	guest "$kernel" --smp 2 --add "$(program spin "$kernel")" -- timer.guest
done
finish
