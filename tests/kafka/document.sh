#!/usr/bin/env bash
# document.sh - the commands of doc/kafka.md work as they stand there
#
# FRESHET is the program, MOCK the program mock_cluster, which has the place of
# the broker: its address is put in the place of 127.0.0.1:9092.
set -eu -o pipefail

page=$(realpath "$(dirname "$0")/../../doc/kafka.md")
if ! command -v kcat >/dev/null; then
    echo "kcat: not installed, skipped"
    exit 77
fi
work=$(mktemp -d)
cd "$work"
mkdir bin
ln -s "$FRESHET" bin/freshet
PATH=$work/bin:$PATH
mkfifo lines
"$MOCK" 1 <lines >address &
cluster=$!
exec 9>lines
trap 'exec 9>&-; wait "$cluster"; rm -rf "$work"' EXIT
until [ -s address ]; do sleep 0.1; done

# The commands of a section.
commands()
{
    awk -v name="<!-- test: $1 -->" '
        $0 == name { found = 1; next }
        found && /^```/ { if (inside) exit; inside = 1; next }
        inside' "$page" | sed "s/127.0.0.1:9092/$(head -n 1 address)/"
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
echo ok
