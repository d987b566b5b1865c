#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The lines that the kernel's own tests of its parsers have refused
# (*_syntax_errors.tc of linux-source-6.12), with the column: ktap refuses them at
# the same one, or it is in the list here why it does not. A dry run, against a
# file that has the functions of those tests.
#
# Owns: what differs from the kernel's parsers by design.

. "${BASH_SOURCE[0]%/*}/lib.sh"

KTAP=$(host_ktap) || exit 1
SOURCE=$("$TOP/scripts/kernels" source linux-source-6.12 2>"$WORK/get") || {
	skip "the lines of the kernel's own tests" \
		"no linux-source-6.12: $(tail -n 1 "$WORK/get")"
	finish
}
TESTS=$SOURCE/tools/testing/selftests/ftrace/test.d
cd "$WORK" || exit 1

# by_design: PATTERN of bash, COLUMN ('-': it is taken), REASON
by_design()
{
	cat <<-'EOF'
		[rf]1a111 vfs_read|0|a function may be called so
		[pf] vfs_read +0(+0(+0(+0(*|-|as deep as a program has room
		t kfree +0(+0(+0(+0(*|-|as deep as a program has room
		* +0(@11):u8\[256\]|-|an array may have more bytes than that
		* +1234567(+1234567(*|-|a text has any length
		f vfs_read %ax|-|at an entry there are registers, whatever puts the probe there
		p vfs_read+3|-|the module asks the kernel for the borders of instructions
		[prft]:*/testevent *|-|a dry run asks no kernel for its events: see peer.errors
		p /bin/sh:10 @symbol|2|byte 10 is no code
	EOF
}

# lines FILE: those that the test has refused, '^' in front of the column.
# Whatever it asks the kernel for is there.
# shellcheck disable=SC1090,SC2034,SC2317 # what is read calls and uses these
lines()
(
	grep() { true; }
	ftrace_errlog_check() { printf '%s\n' "$2"; }
	FUNCTION_FORK=kernel_clone
	mkdir -p tracefs && cd tracefs && . "$1"
)

cat >fake.c <<'EOF'
struct file { long f_pos; };
long vfs_read(struct file *file, char *buf, unsigned long count, long *pos)
{
	__asm__ volatile(".skip 64, 0x90");
	return file->f_pos + *buf + count + *pos;
}
void kfree(const void *object) { __asm__ volatile("" : : "r"(object)); }
int __traceiter_kfree(void *data) { return !data; }
void do_exit(long code) { for (;;) __asm__ volatile("" : : "r"(code)); }
int kernel_clone(void *args) { return !args; }
int _stext(void) { return 1; }
EOF
gcc -g -O1 -nostdlib -static -Wl,-e,_stext -o fake fake.c || exit 1

# refused_at LINE: the column of ktap's mark; "-": it takes the line
refused_at()
{
	run "$KTAP" add -n -k "$WORK/fake" "$1"
	[ "$status" != 0 ] || { echo -; return; }
	sed -n 's/^  \( *\)^.*/\1/p' <<<"$err" | tail -n 1 | tr -d '\n' | wc -c
}

# designed LINE: sets wanted and reason, where it is in the list
designed()
{
	local pattern column why

	while IFS='|' read -r pattern column why; do
		# shellcheck disable=SC2053 # a pattern
		[[ $1 == $pattern ]] || continue
		wanted=$column
		reason=" ($why)"
		echo "$pattern" >>used
		return
	done < <(by_design)
}

: >used
for name in kprobe/kprobe kprobe/uprobe dynevent/fprobe dynevent/tprobe; do
	lines "$TESTS/${name}_syntax_errors.tc" >marked 2>/dev/null
	check "$name: there are lines" test "$(wc -l <marked)" -gt 10
	# shellcheck disable=SC2094 # nobody writes to it
	while IFS= read -r marked; do
		before=${marked%^*}
		line=${marked//^/}
		wanted=${#before}
		reason=
		designed "$line"
		is "$line$reason" "$(refused_at "$line")" "$wanted"
	done <marked
done
while IFS='|' read -r pattern _ why; do
	check "there is such a line: $why" grep -qxF -- "$pattern" used
done < <(by_design)
finish
