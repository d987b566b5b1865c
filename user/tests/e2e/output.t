#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Where a recording goes: files that are there already, traps in directories
# where everybody may create files, pipes that are read while it is made.

. "${BASH_SOURCE[0]%/*}/lib.sh"

for kernel in $(kernels debian-6.1); do
	guest "$kernel" --module "$(target_module "$kernel")" \
		--add "$(program pty "$kernel")" -- output.guest
done
finish
