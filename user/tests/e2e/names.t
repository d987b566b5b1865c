#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Variables by name in programs: corpus/ says what its variables are, built by both
# compilers, with and without optimisation, of both architectures. With KTAP_FULL=1
# at all levels, in both versions of DWARF, with .dwo files, and with link-time
# optimisation.

. "${BASH_SOURCE[0]%/*}/lib.sh"

# built KERNEL NAME COMPILER FLAGS...: builds it; prints the path, and those of what
# has to lie beside it.
built()
{
	local kernel=$1 name=$2 cc=$3 dir=$WORK/corpus/$1/$2 unit
	local -a flags=("${@:4}")

	case $cc in
	gcc) ! is_arm64 "$kernel" || cc=aarch64-linux-gnu-gcc ;;
	clang) ! is_arm64 "$kernel" || flags+=(--target=aarch64-linux-gnu) ;;
	esac
	mkdir -p "$dir" && cd "$dir" || return
	for unit in vars far threads; do
		"$cc" -std=gnu11 -Wall -Wextra -Werror -g -Wno-shadow \
			-Wno-unused-command-line-argument "${flags[@]}" \
			-c -o "$name-$unit.o" "$E2E/corpus/$unit.c" >&2 || return
	done
	"$cc" "${flags[@]}" -static -o "$name" "$name"-*.o >&2 || return
	rm "$name"-*.o
	printf '%s\n' "$dir"/*
}

ways()
{
	local cc level version

	for cc in gcc clang; do
		echo "$cc-O0 $cc -O0 -gdwarf-5"
		echo "$cc-O2 $cc -O2 -gdwarf-5"
		[ -n "${KTAP_FULL:-}" ] || continue
		for level in 1 s; do
			echo "$cc-O$level $cc -O$level -gdwarf-5"
		done
		for level in 0 1 2 s; do
			echo "$cc-O$level-4 $cc -O$level -gdwarf-4"
		done
		for version in 4 5; do
			echo "$cc-O2-split-$version $cc -O2 -gdwarf-$version -gsplit-dwarf"
		done
		echo "$cc-O0-split $cc -O0 -gdwarf-5 -gsplit-dwarf"
	done
	[ -n "${KTAP_FULL:-}" ] || return 0
	echo "gcc-O2-lto gcc -O2 -flto"
	echo "clang-O2-lto clang -O2 -flto -fuse-ld=lld"
}

for kernel in $(kernels debian-6.1 debian-6.12-arm64); do
	adds=()
	while read -ra way; do
		made=$(built "$kernel" "${way[@]}")
		[ -n "$made" ] || exit 1
		for path in $made; do
			adds+=(--add "$path:/root/corpus/${path##*/}")
		done
	done < <(ways)
	guest "$kernel" "${adds[@]}" --add "$E2E/corpus/vars.c" \
		--add "$E2E/known.sh" \
		--add "$E2E/corpus/far.c" --add "$E2E/corpus/threads.c" -- names.guest
done
finish
