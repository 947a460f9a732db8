#!/bin/sh
# records = new + repeats + passed + dropped, whatever the options are.
count() {
    "$FRESHET" -m 1M --stats=json "$@" 2>stats >out
    status=$?
    awk -v options="$*" -v status="$status" -F '[:,}]' '
    /^\{"records"/ {
        for (i = 1; i < NF; i++) {
            gsub(/[{"]/, "", $i)
            n[$i] = $(i + 1)
        }
        sum = n["new"] + n["repeats"] + n["passed"] + n["dropped"]
        print (n["records"] == sum ? "adds up" : "DOES NOT ADD UP"), \
            n["records"], n["new"], n["repeats"], n["passed"], n["dropped"], \
            "malformed", n["malformed"], "status", status, options
    }' stats
}
printf '%s\n' a,1 b,2 a,3 '"a,4' c 'a"b,5' 'a' >table
printf '%s\n' '{"k":1,"t":1}' '{"k":1,"t":2}' '{"t":3}' '{"k":' x >objects
for how in '' --missing=drop --missing=key; do
    # shellcheck disable=SC2086 # nothing or one word
    {
        count $how -t , -k 2 table
        count $how --csv 2 table
        count $how --csv 2 --malformed=drop table
        count $how --json .k objects
        count $how --json .k --malformed=drop objects
        count $how --regex '^a(\d)' table
    }
done
for how in -D -d --annotate -q --dup-output=again; do
    count "$how" table table
done
count --json .k --malformed=fail objects
count --within 1m --time .t --json .k objects
count --last 2 table table
count --state s table
count --state s --read-only table
count --max-record 3 table
count nosuch table
count -f 1 -z table
count /dev/null
