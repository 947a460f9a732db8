#!/usr/bin/env bash
# full.sh FRESHET TABLE... - published tables at the printed size, to be kept
#
# Results go to lab/results/TABLE-full.csv, below the commit, the date and what
# the program says of itself.  Each takes minutes to hours; interrupted, the
# same command goes on.
set -eu

freshet=$1
shift
mkdir -p lab/results
for table; do
    csv=lab/results/$table-full.csv
    if [ ! -s "$csv" ]; then
        printf '# commit   %s\n# date     %s\n' \
            "$(bench/commit.sh)" \
            "$(date -u +%Y-%m-%d)" >"$csv"
    fi
    nice "$freshet" lab reproduce --full "$table" --csv "$csv" \
        --jobs "${JOBS:-1}"
done
