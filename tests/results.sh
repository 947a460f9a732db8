#!/usr/bin/env bash
# results.sh FRESHET - doc/results*.md and the page that freshet makes of
# lab/results say what the files there say
set -u -o pipefail
freshet=$(realpath "$1")
. "$(dirname "$0")/sources.sh"

failed=0
lab/tables.sh || failed=1

work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
page=$work/page.html
if ! "$freshet" lab report lab/results/*.csv >"$page"; then
    echo "lab/results: freshet lab report fails" >&2
    exit 1
fi

# The verdicts of this build on the measurements that are kept.  A row of another
# version would be measured again, so that rows get the present version.
version=$("$freshet" --version | sed 's/^freshet \([0-9.]*\).*/\1/; q')
sed "s/,drops,,[0-9.]*,,/,drops,,$version,,/" lab/results/quick.csv \
    >"$work/quick.csv"
if ! "$freshet" lab reproduce --csv "$work/quick.csv" >"$work/quick.txt" ||
    ! grep -v '^#' lab/results/quick.txt | diff -u - "$work/quick.txt"; then
    echo "lab/results/quick.txt is not what freshet says of quick.csv" >&2
    failed=1
fi

# Cells that hold, hold as a variant, are undecided and do not hold, in the order
# of both; a fifth number would be of cells that are not measured.
page_counts=$(sed -n '/id="summary"/,/<\/ul>/p' "$page" | grep -oE '<b>[0-9]+' |
    tr -d '<b>' | paste -s -d ' ')
counts=$(tail -n 1 lab/results/quick.txt | sed 's/^[0-9]* cells//' |
    grep -oE '[0-9]+' | paste -s -d ' ')
if [ "$counts" != "$page_counts" ]; then
    echo "lab/results/quick.txt counts $counts, the page $page_counts" >&2
    failed=1
fi
exit $failed
