#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Whose hits a session has: a command's and its descendants', a process's,
# everybody's; and those of ktap itself only when asked.

. "${BASH_SOURCE[0]%/*}/lib.sh"

for kernel in $(kernels debian-6.1 bare debian-6.12-arm64); do
	guest "$kernel" --add "$(program openers "$kernel")" -- scope.guest
done
finish
