#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What Documentation/kernel-ci.rst tells a CI system to do works: its commands, by
# their names, from clean sources. With KTAP_FULL=1 on each kernel that there are
# sources of, in virtual machines and with coverage, too; else on UML, of one.
#
# What scripts/junit makes of TAP, and what both scripts refuse.
#
# shellcheck disable=SC2317 # 'check' calls functions

. "${BASH_SOURCE[0]%/*}/lib.sh"
. "${BASH_SOURCE[0]%/*}/tree.sh"
. "$TOP/scripts/lib-page.sh"

PAGE=$TOP/Documentation/kernel-ci.rst
SOURCES="linux-source-6.1 linux-source-6.12"
cd "$TOP" || exit 1

# passed_on DESCRIPTION: TAP of a command, as ours
passed_on()
{
	local line

	while IFS= read -r line; do
		case $line in
		'ok '*) result 0 "$1: ${line#ok * - }" ;;
		'not ok '*) result 1 "$1: ${line#not ok * - }" ;;
		'#'*) echo "$line" ;;
		esac
	done
}

# --- JUnit

run "$TOP/scripts/junit" "$WORK/junit.xml" <<'END'
ok 1 - suite.case & <more> "text"
# why
not ok 2 - suite.second
# what else
ok 3 - plain # SKIP no kernel
Bail out! early
END
is "junit: passes" "$status" 0
like "junit: TAP goes through" "$out" '^not ok 2 - suite.second'
cat >"$WORK/junit.py" <<'END'
import sys
import xml.etree.ElementTree as tree
for suite in tree.parse(sys.argv[1]).getroot():
    print(suite.get("name"), suite.get("tests"), suite.get("failures"), suite.get("skipped"))
    for case in suite:
        print(" ", case.get("name"), *[x.tag + ": " + (x.text or x.get("message")) for x in case])
END
is "junit: suites, cases, and why" "$(/usr/bin/python3 "$WORK/junit.py" "$WORK/junit.xml" 2>&1)" \
	'suite 2 1 0
  case & <more> "text"
  second failure: why
what else

ktap 2 1 1
  plain skipped: no kernel
  Bail out! early failure: Bail out! early'
run "$TOP/scripts/junit" "$WORK/empty.xml" </dev/null
is "junit: of nothing" "$(/usr/bin/python3 "$WORK/junit.py" "$WORK/empty.xml" 2>&1)" ""
printf 'ok 1 - \033[1mbold\033[0m\tand \377 ]]>\nnot ok 2\nok\n' >"$WORK/odd"
run "$TOP/scripts/junit" "$WORK/odd.xml" <"$WORK/odd"
is "junit: what XML cannot have, tests without a name" \
	"$(/usr/bin/python3 "$WORK/junit.py" "$WORK/odd.xml" 2>&1)" \
	"ktap 3 1 0
  ?[1mbold?[0m and ? ]]>
  test 1 failure: test 1
  test 2"
printf 'ok 1 - a\0b' >"$WORK/odd"
run "$TOP/scripts/junit" "$WORK/odd.xml" <"$WORK/odd"
is "junit: a NUL, no last newline" "$(/usr/bin/python3 "$WORK/junit.py" "$WORK/odd.xml" 2>&1)" \
	"ktap 1 0 0
  a?b"
run "$TOP/scripts/junit" "$WORK/odd.xml" <<<$'ok 1 - a\n1..3'
like "junit: a plan of which tests are missing" "$(cat "$WORK/odd.xml")" \
	'failure message="planned 3 tests, ran 1"'
run env -C "$WORK" "$TOP/scripts/junit" 'a\tb.xml' <<<'ok 1 - a'
like "junit: a name with a backslash" "$(cat "$WORK/a\\tb.xml")" 'testcase .* name="a"'
mkfifo "$WORK/fifo"
run "$TOP/scripts/junit" "$WORK/fifo" </dev/null
like "junit: no file, which would be replaced" "$err" 'fifo exists, and is not a regular file'
ln -s odd "$WORK/link"
run "$TOP/scripts/junit" "$WORK/link" </dev/null
like "junit: a link, which would be replaced" "$err" 'link exists, and is not a regular file'
run "$TOP/scripts/junit" "$WORK/nowhere/file" </dev/null
like "junit: a file that cannot be written" "$err" 'cannot write .*nowhere/file'
is "junit: a file that cannot be written: fails" "$status" 1
run "$TOP/scripts/junit" </dev/null
is "junit: no file: status 2" "$status" 2

# --- what is refused

run scripts/kernel-ci linux-source-6.12
is "no run: status 2" "$status" 2
like "no run: says which there are" "$err" 'a PACKAGE and a RUN are needed: uml x86_64'
run scripts/kernel-ci linux-source-6.12 riscv
like "a run that is not there" "$err" "no run 'riscv'"
run scripts/kernel-ci --junit
is "--junit without a file: status 2" "$status" 2
run scripts/kernel-ci --junit '' linux-source-6.12 uml
is "--junit with an empty name: status 2" "$status" 2
run scripts/kernel-ci --junit "$WORK/nowhere/file" linux-source-6.12 uml
like "--junit: a file that cannot be written, before anything runs" "$status $err" \
	'^1 .*cannot write .*nowhere/file'
run scripts/kernels get --help
like "help after a command" "$status $out" '^0 usage: scripts/kernels get NAME'
run scripts/kernels source ../src
like "source: no package's name" "$status $err" "^2 .*no package '../src'"
run scripts/kernel-ci linux-source-6.12/ uml
like "a package's name with a slash" "$status $err" "^2 .*no package 'linux-source-6.12/'"
run scripts/matrix debian-61
like "matrix: no such kernel" "$status $err" "^2 .*no kernel 'debian-61': there are debian-5.10"
run scripts/kunit --junit
is "scripts/kunit: --junit without a file: status 2" "$status" 2

