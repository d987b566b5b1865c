#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# scripts/graft puts ktap into a tree of kernel sources and takes it out without a
# trace: in a copy of real ones and in small ones that look like them; twice; after
# it was killed at each of its steps; and what it refuses. Whether kunit.py then
# works is kernel_ci.t's matter.
#
# shellcheck disable=SC2317 # 'check' calls functions

. "${BASH_SOURCE[0]%/*}/lib.sh"
. "${BASH_SOURCE[0]%/*}/tree.sh"

GRAFT=$TOP/scripts/graft
export KTAP_QUIET=1

# All that there is in a tree, but for when it was changed.
state_of()
{
	(cd "$1" && find . -printf '%P %y %m %s %l\n' | LC_ALL=C sort &&
		find . -type f -print0 | LC_ALL=C sort -z | xargs -0 cat | cksum)
}

refused()
{
	local description=$1 pattern=$2

	shift 2
	run "$GRAFT" "$@"
	is "$description: fails" "$status" 1
	like "$description: says why" "$err" "$pattern"
}

# --- a small one

small "$WORK/small"
before=$(state_of "$WORK/small")
check "a tree is grafted" "$GRAFT" "$WORK/small"
grafted=$(state_of "$WORK/small")
is "a line is in drivers/Kconfig, in its menu" \
	"$(tail -n 2 "$WORK/small/drivers/Kconfig")" 'source "drivers/ktap/Kconfig"
endmenu'
is "a line is in drivers/Makefile" \
	"$(grep -c '^obj-y	*+= ktap/$' "$WORK/small/drivers/Makefile")" 1
check "the module is there" [ -f "$WORK/small/drivers/ktap/kmod/core/main.c" ]
check "the suites compile the module's files" \
	cmp "$WORK/small/drivers/ktap/kunit/kmod/hit/verify.c" "$TOP/kmod/hit/verify.c"
check "no link leads out of it" \
	[ -z "$(find "$WORK/small/drivers/ktap" -type l -lname '/*')" ]
cp "$WORK/small/drivers/ktap/graft.version" "$WORK/small-version"
check "again" "$GRAFT" "$WORK/small"
is "again: changes nothing" "$(state_of "$WORK/small")" "$grafted"
mkdir "$WORK/small/drivers/ktap/kmod/built"
: >"$WORK/small/drivers/ktap/kmod/core/main.o"
: >"$WORK/small/drivers/ktap/kmod/core/.main.o.cmd"
: >"$WORK/small/drivers/ktap/kmod/ktap.mod.c"
: >"$WORK/small/drivers/ktap/kunit/pure/names.h"
check "it is removed, and what was built there" "$GRAFT" --remove "$WORK/small"
is "removed: no trace" "$(state_of "$WORK/small")" "$before"
check "it is removed where it is not" "$GRAFT" --remove "$WORK/small"
is "removed twice: no trace" "$(state_of "$WORK/small")" "$before"

# --- odd ones

small "$WORK/a tree"
printf '%s' "$(cat "$WORK/a tree/drivers/Makefile")" >"$WORK/a tree/drivers/Makefile"
printf '%s' "$(cat "$WORK/a tree/drivers/Kconfig")" >"$WORK/a tree/drivers/Kconfig"
ln "$WORK/a tree/drivers/Kconfig" "$WORK/linked"
before=$(state_of "$WORK/a tree")
linked=$(cksum <"$WORK/linked")
ln -s "a tree" "$WORK/link"
check "blanks in its name, no last newline: grafted" "$GRAFT" "$WORK/link/"
is "a hard link is not written to" "$(cksum <"$WORK/linked")" "$linked"
check "blanks in its name, no last newline: removed" \
	env -C "$WORK/a tree" "$GRAFT" --remove .
is "blanks in its name, no last newline: no trace" "$(state_of "$WORK/a tree")" "$before"

# --- killed at each step

