#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Functions of C++ by the names that people write, in programs that the
# compilers have just made of prog/scoped.cc, with and without debug
# information. Which symbol is meant is what nm and c++filt say.

# shellcheck disable=SC2317 # 'check' calls functions
. "${BASH_SOURCE[0]%/*}/lib.sh"

KTAP=$(host_ktap) || exit 1

# build NAME COMPILER OPTION...
build()
{
	local name=$1

	shift
	"$@" -Wall -Wextra -Werror -fno-exceptions \
		-o "$WORK/$name" "$E2E/prog/scoped.cc"
}

# address NAME DEMANGLED: where nm has what c++filt calls that
address()
{
	nm -C "$WORK/$1" | awk -v name=" $2" 'index($0, name) && !/clone/ {
		sub(/ .*/, ""); sub(/^0*/, ""); print; exit }'
}

# resolved NAME DEFINITION: the address that ktap would probe, and nothing else
resolved()
{
	"$KTAP" add -n -v -x "$WORK/$1" "$2" 2>&1 |
		sed -n 's/^  place .* at 0x\([0-9a-f]*\) of .*/\1/p'
}

# meant NAME DEFINITION DEMANGLED
meant()
{
	local got want

	got=$(resolved "$1" "$2")
	want=$(address "$1" "$3")
	[ -n "$want" ] && [ "$got" = "$want" ] && return
	echo "got $got, want $want"
	"$KTAP" add -n -v -x "$WORK/$1" "$2"
	false
}

# refused NAME DEFINITION TEXT: with that in the message
refused()
{
	local out

	if out=$("$KTAP" add -n -x "$WORK/$1" "$2" 2>&1); then
		echo "accepted: $out"
		return 1
	fi
	echo "$out"
	grep -qF -- "$3" <<<"$out"
}

# named NAME: each name that 'ktap funcs' prints is one that 'ktap add' takes
named()
{
	local name nr=0

	while read -r name; do
		nr=$((nr + 1))
		[ -n "$(resolved "$1" "$name")" ] || { echo "$name"; return 1; }
	done < <("$KTAP" funcs -x "$WORK/$1" '*::*')
	echo "$nr names"
	[ "$nr" -ge 8 ]
}

# pattern NAME: the functions of a namespace, once each
pattern()
{
	local got want

	got=$("$KTAP" add -n -v -x "$WORK/$1" 'geo::*' |
		sed -n 's/^  place .* at 0x\([0-9a-f]*\) of .*/\1/p' | sort)
	want=$(nm -C --defined-only "$WORK/$1" |
		sed -n 's/^0*\([0-9a-f]*\) [TtWw] geo::.*/\1/p' | sort -u)
	echo "$got, not $want"
	[ -n "$want" ] && [ "$got" = "$want" ]
}

tests()
{
	local f=$1

	check "$f: with scope and parameters" meant "$f" 'geo::area(int)' 'geo::area(int)'
	check "$f: its overload" meant "$f" 'geo::area(int, char const*)' \
		'geo::area(int, char const*)'
	check "$f: another scope" meant "$f" 'other::area' 'other::area(int)'
	check "$f: an operator with brackets" meant "$f" 'point::operator()' \
		'geo::point::operator()(int)'
	check "$f: an operator that is a bracket" meant "$f" 'geo::point::operator<' \
		'geo::point::operator<('
	check "$f: a conversion" meant "$f" 'geo::point::operator int()' \
		'geo::point::operator int()'
	check "$f: to a type of several words" meant "$f" 'point::operator char const*()+0' \
		'geo::point::operator char const*()'
	check "$f: without its parameters it is none" refused "$f" 'geo::point::operator int' \
		"'geo::point::operator' is neither a symbol nor an address"
	check "$f: a template without its arguments" meant "$f" 'geo::box::take' \
		'geo::box<int, unsigned int>::take(int)'
	check "$f: a template with them" meant "$f" 'box<int, unsigned int>::take(int)' \
		'geo::box<int, unsigned int>::take(int)'
	check "$f: a destructor" meant "$f" 'geo::point::~point' 'geo::point::~point('
	check "$f: the name alone" meant "$f" 'take' 'geo::box<int, unsigned int>::take'
	check "$f: a plain symbol before methods" meant "$f" look look
	check "$f: a name without scopes before those in some" meant "$f" turn 'turn(int)'
	check "$f: the method, by its class" meant "$f" eye::look 'geo::eye::look(int)'
	check "$f: fewer scopes before more" meant "$f" 'geo::turn(int)' 'geo::turn(int)'
	check "$f: what is imported is no method" refused "$f" close "is imported"
	check "$f: an overload has to be told" refused "$f" 'geo::area' \
		"write which one: 'geo::area(int)'"
	check "$f: parameters that no overload has" refused "$f" 'geo::area(long)' \
		"did you mean 'geo::area(int)'?"
	check "$f: a name that is near" refused "$f" 'geo::are' "did you mean 'geo::area'?"
	check "$f: what funcs prints can be probed" named "$f"
	check "$f: a pattern of a namespace" pattern "$f"
	"$KTAP" funcs --json -x "$WORK/$f" 'geo::*' >"$WORK/json"
	check "$f: JSON has both names" jq -es \
		'any(.name == "_ZN3geo4areaEi" and .demangled == "geo::area(int)")' "$WORK/json"
}

