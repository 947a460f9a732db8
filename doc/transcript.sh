#!/usr/bin/env bash
# transcript.sh FRESHET [update] - what the README shows is what its commands
# print, times and sizes of processes aside
#
# A block of the README begins with a line "<!-- NAME: written by make transcript
# -->" and is made by the function show_NAME.
# shellcheck disable=SC2317 # functions are called by the names of blocks
set -u
freshet=$(realpath "$1")
action=${2:-check}
cd "$(dirname "$0")/.." || exit 2

work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
ln -s "$freshet" "$work/freshet"
if ! [ -x /usr/bin/time ]; then
    echo "no /usr/bin/time: skipped"
    exit 77
fi

# As a shell would show it: the command, then what it prints.
show()
{
    echo "\$ $1"
    (cd "$work" && PATH=$work:$PATH LC_ALL=C bash -c "$1" 2>&1)
}

# Files that the commands read, and that the README does not show.
printf '%s\n' '203.0.113.7 GET /' '198.51.100.2 GET /' '203.0.113.7 GET /shop' \
    '203.0.113.7 GET /cart' '192.0.2.44 GET /' >"$work/access.log"
printf '%s\n' 'id,customer,total' '17,ann,9.50' '18,bob,3.20' '17,ann,9.50' \
    '19,ann,12.00' >"$work/orders.csv"
printf '%s\n' '{"id": "e1", "type": "paid"}' '{"id": "e2", "type": "sent"}' \
    '{"type": "paid", "id": "e1"}' >"$work/events.jsonl"

show_everyday()
{
    show 'freshet -k 1 access.log             # the first line of each visitor'
    show 'freshet -H --csv id orders.csv      # one row for each order'
    show 'freshet -D --json .id events.jsonl  # the events that came again'
}

# shellcheck disable=SC2016 # for the shell that is shown
show_memory()
{
    show "awk 'BEGIN { for (i = 0; i < 1e6; i++) print \"user-\" i * 7919 % 500009 }' >log"
    show '/usr/bin/time -f "%U s, %M KiB" awk '\''!seen[$0]++'\'' log >by-awk'
    show '/usr/bin/time -f "%U s, %M KiB" freshet -m 4M log >by-freshet'
    show 'cmp by-awk by-freshet && wc -l by-freshet'
    show 'freshet --explain -m 4M'
    show 'freshet -m 1500K --audit --stats log 2>&1 >/dev/null | grep audit_[dp]   # too little'
}

# Without what differs from run to run: times, processes, and the sample,
# which the seed chooses.
steady()
{
    sed -E 's/^[0-9.]+ s, [0-9]+ KiB$/TIME/
        /^audit_(drop|pass)/s/ +[0-9.e-]+ .*/ FIGURES/'
}

# Writes the block NAME anew, or compares it.
block()
{
    local begin="<!-- $1: written by make transcript -->"

    {
        echo "$begin"
        echo '```'
        "show_$1"
        echo '```'
    } >"$work/new"
    awk -v begin="$begin" '$0 == begin { on = 1 } on
        on && /^```/ && ++fences == 2 { exit }' README.md >"$work/old"
    if [ "$action" = update ]; then
        awk -v begin="$begin" -v new="$work/new" '
            $0 == begin { while ((getline line <new) > 0) print line; on = 1 }
            !on
            on && /^```/ && ++fences == 2 { on = 0 }' README.md \
            >"$work/README.md"
        cp "$work/README.md" README.md
    elif ! diff -u <(steady <"$work/old") <(steady <"$work/new"); then
        echo "README.md: not what its commands print: make transcript" >&2
        return 1
    fi
}

failed=0
for name in everyday memory; do
    block $name || failed=1
done
exit $failed
