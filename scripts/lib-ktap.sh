# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# How KUnit's results become ours: the kernel's KTAP as TAP, and as JUnit. Sourced
# after lib.sh.

# A line of results counts when nothing was nested below it: a suite and a
# parameterised test only repeat what is in them. Plans are checked.
flatten()
{
	awk -v n=0 '
	function out(good, name) { printf "%s %d - %s\n", good ? "ok" : "not ok", ++n, name }
	/^refused / { sub(/^refused /, ""); out(0, "loaded: " $0); next }
	/^loaded / { next }
	{
		match($0, /^ */)
		level = RLENGTH / 4
		line = substr($0, RLENGTH + 1)
	}
	line ~ /^# Subtest: / { name[level] = substr(line, 12); bad[level] = seen[level] = 0; plan[level] = ""; next }
	line ~ /^1\.\.[0-9]+/ { plan[level] = substr(line, 4) + 0; next }
	line ~ /^(not )?ok [0-9]+/ {
		good = line ~ /^ok/
		seen[level]++
		if (!good) bad[level]++
		text = line
		sub(/^(not )?ok [0-9]+ *(- )?/, "", text)
		inner = level + 1
		if (inner in name) {
			if (plan[inner] != "" && plan[inner] != seen[inner])
				out(0, text ": " seen[inner] " of " plan[inner] " tests reported")
			else if (!good && !bad[inner])
				out(0, text)
			delete name[inner]
			next
		}
		path = ""
		for (i = 1; i <= level; i++) if (i in name) path = path name[i] "."
		out(good, path text)
		next
	}
	# Lines that are not part of the protocol explain a failure.
	line ~ /^# .*(FAILED at|: try failed|timed out)/ { print line; next }
	line != "" && line !~ /^(#|KTAP|TAP)/ { print "# " line }
	END { print "1.." n }'
}

# check_junit FILE: before the tests run, which may take long
check_junit()
{
	[[ -n $1 && $1 != -* ]] || die_usage "--junit needs a FILE"
	"$KTAP_TOP/scripts/junit" --check "$1" || exit
}

# to_junit FILE: TAP goes through; FILE is its JUnit, where one is wanted.
to_junit()
{
	if [ -n "$1" ]; then
		"$KTAP_TOP/scripts/junit" "$1"
	else
		cat
	fi
}
