#!/usr/bin/env bash
# pipe.sh [FRESHET [RECORDS [RUNS]]] - the filter's speed, and whether it is met
#
# Log lines of about 93 bytes, half of them repeats, and tables, objects and
# lines of about 200 bytes, all from memory.  A time is the best of some runs,
# which take turns, so that a busy moment hits all alike; what counts are the
# ratios.  Exit status 1 if a target is missed.
set -eu -o pipefail

freshet=$(realpath "${1:-build/release/cli/freshet}")
records=${2:-10000000}
runs=${3:-5}
threads=$(($(nproc) < 4 ? $(nproc) : 4))
work=$(mktemp -d -p /dev/shm)
trap 'rm -rf "$work"' EXIT

# ---- Records -------------------------------------------------------------

awk -v n="$records" 'BEGIN { srand(1)
    for (i = 0; i < n; i++) {
        key = fresh && rand() < 0.5 ? int(rand() * fresh) : fresh++
        h = key * 7919 % 86400
        printf "2026-11-15T%02d:%02d:%02dZ host%03d app[%05d]: " \
            "request %014d path=/items/%08d status=200\n", h / 3600,
            h / 60 % 60, h % 60, key % 997, key % 99991,
            key * 104729, key } }' >"$work/log"

# flat NAME FORMAT: records of ten facts, the last of which is the key, half
# of them repeats
flat()
{
    awk -v n=$((records / 5)) -v format="$2" 'BEGIN { srand(2)
        for (i = 0; i < n; i++) {
            key = fresh && rand() < 0.5 ? int(rand() * fresh) : fresh++
            printf format "\n", i / 60 % 60, i % 60, key % 997, key % 99991,
                i % 50000, key % 5000, key * 7919 % 1000003, key } }' \
        >"$work/$1"
}
flat json '{"ts":"2026-11-15T12:%02d:%02d.123Z","level":"info","host":"web-%d.example.com","method":"GET","path":"/api/v1/items/%d","status":200,"bytes":%d,"user":"u%d","ok":true,"id":"%016d%016d"}'
flat csv '2026-11-15T12:%02d:%02d.123Z,info,web-%d.example.com,GET,/api/v1/items/%d,200,%d,u%d,true,a message of a few words,Mozilla/5.0 (X11; Linux x86_64),%016d%016d'
flat lines '2026-11-15T12:%02d:%02d.123Z info web-%d.example.com GET /api/v1/items/%d status=200 bytes=%d user=u%d ok a message of a few words Mozilla/5.0 (X11; Linux x86_64) id=%016d%016d'

# ---- Times ---------------------------------------------------------------

cd "$work"
names=(wc one many cats pipe csv json time regex)
declare -A command=(
    [wc]="wc -l <log"
    [one]="$freshet --parallel 1 log"
    [many]="$freshet log"
    [cats]="cat log | cat | cat"
    [pipe]="cat log | $freshet | cat"
    [csv]="$freshet --parallel 1 --csv 12 csv"
    [json]="$freshet --parallel 1 --json .id json"
    [time]="$freshet --parallel 1 --json .id --time .ts --within 1d json"
    [regex]="$freshet --parallel 1 --regex ' id=([0-9]+)\$' lines"
    [mawk]="mawk '!s[\$0]++' log"
)

# seconds NAME: of one run
seconds()
{
    local TIMEFORMAT=%R

    { time bash -c "${command[$1]}" >/dev/null; } 2>&1
}

for ((i = 0; i < runs; i++)); do
    for name in "${names[@]}"; do
        echo "$name $(seconds "$name")"
    done
done >timings
if command -v mawk >/dev/null; then # takes long, and need not be exact
    names+=(mawk)
    echo "mawk $(seconds mawk)" >>timings
fi

# ---- Memory --------------------------------------------------------------

# over OPTION...: the most memory taken besides the filter, in MiB
over()
{
    local pid

    rm -f fifo
    mkfifo fifo
    "$freshet" -m 256M "$@" <fifo >/dev/null &
    pid=$!
    exec 3>fifo
    cat log >&3
    awk '/^VmHWM/ { printf "%.1f\n", $2 / 1024 - 256 }' "/proc/$pid/status"
    exec 3>&-
    wait "$pid"
}

# ---- Judgement -----------------------------------------------------------

for name in "${names[@]}"; do
    case $name in
    csv | json) file=$name ;;
    time) file=json ;;
    regex) file=lines ;;
    *) file=log ;;
    esac
    awk -v name="$name" -v bytes="$(stat -c %s "$file")" '
        $1 == name && (!best || $2 < best) { best = $2 }
        END { print name, best, bytes / best / 1e6 }' timings
done >best
while read -r name time speed; do
    printf '%-6s %7.3f s %6.0f MB/s   %s\n' "$name" "$time" "$speed" \
        "${command[$name]//$freshet/freshet}"
done <best
echo
awk -v threads="$threads" -v one="$(over --parallel 1)" -v many="$(over)" '
    function judge(what, value, kind, target) {
        good = kind == "at most" ? value <= target : value >= target
        printf "%-40s %8.2f   %s %-5g %s\n", what, value, kind, target,
            good ? "met" : "MISSED"
        missed += !good
    }
    { s[$1] = $2; speed[$1] = $3 }
    END {
        judge("file, " threads " threads, times wc -l", s["many"] / s["wc"],
            "at most", 5)
        judge("file, 1 thread, times wc -l", s["one"] / s["wc"], "at most", 9)
        if (s["mawk"])
            judge("mawk, times freshet", s["mawk"] / s["many"], "at least", 40)
        judge("pipe, times cat | cat | cat", s["pipe"] / s["cats"],
            "at most", 1.1)
        judge("MiB besides the filter, " threads " threads", many, "at most",
            16 + 4 * threads)
        judge("MiB besides the filter, 1 thread", one, "at most", 20)
        judge("MB/s, CSV key, 1 thread", speed["csv"], "at least", 300)
        judge("MB/s, JSON key, 1 thread", speed["json"], "at least", 300)
        judge("MB/s, JSON key and time, 1 thread", speed["time"], "at least",
            300)
        judge("MB/s, regex key, 1 thread", speed["regex"], "at least", 300)
        exit missed > 0
    }' best
