#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What it costs to arm and disarm thousands of probes, by both hooks mixed, in
# guest time where one instruction is one nanosecond.

. "${BASH_SOURCE[0]%/*}/lib.sh"

for kernel in $(kernels debian-6.1 debian-6.12); do
	guest "$kernel" --icount --mem 1024 --add "$(program spent "$kernel")" \
		-- arming.guest
done
finish
