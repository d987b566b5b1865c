# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# What guests share that run the program of the corpus: it says what its variables
# are, and lines of its source say how to ask for them.

# definitions "" or MODULE: : one for each line with PROBE in it; modules have no threads.c
definitions()
{
	find vars.c far.c threads.c -exec grep -n PROBE {} + 2>/dev/null | grep ';' | sed \
		-e "s/^[a-z.]*:[0-9]*:.*PROBE \([a-z]*\) at \([^:]*\): \(.*\) \*\/.*/\1=$1\2 \3/" \
		-e "s/^\([a-z.]*:[0-9]*\):.*PROBE \([a-z]*\): \(.*\) \*\/.*/\2=$1\1 \3/"
}

# got RECORDS: "point: arg=value ..."
got()
{
	sed -n 's/^.*\] *[0-9.]*: \([a-z]*\): ([^)]*) \(.*\)/\1: \2/p' "$1" | sort -u
}
