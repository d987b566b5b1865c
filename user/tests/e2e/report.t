#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Reports of recordings, against what another program computes from the lines of
# 'ktap script'; and bad input: names that are not there, recordings that are empty,
# cut, damaged, or have very many keys.
#
# shellcheck disable=SC2154,SC2016 # 'run' sets what tests read; $elapsed is ktap's

. "${BASH_SOURCE[0]%/*}/lib.sh"

KTAP=$(host_ktap) || exit 1
CHECK=$E2E/report/check

# refused DESCRIPTION STATUS MESSAGE WORD...: of 'ktap report'
refused()
{
	local what=$1 wanted=$2 message=$3

	shift 3
	run "$KTAP" report "$@"
	is "$what" "$status,$out
$err" "$wanted,
$message"
}

# folded FILE [VALUE]: what 'ktap report --folded --by comm,kstack' is to print
folded()
{
	"$KTAP" script -q --json "$1" | /usr/bin/python3 -c '
import collections, json, re, sys
rows = collections.Counter()
for line in sys.stdin:
    event = json.loads(line)
    args, comm = event["args"], event["comm"]
    stack = [re.sub(r"\+0x[0-9a-f]+", "", f) for f in args["kstack"]["frames"]]
    if args["kstack"]["end"] == "depth":
        stack.append("(more frames)")
    rows[";".join([comm] + stack[::-1])] += args[sys.argv[1]] if len(sys.argv) > 1 else 1
for row, n in rows.items():
    print(row, n)' "${@:2}" | sort
}

# drawn DESCRIPTION OPTION...: the graph shows what the folded lines say
drawn()
{
	local what=$1

	shift
	run "$KTAP" report --flame "$WORK/graph.svg" "$@"
	is "$what: status" "$status,$out$err" "0,"
	"$KTAP" report --folded "$@" >"$WORK/folded"
	check "$what" "$E2E/report/flame" "$WORK/graph.svg" "$WORK/folded"
	rm "$WORK/graph.svg"
}

# treed DESCRIPTION MIN OPTION...: the call tree adds up what the folded lines say
treed()
{
	local what=$1 min=$2

	shift 2
	"$KTAP" report --folded "$@" >"$WORK/folded"
	"$KTAP" report --tree --min "$min" "$@" >"$WORK/tree"
	run "$KTAP" report --tree --min "$min" --json "$@"
	is "$what: status" "$status,$err" "0,"
	echo "$out" >"$WORK/nodes"
	check "$what" "$E2E/report/tree" "$WORK/nodes" "$WORK/tree" "$WORK/folded" "$min"
}

for kernel in $(kernels debian-6.1 debian-6.12-arm64); do
	guest "$kernel" --kaslr --smp 4 --get "/tmp/d:$WORK/$kernel.data" \
		--get "/tmp/s:$WORK/$kernel.stacks" \
		--get "/tmp/n:$WORK/$kernel.names" -- report.guest
	data=$WORK/$kernel.data
	for by in event comm pid tid cpu symbol event,cpu size,event pid,size from ax bad,tid; do
		check "$kernel: by $by" "$CHECK" "$KTAP" "$data" "$by"
	done
	for by in event comm pid cpu,event; do
		for value in got elapsed bad; do
			check "$kernel: $value by $by" "$CHECK" "$KTAP" "$data" "$by" $value
		done
	done
	stacks=$WORK/$kernel.stacks
	is "$kernel: folded stacks" "$("$KTAP" report --folded --by comm,kstack "$stacks" | sort)" \
		"$(folded "$stacks")"
	is "$kernel: folded stacks, of sums" \
		"$("$KTAP" report --folded --by comm,kstack --value size "$stacks" | sort)" \
		"$(folded "$stacks" size)"
	like "$kernel: folded stacks: by function" \
		"$("$KTAP" report --folded --by kstack -e stacks "$stacks")" \
		'(^|;)ksys_read;vfs_read [0-9]+$'
	drawn "$kernel: flame graph" --by comm,kstack "$stacks"
	drawn "$kernel: flame graph of sums" --by kstack --value size "$stacks"
	drawn "$kernel: flame graph of the rest" --by comm,kstack -n 3 "$stacks"
	treed "$kernel: call tree" 0 --by comm,kstack "$stacks"
	treed "$kernel: call tree by event and task" 0 --by event,tid,kstack "$stacks"
	treed "$kernel: call tree of sums" 0 --by kstack --value size "$stacks"
	treed "$kernel: call tree of large nodes" 12.5 --by event,kstack,comm "$stacks"
	treed "$kernel: call tree of the rest" 5 --by comm,kstack -n 3 "$stacks"
	is "$kernel: call tree: callers above" \
		"$("$KTAP" report --tree --by kstack -e stacks "$stacks" |
			awk '/vfs_read|ksys_read/ { print $1, $3, $5 }')" \
		"320 0 ksys_read
