#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What bash and zsh complete: commands, options, values, events, functions, files.
# No machine is booted; 'ktap list' is played, since there is no module here.

# shellcheck disable=SC2034,SC2317 # variables of bash's completion; 'check' calls functions
. "${BASH_SOURCE[0]%/*}/lib.sh"

KTAP=$(host_ktap) || exit 1

mkdir "$WORK/bin" "$WORK/there"
cat >"$WORK/bin/ktap" <<EOF
#!/bin/sh
[ "\$1" != list ] || exec echo '{"v":1,"name":"orders","definition":"vfs_read"}'
exec "$KTAP" "\$@"
EOF
chmod +x "$WORK/bin/ktap"
PATH=$WORK/bin:$PATH
cd "$WORK/there" || exit 1
touch trace.data 'two words.ktap'
. "$TOP/packaging/ktap.bash"

# completed WORD...: what bash offers for the last word
completed()
{
	COMP_WORDS=("$@")
	COMP_CWORD=$(($# - 1))
	COMPREPLY=()
	_ktap
	printf '%s\n' "${COMPREPLY[@]}" | sort -u
}

is "bash: a command" "$(completed ktap rep)" report
is "bash: all commands" "$(completed ktap '' | grep -vxE 'help|version')" \
	"$("$KTAP" help | awk '/^  / { print $1 }' | sort)"
is "bash: the command of help" "$(completed ktap help rep)" report
is "bash: an option" "$(completed ktap trace --ov)" --overwrite
is "bash: an option of another command" "$(completed ktap list --ov)" ""
for verb in $("$KTAP" help | awk '/^  / { print $1 }'); do
	is "bash: all options of $verb" "$(completed ktap "$verb" -- | sort -u)" \
		"$("$KTAP" help "$verb" | grep -oE '^ +(-[a-zA-Z], )?--[a-z-]+' | sed 's/.* //' | sort -u)"
done
is "bash: a value after '='" "$(completed ktap trace --hook = ft)" ftrace
is "bash: a value after '=', all of them" "$(completed ktap trace --time =)" "mono
rel
wall"
is "bash: a value that is a word" "$(completed ktap trace --hook ft)" ftrace
is "bash: the file of a short option" "$(completed ktap record -o tr)" trace.data
is "bash: a module to write" "$(completed ktap module -o tr)" trace.data
is "bash: a key" "$(completed ktap module --sign-key tr)" trace.data
is "bash: a directory to compare with" "$(completed ktap module --kdir = tr)" trace.data
is "bash: a hash" "$(completed ktap module --sign-hash = sha3)" sha384
is "bash: a process" "$(completed ktap trace -p $$ | grep -cx $$)" 1
is "bash: an event" "$(completed ktap del o)" orders
is "bash: an event of -e" "$(completed ktap trace -e or)" orders
is "bash: a function" "$(completed ktap trace vfs_readl)" vfs_readlink
is "bash: too few characters of a function" "$(completed ktap trace zz)" ""
is "bash: a bundle" "$(completed ktap trace two)" "two words.ktap"
is "bash: a file to run" "$(completed ktap run two)" "two words.ktap"
is "bash: a recording" "$(completed ktap report tr)" trace.data
is "bash: a command to run" "$(completed ktap trace vfs_read -- sha256s)" sha256sum
is "bash: its argument" "$(completed ktap trace vfs_read -- cat tr)" trace.data
is "bash: an unknown command" "$(completed ktap nonsense --)" ""

# --- zsh

if ! command -v zsh >/dev/null; then
	skip "zsh" "there is no zsh"
	finish
fi
# zsh_makes DESCRIPTION TEXT LINE
zsh_makes()
{
	is "zsh: $1" "$("$E2E/completion/zsh" "$TOP/packaging" "$WORK/zsh" "$2" | sed 's/ *$//')" "$3"
}

zsh_makes "a command" "ktap repo" "ktap report"
zsh_makes "an option" "ktap trace --overw" "ktap trace --overwrite"
zsh_makes "a value" "ktap trace --hook=ft" "ktap trace --hook=ftrace"
zsh_makes "a value of a short option" "ktap record -o tra" "ktap record -o trace.data"
zsh_makes "a module to write" "ktap module -o tra" "ktap module -o trace.data"
zsh_makes "a key" "ktap module --sign-key=tra" "ktap module --sign-key=trace.data"
zsh_makes "a directory to compare with" "ktap module --kdir=tra" "ktap module --kdir=trace.data"
zsh_makes "a hash" "ktap module --sign-hash=sha3" "ktap module --sign-hash=sha384"
zsh_makes "an event" "ktap del or" "ktap del orders"
zsh_makes "a function" "ktap trace vfs_readl" "ktap trace vfs_readlink"
zsh_makes "a recording" "ktap report tra" "ktap report trace.data"
zsh_makes "a command to run" "ktap trace vfs_read -- sha256s" "ktap trace vfs_read -- sha256sum"
finish
