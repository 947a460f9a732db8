#!/bin/sh
# The table's head and its rows' names; figures are masked.
mask() {
    sed -e 's/[0-9][0-9.]*\(e[-+][0-9]*\)\{0,1\}/N/g' -e 's/  */ /g' \
        -e '/^machine/d' -e '/^build/d'
}
"$FRESHET" bench --runs 1 --seconds 0.001 -m 64K --stream half sbf:k=4 | mask
"$FRESHET" bench --limit --runs 1 --seconds 0.001 -m 64K | mask
