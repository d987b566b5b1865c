# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Trees that look like kernel sources. Sourced after lib.sh.

# small TREE: what a tree has that scripts/graft looks at
small()
{
	mkdir -p "$1/kernel" "$1/drivers/base"
	: >"$1/Kbuild"
	: >"$1/kernel/kprobes.c"
	printf '# comment\nVERSION = 6\nPATCHLEVEL = 12\nSUBLEVEL = 1\n' >"$1/Makefile"
	printf 'menu "Device Drivers"\n\nsource "drivers/base/Kconfig"\n\nendmenu\n' >"$1/drivers/Kconfig"
	printf '# drivers\nobj-y\t\t\t\t+= base/\nobj-y += bus/\n' >"$1/drivers/Makefile"
	chmod 640 "$1/drivers/Makefile"
}
