#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What is different on a terminal: colour, progress, and a Ctrl-C that reaches
# the command as well.

. "${BASH_SOURCE[0]%/*}/lib.sh"

for kernel in $(kernels debian-6.1); do
	guest "$kernel" --add "$(program pty "$kernel")" -- terminal.guest
done
finish
