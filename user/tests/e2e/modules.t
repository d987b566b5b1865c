#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Probes on a module that comes and goes: waited for, armed before its first
# function runs, taken off when it goes, never in the way of that.

. "${BASH_SOURCE[0]%/*}/lib.sh"

for kernel in $(kernels debug debian-6.1 debian-6.12 bare debian-6.12-arm64); do
	guest "$kernel" --module "$(target_module "$kernel")" -- \
		modules.guest
done
finish
