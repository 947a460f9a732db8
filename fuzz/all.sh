#!/usr/bin/env bash
# all.sh SECONDS [TARGET...] - every fuzz target for that long, and one table
#
# What targets find stays in build/fuzz/corpus, and is gone on with next time;
# an input that fails is kept in build/fuzz/failed.
set -u
cd "$(dirname "$0")/.." || exit

seconds=$1
shift
if [ $# -eq 0 ]; then
    mapfile -t all < <(sed -n 's/^ *fr_fuzz(\([a-z]*\).*/\1/p' \
        fuzz/CMakeLists.txt)
    set -- "${all[@]}" module
fi
failed=0

# row TARGET: its executions, how many a second of processor time, edges that it
# has seen, inputs that lead to them, failures
row()
{
    local target=$1 grown=build/fuzz/corpus/$1 log=build/fuzz/$1.log begun
    local seeds=(fuzz/corpus/"$target")

    [ "$target" != attach ] || seeds+=(tests/snapshots/v1)
    mkdir -p "$grown" build/fuzz/failed
    begun=$(times_of)
    build/fuzz/fuzz/fuzz_"$target" -max_total_time="$seconds" -timeout=25 \
        -max_len=8192 -rss_limit_mb=4096 -print_final_stats=1 \
        -artifact_prefix=build/fuzz/failed/"$target"- "$grown" "${seeds[@]}" \
        >"$log" 2>&1 || failed=1
    awk -v target="$target" -v cpu="$(($(times_of) - begun))" \
        -v bad="$(find build/fuzz/failed -name "$target-*" ! -name '*-slow-unit-*' |
            wc -l)" '
        / cov: / { for (i = 1; i < NF; i++) {
            if ($i == "cov:") edges = $(i + 1)
            if ($i == "corp:") inputs = $(i + 1) } }
        /number_of_executed_units/ { runs = $2 }
        END { sub("/.*", "", inputs)
              printf "%-11s %10d %8d %7d %7d %6d\n", target, runs,
                  cpu ? runs * 100 / cpu : 0, edges, inputs, bad }' "$log"
}

# Hundredths of seconds of processor time that ended children have taken.
times_of()
{
    awk '{ print $16 + $17 }' /proc/$$/stat
}

# The module takes damaged payloads and arguments in a real server.
module_row()
{
    SECONDS_EACH=$seconds bash tests/module/fuzz.sh "$PWD" \
        >build/fuzz/module.log 2>&1 || failed=1
    awk '/^ok/ { good++ } /^FAILED/ { bad++ } / requests$/ { n += $1 }
         END { printf "%-11s %10d %8s %7s %7s %6d\n", "module", n, "-", "-",
                   "-", bad }' build/fuzz/module.log
}

printf '%-11s %10s %8s %7s %7s %6s\n' target runs per_cpu_s edges inputs failed
for target; do
    if [ "$target" = module ]; then
        module_row
    else
        row "$target"
    fi
done
exit "$failed"
