#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What is said where debug information is missing, damaged or of something else,
# and of places and variables that it does not have: whole messages. Each row of
# its tables of errors is met here.

# shellcheck disable=SC2016,SC2317 # $vars is a word of ktap; 'check' calls functions
. "${BASH_SOURCE[0]%/*}/lib.sh"

KTAP=$(host_ktap) || exit 1
PROG=$E2E/prog
DWARF=$TOP/user/tests/dwarf

# refused DESCRIPTION STATUS MESSAGE WORD...: of ktap
refused()
{
	local description=$1 wanted=$3 wanted_status=$2

	shift 3
	run "$KTAP" "$@"
	is "$description" "$status,$out,$err" "$wanted_status,,$wanted"
	echo "$err" >>"$WORK/said"
}

build_all()
{
	gcc -g -O0 -o plain "$PROG/lines.c" &&
		gcc -g -O2 -o lost "$PROG/lost.c" &&
		gcc -g -O2 -shared -fPIC -o lost.so "$PROG/lost.c" &&
		gcc -g -O2 -o twins "$DWARF/main.c" "$DWARF/other.c" &&
		gcc -o bare "$PROG/lines.c" &&
		gcc -g -O2 -gsplit-dwarf -c -o split.o "$PROG/lines.c" &&
		gcc -o split split.o &&
		echo 'int whole(int n) { return n + 1; }' >whole.c &&
		gcc -g -O2 -c whole.c && gcc -o part split.o whole.o &&
		rm split.dwo
}

# patched FILE OFFSET BYTE: a copy of plain with that byte changed
patched()
{
	cp plain "$1"
	# shellcheck disable=SC2059 # the byte is an escape
	printf "$3" | dd of="$1" bs=1 seek="$2" conv=notrunc 2>"$WORK/dd"
}

cd "$WORK" || exit 1
build_all || exit 1
decl=$(grep -n 'int work(' "$PROG/lines.c" | cut -d: -f1)

# ---- files --------------------------------------------------------------------------

refused "no such file" 1 "ktap: cannot open '/none': No such file or directory" \
	add -n -k /none work
refused "no debug information" 2 "ktap: no debug information for './bare'" \
	add -n -k ./bare work:1
is "no debug information: symbols suffice" "$("$KTAP" add -n -k ./bare work %di)" \
	"work=work di=%di"
gcc -static -s -o stripped "$PROG/lines.c"
refused "no symbols" 2 "ktap: no symbols in './stripped'
  name the vmlinux or module that the build made, before it was stripped" \
	add -n -k ./stripped work
refused "a text" 1 \
	"ktap: the debug information of '$PROG/lines.c' cannot be read: not a valid ELF file" \
	add -n -k "$PROG/lines.c" work
patched s390 18 '\x16'
refused "a machine that is not known" 2 \
	"ktap: './s390' is for a machine that ktap does not know" add -n -k ./s390 work
refused "what was split off is not there" 2 \
	"ktap: the debug information of '$WORK/split' is in 'split.dwo', which is not there or cannot be read
  ktap looks for it beside the program, where the program was built, and in '$WORK/split.dwp'" \
	line -x ./split work
# retval WORD...: bytes of $retval in a definition
retval()
{
	"$KTAP" add -n -v "$@" | sed -n 's/^  field   retval: \([0-9]\) bytes.*/\1/p'
}
is "\$retval alone has the type of its function" "$(retval -x ./plain 'outer%return $retval')" 4
is "\$retval needs no debug information" "$(retval -x ./bare 'outer%return $retval')" 8
is "nor what was split off" "$(retval -x ./split 'outer%return $retval')" 8
is "a line of uprobe_events has the kernel's x64" \
	"$("$KTAP" add -n -v "r $WORK/plain:0x$(nm plain | sed -n 's/^0*\([0-9a-f]*\) T outer$/\1/p') \$retval" |
		sed -n 's/^  field   .*: \([0-9]\) bytes.*/\1/p')" 8
echo 'struct far { int a; long b; }; long g(struct far *f) { return f->b; }' >far.c
echo 'long g(void *); long h(void *p) { return g(p); } int main(void) { return h(0); }' >near.c
gcc -g -gsplit-dwarf -c far.c near.c && gcc -o both far.o near.o
is "a type of another unit that was split off" \
	"$("$KTAP" add -n -x ./both 'h b=((struct far *)p)->b')" "-x $WORK/both h=h b=((struct far *)p)->b"
