#!/bin/sh
# Keys out of JSON records.
feed() {
    printf '%s\n' "$@"
}
echo "--- values by path"
feed '{"id":1,"x":1}' '{"x":2, "id" : 1}' '{"id":2}' | "$FRESHET" --json .id
feed '{"a":[{"b":7}]}' '{"a":[{"b":7},1]}' '{"a":[{"b":8}]}' |
    "$FRESHET" --json '.a[0].b'
echo "--- escapes are decoded, numbers are as written"
feed '{"k":"é"}' '{"k":"\u00e9"}' '{"k":1}' '{"k":1.0}' |
    "$FRESHET" --json .k
echo "--- a string is not what it says, null is not missing"
feed '{"k":"1"}' '{"k":1}' '{"k":"null"}' '{"k":null}' '{}' '{"k":""}' '{}' |
    "$FRESHET" --json .k --missing=key
echo "--- several, which do not run together"
feed '{"a":"xy","b":"z"}' '{"a":"x","b":"yz"}' '{"b":"z","a":"xy"}' |
    "$FRESHET" --json .a,.b
feed '{"a":1}' '{"b":1}' '{"a":1}' | "$FRESHET" --json .a,.b --missing=key
echo "--- case"
feed '{"k":"AB"}' '{"k":"ab"}' '{"k":"\u0041b"}' | "$FRESHET" -i --json .k
echo "--- missing"
feed '{"a":1}' '{"b":1}' '{"b":1}' '{"a":1}' | "$FRESHET" --json .a
feed '{"a":1}' '{"b":1}' '{"b":1}' '{"a":1}' |
    "$FRESHET" --json .a --missing=drop
echo "--- all but"
feed '{"t":1,"a":1}' '{"t":2,"a":1}' '{"a":1,"t":3}' '{"a":2,"t":4}' |
    "$FRESHET" --exclude .t
feed '{"a":{"t":1,"b":"X"}}' '{"a":{"t":2,"b":"x"}}' |
    "$FRESHET" -i --exclude .a.t
echo "--- malformed: passed, dropped or the end, and told"
feed '{"a":1}' '{"a":' 'x' '{"a":1}' '{"a":2}' >bad
"$FRESHET" --json .a bad
echo "status $?"
"$FRESHET" --json .a --malformed=drop --stats bad 2>&1 | head -n 10 |
    grep -v bytes
"$FRESHET" --json .a --malformed=fail bad bad
echo "status $?"
"$FRESHET" --exclude .a --malformed=fail bad
echo "status $?"
echo "--- deep, long and cut into windows"
awk 'BEGIN { for (i = 0; i < 2; i++) for (j = 0; j < 3000; j++) {
    s = sprintf("%" j "s", ""); gsub(/ /, "\\u0041", s)
    print "{\"n\":" i ",\"k\":\"" s "\"}" } }' | "$FRESHET" --json .k | wc -l
echo "--- what makes no sense"
"$FRESHET" --json '.a[' </dev/null
"$FRESHET" --json '' </dev/null
"$FRESHET" --exclude '.a,' </dev/null
"$FRESHET" --json .a -k 1 </dev/null
"$FRESHET" --json .a --exclude .b </dev/null
"$FRESHET" --json .a -t , </dev/null
echo "$?"
