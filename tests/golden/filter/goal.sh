#!/bin/sh
# Memory, errors, windows: how they are said, and that they are honoured.
explain() {
    echo "--- $*"
    "$FRESHET" --explain "$@" | sed -E "s,[0-9.]+e\+[0-9]+,N,g"
}
explain
explain -m 64M
explain -S 64MiB -e 1/1000
explain --memory=67108864 --error 0.1%
explain --expect 1e6
explain --expect 1e9 -m 1G
explain --prefer keep
explain --prefer drop
explain --last 1.5e3
explain --within 5m
explain --within 1h30m --refresh
explain --algorithm sbf -m 1M
explain --algorithm sbf --param k=3 --param d=2 -m 1M
explain --algorithm jumping --last 1000
echo "--- a share of the machine's memory"
"$FRESHET" --explain -m 1% | grep -c ^memory
echo "--- what makes no sense"
for option in -m0 -m1Q -m101% -m-1 -e0 -e1 -e2% -e1/0 --expect=0 --expect=1.5 \
    --expect=1.25e1 --expect=1e20 --last=0 --within=0 --within=5x --within=-1s --seed=0 --prefer=both --stats=xml \
    --algorithm=nosuch --param=k=3 --refresh; do
    "$FRESHET" "$option" </dev/null
    echo "$option: $?"
done
"$FRESHET" --last 5 --within 5s
echo "$?"
"$FRESHET" --prefer drop --last 5
echo "$?"
"$FRESHET" --prefer keep --algorithm sbf
echo "$?"
"$FRESHET" --algorithm set --within 5s
echo "$?"
"$FRESHET" --algorithm jumping --last 5 --refresh
echo "$?"
"$FRESHET" --algorithm sbf --param nosuch=1
echo "$?"