320 320 vfs_read"
	run "$KTAP" report --flame - --by comm,kstack "$WORK/$kernel.names"
	check "$kernel: a name of any bytes: it is XML" \
		/usr/bin/python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parseString(sys.argv[1])' "$out"
	like "$kernel: a name of any bytes" "$out" \
		'<title>&lt;a;b&gt;&amp;&quot;\\001\\377 \([0-9]+ hits,'
	like "$kernel: a ';' that is no stack's" \
		"$("$KTAP" report --tree --by semicolon,comm "$WORK/$kernel.names")" \
		"^ *[1-9][0-9]* +100\\.00% +0 +0\\.00%  ';'\$"
done

# --- functions that were inlined

stacks=$WORK/debian-6.1.stacks
if [ -e "$stacks" ]; then
	image=$(vmlinux debian-6.1)
	check "--inline: as addr2line says" "$E2E/report/inlined" "$KTAP" "$image" "$stacks"
	is "--inline: without it, the same frames" \
		"$("$KTAP" script -q -k "$image" --inline "$stacks" | grep -v ' (inlined)$')" \
		"$("$KTAP" script -q "$stacks")"
	is "--inline: of a pipe" \
		"$("$KTAP" report --folded --by kstack -k "$image" --inline - < <(cat "$stacks") | sort)" \
		"$("$KTAP" report --folded --by kstack -k "$image" --inline "$stacks" | sort)"
	objcopy --strip-debug "$image" "$WORK/stripped"
	refused "--inline: neither a kernel nor user stacks" 2 \
		"ktap: '--inline' names nothing: the recording has no files of user stacks
  inlined functions of the kernel need -k" --inline --by kstack "$stacks"
	refused "--root: no user stacks" 2 \
		"ktap: '--root' names nothing: the recording has no files of user stacks" \
		--root / --by kstack "$stacks"
	refused "--inline: no debug information" 2 \
		"ktap: no debug information for '$WORK/stripped'" \
		--inline -k "$WORK/stripped" --by kstack "$stacks"
fi

# --- options, with a recording of known numbers: 0, 1, 2, ... and two names of tasks

BENCH=$TOP/build/$(uname -m)/bench-decode
"$TOP/scripts/make" "${BENCH#"$TOP/"}" || exit 1
"$BENCH" make 100000 3 "$WORK/known"
cd "$WORK" || exit 1
run "$KTAP" report -n 1 --by tid --value flags --sort 'max(flags)' known
like "--limit: the rest is in one row" "$out" '^ *[0-9]+ +99\.[0-9]+% .* \(other\)$'
is "--limit: two rows" "$(wc -l <<<"$out")" 3
run "$KTAP" report --json known
is "no option: by event" "$out" \
	'{"v":1,"count":100000,"percent":100.0,"other":false,"keys":{"event":"open"},"values":{}}'
run "$KTAP" report --hist --value flags known
like "--hist: a title" "$out" '^event=open: flags of 100000 hits$'
like "--hist: a bar" "$out" '^ *1024 \.\. 2047 +1024  \|@? *\|$'
is "--hist: the numbers below 65536 are all there" \
	"$(grep -oE '^ *[0-9]+( \.\. [0-9]+)? +[0-9]+  \|' <<<"$out" |
		awk '{ n += $(NF - 1) } END { print n }')" 100000
for column in args.flags flags; do
	is "--sort $column: an argument, with and without 'args.'" \
		"$("$KTAP" report --json --rows 200000 --by args.flags --sort "$column" -n 2 known |
			grep -o '"flags":"[0-9a-fx]*"')" \
		'"flags":"0x1869f"
"flags":"0x1869e"'
done
is "--sort 'AVG(args.flags)', 'P99'" \
	"$("$KTAP" report --value flags --by comm --sort 'AVG(args.flags)' known | wc -l) $(
	"$KTAP" report --value flags --by comm --sort P99 known | wc -l)" "3 3"
