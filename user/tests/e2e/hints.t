#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Lines of other tools, and slips: each is answered with the line to type instead,
# which works, or with the reason why there is none.

. "${BASH_SOURCE[0]%/*}/lib.sh"

for kernel in $(kernels debian-6.1); do
	guest "$kernel" --add "$(program openstr "$kernel")" -- hints.guest
done
finish
