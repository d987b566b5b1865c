#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What 'ktap line', 'ktap vars' and 'ktap funcs -v' say of programs that the
# compilers have just made of prog/lines.c, in which comments name lines; perf
# is asked too, and kernels with their debug information.

# shellcheck disable=SC2016,SC2317 # $arg1 is a word of ktap; 'check' calls functions
. "${BASH_SOURCE[0]%/*}/lib.sh"

KTAP=$(host_ktap) || exit 1
SOURCE=$E2E/prog/lines.c

# line_of WORD: the line with that comment
line_of()
{
	grep -n "/\* line: $1 \*/" "$SOURCE" | cut -d: -f1
}

# decl_of FUNC: where it is declared
decl_of()
{
	grep -n "int $1(" "$SOURCE" | head -n 1 | cut -d: -f1
}

# relative FUNC WORD
relative()
{
	echo $(($(line_of "$2") - $(decl_of "$1")))
}

# length FUNC: how many lines are behind the one that declares it
length()
{
	awk -v first="$(decl_of "$1")" \
		'NR > first && /^}/ { print NR - first; exit }' "$SOURCE"
}

# numbered: the numbers of lines in what 'ktap line' and perf print
numbered()
{
	sed -n 's/^ *\([0-9][0-9]*\)\( .*\)*$/\1/p' | sort -n
}

# lacks FEW MANY: the lines of FEW that are not in MANY
lacks()
{
	comm -23 <(sort -u <<<"$1") <(sort -u <<<"$2") | sed '/^$/d'
}

# build NAME COMPILER OPTION...
build()
{
	local name=$1

	shift
	"$@" -g -Wall -Wextra -Werror -o "$WORK/$name" "$SOURCE"
}

# where VARIABLE: where 'ktap vars', which printed "$out", says that it is
where()
{
	sed -n "s/^[a-z]* .*\<$1\>[^ ]*  *\(.*\)/\1/p" <<<"$out" | head -n 1
}

# each line that is numbered is a place for 'add', and no other is
lines_are_places()
{
	local file=$1 func=$2 nr

	for nr in $(seq 0 20); do
		if "$KTAP" add -n -x "$file" "$func:$nr" >"$WORK/line" 2>&1; then
			echo "$nr"
		fi
	done
}

# ---- programs ---------------------------------------------------------------

compare_with_perf()
{
	local file=$1 func ours theirs

	for func in main outer work inlined; do
		if ! command -v perf >/dev/null; then
			skip "${file##*/}: $func as perf has it" "no perf"
			continue
		fi
		# of what is inlined perf also numbers lines around the call
		theirs=$(perf probe -x "$file" -L "$func" 2>/dev/null | numbered |
			awk -v end="$(length "$func")" '$1 <= end')
		ours=$("$KTAP" line -q -x "$file" "$func" | numbered)
		if [ -z "$theirs" ]; then
			skip "${file##*/}: $func as perf has it" "perf finds none"
			continue
		fi
		is "${file##*/}: $func: all that perf numbers" \
			"$(lacks "$theirs" "$ours")" ""
	done
}

