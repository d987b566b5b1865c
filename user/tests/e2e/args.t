#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Arguments beyond single values: types, arrays, variables, expressions; and
# filters, which decide what is recorded at all.

. "${BASH_SOURCE[0]%/*}/lib.sh"

for kernel in $(kernels debian-6.1 debian-6.12 bare debian-6.1-arm64 \
	debian-6.12-arm64); do
	guest "$kernel" --add "$(program openstr "$kernel")" \
		--add "$(program seek "$kernel")" -- args.guest
done
finish
