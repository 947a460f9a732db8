#!/bin/sh
# How values are compared: not by their spelling, and only in whole records.
feed() {
    printf '%s\n' "$@"
}
echo "--- a torn JSON record claims no key"
printf '{"id":7,"te' | "$FRESHET" --json .id --state s --malformed drop -m 64K
feed '{"id":7,"text":"whole"}' | "$FRESHET" --json .id --state s
for torn in '{"id":7,"te' '{"id":7,,"a":1}' '{"id":7,"a":01}' '{"id":7} 8' \
    '{"id":7]' '{"id":7,"a":"\x"}' '{"id":7,"a":"	"}' '{"id":7}{}'; do
    feed "$torn" | "$FRESHET" --json .id --malformed fail
    feed "$torn" | "$FRESHET" --exclude .a --malformed fail
done 2>&1 | cut -d' ' -f1-9 | sort | uniq -c
echo "--- nor does a CSV record that is malformed behind it"
feed '1,"a"b' '1,c' | "$FRESHET" --csv 1 --malformed drop 2>/dev/null
feed '1,a,"b' | "$FRESHET" --csv 1 --malformed drop 2>&1
echo "--- bytes that are no UTF-8 are data"
printf '{"id":"\377"}\n{"id":"\376"}\n{"id":"\377"}\n' |
    "$FRESHET" --json .id | od -An -c
echo "--- the last of equal names, and all under it"
feed '{"a":1,"a":2}' '{"a":2}' '{"a":1}' | "$FRESHET" --json .a
feed '{"a":{"b":1},"a":{}}' '{"a":{"b":1}}' |
    "$FRESHET" --json .a.b --missing drop
feed '{"x":{"a":1,"b":2,"a":3}}' '{"x":{"b":2,"a":3}}' '{"x":{"a":3,"b":2}}' |
    "$FRESHET" --json .x
echo "--- white space and escapes do not count, numbers are as written"
feed '{"a":[1,2]}' '{"a":[1, 2]}' '{ "a" : [ 1 ,2 ] }' '{"a":[1,2.0]}' |
    "$FRESHET" --json .a
feed '{"a":["a","b"]}' '{"a":["\u0061", "b"]}' '{"a":["a\",\"b"]}' |
    "$FRESHET" --json .a
feed '{"a":"/"}' '{"a":"\/"}' '{"a":"\u002f"}' | "$FRESHET" --json .a
echo "--- --exclude compares as --csv and --json do"
printf 'x,n\n"a",1\na,2\n"b""",3\nb"",4\n' | "$FRESHET" --exclude n
feed '{"x":"a","n":1}' '{ "x": "\u0061", "n":2 }' '{"n":3,"x":0,"x":"a"}' |
    "$FRESHET" --exclude .n
echo "--- missing is not empty: a field, a range, a column, a value"
for key in 2 2-3 2- 2,4; do
    echo "-k $key"
    feed a b, c,, d e, |
        "$FRESHET" -t, -k $key --missing key
done
feed 'a' 'b ' | "$FRESHET" -k 2 --missing key
feed a b, c d, '"e",""' | "$FRESHET" --csv 2 --missing key
feed '{}' '{"a":""}' '{"a":null}' '{"b":1}' '{"a":""}' |
    "$FRESHET" --json .a --missing key
echo "--- a range is missing when its first field is"
feed a a,b a,b, a, | "$FRESHET" -t, -k 2-3 --missing drop
