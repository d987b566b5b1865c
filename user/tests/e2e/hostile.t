#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Input that nobody means well with: what is said of it fits onto a screen.

# shellcheck disable=SC2154 # 'run' sets what is looked at
. "${BASH_SOURCE[0]%/*}/lib.sh"

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

# --- names that steer the terminal: in symbols, paths, debug information,
# source, recordings

ESC=$(printf '\033')
cp "$E2E/hostile/evil.c" "$WORK/evil_src.c"
(cd "$WORK" && gcc -g -O1 -static -gz=none -o evil evil_src.c) || exit 1
sed -i "s/evil_/e${ESC}[1m/g" "$WORK/evil" "$WORK/evil_src.c"
mv "$WORK/evil_src.c" "$WORK/e${ESC}[1msrc.c"
for name in forge arrays; do
	gcc -std=gnu11 -D_GNU_SOURCE -Wall -Werror -I"$TOP/user" \
		-I"$TOP/include/uapi" -o "$WORK/$name" "$E2E/hostile/$name.c" \
		"$TOP/build/$(uname -m)/libktap.a" -lxxhash -lbpf -liberty || exit 1
done
"$WORK/forge" "$WORK/forged" || exit 1

# harmless WHAT PATTERN WORD...: what ktap says of WORD... contains PATTERN,
# and nothing in it that steers.
harmless()
{
	local what=$1 pattern=$2

	shift 2
	run "$KTAP" "$@"
	like "$what: it is told" "$out$err" "$pattern"
	# bytes, whatever the locale makes of them
	check "$what: nothing steers" \
		awk '/[\001-\010\013-\037]/ { print; bad = 1 } END { exit bad }' \
		"$WORK/out" "$WORK/err"
}

harmless "vars: names and types" 'struct e\\033\[1ms e\\033\[1ml' \
	vars -x "$WORK/evil" main
harmless "vars: a path" 'e\\033\[1msrc\.c:' vars -x "$WORK/evil" main
# where evil_inl() is inlined; the last lines that are a caller's
harmless "vars: a function that was inlined" 'in e\\033\[1minl, inlined into' \
	vars -x "$WORK/evil" "e${ESC}[1msrc.c:18"
harmless "line: source and a path" '/\* e\\033\[1mcomment \*/' \
	line -x "$WORK/evil" "e${ESC}[1msrc.c:10-20"
rm "$WORK/e${ESC}[1msrc.c"
harmless "line: a path without source" 'e\\033\[1msrc\.c:[0-9]+$' \
	line -x "$WORK/evil" main
harmless "funcs -v: what is only inlined" '^e\\033\[1minl \(only inlined' \
	funcs -v -x "$WORK/evil" 'e*'
harmless "script -v: the name of an event" '^\\033\[1mevilevent ' \
	script -v -i "$WORK/forged"

# --- a recording that would take much more memory than it is long

"$WORK/arrays" "$WORK/large" || exit 1
check "arrays without records: a small recording" [ "$(stat -c %s "$WORK/large")" -lt 200000 ]
for verb in script report; do
	run bash -c 'ulimit -v 400000 && exec "$@"' - "$KTAP" "$verb" -i "$WORK/large"
	is "arrays without records: $verb takes little memory" "$status,$err" "0,"
done
finish
