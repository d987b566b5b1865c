#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The help of each command and its manual page tell of the same options, and
# the pages are well formed.
#
# shellcheck disable=SC2016,SC2317 # backquotes are quoted; 'check' calls functions

. "${BASH_SOURCE[0]%/*}/lib.sh"

KTAP=$(host_ktap) || exit 1
PAGES=$TOP/Documentation

# The long options of the help, and those that the page has items for.
of_help()
{
	"$KTAP" "$1" --help | sed -n 's/^  .*--\([a-z-]*\).*/\1/p' | sort -u
}

# page_of VERB: the page, or the one that it stands for
page_of()
{
	local page=$PAGES/ktap-$1.1 other

	other=$(sed -n '1s/^\.so man1\///p' "$page")
	echo "${other:+$PAGES/}${other:-$page}"
}

of_page()
{
	sed -n 's/^\.It .*Fl -\([a-z-]*\).*/\1/p' "$(page_of "$1")" | sort -u
}

well_formed()
{
	[ -z "$(groff -man -mdoc -ww -z -Tutf8 "$1" 2>&1)" ]
}

verbs=$("$KTAP" --help | sed -n 's/^  \([a-z]*\)  .*/\1/p')
check "the help has commands" [ -n "$verbs" ]
for verb in $verbs; do
	check "$verb: has a page" [ -s "$PAGES/ktap-$verb.1" ]
	check "$verb: is on the page of ktap" \
		grep -qx "\\.It Cm $verb" "$PAGES/ktap.1"
	is "$verb: help and page have the same options" \
		"$(of_help "$verb")" "$(of_page "$verb")"
done
for page in "$PAGES"/*.[1-9]; do
	! head -n 1 "$page" | grep -q '^\.so ' || continue
	check "${page##*/}: is well formed" well_formed "$page"
done

# The page of the architecture names the rooms that there are, and functions that exist.
ARCHITECTURE=$PAGES/architecture.rst
is "architecture.rst: the paragraphs are the rooms of user/" \
	"$(sed -n 's/^``\([a-z]*\)\/``$/\1/p' "$ARCHITECTURE" | sort)" \
	"$(cd "$TOP/user" && printf '%s\n' */ | sed 's/\/$//' | grep -vx tests)"
while read -r name; do
	check "architecture.rst: $name() exists" \
		git -C "$TOP" grep -qE "^[a-z].*[ *]$name\(" -- 'user/*.c' 'kmod/*.c'
done < <(grep -o '``[a-z_]*()``' "$ARCHITECTURE" | tr -d '`()' | sort -u)

# README and pages promise only makes and scripts that are there. 'make -n' would run kbuild,
# which fails where nothing is built yet.
make -pRrq -C "$TOP" help >"$WORK/rules" 2>/dev/null
while read -r target; do
	check "README.md: make $target exists" grep -q "^$target:" "$WORK/rules"
done < <(grep -oE '^(sudo )?make [a-z][a-z-]*' "$TOP/README.md" | sed 's/.*make //' | sort -u)
while read -r script; do
	check "README.md: $script exists" [ -x "$TOP/$script" ]
done < <(grep -o 'scripts/[a-z][a-z-]*' "$TOP/README.md" | sort -u)
run "$TOP/scripts/phrases" /no/such
is "phrases: a path that is not there" "$status,$out,$err" \
	"1,,scripts/phrases: no file of the repository is at '/no/such'"
finish
