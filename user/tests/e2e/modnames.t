#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Variables by name in modules: names_mod/ has the program of the corpus, which says
# what its variables are, as a part of a module. With KTAP_FULL=1 at every level of
# optimisation, else at -O2.

# shellcheck disable=SC2317 # 'check' calls functions
. "${BASH_SOURCE[0]%/*}/lib.sh"

# names_module KERNEL LEVEL: builds it, prints the path.
names_module()
{
	"$TOP/scripts/make" names-module KERNEL="$1" LEVEL="$2" WERROR=1 || return
	echo "$TOP/build/names/$1-$2/ktap_names_$2.ko"
}

# other_build KERNEL FILE: a copy that says it is of another build
other_build()
{
	local note=$WORK/note tool=objcopy

	! is_arm64 "$1" || tool=aarch64-linux-gnu-objcopy
	$tool --dump-section ".note.gnu.build-id=$note" "$2" "$WORK/same.ko" &&
		printf '\xff\xfe' |
		dd of="$note" bs=1 seek=20 conv=notrunc status=none &&
		$tool --update-section ".note.gnu.build-id=$note" "$2" \
			"$WORK/other.ko"
}

levels=(O2)
[ -z "${KTAP_FULL:-}" ] || levels=(O0 O1 O2 Os)

# with_modules KERNEL: boots it with them, and their source.
with_modules()
{
	local level path options=()

	for level in "${levels[@]}"; do
		path=$(names_module "$1" "$level")
		check "$1: $level: the module is built" [ -n "$path" ]
		options+=(--module "$path")
	done
	check "$1: a copy of another build" other_build "$1" "${options[1]}"
	guest "$1" "${options[@]}" --add "$WORK/other.ko" --add "$E2E/corpus/vars.c" \
		--add "$E2E/corpus/far.c" --add "$E2E/known.sh" \
		--add "$E2E/names_mod/main.c" -- modnames.guest "${levels[@]}"
}

# twin_line a|b: where it is in that file
twin_line()
{
	grep -n 'long names_twin' "$E2E/names_mod/twin_$1.c" | cut -d: -f1
}

# offline KERNEL REGISTER: a file alone, of a module that is loaded nowhere
offline()
{
	local file

	file=$(names_module "$1" O2)
	run "$KTAP" add -n --format=kprobe_events -m "$file" \
		names_call_b n
	is "$1: a parameter" "$status,$err,$out" \
		"0,,p:kprobes/names_call_b ktap_names_O2:names_call_b+0 n=$2:s64"
	run "$KTAP" add -n -m "$file" names_twin in_a
	is "$1: a name that two functions have" "$status,$(tail -n 1 "$WORK/err" |
		sed 's:@[^ ]*/:@:g')" "2,  ^~~~~~~~~~  write which one: \
ktap_names_O2:names_twin@twin_a.c (line $(twin_line a)), \
ktap_names_O2:names_twin@twin_b.c (line $(twin_line b))"
	run "$KTAP" add -n -m "$file" names_twin@twin_b.c in_b
	is "$1: one of them by its file" "$status,$out,$err" \
		"0,names_twin=ktap_names_O2:names_twin@twin_b.c in_b=in_b,"
	run "$KTAP" vars -m "$file" names_early:1
	like "$1: variables, also of initialisation" "$status,$out" \
		"param +int given +$2\$"
	run "$KTAP" line -m "$file" names_early
	like "$1: lines" "$status,$out" '^0,names_early, .*/main\.c:[0-9]+$'
	run "$KTAP" funcs -v -m "$file" 'in_inl*'
	is "$1: functions without code" "$status,$out" \
		'0,in_inlined (only inlined: 2)'
	run "$KTAP" funcs -m "$file" 'names_call_?'
	is "$1: functions" "$status,$out" $'0,names_call_a\nnames_call_b'
}

# lines KERNEL: what the kernel's own lines can say of such a file
lines()
{
	local file vmlinux

	file=$(names_module "$1" O2)
	run "$KTAP" add -n --format=kprobe_events -m "$file" names_main last.at.x
	is "$1: a line with a variable" "$status,$out,$err" \
		"2,,ktap: the argument 'x' cannot be written in the kernel's syntax: only with -k VMLINUX can ktap see whether the kernel has that name, too
  names_main last.at.x
             ^~~~~~~~~"
	run "$KTAP" add -n --format=kprobe_events -m "$file" names_twin@twin_b.c
	is "$1: a line of one of two functions" "$status,$out,$err" \
		"2,,ktap: the kernel's syntax cannot express a function of a module that is not there, whose name others have
  names_twin@twin_b.c
  ^~~~~~~~~~~~~~~~~~~"
	if ! "$TOP/scripts/kernels" get "$1" --debuginfo >"$WORK/get" 2>&1; then
		note "$WORK/get"
		skip "$1: lines with its kernel" "it could not be had"
		return
	fi
	vmlinux=$("$TOP/scripts/kernels" path "$1" vmlinux)
	run "$KTAP" add -n --format=kprobe_events -k "$vmlinux" -m "$file" names_main last.at.x
	is "$1: with its kernel it is known that no other has the name" "$status,$err,$out" \
		"0,,p:kprobes/names_main ktap_names_O2:names_main+0 x=@last+16:s32"
	run "$KTAP" add -n --format=kprobe_events -k "$vmlinux" -m "$file" \
		names_call_b names_kept
	is "$1: a variable that has a twin" "$status,$out,$err" \
		"2,,ktap: the argument 'names_kept' cannot be written in the kernel's syntax: other functions have its name, and a line there cannot say which one is meant
  names_call_b names_kept
               ^~~~~~~~~~"
}

KTAP=$(host_ktap) || exit 1
# DEBUG_NOT_MODULE
run "$KTAP" add -n -m "$KTAP" main
is "a program is no module" "$status,$err" \
	"2,ktap: '$KTAP' is not a module of the kernel"
run "$KTAP" add -n -x "$KTAP" -m x main
is "a module is no program" "$status,$err" \
	"2,ktap: options '-x' and '-m' exclude each other"
run "$KTAP" vars -x "$KTAP" -m x main
is "nor where variables are shown" "$status,$err" \
	"2,ktap: options '-x' and '-m' exclude each other"
for kernel in $(kernels debian-6.1); do
	offline "$kernel" %di
	lines "$kernel"
done
for kernel in $(kernels debian-6.12-arm64); do
	offline "$kernel" %x0
	lines "$kernel"
done
for kernel in $(kernels debian-6.1 debian-6.12-arm64); do
	with_modules "$kernel"
done
finish
