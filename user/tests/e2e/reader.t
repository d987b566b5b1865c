#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What it costs to show a hit live, in instructions of the reader, and how soon it is.

. "${BASH_SOURCE[0]%/*}/lib.sh"

for kernel in $(kernels debian-6.1 debian-6.12); do
	guest "$kernel" --icount --mem 1024 \
		--add "$(program reader "$kernel")" -- reader.guest
done
finish
