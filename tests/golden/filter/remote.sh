#!/bin/sh
# --remote without a server: what is refused, and how it is said.  What it
# does with servers is in tests/module/remote*.js.
try() {
    echo "--- $*"
    printf 'x\n' | "$FRESHET" "$@" 2>&1
    echo "$?"
}
echo "--- what is no URL"
for url in seen http://host/seen redis://host redis:///seen redis://host:0/seen \
    "redis://host/a{b}" unix://seen; do
    try --remote "$url"
done
echo "--- what makes no sense with it"
url=redis://127.0.0.1:1/seen
try --remote "$url" --state file
try --remote "$url" -d
try --remote "$url" --explain
try --remote "$url" --audit --stats
try --remote "$url" --json .a --within 1h --time .b
try --remote "$url" --shards 2 --last 10
try --remote "$url" --shards 2000
try --remote "$url" --shards 0
echo "--- what makes no sense without"
try --shards 2
try --on-error=pass
try --retry 1s
try --at-least-once
echo "--- nobody is there"
try --remote "$url" --retry 1s --on-error=pass
try --remote unix:///nosuch/socket/seen
echo "--- OpenSSL is loaded only for rediss://, and is not there"
mkdir lib
: >lib/libssl.so.3
export LD_LIBRARY_PATH="$PWD/lib"
try --seed 1
try --remote rediss://127.0.0.1:1/seen | sed "s|: [^:]*/libssl|: libssl|"
