#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The version that the module says it has: that of its sources.
#
# shellcheck disable=SC2016 # variables of make

. "${BASH_SOURCE[0]%/*}/lib.sh"

TREE=$WORK/tree
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
export GIT_CONFIG_GLOBAL=/dev/null

version()
{
	run "$TREE/scripts/module-version"
}

# commit FILE: something else is in it
commit()
{
	echo "$RANDOM$RANDOM" >>"$TREE/$1"
	git -C "$TREE" add -A
	git -C "$TREE" commit -qm "$1"
}

mkdir -p "$TREE"/{scripts,kmod,include,user}
cp "$TOP"/scripts/{module-version,lib.sh} "$TREE/scripts/"
echo 0.1 >"$TREE/VERSION"
echo >"$TREE/kmod/Kbuild"
version
is "no repository: the version of the tree" "$status $out" "0 0.1"
git -C "$TREE" init -q
git -C "$TREE" add kmod
version
is "a repository without a commit: the version of the tree" "$status $out" "0 0.1"
commit user/other
commit kmod/Kbuild
first=$(git -C "$TREE" rev-parse --short HEAD)
version
is "no tag: the commit" "$status $out" "0 $first"
commit user/other
version
is "a commit to something else" "$out" "$first"
echo >"$TREE/user/new"
version
is "a new file of something else" "$out" "$first"
echo >"$TREE/kmod/new"
version
is "a new file of the module" "$out" "$first-dirty"
rm "$TREE/kmod/new"
echo >>"$TREE/kmod/Kbuild"
version
is "a file of the module that differs" "$out" "$first-dirty"
commit include/header
git -C "$TREE" tag -am tag v0.2
version
is "a tag" "$out" v0.2
commit user/other
version
is "a commit to something else after a tag" "$out" v0.2
commit include/header
version
is "a commit to the module after a tag" "$out" \
	"v0.2-2-g$(git -C "$TREE" rev-parse --short HEAD)"
git clone -q --depth 1 "file://$TREE" "$WORK/shallow"
run "$WORK/shallow/scripts/module-version"
is "a clone without history: its commit" "$out" "$(git -C "$TREE" rev-parse --short HEAD)"
mkdir "$TREE/inner"
cp -r "$TREE"/{scripts,kmod,VERSION} "$TREE/inner/"
run "$TREE/inner/scripts/module-version"
is "a tree within another's repository" "$out" 0.1
run "$TREE/scripts/module-version" 0.1
like "an argument" "$status $err" "^2 .*takes no arguments, but was given '0.1'"

# made [VERSION=V]: what make gives kbuild
made()
{
	env -u MAKEFLAGS -u MFLAGS make -s --no-print-directory -C "$TOP" --eval 'asked: ; @echo $(kmod_version) $(kmod_version)' asked "$@"
}
is "make: a VERSION that it was given" "$(made VERSION=7.5)" "7.5 7.5"
ours=$("$TOP/scripts/module-version")
is "make: none" "$(made)" "$ours $ours"
finish