# What only debug information has
lines()
{
	local f=$1 line

	line=$(grep -n 'KEPT int area(int side)' "$E2E/prog/scoped.cc" | cut -d: -f1)
	check "$f: lines of an overload have numbers" grep -q "^geo::area(int), .*scoped.cc:$line\$" \
		<("$KTAP" line -x "$WORK/$f" 'geo::area(int)')
	check "$f: a parameter of an overload" grep -q '^param *int side ' \
		<("$KTAP" vars -x "$WORK/$f" 'geo::area(int)')
	check "$f: members through this and a reference" test -n \
		"$(resolved "$f" 'geo::point::operator< this->x other->x')"
	check "$f: lines of a plain symbol, not of methods" meant "$f" look:0 look
	check "$f: lines without scopes" meant "$f" 'turn(int):0' 'turn(int)'
	check "$f: overloads with a line" refused "$f" 'geo::area:1' \
		"write which one: 'geo::area(int)', 'geo::area(int, char const*)'"
}

# line_of NAME DEFINITION: what the argument 'a' of it is to the kernel
line_of()
{
	"$KTAP" add -n --format=kprobe_events -x "$WORK/$1" "$2" 2>&1 |
		sed -n 's/^p.* a=//p'
}

# global NAME DEFINITION DEMANGLED: that variable, where nm has it
global()
{
	local got want base

	got=$(line_of "$1" "$2")
	base=$(readelf -lW "$WORK/$1" | awk '$1 == "LOAD" { print $3; exit }')
	want=$(printf '@+0x%x:s32' $((16#$(address "$1" "$3") - base)))
	echo "got $got, want $want"
	[ "$got" = "$want" ]
}

# Variables, as the rules of C++ have them; where they are at an entry
values()
{
	local f=$1

	is "$f: a reference is its value" "$(line_of "$f" 'refer a=plain')" '+0(%di):s32'
	is "$f: so is one to what is temporary" "$(line_of "$f" 'refer a=moved')" '+0(%dx):s32'
	is "$f: one that is written as a pointer" "$(line_of "$f" 'refer a=*plain')" '+0(%di):s32'
	is "$f: a member through a reference" "$(line_of "$f" 'refer a=p.x')" '+4(%si):s32'
	is "$f: a member that is a reference" "$(line_of "$f" 'refer a=p.bound')" \
		'+0(+16(%si)):s32'
	is "$f: a member without this" "$(line_of "$f" 'geo::point::sum a=x')" '+4(%di):s32'
	is "$f: a member of the base" "$(line_of "$f" 'geo::point::sum a=inherited')" \
		'+0(%di):s32'
	is "$f: a member hides a variable of the file" \
		"$(line_of "$f" 'geo::point::sum a=hidden')" '+8(%di):s32'
	check "$f: a variable of a namespace" global "$f" 'refer a=geo::shared' geo::shared
	check "$f: of the file" global "$f" 'refer a=shared' shared
	check "$f: of the function's namespace" global "$f" 'geo::point::sum a=shared' geo::shared
	check "$f: of a class" global "$f" 'refer a=geo::point::counted' geo::point::counted
	check "$f: of the function's class" global "$f" 'geo::point::sum a=counted' \
		geo::point::counted
	check "$f: by a part of its scopes" global "$f" 'refer a=point::counted' \
		geo::point::counted
	check "$f: one that is not there" refused "$f" 'refer geo::nobody' \
		"no variable 'geo::nobody' at"
	check "$f: a name that ends too early" refused "$f" 'refer geo::' "unknown type ':'"
}

# What a unit has for itself has no linkage name; what has a symbol of that very
# name may have no debug information.
namesakes()
{
	local compiler=$1

	printf '%s\n' \
		'extern "C" int plain(void);' \
		'namespace n { static KEPT int some(int a) { return a * 3; } }' \
		'namespace n { KEPT int plain(int a) { return a * 5; } }' \
		'static KEPT int one(int a) { return a * 7; }' \
		'KEPT int some(int b) { return b + 1; }' \
		'int main(int c, char **) {' \
		'return n::some(c) + some(c) + n::plain(c) + plain() + one(c); }' \
		>"$WORK/namesakes.cc"
	printf '%s\n' '.globl plain' '.type plain, @function' 'plain: nop' 'ret' \
		'.size plain, . - plain' '.section .note.GNU-stack' >"$WORK/plain.s"
	build_namesakes "$compiler" || return
	is "$compiler: the one that has no scope" "$(place_of some)" "some(int)+0x0"
	is "$compiler: the one in a scope" "$(place_of n::some)" "n::some(int)+0x0"
	is "$compiler: a symbol without debug information" "$(place_of plain)" plain+0x0
	is "$compiler: of the unit alone" "$(place_of one)" "one(int)+0x0"
}

build_namesakes()
{
	"$1" -g -O1 '-DKEPT=__attribute__((noinline))' -o "$WORK/namesakes" \
		"$WORK/namesakes.cc" "$WORK/plain.s" >&2
}

# place_of NAME: where the points of a probe on it are
place_of()
{
	"$KTAP" add -n -v -x "$WORK/namesakes" "$1" 2>&1 | awk '$1 == "place" { print $2 }'
}

for compiler in g++ clang++; do
	command -v "$compiler" >/dev/null || { echo "# no $compiler"; continue; }
	namesakes "$compiler"
	"$compiler" -g -O1 -no-pie -Wall -Wextra -Werror -o "$WORK/$compiler.values" \
		"$E2E/prog/members.cc" || exit 1
	values "$compiler.values"
	for level in 0 2; do
		name=$compiler$level
		build "$name" "$compiler" -g "-O$level" || exit 1
		strip -g -o "$WORK/$name.stripped" "$WORK/$name"
		tests "$name"
		tests "$name.stripped"
		lines "$name"
	done
done
finish
