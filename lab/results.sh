#!/usr/bin/env bash
# results.sh FRESHET [NAME...] - measure what is kept in lab/results
#
# quick is what the papers print, at up to 1/100; every other NAME is the file
# lab/experiments/NAME.lab.  Each CSV says its commit, command and machine.  One
# that was begun at this commit is gone on with, any other is begun anew.
set -eu

freshet=$1
shift
here=$(dirname "$0")
results=$here/results
names=("$@")
if [ $# -eq 0 ]; then
    names=(quick theory bera-figures dutta-figures singh-figures deng-figures
        steady should doubtful)
fi

# A file that says nothing yet but the commit: freshet appends to it.
begin()
{
    local csv=$1 line="# commit   $commit"

    case $commit in
        *+dirty) ;;
        *) [ "$(head -qn 1 "$csv" 2>&1)" != "$line" ] || return 0 ;;
    esac
    echo "$line" >"$csv"
}

commit=$("$here/../bench/commit.sh")
mkdir -p "$results"
for name in "${names[@]}"; do
    csv=$results/$name.csv
    echo "$csv"
    begin "$csv"
    if [ "$name" = quick ]; then
        BENCH_RESULTS=$results "$here/../bench/run.sh" quick.txt \
            "$freshet" lab reproduce --csv "$csv" >/dev/null
    else
        "$freshet" lab run --file "$here/experiments/$name.lab" \
            --csv "$csv" >/dev/null
    fi
done
