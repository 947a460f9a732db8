#!/bin/sh
# The table's head and its rows' names; figures are masked.
mask() {
    sed -e 's/[0-9][0-9.]*\(e[-+][0-9]*\)\{0,1\}/N/g' -e 's/  */ /g' \
        -e '/^machine/d' -e '/^build/d'
}
"$FRESHET" bench --runs 1 --seconds 0.001 -m 64K --stream half sbf:k=4 | mask
"$FRESHET" bench --limit --runs 1 --seconds 0.001 -m 64K | mask

echo "# one filter by parts, where it can be split"
"$FRESHET" bench --runs 1 --seconds 0.001 -m 1M --threads 2 --batch 256 \
    --stream half pocket sbf | mask | grep 'by parts'
"$FRESHET" bench --runs 1 --seconds 0.001 -m 1M --threads 2 --batch 256 \
    --stream new --json pocket | grep '"kind":"parts"' |
    grep -o '"[a-z_]*":' | tr -d '\n'
echo
