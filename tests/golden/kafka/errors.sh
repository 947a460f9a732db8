#!/bin/sh
# What freshet kafka refuses before it asks a broker, and a broker that is not
# there.
try() {
    "$FRESHET" kafka "$@"
    echo "status $?"
}
try 2>&1
try --brokers x --from a 2>&1
try --brokers x --from a --to a 2>&1
try --brokers x --from a --to b --dup-topic b 2>&1
try --brokers x --from a --to b operand 2>&1
try --brokers x --from a --to b --time .t 2>&1
try --brokers x --from a --to b --within 1h --by key --time .t 2>&1
try --brokers x --from a --to b --time-format %s 2>&1
try --brokers x --from a --to b --max-skew 1h 2>&1
try --brokers x --from a --to b --csv id 2>&1
try --brokers x --from a --to b --by nonsense 2>&1
r="--remote redis://none/seen --brokers x --from a --to b"
# shellcheck disable=SC2086 # several words
for options in '--state s' '--rebuild never' '--time .t --within 1h' \
    '--max-skew 1h --within 1h'; do
    try $r $options 2>&1
done
try --brokers x --from a --to b --shards 2 2>&1
try --brokers x --from a --to b --on-error pass 2>&1
: >file
try --brokers x --from a --to b --state file 2>&1
try --brokers x --from a --to b --state no/such/folder 2>&1
try --brokers 127.0.0.1:1 --from a --to b --retry 100ms 2>&1 |
    sed 's/100ms: .*; check/100ms: (why); check/'
