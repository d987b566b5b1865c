# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# shellcheck disable=SC2034 # 'run' sets what tests read
#
# What the tests share inside of a guest, for busybox's shell. Prints TAP
# lines without numbers: lib.sh on the host numbers them.
#
# Owns: how a check is told, and the names of registers on both machines.

case $(uname -m) in
aarch64) ARG1=%x0 ARG2=%x1 ARG3=%x2 ;;
*) ARG1=%di ARG2=%si ARG3=%dx ;;
esac
export ARG1 ARG2 ARG3

# result STATUS DESCRIPTION
result()
{
	if [ "$1" = 0 ]; then
		echo "ok - $2"
	else
		echo "not ok - $2"
	fi
}

# show LABEL TEXT: as comments.
show()
{
	echo "#   $1"
	printf '%s\n' "$2" | head -n 40 | sed 's/^/#     /'
}

# check DESCRIPTION COMMAND...: passes when the command does.
check()
{
	description=$1
	shift
	if "$@" >/tmp/check 2>&1; then
		result 0 "$description"
	else
		result 1 "$description"
		show "$*" "$(cat /tmp/check)"
	fi
}

# is DESCRIPTION GOT WANTED
is()
{
	if [ "$2" = "$3" ]; then
		result 0 "$1"
	else
		result 1 "$1"
		show got: "$2"
		show wanted: "$3"
	fi
}

# matches TEXT PATTERN: a line of it. Not a pipe, for which the shell would start one more
# process.
matches()
{
	grep -qE -- "$2" <<-END
	$1
	END
}

# like DESCRIPTION TEXT PATTERN: an extended regular expression.
like()
{
	if matches "$2" "$3"; then
		result 0 "$1"
	else
		result 1 "$1"
		show got: "$2"
		show wanted: "$3"
	fi
}

# unlike DESCRIPTION TEXT PATTERN
unlike()
{
	if matches "$2" "$3"; then
		result 1 "$1"
		show got: "$2"
		show "not wanted:" "$3"
	else
		result 0 "$1"
	fi
}

# run COMMAND...: sets status, out, err. The files are appended to: sendfile(),
# which cat uses, takes no lock on the place where others write as well. Processes are
# expensive here: rm is none, and cat only where there is something.
run()
{
	status=0
	: >/tmp/run.out
	: >/tmp/run.err
	"$@" >>/tmp/run.out 2>>/tmp/run.err </dev/null || status=$?
	out='' err=''
	[ ! -s /tmp/run.out ] || out=$(cat /tmp/run.out)
	[ ! -s /tmp/run.err ] || err=$(cat /tmp/run.err)
}

# Can the ftrace hook serve the entry of a return probe? Where kretprobes use rethooks.
hook_follows()
{
	case $(uname -m)-$(uname -r) in
	aarch64-* | *-5.10.*) return 1 ;;
	esac
	ktap status | grep -q '^offers .* ftrace'
}

# refused DESCRIPTION STATUS WANTED COMMAND...: all of stderr is compared, so
# the column of the marker too; stdout stays empty.
refused()
{
	description=$1 wanted_status=$2 wanted=$3
	shift 3
	run "$@"
	is "$description: message" "$err" "$wanted"
	is "$description: status, and nothing on stdout" "$status,$out" \
		"$wanted_status,"
}

skip()
{
	echo "skip - $1"
}

# randomize: programs have other addresses in each run, which scripts/vm turns off.
randomize()
{
	echo 2 >/proc/sys/kernel/randomize_va_space
	check "each run has its own addresses" \
		[ "$(grep -F '[stack]' /proc/self/maps)" != "$(grep -F '[stack]' /proc/self/maps)" ]
}

# soon SECONDS COMMAND...: waits until the command succeeds.
soon()
{
	tries=$(($1 * 20))
	shift
	while ! "$@" >/dev/null 2>&1; do
		tries=$((tries - 1))
		[ $tries -gt 0 ] || return 1
		usleep 50000
	done
}

# nr_sessions: that are open
nr_sessions()
{
	ktap status --json | grep -o '"session": *[0-9]*' | wc -l
}

has_sessions()
{
	[ "$(nr_sessions)" = "$1" ]
}

is_at_work()
{
	ktap status | grep -q '^session .*: [1-9][0-9]* events'
}

# await_session: until one that was started in the background has attached
await_session()
{
	soon 10 is_at_work
}

# now: milliseconds since boot
now()
{
	awk '{ print int($1 * 1000) }' /proc/uptime
}

# json KEY: the first number of that name in stdin.
json()
{
	grep -o "\"$1\": *[0-9]*" | head -n 1 | grep -o '[0-9]*$'
}

# stat_of NAME KEY: a number of an event
stat_of()
{
	ktap stat --json | grep "\"name\":\"$1\"" | json "$2"
}

# sum_holds: stdin is lines of 'ktap stat --json'; in each the hits are the
# sum of what became of them.
sum_holds()
{
	sed 's/[{}"]//g; s/lost: *//; s/: */=/g' | tr -d ' ' | awk -F, '
	{
		delete v
		for (i = 1; i <= NF; i++) {
			split($i, kv, "=")
			if (!(kv[1] in v))
				v[kv[1]] = kv[2]
		}
		sum = v["filtered"] + v["limited"] + v["counted"] +
			v["recorded"] + v["aggregated"] + v["other"] + v["full"] + v["deep"] + v["big"] +
			v["no_ring"]
		print v["name"], v["hits"], sum
		if (v["hits"] != sum || v["hits"] == "")
			bad = 1
	}
	END { exit bad || !NR }'
}

# the_end: the last command of a guest script.
the_end()
{
	echo "the end"
	exit 0
}
