#!/bin/sh
# Times ahead of the machine's clock, and records behind the window.
#
# Far times are of the year 2100; near ones are relative to now, and kept out
# of what is printed.
feed() {
    printf '%s\n' "$@"
}
json() {
    "$FRESHET" -m 1M --json .k --time .at --within 1m "$@"
}
feed '{"k":"a","at":1700000000}' '{"k":"b","at":"2100-01-01T00:00:00Z"}' \
    '{"k":"a","at":1700000100}' '{"k":"a","at":1700000101}' >events
echo "--- a record of the year 2100 is malformed, and the clock stays"
json events
json --malformed drop events
json --malformed fail events
echo "status $?"
echo "--- unless any time is allowed"
json --max-skew none events
echo "--- the state is not spoilt either"
json --state s events >/dev/null
feed '{"k":"a","at":1700000300}' | json --state s
echo "--- a saved clock that is ahead is refused, and kept"
json --max-skew none --state ahead events >/dev/null
cp ahead before
feed '{"k":"a","at":1700000300}' | json --state ahead
echo "status $?"
cmp ahead before
feed '{"k":"b","at":1700000300}' | json --state ahead --max-skew none
rm ahead before
now=$(date +%s)
echo "--- an hour is allowed, or what is given"
near() {
    feed "{\"k\":\"a\",\"at\":$((now + $1))}" >near
    shift
    json --stats=json "$@" near 2>&1 >/dev/null |
        grep -oE 'warning.*|"new":[0-9]+|"malformed":[0-9]+'
}
near 1800
near 7200
near 7200 --max-skew 3h
near 1800 --max-skew 10m
echo "--- late records are counted, and compared at the latest time"
feed '{"k":"a","at":1700000000}' '{"k":"b","at":1700000100}' \
    '{"k":"a","at":1700000039}' '{"k":"b","at":1700000000}' \
    '{"k":"b","at":1700000040}' '{"k":"b","at":1700000161}' >late
json --stats late 2>&1 >/dev/null | grep -E 'warning|^late|^repeats'
json --stats=json late 2>&1 >/dev/null | grep -oE '"late":[0-9]+'
json --metrics m late >/dev/null 2>&1
grep late m
echo "--- one of a hundred is no reason to warn"
awk 'BEGIN {
    for (i = 0; i < 199; i++)
        printf "{\"k\":%d,\"at\":%d}\n", i, 1700000000 + i
    print "{\"k\":\"x\",\"at\":1700000000}"
    print "{\"k\":\"x\",\"at\":1700000001}"
    print "{\"k\":\"x\",\"at\":1700000002}"
}' >some
json --stats some 2>&1 >/dev/null | grep -E 'warning|^late'
head -n 201 some >fewer
json --stats fewer 2>&1 >/dev/null | grep -E 'warning|^late'
echo "--- -d counts them once, and a saved clock makes records late"
json -d --stats late 2>&1 >/dev/null | grep -E '^late'
json --state s3 late >/dev/null 2>&1
head -n 1 late | json --state s3 --stats 2>&1 >/dev/null | grep '^late'
echo "--- without --time nothing is late"
"$FRESHET" --within 1m --stats late 2>&1 >/dev/null | grep -c late
echo "--- what makes no sense"
"$FRESHET" --max-skew 1h </dev/null
"$FRESHET" --within 1m --max-skew 5 </dev/null
echo "status $?"