for compiler in gcc clang; do
	if ! command -v "$compiler" >/dev/null; then
		skip "$compiler" "it is not there"
		continue
	fi
	for level in 0 2; do
		name=$compiler-O$level file=$WORK/$compiler-O$level
		build "$name" "$compiler" "-O$level" || exit 1
		compare_with_perf "$file"
		for func in work outer inlined; do
			is "$name: $func: what is numbered is a place" \
				"$("$KTAP" line -q -x "$file" "$func" | numbered)" \
				"$(lines_are_places "$file" "$func")"
		done
		run "$KTAP" line -x "$file" work
		like "$name: the function, and its file" "$(head -n 1 "$WORK/out")" \
			"^work, .*/lines\.c:$(decl_of work)\$"
		like "$name: a line with code has its number" "$out" \
			"^ *$(relative work call)  .*line: call"
		like "$name: one without has none" "$out" "^ {9}.*line: comment"
		is "$name: the whole function" "$(tail -n 1 "$WORK/out" |
			sed 's/^ *[0-9]* *//')" "}"
		run "$KTAP" line -x "$file" --json "work:$(relative work call)+1"
		is "$name: JSON" "$(jq -r '[.line, .relative, (.addresses | length > 0),
			(.text | contains("line: call"))] | join(" ")' "$WORK/out")" \
			"$(line_of call) $(relative work call) true true"
		run "$KTAP" line -x "$file" "lines.c:$(line_of call)-$(line_of fn)"
		is "$name: part of a file" "$(numbered <"$WORK/out" | head -n 1)" \
			"$(line_of call)"
		is "$name: as long as asked for" "$(wc -l <"$WORK/out")" \
			$(($(line_of fn) - $(line_of call) + 2))
		run "$KTAP" vars -x "$file" work
		like "$name: a pointer" "$out" '^param  struct pair \*p  '
		like "$name: an array" "$out" '^param  char \*name  '
		like "$name: a pointer to a function" "$out" \
			'^param  int \(\*fn\)\(const char \*\)  '
		like "$name: a local variable" "$out" '^local  int sum  '
		run "$KTAP" vars -x "$file" inlined
		like "$name: where it was inlined" "$out" \
			"^  in inlined, inlined into work at .*/lines\.c:$(line_of call)\$"
		run "$KTAP" vars -x "$file" --externs outer
		like "$name: a global variable" "$out" '^global  int counter  *@\+0x'
		like "$name: one of the unit" "$out" '^global  volatile int hidden  '
		run "$KTAP" vars -x "$file" outer
		is "$name: they are not asked for" "$(grep -c ^global "$WORK/out")" 0
		run "$KTAP" funcs -v -x "$file" inlined
		is "$name: inlined twice" "$out" "inlined (only inlined: 2)"
		run "$KTAP" funcs -v --json -x "$file" inlined
		is "$name: as JSON" "$(jq -c '[.name, .line, .inlined]' "$WORK/out")" \
			"[\"inlined\",$(decl_of inlined),2]"
	done
done

# ---- variables that are known -------------------------------------------------

O0=$WORK/gcc-O0 O2=$WORK/gcc-O2
if [ "$(uname -m)" = x86_64 ]; then
	run "$KTAP" vars -x "$O2" work
	is "the first argument of x86_64" "$(where p)" %di
	is "the third" "$(where n)" %dx
	run "$KTAP" vars -x "$O2" work%return
	is "at the return it is from the entry" "$(where p)" '$entry(%di)'
	run "$KTAP" vars -x "$O0" work%return
	is "and without optimisation, too" "$(where p)" '$entry($arg1)'
	run "$KTAP" vars -x "$O0" work
	like "without optimisation, in the frame" "$(where sum)" '^-[0-9]+\(%bp\)$'
fi
for func in main work outer inlined; do
	for nr in $("$KTAP" line -q -x "$O2" "$func" | numbered); do
		run "$KTAP" vars -x "$O2" --externs --range "$func:$nr"
		is "variables at $func:$nr" "$status,$err" 0,
	done
done
run "$KTAP" vars -x "$O2" --range work
like "where it has a value" "$out" '^ +\+0x0\.\.\+0x[0-9a-f]+ \(lines? [0-9]+'
run "$KTAP" vars -x "$O0" --range work
like "everywhere in its scope" "$out" '^ +everywhere$'
run "$KTAP" vars -x "$O2" --range --json work
is "JSON: an object for each" "$(jq -r .name "$WORK/out" | sort | tr '\n' ' ')" \
	"fn i n name p sum "
is "JSON: their types" "$(jq -r 'select(.kind == "param") | .type' "$WORK/out")" \
	"struct pair *
char *
int
int (*)(const char *)"
is "JSON: they begin at the entry" "$(jq -s '[.[] | select(.name == "p") |
	.ranges[0].start == .address] | all' "$WORK/out")" true
run "$KTAP" vars -x "$O2" --json inlined
is "JSON: the chain of calls" "$(jq -rc 'select(.symbol == "work") |
	[.chain[] | .function, .call_line]' "$WORK/out" | sort -u)" \
	"[\"inlined\",$(line_of call),\"work\",null]"