refused "a name needs it" 2 "ktap: no debug information describes 'n'
  work n
       ^  the debug information of '$WORK/split' is in 'split.dwo', which is not there or cannot be read" \
	add -n -x ./split 'work n'
where="ktap looks for it beside the program, where the program was built, and in '$WORK/part.dwp'"
refused "only one unit was split off: variables" 2 \
	"ktap: the debug information of '$WORK/part' is in 'split.dwo', which is not there or cannot be read
  $where" vars -x ./part work
refused "its arguments" 2 \
	"ktap: the debug information of '$WORK/part' is in 'split.dwo', which is not there or cannot be read
  $where" add -n -x ./part 'work n'
refused "a line of it" 2 "ktap: no function 'work' in the debug information
  work:1
  ^~~~  the debug information of '$WORK/part' is in 'split.dwo', which is not there or cannot be read" \
	add -n -x ./part work:1
run "$KTAP" vars -x ./part whole
like "of the other unit they are there" "$out" '^param  int n '
check_package()
{
	local version

	version=$(dpkg-query -W -f='${source:Upstream-Version}' libdw1 2>/dev/null || echo 1)
	: >split.dwp
	if [[ $version =~ ^0\.1([0-8][0-9]|90)$ ]]; then
		refused "a package that this library does not read" 2 \
			"ktap: the debug information of '$WORK/split' is in '$WORK/split.dwp', which libdw $version does not read
  libdw 0.191 and later do; this one reads 'split.dwo', beside the program or where that was built" \
			vars -x ./split work
	else
		skip "a package that this library does not read" "it does"
		unmet=DEBUG_PACKAGE
	fi
	rm split.dwp
}
check_package
run "$KTAP" add -n -x ./split 'work a=$stack0'
is "what has no name does not" "$status,$err" 0,

# of another build: its checksum is not the one that the link has
objcopy --only-keep-debug plain other.debug
objcopy --strip-debug --remove-section=.note.gnu.build-id \
	--add-gnu-debuglink=other.debug plain linked
run "$KTAP" line -q -x ./linked work
is "a debug link is followed" "$status,$err" 0,
# a symbol that debug information has no such name for, as link-time optimisation makes
objcopy --redefine-sym work=work.lto_priv.0 plain renamed
objcopy --only-keep-debug renamed other.debug
objcopy --strip-all --remove-section=.note.gnu.build-id \
	--add-gnu-debuglink=other.debug renamed linked
at=$(nm plain | awk '$3 == "work" { print $1 }')
run "$KTAP" add -n -v -x ./linked 'work.lto_priv.0+4'
like "a symbol that only the debug file has" "$status,$out$err" \
	"place   work\.lto_priv\.0\+0x4 at "
run "$KTAP" add -n --format=kprobe_events -x ./linked 'work.lto_priv.0+4'
like "it is where the debug file has it" "$status,$out$err" \
	"^0,p:uprobes/work_lto_priv_0 $WORK/linked:$(printf '0x%x' $((0x$at + 4)))\$"
refused "a symbol that it does not have either" 2 \
	"ktap: no function 'work.lto_priv.1' in '$WORK/linked'
  work.lto_priv.1+4
  ^~~~~~~~~~~~~~~  did you mean 'work.lto_priv.0'?" \
	add -n -x ./linked work.lto_priv.1+4
objcopy --only-keep-debug twins other.debug
refused "it leads to another build" 2 "ktap: no debug information for '$WORK/linked'" \
	line -x ./linked work

# Cut off anywhere, or with a byte changed anywhere, it is read or refused.
wrong=
size=$(stat -c %s plain)
for i in $(seq 1 40); do
	head -c $((size * i / 41)) plain >short
	patched changed $((size * i / 41)) '\xff'
	for file in short changed; do
		status=0
		timeout 20 "$KTAP" vars -x "./$file" work >"$WORK/out" \
			2>"$WORK/err" || status=$?
		case $status in
		0) ;;
		1 | 2) [ -s "$WORK/err" ] || wrong+="$file $i: no words; " ;;
		*) wrong+="$file $i: status $status; " ;;
		esac
	done
