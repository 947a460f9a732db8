#!/bin/sh
# What a record is.
echo "--- NUL"
printf 'a\nb\0c\0a\nb\0' | "$FRESHET" -z | tr '\0' '!'
echo
printf 'a\0a\0' | "$FRESHET" -0 | tr '\0' '!'
echo
echo "--- another delimiter"
printf 'a;b;a;c' | "$FRESHET" --delimiter ';'
echo
printf 'a\036b\036a\036' | "$FRESHET" --delimiter '\x1e' | tr '\036' '!'
echo
echo "--- carriage returns count, unless told"
printf 'a\r\na\nb\r\n' | "$FRESHET" | tr '\r' '!'
printf 'a\r\na\nb\r\n' | "$FRESHET" --crlf | tr '\r' '!'
echo "--- any bytes"
printf 'a\0b\na\0c\n\377\376\na\0b\n' | "$FRESHET" | od -An -c
echo "--- long records: beyond 64 KiB, and beyond the window of the reader"
blanks() {
    head -c "$1" /dev/zero | tr '\0' ' '
    shift
    echo "$@"
}
(blanks 65537 x; blanks 65537 x; blanks 65537 y) | "$FRESHET" | wc -lc
(blanks 3000000 a; blanks 3000000 b; blanks 3000000 a; echo short) >long
"$FRESHET" long | wc -lc
echo "--- equal but for the first or last byte"
awk 'BEGIN { s = sprintf("%300s", ""); for (i = 0; i < 9; i++) {
    print i s; print s i } }' >alike
cat alike alike | "$FRESHET" | cmp - alike
echo "--- the same whatever the reads"
awk 'BEGIN { for (i = 0; i < 20000; i++)
    printf "%*d\n", i * 7919 % 300, i * 7919 % 3001 }' >stream
"$FRESHET" <stream >whole
dd if=stream bs=7919 status=none | "$FRESHET" | cmp - whole
dd if=stream bs=100003 status=none | "$FRESHET" | cmp - whole
awk '!s[$0]++' stream | cmp - whole
echo "--- over the limit: where, and what came before is not lost"
"$FRESHET" --max-record 1M long 2>&1
echo "status $?"
printf 'a\nbbbb\nccccc\nd\n' >lines
"$FRESHET" --max-record 4 lines
echo "status $?"
echo "--- records are counted from the start of the input"
awk 'BEGIN { for (i = 1; i <= 300000; i++)
    print i == 250001 ? "too long" : i % 7 }' >many
for threads in 1 2; do
    "$FRESHET" --max-record 4 --parallel "$threads" many >/dev/null
    "$FRESHET" --max-record 4 --parallel "$threads" <many >/dev/null
    echo "status $?"
done
