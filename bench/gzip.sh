#!/usr/bin/env bash
# gzip.sh [FRESHET [RECORDS [RUNS]]] - compressed input, and whether it is fast
#
# A log of 94 bytes a line, half of them repeats, as one .gz file and as four
# different ones, all in memory.  A time is the median of the runs, which take
# turns; what counts are the ratios.  With BEFORE=PROGRAM, the program of an
# older commit, both are compared.  Exit status 1 if a target is missed.
set -eu -o pipefail

. "$(dirname "$0")/times.sh"
freshet=$(realpath "${1:-build/release/cli/freshet}")
records=${2:-2130000}
runs=${3:-15}
work=$(mktemp -d -p /dev/shm)
trap 'rm -rf "$work"' EXIT

# ---- Records -------------------------------------------------------------

cd "$work"
for i in 1 2 3 4; do
    "$freshet" gen log -n "$records" --gap "$records" --seed "$i" >log$i
    gzip -k log$i
done

# ---- Times ---------------------------------------------------------------

names=(gz igzip inflate plain four serial)
declare -A command=(
    [gz]="$freshet log1.gz"
    [inflate]="igzip -dc log1.gz"
    [igzip]="igzip -dc log1.gz | $freshet"
    [plain]="$freshet log1"
    [four]="$freshet log1.gz log2.gz log3.gz log4.gz"
    [serial]="$freshet --parallel 1 log1.gz"
)
add_before "$freshet" gz

for ((i = 0; i < runs; i++)); do
    for name in "${names[@]}"; do
        once "$name"
    done
done >timings

# ---- Judgement -----------------------------------------------------------

median_times <timings | while read -r name times; do
    bytes=$(stat -c %s log1)
    [ "${name#before-}" = four ] && bytes=$(cat log? | wc -c)
    echo "$name $times $bytes"
done >medians
show "$freshet" <medians
echo
awk "$judging"'
    { s[$1] = $2; speed[$1] = $5 / $2 }
    END {
        judge("gz, times igzip -dc | freshet", s["gz"] / s["igzip"], "at most",
            0.6)
        judge("four files, times the throughput of one",
            speed["four"] / speed["gz"], "at least", 1.7)
        most["gz"] = 0.5
        judge_before(s, most)
        printf "%-44s %8.2f\n", "gz, times igzip -dc alone",
            s["gz"] / s["inflate"]
        printf "%-44s %8.2f\n", "four files, times the throughput of 1 thread",
            speed["four"] / speed["serial"]
        exit missed > 0
    }' medians
