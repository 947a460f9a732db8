#!/bin/sh
# What each algorithm would achieve, best first.
steady() {
    sed -E 's/[0-9.]+e[+-][0-9]+/N/g; s/ +/ /g'
}
# The best of it: the choice, the stream, the titles, the first row behind them.
best() {
    echo "--- $*"
    "$FRESHET" plan "$@" | sed '/^$/ { n; n; q; }' | steady
}
best
best -m 64M --last 1000000
best --within 5m
best -S 64M -e 1%
best --expect 1e6
best --prefer keep
best --prefer drop
echo "--- all are there, what cannot be done says so"
"$FRESHET" plan | sed '1,/^$/d' | sed '1d; /^$/,$d' | wc -l
"$FRESHET" list | wc -l
"$FRESHET" plan --within 5m | grep ^set
"$FRESHET" plan --within 5m -j | grep '"set"'
"$FRESHET" plan --json --gap 1e6 | head -n 1 | steady
"$FRESHET" plan nosuch
echo "$?"
"$FRESHET" plan --last 5 --within 5s
echo "$?"
"$FRESHET" plan -m 10
echo "$?"
