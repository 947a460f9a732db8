#!/usr/bin/env bash
# document.sh - the commands of doc/kafka.md work as they stand there
#
# FRESHET is the program, MOCK the program mock_cluster, which has the place of
# the broker: its address is put in the place of 127.0.0.1:9092.  MODULE is the
# module for a redis-server (PRELOAD: what it needs loaded before), whose socket
# is put in the place of 127.0.0.1:6379.  With BROKER, the address of a real
# broker, that one is used; BROKER_OPTIONS are added to kcat and freshet kafka.
set -eu -o pipefail

page=$(realpath "$(dirname "$0")/../../doc/kafka.md")
for program in kcat redis-server; do
    if ! command -v $program >/dev/null; then
        echo "$program: not installed, skipped"
        exit 77
    fi
done
work=$(mktemp -d)
cd "$work"
mkdir bin
# program NAME PATH: adds the options that a broker of Kafka 0.9 needs
program()
{
    # shellcheck disable=SC2016 # "$@" is for the script
    printf '#!/bin/sh\nexec "%s" "$@" %s\n' "$2" "${BROKER_OPTIONS:-}" >"bin/$1"
    chmod +x "bin/$1"
}
program kcat "$(command -v kcat)"
program freshet "$FRESHET"
PATH=$work/bin:$PATH
mkfifo lines
if [ -n "${BROKER:-}" ]; then
    echo "$BROKER" >address
    cat <lines &
else
    "$MOCK" 1 <lines >address &
fi
exec 9>lines
LD_PRELOAD=${PRELOAD:-} ASAN_OPTIONS=detect_leaks=0 redis-server --port 0 \
    --unixsocket "$work/socket" --save '' --loadmodule "$MODULE" >redis.log 9>&- &
server=$!
trap 'exec 9>&-; kill "$server"; wait; rm -rf "$work"' EXIT
until [ -s address ] && [ -S socket ]; do sleep 0.1; done

# The commands of a section.
commands()
{
    awk -v name="<!-- test: $1 -->" '
        $0 == name { found = 1; next }
        found && /^```/ { if (inside) exit; inside = 1; next }
        inside' "$page" | sed "s/127.0.0.1:9092/$(head -n 1 address)/
            s|redis://127.0.0.1:6379|unix://$work/socket|"
}

# last SECTION WANTED: the last line that the commands of a section print
last()
{
    commands "$1" >"$1.sh"
    bash -u "$1.sh" 9>&- >"$1.out" 2>"$1.err" || {
        cat "$1.out" "$1.err"
        exit 1
    }
    [ "$(tail -n 1 "$1.out")" = "$2" ] || {
        echo "$1: the last line is not $2:"
        cat "$1.out" "$1.err"
        exit 1
    }
}

[ "$(commands six | wc -l)" -eq 6 ]
last six 1500
grep -q '^all  *2001 *1500 *501 ' six.err
last group 4000
last remote 1500
echo ok
