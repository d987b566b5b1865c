#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# ktap mark: texts of scripts in all sessions that record, in the order of time; which
# sessions get them, what is lost of them, and that they are no hits.

# shellcheck disable=SC2016,SC2154,SC2317 # definitions; set by "run"; called by "check"
. "${BASH_SOURCE[0]%/*}/lib.sh"

KTAP=$(host_ktap) || exit 1

# refused DESCRIPTION MESSAGE WORD...: on a machine without the module
refused()
{
	local what=$1 message=$2

	shift 2
	run "$KTAP" mark "$@"
	is "$what" "$status,$out,$err" "2,,$message"
}

LONG=$(printf '%256s' "" | tr ' ' x)
SIZE="ktap: the text of the mark has 256 bytes, and the maximum is 255
  write several marks; 'ktap mark -' makes one of each line"

refused "no text" "ktap: missing: a text"
# MARK_EMPTY
refused "an empty text" "ktap: a mark needs text" ""
# MARK_SIZE
refused "a text that is too long" "$SIZE" "$LONG"
refused "words that are too long together" "$SIZE" a "${LONG:2}"
refused "an unknown option" "ktap: unknown option '--json'
  'ktap mark --help' lists the options" --json text
run "$KTAP" mark - <<<"$LONG"
is "a line that is too long" "$status,$out,$err" "2,,${SIZE/ktap:/ktap: standard input:1:}"
# MARK_NUL
run "$KTAP" mark - < <(printf '\n\nab\0c\n')
is "a line with a NUL" "$status,$out,$err" \
	"2,,ktap: standard input:3: byte 3 of the text is NUL, which a mark cannot contain"
run "$KTAP" mark - </dev/null
is "no lines are no marks" "$status,$out,$err" "0,,"
run "$KTAP" mark - </
is "what cannot be read" "$status,$out,$err" \
	"1,,ktap: cannot read 'standard input': Is a directory"

# one: makes a module of a probe, with the template that has no debug information
one()
{
	templates "$1" "$WORK" || return
	"$KTAP" module -q -o "$WORK/one.ko" --template "$WORK/ktap-probe.ko" \
		-k "$(vmlinux "$1")" \
		'seeks=null_lseek n=$arg2:u64'
}

for kernel in $(kernels debian-6.12 debian-6.1-arm64 debug); do
	extra=()
	if "$TOP/scripts/kernels" path "$kernel" vmlinux >/dev/null 2>&1; then
		check "$kernel: a probe module is made" one "$kernel"
		extra=(--add "$WORK/one.ko")
	fi
	guest "$kernel" --smp 2 --add "$(program calls "$kernel")" \
		${extra[@]+"${extra[@]}"} -- mark.guest
done
finish