is "--by: a key of the task and an argument of its name" \
	"$("$KTAP" report --folded --rows 200000 --by pid,args.flags -n 1 known | wc -l)" 2
refused "--by: the name of a task's key, with 'args.'" 2 \
	"ktap: no event of the recording has an argument 'pid'
  did you mean 'pid'?" --by pid,args.pid known
is "--interval: not a little less than it says" \
	"$("$KTAP" report --interval 2.01 known | grep seconds)" "0.00 .. 2.01 seconds"
run "$KTAP" report --by comm --sort comm -e 'op*' known
is "--sort: by a text" "$(awk '{ print $NF }' <<<"$out")" "comm
bash
cat"
# 50 ns each, so that 20000 are a millisecond
run "$KTAP" report --json --interval 0.001 known
is "--interval: counts, which rounding moves by one" \
	"$(grep -o '"count":[0-9]*' <<<"$out" | sed 's/.*://' | awk '
		{ n += $1; near += $1 >= 19999 && $1 <= 20001 }
		END { print NR, near, n }')" "5 5 100000"
run "$KTAP" report --interval 0.001 known
is "--interval: headings" "$(grep seconds <<<"$out")" "0.000 .. 0.001 seconds
0.001 .. 0.002 seconds
0.002 .. 0.003 seconds
0.003 .. 0.004 seconds
0.004 .. 0.005 seconds"
"$KTAP" report --json --by flags --rows 1000000 known >all
is "100000 keys" "$(wc -l <all)" 100000
run "$KTAP" report --json --by flags --rows 10 known
is "too few rows" "$(grep -o '"count":.*' <<<"$out" | tail -n 1)" \
	'"count":99990,"percent":99.99,"other":true,"values":{}}'
is "too few rows: a note" "$err" \
	"ktap: 99990 of 100000 hits are in '(other)', because all rows were taken: see --rows"
run sh -c "'$KTAP' report --json --by comm - <known"
is "standard input that is a file" "$out" "$("$KTAP" report --json --by comm known)"
run sh -c "cat known | '$KTAP' report --json --by comm -i -"
is "a pipe" "$out" "$("$KTAP" report --json --by comm known)"

# --- flame graphs

drawn "no stack" --by comm,tid known
drawn "more frames than pixels" --by flags --rows 1000000 known
drawn "a single frame" -e open known
echo old >graph.svg
run "$KTAP" report --flame graph.svg --by comm known
is "a graph that was there is kept" "$status $(cat graph.svg.old)" "0 old"
head -c 600 known >part
run "$KTAP" report --flame empty.svg --by comm part
like "--flame without hits: told" "$err" '^ktap: no hits: the graph is empty$'
refused "--flame to nowhere" 1 "ktap: cannot create '/nowhere/x': No such file or directory" \
	--flame /nowhere/x known
# FLAME_INPUT
ln -sf known same.svg
refused "--flame: its own input" 2 "ktap: --flame would replace the recording './known'" \
	--by comm --flame ./known known
refused "--flame: its own input, by a link" 2 "ktap: --flame would replace the recording 'same.svg'" \
	--by comm --flame same.svg -i known
# FLAME_WRITE
refused "--flame: a full disk" 1 "ktap: cannot write '/dev/full': No space left on device" \
	--flame /dev/full known
refused "--flame --folded" 2 "ktap: options '--flame' and '--folded' exclude each other" \
	--flame x --folded known
refused "--flame --json" 2 "ktap: options '--flame' and '--json' exclude each other" \
	--flame x --json known
refused "--flame of two values" 2 "ktap: bad value 'mode' for option '--value'" \
	--flame x --value flags,mode known

# --- call trees

treed "no stack" 0 --by comm,tid known
treed "many nodes" 0.01 --by flags --rows 1000000 known
treed "a single node" 0 -e open known
treed "a sum of nodes only" 100 --by comm,tid known
run "$KTAP" report --tree --by comm --value dfd known
is "--tree: negative sums" "$out" "\
TOTAL(dfd)  PERCENT  SELF(dfd)  PERCENT  comm
  -4966700   49.67%   -4966700   49.67%  bash
  -5033300   50.33%   -5033300   50.33%  cat"
