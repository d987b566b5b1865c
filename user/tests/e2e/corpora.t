#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What fuzzing found worth keeping, once more: each target over its inputs in
# user/tests/corpora, which 'scripts/fuzz --keep' made. No machine is booted.

. "${BASH_SOURCE[0]%/*}/lib.sh"

SAN=$TOP/build/$(uname -m)/san

# replay TARGET FILE: all of its inputs
# shellcheck disable=SC2317 # called by name
replay()
{
	mkdir -p "$WORK/$1" &&
		tar -C "$WORK/$1" -xf "$2" &&
		[ -n "$(ls "$WORK/$1")" ] &&
		find "$WORK/$1" -type f -exec "$SAN/fuzz_$1" {} +
}

check "the targets are built" "$TOP/scripts/make" fuzz-targets
for source in "$TOP"/user/tests/fuzz_*.c; do
	name=$(basename "$source" .c)
	name=${name#fuzz_}
	case $name in
	*_test | main | random) continue ;;
	esac
	check "$name: every input that was kept" \
		replay "$name" "$TOP/user/tests/corpora/$name.tar.xz"
done
finish
