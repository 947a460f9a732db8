#!/bin/sh
# Windows by the time that records say.
feed() {
    printf '%s\n' "$@"
}
echo "--- of JSON records, in seconds or as a date"
feed '{"t":1700000000,"k":"a"}' '{"t":1700000050,"k":"a"}' \
    '{"t":1700000080,"k":"a"}' '{"t":1700000081,"k":"a"}' |
    "$FRESHET" --within 1m --time .t --json .k
feed '{"t":"2024-05-01T12:00:00Z","k":1}' \
    '{"t":"2024-05-01T14:00:30+02:00","k":1}' \
    '{"t":"2024-05-01T12:02:00Z","k":1}' |
    "$FRESHET" --within 1m --time t --json .k
echo "--- of CSV records"
feed t,k 1700000000,a 1700000001,a 1700000100000,a >table
"$FRESHET" --within 1m --time t --csv k table
"$FRESHET" --within 1m --time t --csv 2 table
tail -n +2 table | "$FRESHET" --within 1m --time 1 --csv 2
echo "--- by an expression"
feed '[2024-05-01 12:00:00] a' '[2024-05-01 12:00:59] a' \
    '[2024-05-01 12:01:59] a' |
    "$FRESHET" --within 1m --time '^\[([^]]*)' -f 2
echo "--- each repeat begins it anew"
awk 'BEGIN { for (i = 0; i < 10; i++) print 1700000000 + 50 * i, "a" }' >steps
"$FRESHET" --within 1m --time '^\d+' -f 1 --refresh steps
"$FRESHET" --within 1m --time '^\d+' -f 1 steps | wc -l
"$FRESHET" --within 1m --time '^\d+' -f 1 -d steps | wc -l
echo "--- late ones are judged at the time it is already"
feed '1700000100 a' '1700000000 a' '1700000120 a' '1700000300 a' |
    "$FRESHET" --within 1m --time '^\d+' -f 1
echo "--- no time: as malformed"
feed '1700000000 a' 'never a' '1700000001 a' >some
"$FRESHET" --within 1m --time '^\w+' -f 1 some
"$FRESHET" --within 1m --time '^\w+' -f 1 --malformed=drop some
"$FRESHET" --within 1m --time '^\w+' -f 1 --malformed=fail some
echo "status $?"
feed '{"k":1}' '{"k":1,"t":null}' | "$FRESHET" --within 1m --time .t --json .k
echo "--- saved, and audited"
"$FRESHET" --within 1m --time '^\d+' -f 1 --state s steps | wc -l
feed '1700000451 a' '1700000600 a' |
    "$FRESHET" --time '^\d+' -f 1 --state s
"$FRESHET" --within 1m --time '^\d+' -f 1 --audit --stats steps 2>&1 \
    >/dev/null | grep audit
echo "--- what makes no sense"
"$FRESHET" --time .t </dev/null
"$FRESHET" --within 1m --time .t,.u </dev/null
"$FRESHET" --within 1m --time '(' </dev/null
"$FRESHET" --within 1m --time x --csv k table
echo "status $?"
echo "--- a path that is key and time at once, and one inside the other's"
printf '{"at":%d}\n' 100 200 100 100000 |
    "$FRESHET" --json .at --time .at --within 1h
printf '{"a":{"t":%d,"id":1}}\n' 100 200 100000 |
    "$FRESHET" --json .a.id --time .a.t --within 1h
printf '{"a":{"t":%d}}\n' 100 200 100 |
    "$FRESHET" --json .a --time .a.t --within 1h
echo "--- malformed behind the key, where the time was looked for"
printf '{"id":1,"x":}\n{"id":1,"at":5}\n{"id":1}\n' |
    "$FRESHET" --json .id --time .at --within 1h --malformed drop
