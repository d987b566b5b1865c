#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What stands before a colon: a module, or a group of tracepoints; and what is none.

. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

for kernel in $(kernels debian-6.1 debian-6.12-arm64); do
	guest "$kernel" --add "$(program calls "$kernel")" \
		--module "$(target_module "$kernel")" -- groups.guest
done
finish
