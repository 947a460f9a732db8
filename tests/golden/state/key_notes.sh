#!/bin/sh
# A saved filter knows how its keys were taken, and takes no others.
feed() {
    printf '%s\n' "$@"
}
# saved OPTION...: by a run with these
saved() {
    rm -f s
    feed 'a,1' 'b,2' | "$FRESHET" -m 64K --state s "$@" >/dev/null
    cp s before
    echo "--- saved with $*"
    "$FRESHET" info s | grep -E '^(keys|records|clock)'
}
# again OPTION...: refused or not, and then the file is as it was
again() {
    feed 'a,1' | "$FRESHET" --state s "$@" >/dev/null
    status=$?
    if [ "$status" -eq 0 ]; then cp s before; else cmp s before; fi
    echo "$*: $status"
}
saved
again
again -k 1
again -i
again --crlf
again -z
again -w 3
saved -t , -k 2,1
again -t , -k 1,2
again -t , -k 1-2
again -t ';' -k 1,2
again -k 1,2
again
saved -f 1 -s 2 -w 3 -i --crlf
again -s 2 -w 3 -f 1 -i --crlf
again -f 1 -s 2 -w 3 -i
saved --csv 1 -t ';' --missing key
again --csv 1 -t ';' --missing drop
again --csv 2 -t ';'
again --csv 1
saved --json '.a,.b' --within 1h --time .t
again --json '.a,.b' --time .t
again --json '.a,.b'
again --json '.a' --time .t
saved --regex "([a-z]+)%	é"
again --regex "([a-z]+)%	é"
again --regex "([a-z]+)% é"
saved --exclude 1
again --exclude 1
again --csv 1
saved --delimiter '\x1e' --within 1h
again --delimiter '\x1e'
again --delimiter ,
again -0
echo "--- --read-only asks with the same keys, too"
saved -i
again --read-only
again --read-only -i
echo "--- a file without notes takes any, and has them from then on"
head -c 63952 s >bare
mv bare s
"$FRESHET" info s | grep -cE '^(keys|records|clock)'
cp s before
again -t , -k 2
cp s before
again -t , -k 2
again -i
echo "--- notes that are damaged, newer, or none"
good=$(stat -c %s s)
refused() {
    echo "- $1"
    again -t , -k 2
    cp before s
}
cp before whole
# patch OFFSET BYTES: of the notes
patch() {
    (head -c $((63952 + $1)) whole
        printf '%b' "$2"
        tail -c +$((63952 + $1 + ${#2} / 4 + 1)) whole) >s
    cp s before
}
patch 0 '\0170'
refused "another magic"
patch 8 '\0002'
refused "version 2"
patch 14 '\0001'
refused "longer than there is"
patch 20 '\0170'
refused "one byte changed"
head -c $((good - 1)) whole >s
cp s before
refused "cut"
(cat whole; head -c 3 /dev/zero) >s
cp s before
refused "with something behind"
echo "--- too long to be saved"
feed a | "$FRESHET" --state t --csv "$(head -c 70000 /dev/zero | tr '\0' x)"
echo "status $?"
echo "--- keys by rules that have changed"
gzip -dc "$(dirname "$0")/rules_1.gz" >old
echo '{"id":1}' | "$FRESHET" --json .id --state old
echo "status $?"
echo '{"id":1}' | "$FRESHET" --json .id --state new -m 4K
"$FRESHET" info new | grep -E '^(keys|rules)'
