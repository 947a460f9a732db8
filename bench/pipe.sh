#!/usr/bin/env bash
# pipe.sh [FRESHET [RECORDS [RUNS]]] - the filter's speed, and whether it is met
#
# Log lines of 94 bytes, and tables and objects of 198, half of them repeats,
# all from memory.  A time is the median of the runs,
# which take turns, so that a busy moment hits all alike; what counts are the
# ratios.  With BEFORE=PROGRAM, the program of an older commit, both are
# compared.  Exit status 1 if a target is missed.
set -eu -o pipefail

. "$(dirname "$0")/times.sh"
freshet=$(realpath "${1:-build/release/cli/freshet}")
records=${2:-10000000}
runs=${3:-15}
threads=$(($(nproc) < 16 ? $(nproc) : 16)) # as many as freshet takes
serial_time=$(dirname "$freshet")/../engine/serial_time
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

add_before "$freshet" one many pipe csv json time regex

for ((i = 0; i < runs; i++)); do
    for name in "${names[@]}"; do
        once "$name"
    done
done >timings
if command -v mawk >/dev/null; then # takes long, and need not be exact
    names+=(mawk)
    once mawk >>timings
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

# ---- What one thread at a time does ---------------------------------------

# serial THREADS [FILE]: ns for each record in sections that only one thread may
# be in, outside the calls that read and write: the median of five runs
serial()
{
    for ((i = 0; i < 5; i++)); do
        # shellcheck disable=SC2002 # a pipe is read in another way than a file
        if [ $# -gt 1 ]; then
            "$serial_time" "$2" "$1"
        else
            cat log | "$serial_time" - "$1"
        fi
    done | sort -g | sed -n '3s/ .*//p'
}

# The filter is decided by parts from four threads on, two parts for each
# thread, and each part of each block of records is taken and returned under the
# lock: with 16 threads that is 36 times for about 2,800 records, with four 12
# times.  Where threads are more than processors, some always wait, so that each
# time one is looked for to be woken; on 16 processors that falls away.
{
    for n in 4 16; do
        echo "file $n $(serial $n log)"
        echo "pipe $n $(serial $n)"
    done
} >serials

# ---- Judgement -----------------------------------------------------------

median_times <timings | while read -r name times; do
    case ${name#before-} in
    csv | regex) file=csv ;;
    json | time) file=jsonl ;;
    *) file=log ;;
    esac
    echo "$name $times $(stat -c %s "$file")"
done >medians
show "$freshet" <medians
echo
awk -v threads="$threads" -v records="$records" -v one="$(over --parallel 1)" -v many="$(over)" \
    "$judging"'
    FILENAME == "serials" { serial[$1, $2] = $3; next }
    { s[$1] = $2; speed[$1] = $5 / $2 / 1e6 }
    # By Amdahl, for a record that takes one thread `ns`.
    function show_limit(from, threads,  i, ns, part, cores) {
        ns = s["one"] / records * 1e9
        part = serial[from, threads]
        printf "%-6s %2d threads: %5.2f of %.0f ns serial, at most", from,
            threads, part, ns
        split("8 16 64", cores, " ")
        for (i = 1; i <= 3; i++)
            printf " %.1f x on %d", ns / (part + (ns - part) / cores[i]),
                cores[i]
        print " cores"
    }
    END {
        judge("file, " threads " threads, times wc -l", s["many"] / s["wc"],
            "at most", 5)
        judge("file, 1 thread, times wc -l", s["one"] / s["wc"], "at most", 9)
        if (threads > 1)
            judge("file, " threads " threads, share of one thread\047s time",
                s["many"] / s["one"], "at most", 0.58)
        if (s["mawk"])
            judge("mawk, times freshet", s["mawk"] / s["many"], "at least", 40)
        judge("pipe, times cat | cat | cat", s["pipe"] / s["cats"],
            "at most", 1.2)
        judge("MiB besides the filter, " threads " threads", many, "at most",
            16 + 4 * threads)
        judge("MiB besides the filter, 1 thread", one, "at most", 20)
        judge("MB/s, siphash, 1 thread", speed["siphash"], "at least", 500)
        judge("MB/s, CSV key, 1 thread", speed["csv"], "at least", 300)
        judge("MB/s, JSON key, 1 thread", speed["json"], "at least", 500)
        judge("MB/s, JSON key and time, 1 thread", speed["time"], "at least",
            300)
        judge("MB/s, regex key, 1 thread", speed["regex"], "at least", 300)
        judge("serial ns a record, file, 4 threads", serial["file", 4],
            "at most", 4)
        judge("serial ns a record, pipe, 4 threads", serial["pipe", 4],
            "at most", 10)
        most["one"] = most["many"] = most["pipe"] = 1.01
        most["csv"] = most["json"] = most["time"] = most["regex"] = 1.05
        judge_before(s, most)
        print ""
        for (i = 4; i <= 16; i += 12) {
            show_limit("file", i)
            show_limit("pipe", i)
        }
        exit missed > 0
    }' serials medians
