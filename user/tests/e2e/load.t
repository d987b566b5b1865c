#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Definitions in files: what is accepted, what an error leaves behind, and that
# 'list --definitions' gives back what was loaded.

. "${BASH_SOURCE[0]%/*}/lib.sh"

for kernel in $(kernels debian-6.1 debian-6.12-arm64); do
	guest "$kernel" -- load.guest
done
finish
