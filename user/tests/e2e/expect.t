#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What CI asserts: --expect, --max-lost and --junit of record and stat.

. "${BASH_SOURCE[0]%/*}/lib.sh"

# of NAME XPATH: from the file that the guest wrote for NAME; xmllint is not
# needed where Python is
of()
{
	sed -n "s/^junit-$1 //p" "$WORK/vm.out" >"$WORK/junit.xml"
	/usr/bin/python3 - "$WORK/junit.xml" <<-'PYTHON'
		import sys
		import xml.etree.ElementTree as tree
		suite = tree.parse(sys.argv[1]).getroot()
		cases = suite.findall("testcase")
		bad = [f.get("message") for f in suite.iter("failure")]
		assert suite.tag == "testsuite"
		assert int(suite.get("tests")) == len(cases)
		assert int(suite.get("failures")) == len(bad)
		assert float(suite.get("time")) > 0
		print("; ".join(c.get("name") for c in cases) + " | " + "; ".join(bad))
	PYTHON
}

for kernel in $(kernels debian-6.1); do
	guest "$kernel" -- expect.guest
	is "$kernel: junit: all well" "$(of good)" \
		"f: 5 expected; hits lost; dd | "
	is "$kernel: junit: not as expected" "$(of bad)" \
		"f: 4 expected; hits lost; dd | f: 5 hits, where 4 should be"
	is "$kernel: junit: the command failed" "$(of command)" \
		"f: 0 expected; sh | exit status 7"
	is "$kernel: junit: it never began" "$(of never)" "true | exit status 2"
	is "$kernel: junit: nothing is expected" "$(of odd)" "sh | "
done
finish
