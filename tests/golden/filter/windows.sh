#!/bin/sh
# Windows: from a key's first pass, or, with --refresh, from its last.
echo "--- by records: forgotten after N, and by N + N/8 at the latest"
awk 'BEGIN { for (i = 0; i < 10; i++) {
    print "x"; for (j = 0; j < 99; j++) print "filler", i, j } }' >hundred
"$FRESHET" --last 1000 hundred | grep -c x
"$FRESHET" --last 100 hundred | grep -c x
"$FRESHET" --last 50 hundred | grep -c x
echo "--- an endless repeat is let through once in a window"
yes | head -n 10000 >endless
n=$("$FRESHET" --last 1000 endless | wc -l)
[ "$n" -ge 8 ] && [ "$n" -le 10 ] && echo "about ten"
echo "--- unless each repeat begins it anew"
"$FRESHET" --last 1000 --refresh endless
echo "--- the first repeat of each window, whose fillers count, too"
awk '{ print } $0 == "x"' hundred >pairs
for algorithm in pocket sliding; do
    "$FRESHET" -d --last 50 --algorithm "$algorithm" pairs | wc -l
    "$FRESHET" -d --last 50 --algorithm "$algorithm" -m 1M --state s <pairs | wc -l
    "$FRESHET" -d --state s <pairs | grep -c x
    rm s
done
echo "--- by time: an hour is not over yet"
(echo a; echo a; sleep 0.1; echo a) | "$FRESHET" --within 1h
echo "--- a tenth of a second is, though nothing came meanwhile"
mkfifo in
"$FRESHET" --within 100ms <in >out &
exec 3>in
echo a >&3
until [ -s out ]; do sleep 0.05; done # however slow the machine is
sleep 0.3
echo a >&3
exec 3>&-
wait
cat out
