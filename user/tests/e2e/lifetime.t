#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Nothing stays armed and nothing stays held: killed tools, an unloaded module
# under fire, signals, time limits, readers that leave.

. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

for kernel in $(kernels debian-6.1 debian-6.12 debian-6.1-arm64); do
	guest "$kernel" --smp 2 -- lifetime.guest 1000
done
# with sanitizers, under emulation, everything takes its time
for kernel in $(kernels debug); do
	guest "$kernel" --smp 2 -- lifetime.guest 10000
done
finish
