#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Watchpoints on a word that a test module's parameter reads and writes.

. "${BASH_SOURCE[0]%/*}/lib.sh"

for kernel in $(kernels debian-6.1 debian-6.12 debug); do
	guest "$kernel" --smp 2 \
		--add "$(program calls "$kernel")" \
		--module "$(target_module "$kernel")" -- watch.guest
done
for kernel in $(kernels debian-6.12-arm64); do
	guest "$kernel" -- watch.guest none
done
finish