# 50 ns each, so that 20000 are a millisecond
run "$KTAP" report --tree --interval 0.002 known
is "--tree --interval: headings" "$(grep seconds <<<"$out")" "0.000 .. 0.002 seconds
0.002 .. 0.004 seconds
0.004 .. 0.006 seconds"
is "--tree --interval: all hits are there" \
	"$(awk '$NF == "open" { print $1; n += $3 } END { print n }' <<<"$out" | tr '\n' ' ')" \
	"$("$KTAP" report --json --interval 0.002 known |
		sed 's/.*"count":\([0-9]*\).*/\1/' | tr '\n' ' ')100000 "
run "$KTAP" report --tree --json --interval 0.002 known
is "--tree --interval --json: the times" "$(grep -o '"time":[0-9.]*' <<<"$out")" \
	"$("$KTAP" report --json --interval 0.002 known | grep -o '"time":[0-9.]*')"
is "--tree --value: -n keeps the largest sums" \
	"$("$KTAP" report --tree --by flags --value flags -n 1 --rows 1000000 known |
		awk 'NR == 3 { print $1, $NF }')" "99999 0x1869f"
refused "--tree --flame" 2 "ktap: options '--tree' and '--flame' exclude each other" \
	--tree --flame x known
refused "--tree --folded" 2 "ktap: options '--tree' and '--folded' exclude each other" \
	--tree --folded known
refused "--tree --hist" 2 "ktap: options '--tree' and '--hist' exclude each other" \
	--tree --hist --value flags known
refused "--tree --diff" 2 "ktap: options '--tree' and '--diff' exclude each other" \
	--tree --diff known known
refused "--tree of two values" 2 "ktap: bad value 'mode' for option '--value'" \
	--tree --value flags,mode known
# NAMING_NO_FILES
alone="ktap: '--inline' names nothing: the recording has no files of user stacks
  inlined functions of the kernel need -k"
refused "--inline alone" 2 "$alone" --inline known
run "$KTAP" script --inline known
is "script --inline alone" "$status,$err" "2,$alone"
refused "--min alone" 2 "ktap: option '--min' is for '--tree'" --min 5 known
for percent in x 101 -1 5%; do
	refused "--min $percent" 2 "ktap: bad value '$percent' for option '--min'
  it takes a percentage, such as 5 or 0.5" --tree --min $percent known
done

# --- differences

"$BENCH" make 200000 3 "$WORK/more"
run "$KTAP" report --json --by comm --value flags --diff known known
is "--diff with itself: no change" \
	"$(grep -o '"change":[^,]*,' <<<"$out" | sort | uniq -c | tr -s ' ')" ' 4 "change":0.0,'
# 0 to n - 1 have the variance n * (n + 1) / 12: 1.96 * sqrt((100001 + 200001) / 12) = 309.9
run "$KTAP" report --json --value flags --diff known more
like "--diff: counts and averages" "$out" \
	'"old":100000,"new":200000,.*"avg":49999\.5}.*"avg":99999\.5},"change":50000\.0,"margin":309\.[89]'
run "$KTAP" report --by tid --diff known more -n 1
is "--diff --limit: all hits are there" \
	"$(awk 'NR > 1 { old += $1; new += $2 } END { print NR, old, new }' <<<"$out")" "3 100000 200000"
is "--diff: the old one from a pipe" "$("$KTAP" report --diff - more < <(cat known))" \
	"$("$KTAP" report --diff known more)"
is "--diff: the new one from a pipe" "$("$KTAP" report --diff known - < <(cat more))" \
	"$("$KTAP" report --diff known more)"
head -c 3000000 known >part
run "$KTAP" report --diff part --by comm known
is "--diff with a recording that is cut: its rows are there, rates are not known" \
	"$status $(awk 'NR > 1 { old += $1; new += $2; rates = rates $3 $4 } END { print old, new, rates }' <<<"$out")" \
	"1 $("$KTAP" script part 2>/dev/null | wc -l) 100000 ----"
like "--diff with a recording that is cut: told" "$err" "^ktap: 'part' is cut at byte [0-9]+ "
refused "--diff: an argument that none of the two has" 2 \
	"ktap: no event of the recording has an argument 'flagz'
  did you mean 'flags'?" --by flagz --diff known more
refused "--diff: an event that none of the two has" 2 \
	"ktap: no event of the recording matches 'close'" -e close --diff known more
