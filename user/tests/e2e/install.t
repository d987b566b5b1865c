#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# 'make install' and 'make install-dev' put files below DESTDIR, 'make uninstall' and
# 'make uninstall-dev' remove these and leave those of others. No machine is booted.
#
# shellcheck disable=SC2317 # 'check' calls functions

. "${BASH_SOURCE[0]%/*}/lib.sh"

ROOT=$WORK/root
FOREIGN="usr/bin/other usr/share/ktap/mine usr/include/ktap/mine.h usr/share/man/man1/other.1"

make_there()
{
	"$TOP/scripts/make" "$1" DESTDIR="$ROOT" PREFIX=/usr
}

files()
{
	(cd "$ROOT" && find . ! -type d -printf '%P\n' | sort)
}

for file in $FOREIGN; do
	mkdir -p "$ROOT/${file%/*}"
	echo mine >"$ROOT/$file"
done
check "install: installs" make_there install
check "install-dev: installs" make_there install-dev
for file in bin/ktap share/man/man1/ktap.1 share/man/man8/ktap-target.8 share/man/man5/ktap.data.5 \
	share/ktap/ktap-json.schema.json lib/udev/rules.d/60-ktap.rules \
	share/bash-completion/completions/ktap share/zsh/site-functions/_ktap \
	lib/sysusers.d/ktap.conf lib/systemd/system/ktap.service libexec/ktap/boot \
	share/man/man8/ktap.service.8 lib/libktap.a include/ktap/define/define.h; do
	check "install: $file is there" [ -s "$ROOT/usr/$file" ]
done
like "install: the command runs" "$("$ROOT/usr/bin/ktap" --version)" '^ktap .'
is "install: the unit starts what is installed" \
	"$(sed -n 's/^ExecStart=\([^ ]*\).*/\1/p' "$ROOT/usr/lib/systemd/system/ktap.service")" \
	/usr/libexec/ktap/boot
check "install: the script calls the command that is installed" \
	grep -q ' /usr/bin/ktap add ' "$ROOT/usr/libexec/ktap/boot"
if "$TOP/scripts/musl" --here "$(uname -m)" >"$WORK/musl"; then
	like "install: ktap-target runs" "$("$ROOT/usr/bin/ktap-target" --version)" '^ktap-target .'
else
	skip "install: ktap-target runs" "no musl is here"
fi
for time in first second; do
	check "uninstall, the $time time: succeeds" make_there uninstall
	check "uninstall-dev, the $time time: succeeds" make_there uninstall-dev
	is "uninstall, the $time time: the files of others are left" "$(files)" \
		"$(tr ' ' '\n' <<<"$FOREIGN" | sort)"
done
rm "$ROOT/usr/share/ktap/mine" "$ROOT/usr/include/ktap/mine.h"
check "install-dev: installs again" make_there install-dev
check "uninstall-dev: succeeds again" make_there uninstall-dev
check "uninstall: succeeds again" make_there uninstall
check "uninstall: removes the directories of ktap" \
	[ ! -e "$ROOT/usr/include/ktap" -a ! -e "$ROOT/usr/share/ktap" -a ! -e "$ROOT/usr/libexec/ktap" ]
finish
