#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Every line that --json prints, of every command, against the schema in
# Documentation/: records and listings of test kernels, and of programs here.

# shellcheck disable=SC2016 # $arg1 is a word of ktap
. "${BASH_SOURCE[0]%/*}/lib.sh"

KTAP=$(host_ktap) || exit 1
SCHEMA=$TOP/Documentation/ktap-json.schema.json

# holds DESCRIPTION KIND FILE
holds()
{
	local status=0

	"$E2E/json/check" "$SCHEMA" "$2" <"$3" >"$WORK/bad" 2>&1 || status=1
	result $status "$1: $(wc -l <"$3") lines are '$2'"
	[ $status = 0 ] || head -n 20 "$WORK/bad" | cut -c 1-400 | sed 's/^/#   /'
}

# saw DESCRIPTION KIND FILE: what ktap printed, of which there has to be some
SEEN=
saw()
{
	[ ! -s "$3" ] || SEEN+=" $2 "
	holds "$@"
}

# kinds: those of the schema
kinds()
{
	jq -r '.anyOf[]."$ref" | split("/")[-1]' "$SCHEMA"
}

# in_guest KIND: whether guests print it
in_guest()
{
	grep -qE "\\b(as|json) $1 " "$E2E/json.guest"
}

# refuses DESCRIPTION KIND LINE: the check itself
refuses()
{
	local status=0

	"$E2E/json/check" "$SCHEMA" "$2" <<<"$3" >"$WORK/bad" 2>&1 || status=1
	is "the check refuses $1" "$status" 1
}

# here DESCRIPTION KIND WORD...: what ktap prints here
here()
{
	local what=$1 kind=$2

	shift 2
	"$KTAP" "$@" --json >"$WORK/lines"
	saw "$what" "$kind" "$WORK/lines"
}

# with_json: the commands that take --json, by their help
with_json()
{
	local command

	for command in $("$KTAP" help | sed -n 's/^  \([a-z]*\)  .*/\1/p'); do
		! "$KTAP" "$command" --help | grep -q -e ' --json' || echo "$command"
	done
}

LOST='{"v":1,"time":1.5,"cpu":0,"lost":3}'
holds "the check accepts what is right" lost <(echo "$LOST")
refuses "another version" lost "${LOST/\"v\":1/\"v\":2}"
refuses "no version" lost "${LOST/\"v\":1,/}"
refuses "a member that nobody knows" lost "${LOST/\}/,\"more\":1\}}"
refuses "a text for a number" lost "${LOST/:3/:\"3\"}"
refuses "another kind" hit "$LOST"
refuses "nothing" lost ""
HIT='{"v":1,"time":1.5,"cpu":0,"comm":"a","tid":1,"pid":1,"name":"e","symbol":"f","offset":0,"args":{"x":1}}'
refuses "a member that changes its type" hit "$HIT
${HIT/:1\}/:\"1\"\}}"
refuses "a member that is there twice" hit "${HIT/:1\}/:1,\"x\":1\}}"

gcc -g -O2 -o "$WORK/lines.O2" "$E2E/prog/lines.c" || exit 1
"$TOP/user/tests/elf/build" "$WORK/elf" "" || exit 1
here "funcs of a file" binary_function funcs -x "$WORK/lines.O2" '*'
"$KTAP" funcs -v --json -x "$WORK/lines.O2" '*' | grep '"file"' >"$WORK/inlined"
saw "funcs -v: inlined only" inlined_function "$WORK/inlined"
here "line" line line -x "$WORK/lines.O2" work
here "line of a file" line line -x "$WORK/lines.O2" 'lines.c:1-30'
here "vars" variable vars -x "$WORK/lines.O2" work
here "vars --range --externs" variable vars --range --externs -x "$WORK/lines.O2" inlined
here "funcs --sdt" mark funcs --sdt -x "$WORK/elf/pie" '*'
KTAP_INDEX=$WORK/index here "index" index index -x "$WORK/lines.O2"
# shellcheck disable=SC2016 # a parameter of ktap
"$KTAP" bundle -q -o "$WORK/b.ktap" -x "$WORK/lines.O2=/bin/lines" '-x /bin/lines work $param(min=3:s16)'
here "bundle --show" bundle bundle --show "$WORK/b.ktap"
here "status without a module" status status 2>/dev/null

with_json >"$WORK/commands"
check "the help names commands with --json" test "$(wc -l <"$WORK/commands")" -gt 5
for command in $(<"$WORK/commands"); do
	check "this test has a line for '$command --json'" grep -qE \
		"^[^#]*(here \"[^\"]*\" [a-z_]+ $command|as [a-z]+ \"[^\"]*\" ktap $command .*--json)" \
		"$E2E/json.t" "$E2E/json.guest"
done

for kernel in $(kernels debian-6.1 debian-6.12-arm64); do
	guest "$kernel" --module "$(target_module "$kernel")" \
		--add "$(program openstr "$kernel")" -- json.guest
	for kind in $(kinds); do
		in_guest "$kind" || continue
		sed -n "s/^json $kind //p" "$WORK/vm.out" >"$WORK/lines"
		saw "$kernel" "$kind" "$WORK/lines"
	done
done
check "the schema has kinds" test "$(kinds | wc -l)" -gt 5
for kind in $(kinds); do
	check "'$kind' was printed by ktap" grep -q " $kind " <<<"$SEEN"
done
finish
