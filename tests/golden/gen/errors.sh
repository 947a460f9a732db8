#!/bin/sh
# A stream that cannot be is refused with a sentence, and nothing is written.
try() {
    "$FRESHET" gen "$@"
    status=$?
    [ "$status" = 2 ] || echo "status $status: $*"
}
try
try nosuch
try uniform zipf
try zipf universe=10
try uniform
try uniform:n=1000
try uniform --distinct 15%
try shuffled
try shuffled:n=1000
try shuffled:distinct=15%
try shuffled:n=5,distinct=1%
try shuffled:n=1000,distinct=101%
try shuffled:n=1000,distinct=15%,universe=7
try uniform:n=1000,distinct=0%
try uniform:n=1000,distinct=100%
try uniform:n=5,distinct=1%
try uniform:n=1000000,distinct=99.9999999999999%
try uniform:n=1000,distinct=15%,universe=7
try uniform:universe=2e18
try uniform:n=0,universe=7
try uniform:n=5,lambda=0.5
try uniform:n=5,nosuch=1
try uniform:n
try uniform:n=
try uniform:n=many
try uniform:n=,
try poisson:lambda=1.5
try poisson:u=0
try bmodel
try bmodel:n=1000,v=0.9,b=0.7,l=1
try bmodel:n=1000,v=0.1,b=0.7,l=7
try bmodel:n=1000,b=0.4
try bmodel:n=1000,b=1
try bmodel:n=10,l=6
try zipf
try zipf:universe=10,exponent=11
try zipf:universe=10,exponent=-1
try endless:repeats=1
try endless:gap=5,least=6
try endless:gap=5,least=2,shape=fixed
try endless:shape=round
try endless:gap=1e15
try drift
try burst:retries=0
try attack
try attack:against=7,bits=30
try log --binary
try zipf:universe=1e15 --truth
"$FRESHET" gen endless >/dev/full
echo "full: $?"
"$FRESHET" gen endless -n 10 --binary >/dev/full
echo "full: $?"
"$FRESHET" gen --list >/dev/full
echo "full: $?"
"$FRESHET" gen endless >&-
echo "closed: $?"
(trap '' PIPE; "$FRESHET" gen endless; echo "pipe: $?" >&2) | head -n 1
