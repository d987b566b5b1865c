#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Input that nobody means well with: what is said of it fits onto a screen.

# shellcheck disable=SC2154 # 'run' sets what is looked at
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

KTAP=$(host_ktap) || exit 1

# repeat N TEXT
repeat()
{
	printf "%${1}s" | sed "s/ /$2/g"
}

# marked: what stands above the caret in the second line
marked()
{
	local margin

	margin=$(sed -n 3p <<<"$err" | sed 's/^\( *\)^.*/\1/')
	sed -n 2p <<<"$err" | cut -c $((${#margin} + 1))-
}

# --- long lines: cut around the column

run "$KTAP" add -n "vfs_read $(repeat 3000 'a=1 ')"
is "a long definition: status" "$status,$out" "2,"
check "a long definition: a short error" [ ${#err} -lt 1500 ]
like "a long definition: cut behind" "$(sed -n 2p <<<"$err")" \
	'^  vfs_read a=1 a=1 .*\.\.\.$'

run "$KTAP" add -n "vfs_read $(repeat 300 '%di ')$(repeat 40 z)=1 $(repeat 300 '%si ')"
is "a name that is too long: status" "$status,$out" "2,"
check "a name that is too long: a short error" [ ${#err} -lt 1500 ]
like "a name that is too long: cut on both sides" "$(sed -n 2p <<<"$err")" \
	'^  \.\.\..*\.\.\.$'
like "a name that is too long: the caret is below it" "$(marked)" "^z{40}=1 %si "

run "$KTAP" add -n "$(repeat 100000 v)"
is "one word: status" "$status,$out" "2,"
check "one word: a short error" [ ${#err} -lt 2000 ]

run "$KTAP" add -n "vfs_read $(repeat 500 é)=1"
is "letters of two bytes: status" "$status,$out" "2,"
check "letters of two bytes: a short error" [ ${#err} -lt 1500 ]
check "letters of two bytes: none is cut in two" \
	iconv -f UTF-8 -t UTF-8 "$WORK/err"
finish