# A PATH in which the N-th program that changes something kills who called it.
mkdir "$WORK/bin"
for tool in mv cp rm mkdir ln sed; do
	cat >"$WORK/bin/$tool" <<-END
	#!/bin/bash
	echo >>"$WORK/steps"
	if [ "\$(wc -l <"$WORK/steps")" = "\${STEP:-0}" ]; then
		kill -9 -- "-\$GRAFT_PID"
	fi
	PATH=\${PATH#*:} exec $tool "\$@"
	END
	chmod +x "$WORK/bin/$tool"
done

# killed STEP ARGUMENT...: status 0 when it was
killed()
{
	: >"$WORK/steps"
	# a group of its own, which is killed with all that it started
	STEP=$1 PATH=$WORK/bin:$PATH setsid --wait bash -c '
		export GRAFT_PID=$$
		exec "$@"' bash "$GRAFT" "${@:2}" >/dev/null 2>&1
	[ $? = 137 ] && flock "$WORK/killed/drivers" true
} 2>/dev/null

stride=$(every 3)
small "$WORK/killed"
before=$(state_of "$WORK/killed")
bad=
step=1
while killed "$step" "$WORK/killed"; do
	step=$((step + stride))
	if ((step % 2)); then
		"$GRAFT" "$WORK/killed" 2>>"$WORK/err" &&
			[ "$(state_of "$WORK/killed")" = "$grafted" ] || bad+=" $step"
	fi
	"$GRAFT" --remove "$WORK/killed" 2>>"$WORK/err" &&
		[ "$(state_of "$WORK/killed")" = "$before" ] || bad+=" -$step"
done
is "killed while it grafts: the next run ends it, or removes all" "$bad" ""
check "killed while it grafts: at many steps" [ "$step" -gt 20 ]
bad=
step=1
"$GRAFT" "$WORK/killed"
while killed "$step" --remove "$WORK/killed"; do
	step=$((step + stride))
	"$GRAFT" --remove "$WORK/killed" 2>>"$WORK/err" &&
		[ "$(state_of "$WORK/killed")" = "$before" ] || bad+=" $step"
	"$GRAFT" "$WORK/killed" 2>>"$WORK/err" && [ "$(state_of "$WORK/killed")" = "$grafted" ] ||
		bad+=" -$step"
done
is "killed while it removes: the next run ends it" "$bad" ""
check "killed while it removes: at many steps" [ "$step" -gt 5 ]

# --- what is refused

refused "no such directory" 'nowhere is not a directory' "$WORK/nowhere"
mkdir "$WORK/empty"
refused "an empty directory" 'is not a tree of kernel sources: it has no Kbuild' "$WORK/empty"
small "$WORK/headers"
rm "$WORK/headers/kernel/kprobes.c"
refused "headers" 'is not a tree of kernel sources: it has no kernel/kprobes.c' "$WORK/headers"
small "$WORK/old"
sed -i 's/^VERSION = 6/VERSION = 5/; s/^PATCHLEVEL = 12/PATCHLEVEL = 9/' "$WORK/old/Makefile"
refused "an old one" 'is Linux 5.9: ktap needs 5.10 or later' "$WORK/old"
sed -i '/VERSION/d' "$WORK/old/Makefile"
refused "one without a version" 'Makefile has no VERSION' "$WORK/old"

small "$WORK/other"
"$GRAFT" "$WORK/other"
sed -i '1s/./x/' "$WORK/other/drivers/ktap/graft.manifest"
before=$(state_of "$WORK/other")
refused "one that another version is in" "has ktap .* already, .* --remove" "$WORK/other"
is "another version: nothing is changed" "$(state_of "$WORK/other")" "$before"
small "$WORK/changed"
"$GRAFT" "$WORK/changed"
echo '/* mine */' >>"$WORK/changed/drivers/ktap/kmod/core/main.c"
refused "a file that was changed, grafting" 'changed in .*kmod/core/main.c' "$WORK/changed"
refused "a file that was changed, removing" 'changed in .*kmod/core/main.c.*--force' \
	--remove "$WORK/changed"
check "a file that was changed: nothing else is left" [ ! -e "$WORK/changed/drivers/.ktap.partial" ]
check "a file that was changed: --force" "$GRAFT" --remove --force "$WORK/changed"
check "a file that was changed: it is gone" [ ! -e "$WORK/changed/drivers/ktap" ]
mkdir "$WORK/changed/drivers/ktap"
refused "somebody else's drivers/ktap, grafting" 'not from this script' "$WORK/changed"
refused "somebody else's drivers/ktap, removing" 'not from this script' --remove "$WORK/changed"
rmdir "$WORK/changed/drivers/ktap"
ln -s /nowhere "$WORK/changed/drivers/ktap"
before=$(state_of "$WORK/changed")
refused "a link that leads nowhere, grafting" 'not from this script' "$WORK/changed"
is "a link that leads nowhere: nothing is changed" "$(state_of "$WORK/changed")" "$before"
small "$WORK/added"
"$GRAFT" "$WORK/added"
echo '/* mine */' >"$WORK/added/drivers/ktap/kmod/mine.c"
refused "a file that was added, removing" 'changed in .*: kmod/mine.c.*--force' \
	--remove "$WORK/added"
check "a file that was added: it is there" [ -f "$WORK/added/drivers/ktap/kmod/mine.c" ]
rm "$WORK/added/drivers/ktap/kmod/mine.c"
: >"$WORK/added/drivers/ktap/graft.manifest"
refused "a manifest that is empty, as after a crash" 'changed in .*: graft.manifest' \
	--remove "$WORK/added"
check "a manifest that is empty: --force" "$GRAFT" --remove --force "$WORK/added"

# as in a commit, in a kernel's tree that ignores names with a dot
small "$WORK/clone"
"$GRAFT" "$WORK/clone"
find "$WORK/clone/drivers/ktap" -name '.*' -delete
refused "one of which a clone lacks names with a dot" 'has ktap .* already|changed in .*kunitconfig' \
	"$WORK/clone"
check "one of which a clone lacks names with a dot: removed" \
	"$GRAFT" --remove --force "$WORK/clone"

small "$WORK/lines"
sed -i 's/^obj-/obk-/' "$WORK/lines/drivers/Makefile"
before=$(state_of "$WORK/lines")
refused "a drivers/Makefile without a place for the line" 'has no line .obj-' "$WORK/lines"
is "a drivers/Makefile without a place: nothing is changed" "$(state_of "$WORK/lines")" "$before"
sed -i 's/^obk-/obj-/' "$WORK/lines/drivers/Makefile"
"$GRAFT" "$WORK/lines"
# shellcheck disable=SC2016 # make's
sed -i 's/^obj-y\t*+= ktap/obj-$(CONFIG_KTAP) += ktap/' "$WORK/lines/drivers/Makefile"
before=$(state_of "$WORK/lines")
refused "a line that was changed, grafting" "drivers/Makefile:2 is not this script's line" \
	"$WORK/lines"
refused "a line that was changed, removing" "drivers/Makefile:2 is not this script's line" \
	--remove "$WORK/lines"
is "a line that was changed: nothing else is" "$(state_of "$WORK/lines")" "$before"
sed -i 2d "$WORK/lines/drivers/Makefile"
sed -i 's/^source "drivers.ktap.*/& # ktap/' "$WORK/lines/drivers/Kconfig"
refused "the other line" "drivers/Kconfig:5 is not this script's line" --remove "$WORK/lines"
small "$WORK/linked-to"
small "$WORK/of-links"
ln -sf ../../linked-to/drivers/Kconfig "$WORK/of-links/drivers/Kconfig"
refused "a link instead of a file" 'drivers/Kconfig is a symbolic link' "$WORK/of-links"

# as somebody else, who could remove a part
if [ "$(id -u)" = 0 ]; then
	small "$WORK/theirs"
	"$GRAFT" "$WORK/theirs"
	chmod 755 "$WORK"
	chown 65534 "$WORK/theirs"/drivers{,/Kconfig,/Makefile}
	before=$(state_of "$WORK/theirs")
	run setpriv --reuid=65534 --regid=65534 --clear-groups \
		bash "$GRAFT" --remove "$WORK/theirs"
	if [[ $err = *"Permission denied"* ]]; then
		skip "another user's: says whose it is" "others cannot read $TOP"
	else
		like "another user's: says whose it is" "$err" 'cannot write .*drivers/ktap.*: run this as root'
		is "another user's: nothing is removed" "$(state_of "$WORK/theirs")" "$before"
	fi
else
	skip "another user's: says whose it is" "only root can make such files"
fi

# as in a hook of git's, and with directories that cd looks into
small "$WORK/hook"
check "git's variables, CDPATH: grafted" env -C "$WORK" CDPATH="$WORK" GIT_DIR=/nowhere "$GRAFT" hook
is "git's variables: the version is this tree's" "$(cat "$WORK/hook/drivers/ktap/graft.version")" \
	"$(cat "$WORK/small-version")"
small "$WORK/busy"
exec {busy}<"$WORK/busy/drivers"
flock "$busy"
refused "one at which another run is" 'another run uses' "$WORK/busy"
exec {busy}>&-
# shellcheck disable=SC2016 # the shell in there expands it
run unshare --mount --map-root-user sh -c 'mount --bind "$1" "$1" &&
	mount -o remount,bind,ro "$1" && exec "$2" "$1"' sh "$WORK/busy" "$GRAFT"
like "one that cannot be written: says so" "$err" 'cannot write .*/drivers'

run "$GRAFT"
is "no tree: status 2" "$status" 2
run "$GRAFT" "$WORK/small" "$WORK/small"
is "two trees: status 2" "$status" 2
run "$GRAFT" ''
is "an empty name: status 2" "$status" 2
run "$GRAFT" --force "$WORK/small"
is "--force alone: status 2" "$status" 2
run "$GRAFT" --undo "$WORK/small"
like "an unknown option" "$err" "no option --undo"

# --- a real one

SOURCE=$("$TOP/scripts/kernels" source linux-source-6.12) || exit 1
mkdir "$WORK/real"
cp -al "$SOURCE"/{Kbuild,Makefile,kernel,drivers} "$WORK/real"
before=$(state_of "$WORK/real")
cached=$(cksum "$SOURCE"/drivers/{Kconfig,Makefile})
check "a real one is grafted" "$GRAFT" "$WORK/real"
is "a real one: what it is linked to stays" "$(cksum "$SOURCE"/drivers/{Kconfig,Makefile})" "$cached"
check "a real one: removed" "$GRAFT" --remove "$WORK/real"
is "a real one: no trace" "$(state_of "$WORK/real" | cksum)" "$(cksum <<<"$before")"
finish
