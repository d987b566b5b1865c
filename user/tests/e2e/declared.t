#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Structures that a unit only declares: another unit of the file, or of the kernel
# that a module is of, says what they are, if all of those say the same. The
# programs have just been made; what is right stands here, as gdb has it.

# shellcheck disable=SC2016 # $arg1 is a word of ktap
. "${BASH_SOURCE[0]%/*}/lib.sh"

KTAP=$(host_ktap) || exit 1
cd "$WORK" || exit 1
export XDG_CACHE_HOME=$WORK/cache

cat >user.c <<'EOF2'
struct ops; struct two; struct none; union either; struct packed; struct inner;
struct dev {
	struct ops *ops; struct two *two; struct none *none; union either *either;
	struct packed *packed; struct inner *inner;
};
int use(struct dev *dev) { return dev->ops != 0; }
int list(struct ops *ops, struct two *list) { return ops != (void *)list; }
void one(struct dev *dev);
void other(struct dev *dev);
void _start(void)
{
	struct dev *dev = 0;

	__asm__("" : "+r"(dev));
	one(dev), other(dev), use(dev), list(0, 0);
	for (;;) ;
}
EOF2
# the same in other words, and what is not the same
cat >one.c <<'EOF2'
struct deep { int a; long b; };
struct ops { int (*call)(int); long count; struct deep *deep; struct { int x, y; }; int bit:3, more:4; };
struct two { long a; int b; };
union either { int i; long l; };
struct packed { struct { short s; char c; } in; };
struct inner { struct deep deep[2]; };
struct dev { struct ops *ops; struct two *two; };
void one(struct dev *dev)
{
	union either either = { 1 };
	struct packed packed = { { 1, 2 } };
	struct inner inner = { { { 1, 2 } } };

	__asm__ volatile("" : : "r"(&either), "r"(&packed), "r"(&inner));
	dev->two->a = dev->ops->y;
}
EOF2
cat >other.c <<'EOF2'
typedef long number;
struct deep { int a; const number b; };

struct ops { int (*call)(int); number count; struct deep *deep; struct { int x; int y; }; int bit:3, more:4; };
struct two { int b; long a; };
struct packed { struct { short s; unsigned char c; } in; };
struct inner { struct deep deep[2]; };
struct dev { struct ops *ops; struct two *two; };
void other(struct dev *dev)
{
	struct packed packed = { { 1, 2 } };
	struct inner inner = { { { 1, 2 } } };

	__asm__ volatile("" : : "r"(&packed), "r"(&inner));
	dev->two->a = dev->ops->y;
}
EOF2

# offset FILE TYPE MEMBER, as gdb has it
offset()
{
	gdb -nx -batch -ex "print (long)&(($2 *)0)->$3" "$1" 2>/dev/null |
		sed -n 's/^\$1 = //p'
}

# line FILE DEFINITION: as a line of the kernel, from the first argument on
line()
{
	run "$KTAP" add -n --format=kprobe_events -x "./$1" "$2"
	[ "$status" = 0 ] && echo "${out#* * }" || echo "$err"
}

# differs FILE DEFINITION TYPE
differs()
{
	like "$1: $2" "$("$KTAP" add -n -x "./$1" "$2" 2>&1)" \
		"^ktap: $3 is only declared here, and what defines it differs: .*one\\.c and .*other\\.c\$"
}

# tests FILE
tests()
{
	local file=$1

	check "$file: members" "$KTAP" add -n -x "./$file" \
		'use dev->ops->count dev->ops->y dev->ops->more dev->ops->call'
	check "$file: what those point at" "$KTAP" add -n -x "./$file" \
		'use dev->ops->deep->b'
	check "$file: all of it" "$KTAP" add -n -x "./$file" 'use *dev->ops'
	check "$file: an element" "$KTAP" add -n -x "./$file" 'list ops[1].count'
	check "$file: a union that one unit defines" "$KTAP" add -n -x "./$file" \
		'use dev->either->l'
	check "$file: a structure of others" "$KTAP" add -n -x "./$file" \
		'use dev->inner->deep[1].b'
	check "$file: the pointer itself" "$KTAP" add -n -x "./$file" \
		'use dev->two dev->none'
	differs "$file" 'use dev->two->a' 'struct two'
	differs "$file" 'use *dev->two' 'struct two'
	differs "$file" 'list list[1].b' 'struct two'
	differs "$file" 'use dev->packed->in.s' 'struct packed'
	is "$file: what nobody defines" \
		"$("$KTAP" add -n -x "./$file" 'use dev->none->a' 2>&1)" \
		"ktap: the members of struct none are not known here
  use dev->none->a
                 ^"
}

made=0
for compiler in gcc clang; do
	command -v $compiler >/dev/null || continue
	for how in -gdwarf-4 -gdwarf-5 -gsplit-dwarf; do
		file=$compiler$how
		$compiler $how -g -O1 -nostdlib -static -Wl,--build-id=sha1 -o "$file" \
			user.c one.c other.c || exit 1
		tests "$file"
		made=$((made + 1))
		[ "$how" != -gsplit-dwarf ] || continue
		check "$file has an index" "$KTAP" index -x "./$file"
		tests "$file"
	done
done
check "there were programs" test $made -gt 0
if command -v gdb >/dev/null; then
	for member in count y; do
		like "gdb has ->$member there, too" \
			"$(line gcc-gdwarf-5 "use x=dev->ops->$member")" \
			"x=\\+$(offset gcc-gdwarf-5 'struct ops' "$member")\\("
	done
else
	skip "where gdb has members" "there is no gdb"
fi

# ---- modules -------------------------------------------------------------------------

cat >module.c <<'EOF2'
struct ops; struct two; struct own;
struct dev { struct ops *ops; struct two *two; struct own *own; };
int module_use(struct dev *dev) { return dev->ops != 0; }
static const char info[] __attribute__((section(".modinfo"), used)) = "name=declared";
char this[64] __attribute__((section(".gnu.linkonce.this_module"), used));
EOF2
cat >more.c <<'EOF2'
struct own { long x; int y; };
struct two { int b; long a; };
int module_own(struct own *own, struct two *two) { return own->y + two->b; }
EOF2
cat >kernel.c <<'EOF2'
struct ops { int (*call)(int); long count; };
struct two { long a; int b; };
int vfs_read(struct ops *ops, struct two *two) { return ops->count + two->b; }
int _stext(void) { return 1; }
EOF2
gcc -g -O1 -c module.c && gcc -g -O1 -c more.c &&
	ld -r -o declared.ko module.o more.o &&
	gcc -g -O1 -nostdlib -static -Wl,-e,_stext -o kernel kernel.c || exit 1
check "what the kernel defines" "$KTAP" add -n -k ./kernel -m ./declared.ko \
	'module_use dev->ops->count'
check "what the module does" "$KTAP" add -n -k ./kernel -m ./declared.ko \
	'module_use dev->own->y'
is "what both do" "$("$KTAP" add -n -k ./kernel -m ./declared.ko \
	'module_use dev->two->a' 2>&1)" \
	"ktap: struct two is only declared here, and what defines it differs: more.c and kernel.c
  module_use dev->two->a
                       ^"
is "without the kernel" "$("$KTAP" add -n -m ./declared.ko \
	'module_use dev->ops->count' 2>&1)" \
	"ktap: the members of struct ops are not known here
  module_use dev->ops->count
                       ^~~~~"
finish