done
is "damaged files: status and words" "$wrong" ""

# ---- places -------------------------------------------------------------------------

refused "two functions of that name" 2 "ktap: several functions are called 'twin'
  twin:1
  ^~~~  write which one: twin@$DWARF/main.c (line $(grep -n 'int twin' "$DWARF/main.c" |
	cut -d: -f1)), twin@$DWARF/other.c (line $(grep -n 'int twin' "$DWARF/other.c" |
	cut -d: -f1))" add -n -x ./twins twin:1
refused "no such function" 2 "ktap: no function 'worc' in the debug information
  worc:3
  ^~~~  did you mean 'work'?" add -n -x ./plain worc:3
refused "another file has it" 2 "ktap: no function 'work' is defined in 'nowhere.c'
  work@nowhere.c
  ^~~~  it is in $PROG/lines.c" add -n -x ./plain work@nowhere.c
refused "code of nobody" 2 "ktap: the debug information has no function at this place
  _start
  ^~~~~~" vars -x ./plain _start
after=$(($(grep -n 'line: comment' "$PROG/lines.c" | cut -d: -f1) - decl))
refused "a line without code" 2 "ktap: line $after has no code
  work:$after
       ^  the nearest lines that have some are $((after - 1)) and $((after + 1))" \
	add -n -x ./plain "work:$after"
main=$(grep -n 'return outer' "$PROG/lines.c" | cut -d: -f1)
refused "a line of another function" 2 "ktap: line $((main - decl)) has no code
  work:$((main - decl))
       ^~  it is written in another function: '$PROG/lines.c:$main' means its code" \
	add -n -x ./plain "work:$((main - decl))"
refused "no such line" 2 "ktap: no line with code looks like '*nobody*'
  work;*nobody*
       ^~~~~~~~" add -n -x ./plain 'work;*nobody*'
refused "no such lines" 2 "ktap: no code in these lines
  lines.c:1-2
          ^~~  the nearest line that has some is $(grep -n 'line: test' "$PROG/lines.c" |
	cut -d: -f1)" add -n -x ./plain lines.c:1-2
refused "no such file of source" 2 "ktap: no code comes from a file 'lnies.c'
  lnies.c:3
  ^~~~~~~  did you mean 'lines.c'?" add -n -x ./plain lnies.c:3
cp "$PROG/lines.c" gone.c
gcc -g -o gone gone.c
rm gone.c
refused "source that is not there" 2 \
	"ktap: the source '$WORK/gone.c' cannot be read: No such file or directory
  work;*fn*
       ^~~~  say with -s DIR, or -s OLD=NEW, where the source is" \
	add -n -x ./gone 'work;*fn*'

# ---- variables ----------------------------------------------------------------------

run "$KTAP" vars -x ./plain work
at=$(head -n 1 "$WORK/out" | cut -d ' ' -f1)
refused "no such variable" 2 "ktap: no variable 'nobody' at $at
  work nobody
       ^~~~~~  'ktap vars' shows what there is" add -n -x ./plain 'work nobody'
refused "no such type" 2 "ktap: no type 'nobody_t' is known here
  work (nobody_t)n
       ^~~~~~~~~~~" add -n -x ./plain 'work (nobody_t)n'
refused "a list without debug information" 2 "ktap: '\$vars' needs debug information
  work \$vars
       ^~~~~" add -n -x ./bare 'work $vars'
refused "a list of nothing" 2 "ktap: none of '\$vars' has a value here
  none \$vars
       ^~~~~" add -n -x ./lost 'none $vars'
refused "of another time" 2 "ktap: 'sum' is a local variable of the function: it no longer exists at the return
  work%return sum
              ^~~" add -n -x ./plain 'work%return sum'
printf '%s\n' 'int unused = 1;' 'int main(void) { return 0; }' >unused.c
gcc -g -fdata-sections -Wl,--gc-sections -o unused unused.c
refused "what the linker left out" 2 \
	"ktap: 'unused' has no value at main+0x0: the linker left it out
  main unused
       ^~~~~~" add -n -x ./unused 'main unused'
