#!/bin/sh
# Which part of a record is compared.
feed() {
    printf '%s\n' "$@"
}
echo "--- as uniq: fields, then bytes, then no more than"
feed '  1 a x' '2  a x' '3 a x' '4 b x' | "$FRESHET" -f 1
feed 'xxa1' 'yya2' 'yyb1' | "$FRESHET" -s 2 -w 1
feed 'one ab1' 'two ab2' 'six ac1' | "$FRESHET" -f 1 -s 1 -w 2
feed 'short' 'x' 'y' | "$FRESHET" -s 9
feed a b | "$FRESHET" -w 0
echo "--- case"
feed abc ABC Abd | "$FRESHET" -i
feed 'A é' 'a é' 'a É' | "$FRESHET" --ignore-case
echo "--- fields by number, apart by blanks or by a byte"
feed 'a  1 x' ' b 1 y' 'c	2 z' | "$FRESHET" -k 2
feed 'a,,x' 'b,,y' 'c,1,z' | "$FRESHET" -t , -k 2
feed 'a	b c	1' 'a	b	2' | "$FRESHET" -t '\t' -k 1
echo "--- every field of a list counts, in any order"
feed a,1,x a,2,x b,1,x a,1,y | "$FRESHET" -t , -k 2,1
feed a,1,x a,2,x b,1,x a,1,y | "$FRESHET" -t, -k1-2
feed a,1,x a,1,y a,1,x,z | "$FRESHET" -t, -k2-
feed a,1,x a,1,y b,1,x | "$FRESHET" -t, -k-2,2
echo "--- parts do not run together"
feed ab,cd a,bcd abc,d ab,cd | "$FRESHET" -t , -k 1,2
feed a,,b ,a,b a,b, | "$FRESHET" -t , -k 1,2
feed AB,c ab,C | "$FRESHET" -i -t , -k 1,2
echo "--- no such field: passed, dropped, or a key like another"
feed a,1 b c d,1 | "$FRESHET" -t , -k 2
feed a,1 b c d,1 | "$FRESHET" -t , -k 2 --missing drop
feed a,1 b c d,1 e, | "$FRESHET" -t , -k 2 --missing=key
feed a,1 a a a, | "$FRESHET" -t , -k 1,2 --missing=key
feed a '  ' '' | "$FRESHET" -k 1 --missing=drop
echo "--- long keys that share beginnings and ends"
awk 'BEGIN { s = sprintf("%200s", ""); gsub(/ /, "k", s)
    for (i = 0; i < 100; i++) print i "," s i s ",x" }' >long
cat long long | "$FRESHET" -t , -k 2 | cmp - long
echo "--- what makes no sense"
for list in '' 0 x '1,' 3-2 - 1-x ,1; do
    "$FRESHET" -k "$list" </dev/null
    echo "-k '$list': $?"
done
"$FRESHET" -k 1 -f 1
echo "$?"
"$FRESHET" -t ,
echo "$?"
"$FRESHET" -t ab -k 1
echo "$?"
