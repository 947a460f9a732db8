#!/usr/bin/env bash
# pipe.sh [FRESHET [RECORDS]] - the filter's time next to wc, mawk and cat
#
# Log lines of about 93 bytes, half of them repeats, from memory.  Each time
# is the best of three runs; what counts are the ratios of one machine.
set -eu

freshet=$(realpath "${1:-build/release/cli/freshet}")
records=${2:-10000000}
work=$(mktemp -d -p /dev/shm)
trap 'rm -rf "$work"' EXIT
log=$work/log

awk -v n="$records" 'BEGIN { srand(1)
    for (i = 0; i < n; i++) {
        key = fresh && rand() < 0.5 ? int(rand() * fresh) : fresh++
        h = key * 7919 % 86400
        printf "2026-11-15T%02d:%02d:%02dZ host%03d app[%05d]: " \
            "request %014d path=/items/%08d status=200\n", h / 3600,
            h / 60 % 60, h % 60, key % 997, key % 99991,
            key * 104729, key } }' >"$log"

# best COMMAND: seconds of the fastest of three runs
best()
{
    local TIMEFORMAT=%R

    for _ in 1 2 3; do
        { time bash -c "$1" >/dev/null; } 2>&1
    done | sort -n | head -n 1
}

# report NAME SECONDS OTHER: a time and its ratio to another
report()
{
    awk -v name="$1" -v s="$2" -v other="$3" -v bytes="$(stat -c %s "$log")" \
        'BEGIN { printf "%-34s %7.3f s %7.0f MB/s %8.2f x\n", name, s,
            bytes / s / 1e6, s / other }'
}

wc=$(best "wc -l <$log")
report "wc -l" "$wc" "$wc"
report "freshet" "$(best "$freshet $log")" "$wc"
if command -v mawk >/dev/null; then
    report "mawk '!s[\$0]++'" "$(best "mawk '!s[\$0]++' $log")" "$wc"
fi
cat=$(best "cat $log | cat | cat")
report "cat | cat | cat" "$cat" "$cat"
report "cat | freshet | cat" "$(best "cat $log | $freshet | cat")" "$cat"
