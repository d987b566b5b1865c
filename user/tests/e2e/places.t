#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Places of all kinds in the kernel: functions of modules, system calls with
# their arguments, patterns, several points of one event; and that the list of
# definitions gives back what it was made from.

. "${BASH_SOURCE[0]%/*}/lib.sh"

for kernel in $(kernels debian-6.1 debian-6.12 debian-6.12-arm64); do
	guest "$kernel" --smp 2 --module "$(target_module "$kernel")" \
		--add "$(program sixargs "$kernel")" -- places.guest
done
finish
