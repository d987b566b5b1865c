#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What is refused, with which words, under which column, and with which exit
# status. Messages are compared whole.

. "${BASH_SOURCE[0]%/*}/lib.sh"

for kernel in $(kernels debian-6.1 debian-6.12-arm64); do
	guest "$kernel" -- errors.guest
done

# Every error of the command and of the engine has its row, and every row its test.
while read -r row; do
	check "errors.def: $row is met by a test" \
		grep -qw -- "$row" "$E2E"/*.t "$E2E"/*.guest
done < <(sed -n 's/^DIAG(\([A-Z_]*\),.*/\1/p' "$TOP"/user/{define,cli,module}/errors.def)
finish
