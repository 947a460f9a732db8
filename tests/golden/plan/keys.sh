#!/bin/sh
# The filter's options for keys and records mean the same to a plan's sample.
# How many records and repeats the sample on standard input has.
count() {
    "$FRESHET" plan --sample - -m 4K "$@" | sed -n 2p
}
printf 'a,1\nb,1\nA,2\n' | count -t , -k 1 -i
printf 'x aa;y ab;z aa\r;' | count -f 1 -s 1 -w 2 --crlf --delimiter ';'
printf '{"a":1,"b":1}\0{"b":2,"a":1}\0' |
    count --json-key .a -z --max-record 1K --decompress none
printf 'id=7 x\0id=7 y\0id=8 x\0' | count --regex 'id=([0-9]+)' --null
printf 'k,v\n1,a\n2,a\n' | count --exclude k
printf 'k,v\n1,a\n2,a\n' | count --csv-key k
