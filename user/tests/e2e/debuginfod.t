#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A debuginfod server that takes connections and never answers: who waits for it is told.

# shellcheck disable=SC2154 # 'run' sets what is compared
. "${BASH_SOURCE[0]%/*}/lib.sh"

KTAP=$(host_ktap) || exit 1
cat >"$WORK/server.py" <<-"END"
	import http.server, sys, time

	class Silent(http.server.BaseHTTPRequestHandler):
	    def do_GET(self):
	        time.sleep(600)

	server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Silent)
	print(server.server_port, file=open(sys.argv[1], "w"), flush=True)
	server.serve_forever()
END
/usr/bin/python3 "$WORK/server.py" "$WORK/port" 2>/dev/null &
server=$!
trap 'kill $server; rm -rf "$WORK"' EXIT
for _ in {1..100}; do
	[ -s "$WORK/port" ] && break
	sleep 0.1
done
URL=http://127.0.0.1:$(cat "$WORK/port")
NOTE="^ktap: waiting for the debuginfod server $URL: DEBUGINFOD_TIMEOUT sets for how long\$"
export DEBUGINFOD_URLS=$URL DEBUGINFOD_CACHE_PATH=$WORK/cache DEBUGINFOD_TIMEOUT=3

echo 'int main(void) { return 0; }' >"$WORK/main.c"
gcc -g -o "$WORK/main" "$WORK/main.c" && strip -g "$WORK/main" || exit 1

if ! ldconfig -p | grep -q 'libdebuginfod\.so\.1'; then
	skip "waits for a server" "libdebuginfod is not installed"
	finish
fi
run "$KTAP" vars -x "$WORK/main" main
is "a server that does not answer: status" "$status" 2
is "one note" "$(grep -cE "$NOTE" <<<"$err")" 1
like "and then the error" "$err" 'no debug information'
run "$KTAP" vars -q -x "$WORK/main" main
is "-q: no note" "$(grep -c waiting <<<"$err")" 0

# SIGINT, while it waits
DEBUGINFOD_TIMEOUT=60
rm -rf "$WORK/cache"
began=$SECONDS
run timeout -s INT 3 "$KTAP" vars -x "$WORK/main" main
check "SIGINT ends the wait" [ $((SECONDS - began)) -lt 20 ]
like "SIGINT: the note was there" "$err" "$NOTE"

DEBUGINFOD_URLS=
rm -rf "$WORK/cache"
run "$KTAP" vars -x "$WORK/main" main
is "without servers: no note" "$(grep -c waiting <<<"$err")" 0
finish