# --- a tree whose kunit.py is a script of ours

MADE=linux-source-9.9
# where a copy is made of hard links
CACHE=$TOP/build/kernel-ci.cache
COPY=$CACHE/kernel-ci/$MADE
rm -rf "$CACHE"
small "$CACHE/src/$MADE"
echo 9.9-1 >"$CACHE/src/$MADE/.version-debian"
mkdir -p "$CACHE/src/$MADE/tools/testing/kunit"
install -m 755 /dev/null "$CACHE/src/$MADE/tools/testing/kunit/kunit.py"

# made COMMAND [OPTION...]: scripts/kernel-ci with a kunit.py that does that
made()
{
	# a link of it is in the copy
	cat >"$CACHE/src/$MADE/tools/testing/kunit/kunit.py" <<-END
	#!/bin/sh
	echo "\$1" >>'$WORK/asked'
	[ "\$1" != run ] || { mkdir -p .kunit && echo kernel >.kunit/vmlinux; }
	$1
	END
	shift
	run env KTAP_CACHE="$CACHE" scripts/kernel-ci --junit "$WORK/made.xml" "$@" "$MADE" uml
}

# asked: with which commands kunit.py was started since the last call
asked()
{
	paste -sd ' ' "$WORK/asked" 2>/dev/null
	rm -f "$WORK/asked"
}

KTAP='printf "TAP version 14\n1..1\n    # Subtest: s\n    1..1\n    ok 1 - c\nok 1 - s\n"'
made "$KTAP"
is "a suite that passes" "$status $(grep -c '^ok' <<<"$out")" "0 2"
is "nothing is built: run" "$(asked)" run
made "${KTAP/ok 1 - c/not ok 1 - c}"
is "a suite that fails: status" "$status" 1
like "a suite that fails: its test" "$out" '^not ok 1 - s\.c'
is "built from the same: exec" "$(asked)" exec
echo another >"$COPY/.kunit/vmlinux"
made "$KTAP"
is "another kernel is there: run" "$(asked) $status" "run 0"
sed -i 1d "$COPY/.kunit-uml.from"
made "$KTAP"
is "built from something else: run" "$(asked) $status" "run 0"
made 'echo "kprobes.c:1:1: error: no" >&2; seq 30 >&2; exit 1'
like "a build that fails: status" "$status $out" '^1 '
like "a build that fails: the compiler's error" "$out" '^# kprobes.c:1:1: error: no'
like "a build that fails: what it ended with" "$out" \
	'^not ok 1 - kunit.py ran nothing, and ended with 1'
is "built from the same, which is not there any more: run" "$(asked)" "exec run"
made "$KTAP; echo >>drivers/ktap/Kconfig"
is "ktap cannot be removed: status" "$status" 1
like "ktap cannot be removed: a failure in TAP" "$out" '^not ok 2 - kernel-ci.the run did not end: status 1'
like "ktap cannot be removed: a failure in JUnit" "$(cat "$WORK/made.xml")" 'the run did not end'
is "after a build that failed: run" "$(asked)" run
made "$KTAP; echo >drivers/left" --build
is "--build: run" "$(asked)" run
like "a file that is left: a failure" "$out" '^not ok 2 - graft.the tree is what it was'
made "$KTAP"
is "a file that is left: the next run copies again" "$status $(grep -c '^ok' <<<"$out")" "0 2"
rm -r "$COPY/drivers"
made "$KTAP"
is "a copy that is half removed: the run copies again" "$status $(grep -c '^ok' <<<"$out")" "0 2"
made ":"
cat >"$CACHE/src/$MADE/tools/testing/kunit/kunit.py" <<END
#!/bin/sh
touch "$WORK/running"
sleep 3
END
env KTAP_CACHE="$CACHE" scripts/kernel-ci "$MADE" uml >"$WORK/first" 2>&1 &
until [ -e "$WORK/running" ]; do
	sleep 0.1
done
made "$KTAP"
like "two at once: the second waits" "$err" 'waiting for another run that holds'
is "two at once: the second passes" "$status" 0
wait
rm -rf "$CACHE"

# --- the page

names=$(sed -n 's/^   :name: //p' "$PAGE" | paste -sd ' ')
is "each command of the page has a name that is run here" "$names" \
	"graft remove uml x86_64 arm64 junit coverage"
mkdir "$WORK/tree"
cp -al "$("$TOP/scripts/kernels" source linux-source-6.12)"/{Kbuild,Makefile,kernel,drivers} \
	"$WORK/tree" || exit 1
check "graft" env TREE="$WORK/tree" sh -ec "$(page_command "$PAGE" graft)"
check "graft: it is there" [ -d "$WORK/tree/drivers/ktap" ]
check "remove" env TREE="$WORK/tree" sh -ec "$(page_command "$PAGE" remove)"
check "remove: it is gone" [ ! -e "$WORK/tree/drivers/ktap" ]

run sh -c "$(page_command "$PAGE" junit)"
passed_on linux-source-6.12 <<<"$out"
is "junit: as many tests as TAP has" \
	"$(grep -c '<testcase' build/kernel-ci.xml)" "$(grep -cE '^(not )?ok ' <<<"$out")"
if [ -n "${KTAP_FULL:-}" ]; then
	run sh -c "$(page_command "$PAGE" coverage)"
	passed_on "linux-source-6.12, coverage" <<<"$out"
	for source in $SOURCES linux-source-7.3; do
		for name in uml x86_64 arm64; do
			run scripts/kernel-ci --build "$source" "$name"
			passed_on "$source, $name" <<<"$out"
		done
	done
fi
finish
