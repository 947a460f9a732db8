#!/bin/sh
# Records of text are what they are called, to the filter and to others.
"$FRESHET" gen log -n 2
"$FRESHET" gen csv -n 2
"$FRESHET" gen jsonl -n 2
new() {
    echo "$1: $("$FRESHET" gen "$1" -n 20000 -g 500 | "$FRESHET" "$2" "$3" |
        wc -l) new, $("$FRESHET" gen "$1" -n 20000 -g 500 --truth |
        grep -c ^0) in truth"
}
new log -k 5
new csv --csv 11
new jsonl --json .id
"$FRESHET" gen csv -n 9 | "$FRESHET" --csv 4,6 | wc -l
"$FRESHET" gen jsonl -n 9 | "$FRESHET" --json .method,.status | wc -l
