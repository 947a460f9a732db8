#!/bin/sh
# How options are written, and what is said when they are not.
try() {
    "$FRESHET" "$@"
    echo "$*: $?"
}
quick='--runs 1 --seconds 0.001'
quiet() {
    "$FRESHET" "$@" >/dev/null
    echo "$*: $?"
}
try list --nosuch
try list -x
try list --json=yes
try list one two
try bench --runs
try bench --runs=many
try bench --runs ''
try bench --runs 0
try bench -m 64Q
try bench -m 16M,
try bench -m 1K
try bench --batch 0
try bench --batch 256,5000
try bench --threads 65
try bench --error 2
try bench --stream old
try bench --seconds -1
try bench --limit sbf
try bench -- --json
# shellcheck disable=SC2086 # two options in one variable
{
    quiet bench --limit $quick -m64K
    quiet bench --limit $quick -jm 64KiB
    quiet bench --limit $quick --memory=65536 --json
    quiet bench $quick -m 64K --fill 0.01 --error 1/100 --batch 1 -- sbf
    quiet bench $quick -m 64K --fill 0.01 --gap 100 --seed 2 sbf
    quiet bench $quick -m 192K --fill 0.01 --threads 3 --stream new sbf
}
