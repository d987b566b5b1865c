# SPDX-License-Identifier: GPL-2.0
# See names.mk.
{
	rest = $0
	while (match(rest, /[A-Za-z0-9_]+/)) {
		word = substr(rest, RSTART, RLENGTH)
		if (word ~ /^(ktap|env|rig)_[a-z0-9_]+$/ && word !~ /^ktap_kunit_/)
			names[word] = 1
		rest = substr(rest, RSTART + RLENGTH)
	}
}

$1 == "#define" {
	sub(/\(.*/, "", $2)
	macros[$2] = 1
}

END {
	for (name in names)
		if (!(name in macros))
			print "#define " name " " of "_" name
}
