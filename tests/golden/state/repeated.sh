#!/bin/sh
# -d with --state: which keys were shown is saved as well.
feed() {
    printf '%s\n' "$@"
}
echo "--- a key's first repeat is shown once, over all runs"
feed a a a b | "$FRESHET" -d --state s -m 64K
feed a b b c | "$FRESHET" -d --state s -m 64K
feed a b c c | "$FRESHET" -d --state s
echo "status $?"
"$FRESHET" info s | grep -E '^(memory|offered|shown)'
"$FRESHET" info -j s | grep -o '"shown":[0-9]*'
echo "--- memory is for both, so half of it each"
feed a | "$FRESHET" -d --state s -m 128K
echo "status $?"
echo "--- a run without -d keeps what was shown"
feed d d e | "$FRESHET" --state s
feed a d e | "$FRESHET" -d --state s
echo "--- one that was saved without begins with nothing shown"
feed x y y | "$FRESHET" --state t -m 64K
feed y y x | "$FRESHET" -d --state t
feed y x | "$FRESHET" -d --state t
echo "--- windows of time, checkpoints"
feed a a | "$FRESHET" -d --state w -m 64K --within 1h
feed a b b | "$FRESHET" -d --state w --checkpoint 1ms
feed a b | "$FRESHET" -d --state w
echo "--- a damaged second filter is refused, the file left alone"
size=$(stat -c %s s)
(head -c $((size - 1000)) s; printf x; tail -c 999 s) >bad
cp bad before
feed q | "$FRESHET" --state bad
echo "status $?"
cmp bad before
head -c $((size - 5)) s >bad
feed q | "$FRESHET" --state bad
echo "cut: $?"
(cat s; echo) >bad
feed q | "$FRESHET" --state bad
echo "longer: $?"
"$FRESHET" -d --state s --read-only
echo "read-only: $?"
