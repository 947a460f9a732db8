#!/usr/bin/env bash
# test.sh PROGRAM - run an example on real input and look at what it prints
set -eu

program=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# The output named $1 must be what standard input says.
expect()
{
    diff -u - "$dir/$1"
}

test_count()
{
    printf 'a\nb\na\nc\nb\na' | "$program" | head -n 1 >"$dir/out"
    expect out <<<'6 records: 3 new, 3 repeats'
    if "$program" </dev/null >/dev/full; then
        echo "a full disk went unnoticed" >&2
        return 1
    fi
}

test_resume()
{
    cd "$dir"
    printf 'a\nb\na\n' | "$program" state >first
    expect first <<<$'a\nb'
    printf 'b\nc\na\n' | "$program" state >second
    expect second <<<c
    [ "$(stat -c %a state)" = 600 ]

    # What could not be written is not remembered, and comes the next time.
    if echo d | "$program" state >/dev/full 2>errors; then
        echo "a full disk went unnoticed" >&2
        return 1
    fi
    echo d | "$program" state >third
    expect third <<<d

    echo nonsense >state
    if echo e | "$program" state 2>errors; then
        echo "a damaged state was accepted" >&2
        return 1
    fi
    grep -q 'not a freshet filter' errors
}

# The fifth delivery, of e, fails; it is sent when it comes again.
test_deliver()
{
    printf '%s\n' a b c b d e a e e f | "$program" >"$dir/out" 2>"$dir/errors"
    expect out <<<$'a\nb\nc\nd\ne\nf'
    expect errors <<<'deliver: failed, will be sent again: e'
}

# 100,000 requests to each of eight threads, half of them also to the next.
test_shared()
{
    "$program" >"$dir/out"
    expect out <<<'800000 requests, 450000 new'
}

"test_$(basename "$program")"
