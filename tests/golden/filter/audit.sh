#!/bin/sh
# How often it is wrong on this very stream, from a sample that is exact.
echo "--- nothing wrong, and nothing to be wrong about"
seq 1000 >numbers
cat numbers numbers >twice
audit() {
    "$FRESHET" --seed 1 --audit --stats "$@" 2>&1 >/dev/null |
        grep -E '^(new|repeats|audit)|freshet:'
}
audit numbers
audit twice
echo "--- too little memory: repeats are forgotten, as many as it says"
seq 100000 >many
cat many many many >thrice
audit -m 64K thrice
audit -m 64K --audit-memory 64K thrice
audit -m 64K --expect 100000 --prefer drop thrice
echo "--- only records with a key count; keys of any kind"
sed 's/.*/{"k":&}/' twice | audit --json .k
sed 's/^1.*//' twice | audit -k 1
echo "--- windows: what is beyond may be called new"
audit --last 100 twice
audit --last 5000 --refresh twice
audit --within 1h twice
echo "--- for programs"
"$FRESHET" --seed 1 --audit --stats=json twice 2>&1 >/dev/null |
    sed 's/.*"audit_drop"/"audit_drop"/'
echo "--- a saved filter: keys of earlier runs are no false drops of this one"
audit -m 64K --state s numbers
audit --state s twice
echo "--- which are measured all the same, and passes as ever"
audit --state full --algorithm set -m 4K many
audit --state full thrice
audit --state small -m 64K many
audit --state small thrice
echo "--- in a window, from the first pass of this run on"
audit --state window --last 3000 -m 64K twice
audit --state window twice
echo "--- what makes no sense"
"$FRESHET" --audit </dev/null
"$FRESHET" --audit-memory 1M </dev/null
"$FRESHET" --audit --stats --state s --read-only </dev/null
echo "status $?"
