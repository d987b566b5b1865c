#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Who may do what: capabilities one by one, and what is hidden without them.

. "${BASH_SOURCE[0]%/*}/lib.sh"

for kernel in $(kernels debian-6.1 debian-6.12-arm64); do
	guest "$kernel" --add "$(program onlycaps "$kernel")" -- access.guest
done
finish
