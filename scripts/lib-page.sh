# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# The commands of a page of Documentation/, which scripts and tests run as a reader would.
#
# Owns: how they are found.

# page_command PAGE NAME: the code block of that name
page_command()
{
	awk -v name="$2" '
		/^\.\. code-block::/ { inside = 0; next }
		$1 == ":name:" { inside = $2 == name; next }
		inside && /^[^ ]/ { inside = 0 }
		inside && NF { sub(/^ +/, ""); print }' "$1"
}
