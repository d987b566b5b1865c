#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Variables by name in programs: corpus/vars.c says what its variables are, built
# by both compilers, with and without optimisation, of both architectures.
# With FULL=1 in more ways.

. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# built KERNEL NAME COMPILER FLAGS...: builds it, prints the path.
built()
{
	local kernel=$1 dir=$WORK/corpus out cc
	local -a target=()

	cc=$3
	if is_arm64 "$kernel"; then
		dir+=-arm64
		[ "$cc" = gcc ] && cc=aarch64-linux-gnu-gcc
		[ "$cc" = clang ] && target=(--target=aarch64-linux-gnu)
	fi
	out=$dir/$2
	mkdir -p "$dir"
	(cd "$E2E/corpus" &&
		"$cc" "${target[@]}" -std=gnu11 -Wall -Wextra -Werror -g \
			-Wno-shadow "${@:4}" -static -o "$out" vars.c >&2) || return
	echo "$out"
}

ways()
{
	local cc

	for cc in gcc clang; do
		echo "$cc-O0 $cc -O0 -gdwarf-5"
		echo "$cc-O2 $cc -O2 -gdwarf-5"
		[ -n "${FULL:-}" ] || continue
		echo "$cc-O1 $cc -O1 -gdwarf-5"
		echo "$cc-Os $cc -Os -gdwarf-5"
		echo "$cc-O2-4 $cc -O2 -gdwarf-4"
		echo "$cc-O0-4 $cc -O0 -gdwarf-4"
	done
}

for kernel in $(kernels debian-6.1 debian-6.12-arm64); do
	adds=()
	while read -ra way; do
		path=$(built "$kernel" "${way[@]}")
		[ -n "$path" ] || die "cannot build ${way[*]}"
		adds+=(--add "$path:/root/corpus/${way[0]}")
	done < <(ways)
	guest "$kernel" "${adds[@]}" --add "$E2E/corpus/vars.c" -- names.guest
done
finish
