#!/bin/sh
# Counts take k, M and G as powers of ten, sizes as powers of two with
# fractions; seeds may be hexadecimal.
try() {
    "$FRESHET" "$@"
    echo "$*: $?"
}
same() {
    if cmp -s a b; then echo "same"; else echo "different"; fi
}
"$FRESHET" --explain --seed 1 -m 1.5M --expect 1M >a
"$FRESHET" --explain --seed 0x1 -m 1572864 --expect 1000000 >b
same
"$FRESHET" gen uniform -n 2k --universe 0.5k --seed 0xff >a
"$FRESHET" gen uniform -n 2000 --universe 500 --seed 255 >b
same
try --last 5m
try --expect 1.5
try --seed 0x
try -m 1.5
