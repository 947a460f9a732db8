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
echo "--- by time, also when nothing comes meanwhile"
(echo a; echo a; sleep 0.1; echo a; sleep 1.5; echo a; echo a) |
    "$FRESHET" --within 1s
echo "--- refreshed"
(for _ in 1 2 3 4 5 6; do echo a; sleep 0.3; done) |
    "$FRESHET" --within 1s --refresh
