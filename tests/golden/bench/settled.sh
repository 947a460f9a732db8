#!/bin/sh
# bench says when a row is settled, after how many records, and what is enough.
rows() {
    "$FRESHET" bench --runs 1 --seconds 0.001 -m 64K --batch 256 --stream new \
        "$@" | sed -nE 's/^pocket .*[0-9%] +(>? *[0-9]+) +[0-9.]+( [*])?$/\1\2/p
            s/^\* .*/&/p'
}
rows --fill 1000 pocket
rows --fill 0 pocket
"$FRESHET" bench --runs 1 --seconds 0.001 -m 64K --batch 256 --stream new \
    --fill 1000 --json pocket | grep -o '"filled":[0-9]*\|"steady":[a-z]*'
