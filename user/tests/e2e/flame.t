#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A flame graph in a browser: clicks, keys and searches, by a script that is added to the
# graph, and what the document is afterwards. report.t has what a graph shows.

# shellcheck disable=SC2317 # 'check' calls functions
. "${BASH_SOURCE[0]%/*}/lib.sh"

KTAP=$(host_ktap) || exit 1
BENCH=$TOP/build/$(uname -m)/bench-decode

if ! command -v chromium >/dev/null; then
	skip "a flame graph in a browser" "there is no chromium: scripts/deps browser"
	finish
fi
"$TOP/scripts/make" "${BENCH#"$TOP/"}" || exit 1
"$BENCH" make 1000 3 "$WORK/known"
cd "$WORK" || exit 1
"$KTAP" report -q --by comm,tid,symbol --flame graph.svg known
share=$("$KTAP" report -q --json --by comm known |
	sed -n 's/.*"percent":\([0-9.]*\),.*"comm":"cat".*/\1/p')

# acted SCRIPT: a line for each frame after it: name, x, width, classes; then the texts
acted()
{
	sed '$d' graph.svg >acted.svg
	cat >>acted.svg <<EOF
<script><![CDATA[
const named = name => frames.find(f => f.name === name);
const click = what => what.dispatchEvent(new MouseEvent('click', { bubbles: true }));
const key = what => document.dispatchEvent(new KeyboardEvent('keydown', what));
$1
const lines = frames.map(f => [f.name, Math.round(f.rect.getAttribute('x')),
	Math.round(f.rect.getAttribute('width')), f.g.getAttribute('class')].join(' '));
for (const id of ['what', 'share'])
	lines.push(id + ': ' + at(id).textContent);
lines.push('reset: ' + at('reset').getAttribute('class'));
const all = document.createElementNS('http://www.w3.org/2000/svg', 'desc');
all.textContent = 'BEGIN\n' + lines.join('\n') + '\nEND';
svg.append(all);
]]></script>
</svg>
EOF
	timeout 120 chromium --headless --no-sandbox --disable-gpu --dump-dom \
		"file://$WORK/acted.svg" 2>"$WORK/chromium.log" |
		sed -n '/BEGIN$/,/^END/p' | sed '1d;$d'
}

plain=$(acted '')
like "without a click: all frames" "$plain" '^all 10 1180 f$'
like "without a click: no zoom to leave" "$plain" '^reset: link gone$'
out=$(acted "click(named('cat').g);")
like "a click: the frame is as wide as the graph" "$out" '^cat 10 1180 f$'
like "a click: so is what it called" "$out" '^212 10 1180 f$'
like "a click: its caller too, marked" "$out" '^all 10 1180 f parent$'
like "a click: frames beside it are hidden" "$out" '^bash [0-9 ]+ f gone$'
like "a click: a way back" "$out" '^reset: link$'
is "reset" "$(acted "click(named('cat').g); click(at('reset'));")" "$plain"
is "Escape" "$(acted "click(named('212').g); find('cat'); key({ key: 'Escape' });")" "$plain"
out=$(acted "window.prompt = () => 'ca.'; click(at('search'));")
like "search: the frame is marked" "$out" '^cat [0-9 ]+ f found$'
is "search: no other one is" "$(grep -c ' found$' <<<"$out")" 1
like "search: its share" "$out" "^share: found: ${share}0?%\$"
out=$(acted "window.prompt = () => '^[a-z]+\$'; key({ key: 'f', ctrlKey: true });")
like "Ctrl-F: frames that contain others count once" "$out" '^share: found: 100.00%$'
out=$(acted "find('do_sys_openat2+0x');")
like "search: no regular expression is wrong" "$out" '^share: found: '
out=$(acted "find('(');")
like "search: text that is no regular expression" "$out" '^share: found: 0.00%$'
out=$(acted "named('cat').g.dispatchEvent(new MouseEvent('mouseover', { bubbles: true }));")
like "pointing at a frame" "$out" "^what: cat \([0-9]+ hits, ${share}0?%\)\$"
finish
