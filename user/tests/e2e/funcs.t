#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What 'ktap funcs' lists of programs and libraries that the compiler has just
# made, on this machine and for the other; nm is asked too.

# shellcheck disable=SC2317 # 'check' calls functions
. "${BASH_SOURCE[0]%/*}/lib.sh"

KTAP=$(host_ktap) || exit 1

# names_of FILE: functions as nm has them, less those with several addresses
names_of()
{
	nm --defined-only "$1" | awk '$2 ~ /^[tTwW]$/ { print $3 }' | sort |
		uniq -u
}

# listed_by_nm FILE LIST: everything that is listed is a function to nm
listed_by_nm()
{
	[ -s "$2" ] && [ -z "$(comm -23 <(sort "$2") <(names_of "$1"))" ]
}

for prefix in "" aarch64-linux-gnu-; do
	dir=$WORK/elf$prefix name=${prefix:-native-}
	if ! command -v "${prefix}gcc" >/dev/null; then
		skip "${name}programs" "no ${prefix}gcc"
		continue
	fi
	"$TOP/user/tests/elf/build" "$dir" "$prefix" || exit 1
	run "$KTAP" funcs -x "$dir/pie"
	is "${name}pie: status" "$status" 0
	like "${name}pie: a note on what is left out" "$err" \
		'^ktap: left out: 2 functions without a unique name$'
	cp "$WORK/out" "$WORK/list"
	check "${name}pie: all are functions to nm" \
		listed_by_nm "$dir/pie" "$WORK/list"
	like "${name}pie: a local function" "$out" '^local_function$'
	is "${name}pie: no twin" "$(grep -cx twin "$WORK/list")" 0
	run "$KTAP" add -n -x "$dir/pie" '[t]win'
	is "${name}pie: twins alone: a point for none" "$status,$err" \
		"2,ktap: no function of '$dir/pie' matches '[t]win'
  [t]win
  ^~~~~~  left out: 2 functions without a unique name: write an address"
	run "$KTAP" funcs -q -x "$dir/pie" 't*'
	is "${name}pie: a pattern, and no note" "$out,$err" "twin_of_other,"
	run "$KTAP" funcs -x "$dir/libktap-test.so.1" 'answer*'
	is "${name}lib: versions" "$out" "answer
answer@KTAP_1"
	run "$KTAP" add -n -v -x "$dir/libktap-test.so.1" 'answer*'
	is "${name}lib: a pattern probes each version" \
		"$(sed -n 's/.* at 0x[0-9a-f]* of .*, file //p' "$WORK/out" | sort -u | wc -l)" 2
	like "${name}lib: and names it" "$out" 'answer_1=answer@KTAP_1'
	run "$KTAP" funcs -x "$dir/libktap-test.so.1" --json answer
	address=$(nm -D "$dir/libktap-test.so.1" | sed -n 's/^0*\([0-9a-f]*\) T answer@@KTAP_2/\1/p')
	like "${name}lib: JSON" "$(head -n 1 "$WORK/out")" \
		"^\{\"v\":1,\"name\":\"answer\",\"version\":\"KTAP_2\",\"default\":true,\"address\":\"0x$address\",\"size\":[0-9]+\}\$"
	run "$KTAP" funcs -x "$dir/libktap-test.so.1" chosen
	is "${name}lib: what is chosen at run time is no function" \
		"$status,$out" "2,"
	run "$KTAP" funcs --sdt -x "$dir/pie" 'prog:[!m]*'
	is "${name}pie: marks" "$out" "sdt:prog:counted arg1:s32
sdt:prog:plain
sdt:prog:twice arg1:s32 (2 points)"
	run "$KTAP" funcs --sdt -x "$dir/pie" --json prog:twice
	is "${name}pie: marks as JSON" "$(grep -c '"provider":"prog","name":"twice","address":"0x[0-9a-f]*","args":\["%[a-z0-9]*:s32"\]' "$WORK/out")" 2
	run "$KTAP" funcs -x "$dir/pie" 'sdt:prog:pl*'
	is "${name}pie: marks as definitions name them" "$out" sdt:prog:plain
	run "$KTAP" funcs --sdt -x "$dir/pie" nothing
	is "${name}pie: no such mark" "$status,$err" \
		"2,ktap: no USDT probe of '$dir/pie' matches 'nothing'"
	run "$KTAP" funcs -x "$dir/pie" nothing
	is "${name}pie: no such function" "$status,$err" \
		"2,ktap: no function of '$dir/pie' matches 'nothing'"
	"${prefix}strip" -o "$dir/bare" "$dir/static"
	run "$KTAP" funcs -x "$dir/bare"
	is "${name}static, stripped: no symbols" "$status,$err" \
		"2,ktap: '$dir/bare' has no symbols: it was stripped"
	# a definition for another machine is made, not added
	run "$KTAP" add -n -x "$dir/pie" public_function
	is "${name}pie: a dry run" "$out" \
		"-x $dir/pie public_function=public_function"
done
cp "$dir/pie" "$WORK/a"$'\n'"b"
run "$KTAP" add -n -x "$WORK/a"$'\n'"b" public_function
is "a path with a new line in it" "$status,$err" \
	"2,ktap: the path '$WORK/a?b' has control characters, or is not UTF-8: a definition cannot name it
  a link with another name works"
cp "$dir/pie" "$WORK/prog"
is "a relative part of PATH makes no relative path" \
	"$(cd "$WORK" && PATH=.:$PATH "$KTAP" add -n -x prog public_function)" \
	"-x $WORK/prog public_function=public_function"
run "$KTAP" funcs --sdt
is "marks of the kernel" "$status,$err" \
	"2,ktap: missing: -x PATH, the program or library of the USDT probes"
run "$KTAP" funcs a b
is "two words" "$status,$err" "2,ktap: unexpected word 'b'"
for more in 'vfs_read+4' 'vfs_read%return' 'vfs_read a=%di' 'x=vfs_read'; do
	run "$KTAP" funcs "$more"
	is "more than a function: $more" "$status,$err" \
		"2,ktap: unexpected word '$more'"
done
run "$KTAP" funcs 'mem:x'
is "no function at all" "$status,$err" "2,ktap: unexpected word 'mem:x'"
finish