if [ "$(uname -m)" = x86_64 ]; then
	refused "of each thread" 2 "ktap: 'own' has no value at threads+0x0: each thread has its own, and only the dynamic linker knows where
  threads own
          ^~~" add -n -x ./lost.so 'threads own'
	refused "in two registers, as a number" 2 "ktap: 'both' is spread over registers: name a part of it
  two both:x64
      ^~~~" add -n -x ./lost 'two both:x64'
	refused "too much to be taken along" 2 \
		"ktap: 'all' is not one number at the entry, so it cannot be kept for the return
  large%return all
               ^~~" add -n -x ./lost 'large%return all'
	printf '%s\n' 'volatile double sink;' \
		'static inline __attribute__((always_inline)) void in(double x) { sink = x; }' \
		'__attribute__((noinline)) void one(double a) { in(a * 2); }' \
		'__attribute__((noinline)) void two(void) { in(3); }' \
		'__attribute__((noinline)) int some(int n) { int a[n]; a[n - 1] = n;' \
		'asm volatile("" : : "r"(a) : "memory"); return a[n - 1]; }' \
		'int main(int argc, char **argv) { one(argc); two(); return some(argc); }' \
		>real.c
	gcc -g -O1 -o real real.c || exit 1
	refused "in a vector register" 2 \
		"ktap: 'a' cannot be read at one+0x0: it is in a vector register, and probes see none of those
  one a
      ^" add -n -x ./real 'one a'
	run "$KTAP" add -n -x ./real 'in x'
	like "in a vector register at one of two points" "$status,$err" \
		"^2,ktap: 'x' cannot be read at one\\+0x[0-9a-f]+: it is in a vector register"
	line=$("$KTAP" vars -x ./real --range some | sed -n '/int a/,$s/.*+\(0x[0-9a-f]*\)\.\..*/\1/p' |
		tail -n 1)
	run "$KTAP" add -n -x ./real "some+$line a"
	like "an array whose length the program computes" "$status,$err" \
		"^2,ktap: how many elements 'a' has is not known here: it is a int\\[\\]"
	refused "a pointer that is nowhere" 2 \
		"ktap: the pointer 'where' itself is nowhere: only what it points at is, as in *where
  inner where
        ^~~~~" add -n -x ./lost 'inner where'
	gcc -nostdlib -static -Wl,-e,f -o ops "$DWARF/ops.s" || exit 1
	refused "a unit without lines" 2 "ktap: the lines of 'f' are not known
  f
  ^" line -x ./ops f
	refused "in two blocks without code" 2 \
		"ktap: 'twin' has no value at f+0x0: several blocks that have no code there have one
  f twin
    ^~~~" add -n -x ./ops 'f twin'
else
	skip "variables that are in registers" "the host is no x86-64"
fi

# ---- structures that are declared only -----------------------------------------------

printf '%s\n' 'struct two; int use(struct two *two) { return two != 0; }' >user.c
printf '%s\n' 'struct two { int a, b; } one = { 1 };' >one.c
printf '%s\n' 'struct two { int b, a; } other = { 1 };' >other.c
gcc -g -nostdlib -static -Wl,-e,use -o declared user.c one.c other.c || exit 1
refused "two units that do not agree" 2 \
	"ktap: struct two is only declared here, and what defines it differs: one.c and other.c
  use two->a
           ^" add -n -x ./declared 'use two->a'

refused "a task of the kernel, in a program" 2 \
	"ktap: the members of \$task are in the kernel, which a probe in a program does not read
  use \$task->tgid
      ^~~~~" add -n -x ./declared 'use $task->tgid'

# ---- places of the calling convention -------------------------------------------------

