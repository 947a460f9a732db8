#!/bin/sh
# The filter's options for keys and records mean the same to the laboratory.
# new and repeats of what is on standard input
count() {
    "$FRESHET" lab run --input - -m 4K pocket "$@" --json |
        sed -E 's/.*"new":([0-9]*),.*"repeats":([0-9]*),"passes".*/\1 \2/'
}
printf 'a,1\nb,1\na,2\n' | count -t , -k 1
printf 'x aa\ny ab\nz aa\n' | count -f 1
printf 'xaa1\nyaa2\nzab1\n' | count -s 1 -w 2
printf 'a\nA\n' | count -i
printf 'k,v\n1,a\n1,b\n' | count --csv-key k
printf '{"a":1,"b":1}\n{"b":2,"a":1}\n' | count --json-key .a
printf 'id=7 x\nid=7 y\nid=8 x\n' | count --regex 'id=([0-9]+)'
printf 'k,v\n1,a\n2,a\n' | count --exclude k
printf 'a\0b\0a\0' | count -z
printf 'a\0b\0a\0' | count --null
printf 'a;b;a;' | count --delimiter ';'
printf 'a\r\na\n' | count --crlf
printf 'a\na\n' | gzip | count --decompress none 2>&1 | wc -l
printf 'abc\nabc\n' | count --max-record 2 2>&1
echo "--- a window: what it lets pass on purpose is a false pass here"
"$FRESHET" lab run --stream endless:n=2e4,repeats=10%,gap=2000,shape=fixed \
    -m 64K --last 500 pocket --json |
    sed -E 's/.*"window":([0-9]*),.*"fnr":([0-9.]*),.*"steady_new.*/\1 \2/'