refused "--diff --interval" 2 "ktap: options '--diff' and '--interval' exclude each other" \
	--diff known --interval 1 known
refused "--diff --hist" 2 "ktap: options '--diff' and '--hist' exclude each other" \
	--diff known --hist --value flags known
refused "--diff --sort" 2 "ktap: options '--diff' and '--sort' exclude each other" \
	--diff known --sort count known
refused "--diff with nothing" 1 "ktap: cannot open 'nowhere': No such file or directory" \
	--diff nowhere known

# --- what is refused

refused "a wrong key" 2 "ktap: no event of the recording has an argument 'flagz'
  did you mean 'flags'?" --by flagz known
refused "a wrong key of a pipe" 2 "ktap: no event of the recording has an argument 'flagz'
  did you mean 'flags'?" --by flagz - < <(cat known)
refused "a value that is no number" 2 "ktap: argument 'file' of event 'open' is not a number
  -e chooses the events of the report" --value file known
refused "a key twice" 2 "ktap: 'comm' is named twice" --by 'comm,$comm' known
refused "no key" 2 "ktap: bad value ',' for option '--by'" --by , known
refused "a wrong column" 2 "ktap: the report has no column 'cuont'
  did you mean 'count'?" --sort cuont known
refused "an event that is not there" 2 \
	"ktap: no event of the recording matches 'close'" -e close known
refused "--limit: negative" 2 "ktap: bad value '-1' for option '--limit'
  it takes a number from 1 to 1073741824" --limit -1 known
refused "--interval: 0" 2 "ktap: bad value '0' for option '--interval'
  it takes seconds, such as 10 or 0.5" --interval 0 known
refused "--folded --json" 2 "ktap: options '--folded' and '--json' exclude each other" \
	--folded --json known
refused "--folded --hist" 2 "ktap: options '--folded' and '--hist' exclude each other" \
	--folded --hist --value flags known
refused "--folded --diff" 2 "ktap: options '--folded' and '--diff' exclude each other" \
	--folded --diff known known
refused "--folded --interval" 2 "ktap: options '--folded' and '--interval' exclude each other" \
	--folded --interval 1 known
refused "--folded of two values" 2 "ktap: bad value 'mode' for option '--value'" \
	--folded --value flags,mode known
is "--folded: of one key" "$("$KTAP" report --folded --by comm known | wc -l)" 2
refused "--hist alone" 2 "ktap: option '--hist' is for '--value'" --hist known
refused "two recordings" 2 "ktap: unexpected word 'known'" known known
refused "no recording" 1 "ktap: cannot open 'nowhere': No such file or directory" nowhere
refused "what is no recording" 1 "$("$KTAP" script all 2>&1)" all
if [ "${data:-}" ]; then
	refused "one name, two types" 2 "ktap: argument 'size' of event 'open' is not a number
  -e chooses the events of the report" --value size "$data"
	check "one name, two types: one event" "$KTAP" report -e entry --value size "$data"
fi

# --- recordings that are not whole

head -c 3000000 known >part
run "$KTAP" report part
like "a recording that is cut: told" "$status $err" \
	"^1 ktap: 'part' is cut at byte [0-9]+ \\([a-z ]+\\): this is what comes before\$"
is "a recording that is cut: the hits before are counted" "$(awk 'NR == 2 { print $1 }' <<<"$out")" \
	"$("$KTAP" script part 2>/dev/null | wc -l)"
for size in 16 200 600 1000; do
	head -c $size known >part
	run timeout 10 "$KTAP" report --tree --by flags --value flags part
	like "cut at $size bytes, --tree" "$status $err" "^[12] ktap: "
	run timeout 10 "$KTAP" report --by flags --value flags part
	like "cut at $size bytes" "$status $err" "^[12] ktap: "
done
"$BENCH" make 1 1 "$WORK/one"
"$KTAP" report --by flags --value flags one >before
failures=0
for at in $(seq 0 "$(every 7)" $(($(stat -c %s one) - 1))); do
	cp one forged
	printf '\377' | dd of=forged bs=1 seek="$at" conv=notrunc 2>/dev/null
	timeout 10 "$KTAP" report --by flags,comm,symbol --value flags --hist forged \
		>/dev/null 2>&1
	[ $? -le 2 ] || failures=$((failures + 1))
done
is "one byte of a recording changed, anywhere: no crash" "$failures" 0
finish
