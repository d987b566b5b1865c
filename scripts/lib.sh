# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# What the scripts here share: messages, the cache directory, disk space
# and locks. Sourced, never run. A script sets PROG to its name first.

# cd would print where it goes, and git would look at another repository, as in its hooks
unset CDPATH GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE
KTAP_TOP=$(cd "${BASH_SOURCE[0]%/*}/.." && pwd)
KTAP_CACHE=${KTAP_CACHE:-${XDG_CACHE_HOME:-${HOME:?}/.cache}/ktap}
[[ $KTAP_CACHE = /* ]] || KTAP_CACHE=$PWD/$KTAP_CACHE
export KTAP_TOP KTAP_CACHE
# Directories below KTAP_TOP with all that modules are made of.
# shellcheck disable=SC2034 # scripts that source this read it
MODULE_SOURCES="kmod kunit include user/tests/e2e/mod user/tests/e2e/gcov user/tests/e2e/names_mod"

# Progress, for people: never on stdout, which belongs to the caller.
note()
{
	[ -n "${KTAP_QUIET:-}" ] || printf '%s: %s\n' "$PROG" "$*" >&2
}

warn()
{
	printf '%s: %s\n' "$PROG" "$*" >&2
}

# The work failed. A script whose exit status is another program's sets
# KTAP_FAIL to one of its own.
die()
{
	warn "$*"
	exit "${KTAP_FAIL:-1}"
}

# The command line was wrong.
die_usage()
{
	warn "$*"
	warn "try '$PROG --help'"
	exit 2
}

# The comment at the head of a script is its help text.
print_help()
{
	awk 'NR > 2 && !/^#/ { exit } NR > 3 { sub(/^# ?/, ""); print }' "$1"
}

need_command()
{
	command -v "$1" >/dev/null ||
		die "$1 is not installed: run scripts/deps $2"
}

# need_space DIR MB WHAT: refuse early rather than fill the disk.
need_space()
{
	local dir=$1 want=$2 what=$3 free

	while [ ! -d "$dir" ]; do
		dir=$(dirname "$dir")
	done
	free=$(df -Pm "$dir" | awk 'NR == 2 { print $4 }')
	[ "$free" -ge "$want" ] ||
		die "$what needs $want MB in $dir, $free MB are free: make room there or set KTAP_CACHE"
}

# lock_file FILE: held until the end of this process and its children; a second run
# waits and says so. Sets LOCK_FD.
lock_file()
{
	{ exec {LOCK_FD}>"$1"; } 2>/dev/null ||
		die "cannot write $1: remove it, or make it this user's"
	flock -n "$LOCK_FD" && return
	note "waiting for another run that holds $1"
	flock "$LOCK_FD"
}

# lock NAME: likewise, of the cache, and until unlock
declare -A KTAP_LOCKS
lock()
{
	mkdir -p "$KTAP_CACHE/lock" ||
		die "cannot create $KTAP_CACHE/lock: set KTAP_CACHE to a directory you can write"
	lock_file "$KTAP_CACHE/lock/$1"
	KTAP_LOCKS[$1]=$LOCK_FD
}

unlock()
{
	local fd=${KTAP_LOCKS[$1]}

	exec {fd}>&-
	unset "KTAP_LOCKS[$1]"
}

# Prints what the environment has that kbuild takes.
kbuild_environment()
{
	env | LC_ALL=C sort | grep -E \
		'^(KBUILD_[A-Z_]+|K[A-Z]*FLAGS[A-Z_]*|LLVM[A-Z_]*|CROSS_COMPILE|ARCH|W|C|CF|CHECK|MO)=' ||
		true
}
