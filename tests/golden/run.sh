#!/bin/sh
# run.sh NAME.sh...: run scripts and compare with what stands beside them
#
# NAME.stdout, NAME.stderr and NAME.exit hold what a script must print and
# how it must end; a missing file means nothing, and 0.  Scripts find the
# program in $FRESHET and start in an empty directory of their own.
# UPDATE=1 writes the files instead of comparing.  A script that cannot run
# here exits with 77, and so does this one.
set -u

: "${FRESHET:?must be the path of the freshet program}"
export FRESHET LC_ALL=C
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
failed=0

# keep ACTUAL EXPECTED: what is empty needs no file
keep() {
    if [ -s "$1" ]; then cp "$1" "$2"; else rm -f "$2"; fi
}

# same ACTUAL EXPECTED
same() {
    expected=$2
    [ -e "$expected" ] || expected=/dev/null
    diff -u "$expected" "$1"
}

for script; do
    base=${script%.sh}
    base=$(cd "$(dirname "$base")" && pwd)/$(basename "$base")
    mkdir "$work/here"
    (cd "$work/here" && sh "$base.sh") \
        >"$work/stdout" 2>"$work/stderr" </dev/null
    status=$?
    if [ "$status" -eq 77 ]; then
        cat "$work/stderr"
        exit 77
    fi
    : >"$work/exit"
    [ "$status" -eq 0 ] || echo "$status" >"$work/exit"
    for part in stdout stderr exit; do
        if [ "${UPDATE:-0}" = 1 ]; then
            keep "$work/$part" "$base.$part"
        elif ! same "$work/$part" "$base.$part"; then
            echo "FAILED: $script: $part differs"
            failed=1
        fi
    done
    rm -rf "$work/here"
done
exit "$failed"
