#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Kernel lockdown: raised while probes are armed, and there from the start.

. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

for kernel in $(kernels debian-6.1 debian-6.12); do
	guest "$kernel" -- lockdown.guest raised
	for mode in integrity confidentiality; do
		guest "$kernel" --append "lockdown=$mode" -- lockdown.guest "$mode"
	done
done
finish