# What each thread has, as far from the thread pointer as the program says
for how in "-fPIE -pie" -no-pie -static "-static-pie -fPIE" "-gsplit-dwarf"; do
	# shellcheck disable=SC2086 # flags are words
	(cd "$WORK" && gcc -g -O2 $how -o threads "$E2E/prog/threads.c") || exit 1
	run "$KTAP" vars --externs -x "$WORK/threads" probed
	is "$how: what each thread has" \
		"own $(where own) wide $(where wide) zero $(where zero)" "$("$WORK/threads")"
done

# What is shown is what a probe gets: each can be recorded, or it cannot.
for place in work outer inlined "work:$(relative work call)"; do
	"$KTAP" vars -x "$O2" --json "$place" >"$WORK/vars"
	points=$(jq -r .address "$WORK/vars" | sort -u | wc -l)
	for var in $(jq -r .name "$WORK/vars" | sort -u); do
		there=$(jq -s "[.[] | select(.name == \"$var\") |
			select(.where != \"nowhere\")] | length" "$WORK/vars")
		status=0
		"$KTAP" add -n -x "$O2" "$place" "&$var" >"$WORK/add" 2>&1 ||
			"$KTAP" add -n -x "$O2" "$place" "$var" >"$WORK/add" 2>&1 || status=1
		is "$place: $var can be recorded, or not" \
			"$status" "$((there != points))"
	done
done

# ---- several lines, and the functions of a file -------------------------------

# points PLACE...: where the points of each are
points()
{
	local place

	for place; do
		"$KTAP" add -n -v -x "$O0" "$place" 2>/dev/null |
			sed -n 's/^  place .* at \(0x[0-9a-f]*\) of .*/\1/p'
	done | sort -u
}

# check_without_btf KERNEL VMLINUX: what debug information says of tracepoints is what
# BTF does, of each of them.
check_without_btf()
{
	local objcopy=objcopy file=$WORK/without-btf

	! is_arm64 "$1" || objcopy=aarch64-linux-gnu-objcopy
	check "$1: a copy without BTF" "$objcopy" --rename-section .BTF=.gone "$2" "$file"
	"$KTAP" funcs -v -k "$2" 'tracepoint:*' >"$WORK/by-btf"
	run "$KTAP" funcs -v -k "$file" 'tracepoint:*'
	check "$1: tracepoints have parameters" [ "$(grep -c '(.*)$' "$WORK/by-btf")" -gt 500 ]
	is "$1: without BTF they have the same" "$status,$(diff "$WORK/by-btf" "$WORK/out" | head -n 5)" 0,
	run "$KTAP" add -n -k "$file" 'tracepoint:sched_switch prev->pid x=(struct task_struct *)$arg3 $task->pid'
	is "$1: without BTF: members and casts" "$status,$err" 0,
	run "$KTAP" vars -k "$file" tracepoint:sched_switch
	like "$1: without BTF: all of them" "$out" '^param  struct task_struct [*]next +[$]arg3'
	run "$KTAP" add -n -k "$file" 'tracepoint:kfree object'
	is "$1: without BTF: not those of the function of that name" "$status,$err" \
		"2,ktap: 'kfree' has no parameter 'object'
  tracepoint:kfree object
                   ^~~~~~  there are: call_site, ptr"
	rm "$file"
}

# insn KERNEL VMLINUX: the second instruction of vfs_read, as objdump has it
insn()
{
	local dump=objdump

	! is_arm64 "$1" || dump=aarch64-linux-gnu-objdump
	$dump -d --disassemble=vfs_read --no-show-raw-insn "$2" |
		awk '/^ *[0-9a-f]+:/ && NF > 1 { sub(":", "", $1); at[n++] = $1 }
			n == 2 { print at[0], at[1]; exit }' |
		while read -r a b; do echo $((16#$b - 16#$a)); done
}

first=$(line_of call) last=$(line_of fn)
is "lines from one to another" "$(points "lines.c:$first-$last")" \
	"$(for nr in $(seq "$first" "$last"); do points "lines.c:$nr"; done | sort -u)"
is "counted from a function's declaration" \
	"$(points "work:$(relative work call)-$(relative work fn)")" \
	"$(points "lines.c:$first-$last")"
is "all lines of a file" "$(points 'lines.c:*')" \
	"$(for nr in $(seq "$(wc -l <"$SOURCE")"); do points "lines.c:$nr"; done | sort -u)"
run "$KTAP" add -n -x "$O0" "lines.c:$first-$last"
is "they are one event" "$out" "-x $O0 lines_L$first=lines.c:$first-$last"
run "$KTAP" add -n -x "$O0" 'lines.c:*'
is "that of a file, too" "$out" "-x $O0 lines=lines.c:*"
run "$KTAP" add -n -x "$O0" lines.c:1-2
is "no code in them" "$status,$(printf '%s\n' "$err" | head -n 3)" \
	"2,ktap: no code in these lines
  lines.c:1-2
          ^~~  the nearest line that has some is $(line_of test)"
run "$KTAP" add -n -x "$O0" lines.c:5-2
is "backwards" "$status,$(printf '%s\n' "$err" | head -n 1)" "2,ktap: bad line '5-2'"
# The symbol is gone, as those of static functions are from most libraries.
objcopy -N work "$O0" "$WORK/nameless"
place_of()
{
	"$KTAP" add -n -v -x "$@" | sed -n 's/^  place .* file \(0x[0-9a-f]*\).*/\1/p'
}
is "a function that only the debug information names" \
	"$(place_of "$WORK/nameless" work n \$arg3)" "$(place_of "$O0" work n \$arg3)"
at=$(place_of "$O0" work+9 n)
check "an offset: there is a place" test -n "$at"
is "an offset in what only the debug information names" \
	"$(place_of "$WORK/nameless" work+9 n)" "$at"
run "$KTAP" add -n -x "$WORK/nameless" work+99999
size=$((16#$(nm -S "$O0" | awk '$4 == "work" { print $2 }')))
is "behind its end" "$status,$err" \
	"2,ktap: 'work' ends before offset 99999: it has $size bytes
  work+99999
      ^~~~~~"
run "$KTAP" add -n -x "$WORK/nameless" worc+9
like "of no function" "$status,$err" "^2,ktap: no function 'worc' in '$WORK/nameless'"
run "$KTAP" add -n -x "$O0" '*@lines.c'
is "all functions of a file" "$(printf '%s\n' "$out" | sort)" "-x $O0 main=main@lines.c
-x $O0 outer=outer@lines.c
-x $O0 work=work@lines.c"
run "$KTAP" funcs -x "$O0" '*@lines.c'
is "their list" "$status,$out" "0,main
outer
work"
run "$KTAP" funcs -x "$O0" --json 'w*@prog/lines.c'
is "their list as JSON" "$status,$out" '0,{"v":1,"name":"work","module":null}'
run "$KTAP" funcs -x "$O0" 'x*@lines.c'
is "a list of none" "$status,$out$err" "2,ktap: no function 'x*' is defined in 'lines.c'
  x*@lines.c
  ^~"
run "$KTAP" funcs -x "$O0" 'w*@lines.c:9'
like "a list of functions at a line" "$status,$err" "^2,ktap: no function of '.*' matches"
run "$KTAP" add -n -x "$O0" 'w*@prog/lines.c%return $retval'
is "those that match" "$out" \
	"-x $O0 work__return=work@prog/lines.c%return retval=\$retval"
run "$KTAP" add -n -x "$O0" '*@lines.c' argc
is "those that have what is to be shown" "$status,$out" \
	"0,-x $O0 main=main@lines.c argc=argc"
like "and how many do not" "$err" "left out: 2 functions, the first because"
run "$KTAP" add -n -x "$O0" 'x*@lines.c'
is "none that matches" "$status,$err" "2,ktap: no function 'x*' is defined in 'lines.c'
  x*@lines.c
  ^~"
run "$KTAP" add -n -x "$O0" '*@nolines.c'
like "no such file" "$status,$err" "^2,ktap: no code comes from a file 'nolines.c'"
libc=$(ldd /bin/sh | awk '/libc\.so/ { print $3 }')
run "$KTAP" add -n -x "$libc" 'str*@GLIBC_NONE'
is "a pattern with a version" "$status,$out,$(printf '%s\n' "$err" | head -n 1)" \
	"2,,ktap: no function of '$libc' that matches 'str*' has a version 'GLIBC_NONE'"

# ---- two functions of one name ------------------------------------------------

# One is inlined everywhere, in front of the other; headers have both.
KEPT='__attribute__((noipa))'
echo 'static inline __attribute__((always_inline)) int pick(int x) { return x * sink; }' \
	>"$WORK/inlined.h"
echo "int pick(int x); $KEPT int pick(int x) { return x + sink; }" >"$WORK/kept.h"
{
	echo 'volatile int sink; int first(int x);'
	echo '#include "inlined.h"'
	echo "$KEPT int first(int x) { return pick(x) * 3; }"
} >"$WORK/first.c"
{
	echo 'extern volatile int sink; int first(int x);'
	echo '#include "kept.h"'
	echo 'int main(int argc, char **argv) { (void)argv; return pick(argc) + first(argc); }'
} >"$WORK/second.c"
(cd "$WORK" && gcc -g -O2 -o twins first.c second.c) || exit 1
run "$KTAP" add -n -v -x "$WORK/twins" pick
is "copies of another function are no points" \
	"$(sed -n 's/^  place *\(.*\) of .*/\1/p' "$WORK/out")" \
	"pick+0x0 at 0x$(nm "$WORK/twins" | sed -n 's/^0*\(.*\) T pick$/\1/p')"

# ---- link-time optimisation ---------------------------------------------------

# main() calls far() twice, which is of the other unit, as is what far() calls.
{
	echo 'volatile int sink; int far(int x);'
	echo 'static int near(int x) { return x + sink; }'
	echo 'int main(int argc, char **argv)'
	echo '{ (void)argv; return far(argc) + far(argc + 1) + near(argc); }'
} >"$WORK/near.c"
{
	echo 'extern volatile int sink; int far(int x);'
	echo 'static int deep(int x) { return x - sink; }'
	echo 'int far(int x) { sink = x; return deep(x); }'
} >"$WORK/far.c"
for compiler in gcc "clang -fuse-ld=lld"; do
	command -v "${compiler%% *}" >/dev/null || { echo "# no $compiler"; continue; }
	# shellcheck disable=SC2086 # flags are words
	(cd "$WORK" && $compiler -g -O2 -flto -o linked near.c far.c) || exit 1
	run "$KTAP" funcs -v -q -x "$WORK/linked" '[dfn]e*[pr]'
	is "${compiler%% *}: what was inlined into another unit" "$out" \
		"deep (only inlined: 2)
near (only inlined: 1)"
	run "$KTAP" funcs -v -q -x "$WORK/linked" far
	is "${compiler%% *}: and by its name" "$out" "far (only inlined: 2)"
done

# ---- source -------------------------------------------------------------------

mkdir -p "$WORK/away/sub"
cp "$SOURCE" "$WORK/away/sub/moved.c"
gcc -g -O2 -o "$WORK/moved" "$WORK/away/sub/moved.c"
mkdir "$WORK/new"
mv "$WORK/away/sub" "$WORK/new"
run "$KTAP" line -x "$WORK/moved" work
like "without source: a note" "$err" "^ktap: the source '$WORK/away/sub/moved\.c' cannot be read: .*-s DIR"
like "and the lines that have code" "$out" \
	"^ *$(relative work call)  $WORK/away/sub/moved\.c:$(line_of call)\$"
run "$KTAP" line -x "$WORK/moved" -s "$WORK/new" work
like "-s DIR: below it" "$err,$out" "line: call"
run "$KTAP" line -x "$WORK/moved" -s "$WORK/away=$WORK/new" work
like "-s OLD=NEW" "$out" "line: call"
run "$KTAP" add -n -x "$WORK/moved" -s "$WORK/away=$WORK/new" 'work;*fn(name)*'
is "add -s: lines that look like that" "$status,$err" 0,
run "$KTAP" line -q -x "$WORK/moved" -s "$WORK/away=$WORK/nowhere" work
is "-q: no note" "$status,$err" 0,

# ---- one name, two functions -----------------------------------------------------

# The one in kept.c has a symbol, the one in inlined.c is only inlined.
cat >"$WORK/kept.c" <<'END'
__attribute__((noinline)) static int same(int x)
{
	__asm__ volatile("" : "+r"(x));
	return x;
}

int kept(int x)
{
	return same(x) + 1;
}
END
cat >"$WORK/inlined.c" <<'END'
int kept(int x);

__attribute__((always_inline)) static inline int same(int x)
{
	__asm__ volatile("" : "+r"(x));
	return x;
}

int main(int argc, char **argv)
{
	(void)argv;
	return same(argc) * kept(argc);
}
END
gcc -g -O2 -o "$WORK/two" "$WORK/kept.c" "$WORK/inlined.c" || exit 1
XDG_CACHE_HOME=$WORK/cache "$KTAP" index -q -x "$WORK/two" >"$WORK/indexed" || exit 1
for index in off on; do
	KTAP_INDEX=$index XDG_CACHE_HOME=$WORK/cache run "$KTAP" \
		line -x "$WORK/two" same
	like "the one with the symbol, index $index" "$status,${out%%$'\n'*}" \
		"^0,same, .*/kept.c:1\$"
	KTAP_INDEX=$index XDG_CACHE_HOME=$WORK/cache run "$KTAP" \
		line -x "$WORK/two" same@inlined.c
	like "the other one, index $index" "$status,${out%%$'\n'*}" \
		"^0,same, .*/inlined.c:3, inlined in 1 place\$"
done
run "$KTAP" add -n --format=kprobe_events -x "$WORK/two" same:0
with_line=$status,$out
run "$KTAP" add -n --format=kprobe_events -x "$WORK/two" same
is "line 0 is where the function is" \
	"${with_line##* }" "${out##* }"

# ---- errors -------------------------------------------------------------------

run "$KTAP" line -x "$O2" worc
is "no such function" "$status,$err" \
	"2,ktap: no function 'worc' in the debug information
  worc
  ^~~~  did you mean 'work'?"
run "$KTAP" line -x "$O2" work@prog/lnies.c
is "not in that file" "$status,$err" \
	"2,ktap: no function 'work' is defined in 'prog/lnies.c'
  work@prog/lnies.c
  ^~~~  it is in $SOURCE"
run "$KTAP" line -x "$O2" lnies.c
is "no such file" "$status,$err" "2,ktap: no code comes from a file 'lnies.c'
  lnies.c
  ^~~~~~~  did you mean 'lines.c'?"
run "$KTAP" vars -x "$O0" "work:$(relative work comment)"
is "a line without code" "$status,$err" \
	"2,ktap: line $(relative work comment) has no code
  work:$(relative work comment)
       ^  the nearest lines that have some are $(relative work call) and $(($(relative work comment) + 1))"
run "$KTAP" line -x "$O0" work:3-2
is "lines that are none" "$status,$err" "2,ktap: bad line '3-2'
  work:3-2
       ^~~  write LINE, LINE-LINE2 or LINE+NUM"
run "$KTAP" line -x "$O0" work+8
is "an offset" "$status,$err" "2,ktap: 'work+8' is neither a symbol nor an address
  work+8
  ^~~~~~  write FUNC, FUNC@FILE or FILE, and behind it :LINE, :LINE-LINE2 or :LINE+NUM"
gcc -o "$WORK/bare" "$SOURCE"
for verb in line vars; do
	run "$KTAP" "$verb" -x "$WORK/bare" work
	is "$verb: no debug information" "$status,$err" \
		"2,ktap: no debug information for '$WORK/bare'"
	run "$KTAP" "$verb" -x "$O0" -k "$O0" work
	is "$verb: -x and -k" "$status,$err" \
		"2,ktap: options '-x' and '-k' exclude each other"
	run "$KTAP" "$verb" -x "$O0"
	like "$verb: no place" "$status,$err" "^2,ktap: missing: a "
	run "$KTAP" "$verb" -x "$O0" work n
	is "$verb: two words" "$status,$err" "2,ktap: unexpected word 'n'"
	run "$KTAP" "$verb" -x "$O0" --json work
	json=$out
	run "$KTAP" "$verb" work --json -x "$O0"
	is "$verb: options behind the place" "$status,$err,$out" "0,,$json"
	run "$KTAP" "$verb" work -x "$O0" --jsno
	is "$verb: what is none, behind the place" "$status,$err" \
		"2,ktap: unknown option '--jsno'
  'ktap $verb --help' lists the options"
done
run "$KTAP" vars -x "$O0" 'work n'
is "a definition is no place" "$status,$err" "2,ktap: unexpected word 'work n'"
run "$KTAP" vars -x "$O0" _start
is "code without debug information" "$status,$err" \
	"2,ktap: the debug information has no function at this place
  _start
  ^~~~~~"
run "$KTAP" funcs -v -x "$WORK/bare" work
is "funcs -v: no debug information" "$out,$err" \
	"work,ktap: no debug information: what was inlined is not known"

# ---- kernels --------------------------------------------------------------------

# statements FILE: the lines of begins.c at which a statement begins, by gdb's table
statements()
{
	gdb -nx -batch -ex 'info line main' -ex 'maint info line-table begins.c' "$1" \
		2>/dev/null |
		awk '$1 ~ /^[0-9]+$/ && $2 ~ /^[0-9]+$/ && $4 == "Y" { print $2 }' |
		sort -nu
}

# taken FILE LINES: those of begins.c, from 1 to LINES, at which ktap places a probe
taken()
{
	local i

	for ((i = 1; i <= $2; i++)); do
		! "$KTAP" add -n -x "$1" "begins.c:$i" >/dev/null 2>&1 || echo "$i"
	done
}

# Three lines of debian-6.1 at which perf places a probe and ktap does not
# (serio_handle_event:334, event_id_read:2, __dquot_drop:3): gdb decides.
if command -v gdb >/dev/null; then
	for cc in "gcc -O1" "gcc -O2" "clang -O2"; do
		$cc -g -o "$WORK/begins" "$E2E/prog/begins.c" || exit 1
		statements "$WORK/begins" >"$WORK/by_gdb"
		check "$cc: gdb knows lines" test -s "$WORK/by_gdb"
		is "$cc: a line has code where gdb's table has a statement of it" \
			"$(taken "$WORK/begins" "$(wc -l <"$E2E/prog/begins.c")")" \
			"$(<"$WORK/by_gdb")"
	done
else
	skip "lines that have code" "no gdb"
fi

for kernel in $(kernels debian-6.1 debian-6.12-arm64); do
	if ! "$TOP/scripts/kernels" get "$kernel" --debuginfo >"$WORK/get" 2>&1; then
		note "$WORK/get"
		skip "$kernel: debug information" "it could not be had"
		continue
	fi
	vmlinux=$("$TOP/scripts/kernels" path "$kernel" vmlinux)
	"$KTAP" add -n -v -k "$vmlinux" 'sock_*@net/socket.c' >"$WORK/out" 2>&1
	sed -n 's/^  place .* at \(0x[0-9a-f]*\).*/\1/p' "$WORK/out" >"$WORK/at"
	is "$kernel: functions of a file" "$(sed -n 's/^\(sock_\(send\|recv\)msg\)=.*/\1/p' \
		"$WORK/out" | sort -u)" "sock_recvmsg
sock_sendmsg"
	# at an entry on arm64 there is room for ftrace, which has other lines
	is_arm64 "$kernel" ||
		is "$kernel: no others" "$(addr2line -e "$vmlinux" <"$WORK/at" |
			grep -v '/net/socket\.c:')" ""
	run "$KTAP" line -q -k "$vmlinux" vfs_read
	like "$kernel: line" "$(head -n 1 "$WORK/out")" '^vfs_read, fs/read_write\.c:[0-9]+$'
	first=%di third=%dx
	if is_arm64 "$kernel"; then
		first=%x0 third=%x2
	fi
	run "$KTAP" vars -k "$vmlinux" vfs_read
	is "$kernel: vars" "$(where file) $(where count)" "$first $third"
	is "$kernel: an entry is one point" "$(grep -c '^vfs_read+' "$WORK/out")" 1
	run "$KTAP" vars -k "$vmlinux" vfs_read --externs
	like "$kernel: what the linker left out is nowhere" "$out" \
		'__UNIQUE_ID___addressable_kernel_read[0-9]+ +nowhere: the linker left it out'
	if ! is_arm64 "$kernel"; then
		run "$KTAP" vars -k "$vmlinux" switch_to_new_gdt --externs
		like "$kernel: but the first variable of a CPU is" "$out" \
			' fixed_percpu_data +\+0\(\$percpu\)'
	fi
	run "$KTAP" vars -k "$vmlinux" sys:openat
	like "$kernel: of a system call" "$out" '^param  ustring filename +\$arg2'
	run "$KTAP" add -n -k "$vmlinux" 'tracepoint:sched_switch prev'
	is "$kernel: of a tracepoint" "$status,$out" \
		0,'sched_switch=tracepoint:sched_switch prev=prev'
	run "$KTAP" add -n -k "$vmlinux" 'sched:sched_switch next->comm'
	is "$kernel: with its group" "$status,$out" \
		0,'sched_switch=tracepoint:sched_switch comm=next->comm'
	run "$KTAP" vars -k "$vmlinux" tracepoint:sched_switch
	like "$kernel: all of them" "$out" '^param  struct task_struct [*]prev '
	run "$KTAP" add -n -k "$vmlinux" 'tracepoint:kfree ptr'
	is "$kernel: of one that is called as a function is" "$status,$out" \
		0,'kfree=tracepoint:kfree ptr=ptr'
	check_without_btf "$kernel" "$vmlinux"
	run "$KTAP" add -n -k "$vmlinux" tracepoint:sched_swich
	is "$kernel: no tracepoint" "$status,$err" \
		"2,ktap: no tracepoint of this kernel matches 'sched_swich'
  tracepoint:sched_swich
             ^~~~~~~~~~~  did you mean 'tracepoint:sched_switch'?"
	# INSIDE_INSN
	run "$KTAP" add -n -k "$vmlinux" vfs_read+2
	is "$kernel: inside of an instruction" "$status,$err" \
		"2,ktap: byte 0x2 of 'vfs_read' is inside an instruction, which begins at 0x0
  vfs_read+2
          ^~"
	run "$KTAP" add -n -k "$vmlinux" "vfs_read+$(insn "$kernel" "$vmlinux")"
	is "$kernel: at the second one" "$status" 0
	run "$KTAP" add -n -k "$vmlinux" 'sched:sched_switc*'
	is "$kernel: a pattern in a group" "$status,$out" \
		0,sched_switch=tracepoint:sched_switch
	# NOT_IN_GROUP
	run "$KTAP" add -n -k "$vmlinux" irq:sched_switch
	is "$kernel: of another group" "$status,$err" \
		"2,ktap: no tracepoint of the group 'irq' matches 'sched_switch'
  irq:sched_switch
      ^~~~~~~~~~~~  did you mean 'tracepoint:sched_switch'?"
	# NO_GROUP
	run "$KTAP" add -n -k "$vmlinux" 'tracepoint:nosuch:x*'
	is "$kernel: no such group" "$status,$err" \
		"2,ktap: no group of tracepoints is called 'nosuch'
  tracepoint:nosuch:x*
                    ^~"
	# GROUPS_OFFLINE
	run "$KTAP" add -n -k "$KTAP" 'tracepoint:sched:*'
	is "$kernel: all of a group, in a file without events" "$status,$err" \
		"2,ktap: the file of the kernel does not say which tracepoints are in a group: name one
  tracepoint:sched:*
                   ^"
	run "$KTAP" funcs -v -q -k "$vmlinux" vfs_read
	is "$kernel: funcs" "$out" \
		'vfs_read(struct file *file, char *buf, long unsigned int count, loff_t *pos)'
	run "$KTAP" funcs -v -k "$vmlinux" get_current
	like "$kernel: what is only inlined" "$out" \
		'^get_current \(only inlined: [0-9]+\)$'
	if ! command -v perf >/dev/null; then
		skip "$kernel: as perf has it" "no perf"
		continue
	fi
	perf probe -k "$vmlinux" -V vfs_read 2>/dev/null >"$WORK/perf"
	if [ -s "$WORK/perf" ]; then
		is "$kernel: variables as perf has them" \
			"$(lacks "$(awk 'NF > 1 && !/@|^A/ { print $NF }' "$WORK/perf")" \
				"$("$KTAP" vars -k "$vmlinux" --json vfs_read | jq -r .name)")" ""
	else
		skip "$kernel: variables as perf has them" "perf finds none"
	fi
done
finish