cat >given.c <<'EOF'
struct two { float a; double b; };
struct mixed { double a; long b; };
struct four { double a[4]; };
double real(double x) { return x * 2; }
float small(float x) { return x * 2; }
struct two pair(double x) { return (struct two){ x, x }; }
struct mixed both(double x) { return (struct mixed){ x, 1 }; }
struct four large(double x) { return (struct four){ { x } }; }
long double wide(long double x) { return x * 2; }
int whole(double x) { return x; }
int one(const char *object) { return *object; }
int many(const char *format, ...) { return *format; }
int old(a) int a; { return a; }
int part(int a) __asm__("part.isra.0");
int part(int a) { return a; }
__asm__(".type bare, @function\nbare: .byte 0x90\n.size bare, 1\n");
void _start(void) { for (;;) ; }
EOF
gcc -g -O1 -nostdlib -static -o given given.c || exit 1
for func in real small pair; do
	refused "$func() returns what is in a vector register" 2 \
		"ktap: '\$retval' cannot be read at $func+0x0: it is in a vector register, and probes see none of those
  $func%return \$retval
  $(printf '%*s' ${#func} '')        ^~~~~~~" add -n -x ./given "$func%return \$retval"
	refused "$func(), in a filter" 2 \
		"ktap: '\$retval' cannot be read at $func+0x0: it is in a vector register, and probes see none of those
  $func%return if \$retval > 1
  $(printf '%*s' ${#func} '')           ^~~~~~~" add -n -x ./given "$func%return if \$retval > 1"
done
for func in both large whole one; do
	check "what $func() returns is taken" "$KTAP" add -n -x ./given "$func%return \$retval"
done
check "a line of the kernel, which does not ask" "$KTAP" add -n \
	"r $WORK/given:0x$(nm given | awk '$3 == "real" { print substr($1, 13) }') \$retval"
refused "an argument that there is not" 2 "ktap: 'one' has 1 parameter, and no \$arg10
  one \$arg10
      ^~~~~~  it has: object" add -n -k ./given 'one $arg10'
refused "the same at the return" 2 "ktap: 'one' has 1 parameter, and no \$arg2
  one%return x=\$arg1 if \$arg2 > 1
                        ^~~~~  it has: object" add -n -k ./given 'one%return x=$arg1 if $arg2 > 1'
for where in one:1 many:9 old:9 part.isra.0:9 bare:9; do
	check "\$arg${where#*:} of ${where%:*}" \
		"$KTAP" add -n -k ./given "${where%:*} \$arg${where#*:}"
done
check "\$arg10 with a name, in a line of the kernel" \
	"$KTAP" add -n -k ./given 'p one x=$arg10'
refused "\$arg10 as the kernel refuses it" 2 "ktap: 'one' has 1 parameter, and no \$arg10
  p one \$arg10
        ^~~~~~  it has: object" add -n -k ./given 'p one $arg10'

# ---- the kernel that runs -----------------------------------------------------------

gcc -g -O1 -nostdlib -static -Wl,-e,vfs_read -Wl,--build-id=none \
	-o nobody "$PROG/nobody.c" || exit 1
gcc -g -O1 -nostdlib -static -Wl,-e,vfs_read -Wl,--build-id=sha1 \
	-o other "$PROG/nobody.c" || exit 1
gcc -g -O1 -nostdlib -static -Wl,-e,vfs_read -Wl,--build-id=none -DANCHOR \
	-o anchor "$PROG/nobody.c" || exit 1
for kernel in $(kernels debian-6.1); do
	guest "$kernel" --add "$WORK/nobody" --add "$WORK/other" \
		--add "$WORK/anchor" -- debug-errors.guest
done

# ---- every row ----------------------------------------------------------------------

# met ROW TEXT: it was said, or one of those compares it that see what is not here
met()
{
	local pattern

	pattern=$(sed 's/[][().*^$?+{}|\\]/\\&/g; s/%\\\.\\\*s\|%[su]/.*/g' <<<"$2")
	grep -qE "^ktap: $pattern\$" "$WORK/said" ||
		grep -qE "\\b(DIAG_)?$1\\b" "$E2E/debug-errors.guest" \
			"$E2E/clones.t" "$E2E/modnames.t" "$E2E/modnames.guest" "$E2E/../index_test.c"
}

while IFS='|' read -r row text; do
	if [ "$row" = "${unmet:-}" ]; then
		skip "$row is met" "this library reads packages"
		continue
	fi
	check "$row is met" met "$row" "$text"
done < <(sed -n 's/^DIAG(\([A-Z_]*\), [A-Z_]*, "\(.*\)")$/\1|\2/p' \
	"$TOP/user/dwarf/errors.def" "$TOP/user/bind/loc/errors.def")
finish
