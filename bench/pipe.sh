#!/usr/bin/env bash
# pipe.sh [FRESHET [RECORDS [RUNS]]] - the filter's speed, and whether it is met
#
# Log lines of 94 bytes, and tables and objects of 198, half of them repeats,
# all from memory.  A time is the best of some runs,
# which take turns, so that a busy moment hits all alike; what counts are the
# ratios.  Exit status 1 if a target is missed.
set -eu -o pipefail

freshet=$(realpath "${1:-build/release/cli/freshet}")
records=${2:-10000000}
runs=${3:-15}
threads=$(($(nproc) < 4 ? $(nproc) : 4))
work=$(mktemp -d -p /dev/shm)
trap 'rm -rf "$work"' EXIT

# ---- Records -------------------------------------------------------------

"$freshet" gen log -n "$records" --gap "$records" >"$work/log"
for kind in csv jsonl; do
    "$freshet" gen $kind -n $((records / 5)) --gap "$records" >"$work/$kind"
done

# ---- Times ---------------------------------------------------------------

cd "$work"
# The pipe comes right after a file: memory that was free for some seconds a
# virtual machine may have to get from its host again, which took up to half a
# second for 256 MiB.  The file's own runs come after those of the last round.
names=(wc one many pipe cats siphash csv json time regex)
declare -A command=(
    [wc]="wc -l <log"
    [one]="$freshet --parallel 1 log"
    [many]="$freshet log"
    [cats]="cat log | cat | cat"
    [pipe]="cat log | $freshet | cat"
    [siphash]="$freshet --parallel 1 --hash siphash log"
    [csv]="$freshet --parallel 1 --csv 11 csv"
    [json]="$freshet --parallel 1 --json .id jsonl"
    [time]="$freshet --parallel 1 --json .id --time .time --within 1d jsonl"
    [regex]="$freshet --parallel 1 --regex ',([0-9a-f]+)\$' csv"
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
    csv | regex) file=csv ;;
    json | time) file=jsonl ;;
    *) file=log ;;
    esac
    awk -v name="$name" -v bytes="$(stat -c %s "$file")" '
        $1 == name && (!best || $2 < best) { best = $2 }
        END { print name, best, bytes / best / 1e6 }' timings
done >best
while read -r name time speed; do
    printf '%-7s %7.3f s %6.0f MB/s   %s\n' "$name" "$time" "$speed" \
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
        judge("MB/s, siphash, 1 thread", speed["siphash"], "at least", 500)
        judge("MB/s, CSV key, 1 thread", speed["csv"], "at least", 300)
        judge("MB/s, JSON key, 1 thread", speed["json"], "at least", 300)
        judge("MB/s, JSON key and time, 1 thread", speed["time"], "at least",
            300)
        judge("MB/s, regex key, 1 thread", speed["regex"], "at least", 300)
        exit missed > 0
    }' best
