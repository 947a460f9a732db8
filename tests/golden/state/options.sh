#!/bin/sh
# Every option that the file keeps is in force in the next run, which does not
# repeat it.
# kept OPTION...: what the file says, after a run with it and one without
kept() {
    seq 100 | "$FRESHET" --state s -m 64K --seed 7 "$@" >/dev/null
    seq 100 | "$FRESHET" --state s >/dev/null
    echo "--- $*"
    "$FRESHET" info s | grep -E \
        '^(algorithm|parameters|memory|wanted|window|seed|expect)' |
        sed -E 's/ +/ /g'
    rm s
}
"$FRESHET" info --help | head -n 2
kept -m 128K
kept -e 1e-3
kept --expect 500
kept --prefer keep
kept --prefer drop
kept --last 1000
kept --within 1h
kept --last 1000 --refresh
kept --algorithm sbf --param k=3 --param d=2
kept --seed 9
echo "--- a window of records goes on counting: 60, then 60 more"
seq 60 | "$FRESHET" -m 1M --state s --last 100 | wc -l
(seq 101 160; echo 1) | "$FRESHET" --state s | tail -n 1
rm s
echo "--- and each repeat begins it anew, if that was asked for"
(seq 60; echo 1) | "$FRESHET" -m 1M --state s --last 100 --refresh | wc -l
(seq 101 160; echo 1) | "$FRESHET" --state s | tail -n 1
echo "--- --checkpoint: the file is there before the end"
mkfifo in
"$FRESHET" -m 1M --state c --checkpoint 10ms <in >out &
exec 3>in
echo a >&3
until [ -s c ]; do sleep 0.02; echo a >&3; done
"$FRESHET" info c >/dev/null && echo there
exec 3>&-
wait
