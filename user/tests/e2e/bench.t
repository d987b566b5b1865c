#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# scripts/bench/compare says no when a hit costs more than it did, and only then.
# The numbers are made up; what a hit costs is scripts/bench/run's to say.
#
# shellcheck disable=SC2154 # 'run' sets what is looked at

. "${BASH_SOURCE[0]%/*}/lib.sh"

# results FLOOR HIT BYTES
results()
{
	printf '# kernel\tcase\twho\thit\tdraining\tbytes\trecords\n'
	printf 'k\ta\tfloor\t%s\t0\t0\t0\n' "$1"
	printf 'k\ta\tktap\t%s\t0\t%s\t1000\n' "$2" "$3"
	printf 'k\ta\ttracefs\t600\t0\t20\t1000\n'
}

# compare RESULTS...: with a hit of 100 instructions and 8 bytes, above 150.
compare()
{
	results 150 100 8 >"$WORK/base"
	"$@" >"$WORK/new"
	run "$TOP/scripts/bench/compare" "$WORK/base" "$WORK/new"
}

compare results 150 100 8
is "the same passes" "$status" 0
like "and says how many" "$out" '^1 cases compared with .*, 0 complaints$'
compare results 150 101 8
is "1 % more passes" "$status" 0
compare results 150 60 8
is "less passes" "$status" 0
compare results 150 101.1 8
is "more than 1 % more instructions fail" "$status" 1
like "and are named" "$out" '^WORSE k a ktap: 101.1 instructions, was 100$'
compare results 150 100 8.2
is "more bytes fail" "$status" 1
like "and are named" "$out" '^WORSE k a ktap: 8.2 bytes, was 8$'
compare results 160 100 8
is "another floor is not comparable" "$status" 1
like "which is said" "$out" '^FLOOR k a floor: 160, was 150: not comparable$'
compare grep floor "$WORK/base"
is "a case that is gone fails" "$status" 1
like "and is named" "$out" '^GONE  k a ktap$'
finish
