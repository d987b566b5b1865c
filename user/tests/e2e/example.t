#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A program that uses the library alone: what 'make install-dev' installs builds the
# example of Documentation/examples, and that traces in a guest.
#
# shellcheck disable=SC2317 # 'check' calls functions

. "${BASH_SOURCE[0]%/*}/lib.sh"

DEV=$WORK/dev

libktap()
{
	PKG_CONFIG_PATH=$DEV/lib/pkgconfig pkg-config "$@" libktap
}

build_example()
{
	local flags

	flags=$(libktap --cflags --libs) || return
	# shellcheck disable=SC2086 # they are several words
	gcc -std=gnu11 -D_GNU_SOURCE -O1 -Wall -Wextra -Werror -Wno-unused-parameter \
		-o "$WORK/trace" "$TOP/Documentation/examples/trace.c" $flags
}

# Nothing but what was installed is in reach of the compiler, which compiles each by itself.
headers_compile()
{
	local flags

	flags=$(libktap --cflags) || return
	# shellcheck disable=SC2086 # they are several words
	find "$DEV/include/ktap" -name '*.h' -print0 |
		xargs -0 gcc -std=gnu11 -D_GNU_SOURCE -fsyntax-only $flags -x c
}

# Each function that the page calls stable is declared by a header.
promised()
{
	sed -n '/^\.Sh STABILITY/,/^\.Sh EXAMPLES/s/^\.Fn \([a-z_]*\).*/\1/p' \
		"$TOP/Documentation/libktap.3"
}

check "install-dev: installs" "$TOP/scripts/make" install-dev PREFIX="$DEV"
for file in lib/libktap.a lib/pkgconfig/libktap.pc include/ktap/define/define.h \
	include/ktap/linux/ktap.h; do
	check "install-dev: $file is there" [ -s "$DEV/$file" ]
done
is "install-dev: no header of the command or of tests" \
	"$(find "$DEV/include/ktap/cli" "$DEV/include/ktap/tests" -name '*.h' 2>&1 |
		grep -v 'No such file')" ""
check "install-dev: each header compiles by itself" headers_compile
check "libktap(3): promises something" [ -n "$(promised)" ]
for name in $(promised); do
	check "libktap(3): $name() is declared" \
		grep -rqE "[ *]$name\\(" "$DEV/include/ktap" --include='*.h'
done
check "the example builds" build_example
for kernel in $(kernels debian-6.1); do
	guest "$kernel" --add "$WORK/trace" -- example.guest
done
finish
