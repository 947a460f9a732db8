#!/bin/sh
# Compressed files are told by their first bytes.
printf 'a\nb\na\n' | gzip >a.gz
printf '%b' '\0050\0265\0057\0375\0004\0130\0061\0000\0000\0141\0012\0142\0012\0141\0012\0352\0312\0323\0111' >a.zst
printf '%b' '\0004\0042\0115\0030\0144\0100\0247\0006\0000\0000\0200\0141\0012\0142\0012\0141\0012\0000\0000\0000\0000\0225\0122\0276\0133' >a.lz4
printf 'c\na\n' >plain
echo "--- whatever they are called, also one after the other"
cp a.gz a
for file in a.gz a.zst a.lz4 a; do
    "$FRESHET" "$file"
done
"$FRESHET" a.zst plain a.gz
cat a.gz a.gz | "$FRESHET" --annotate
echo "--- or not told"
"$FRESHET" --decompress=none a.gz | head -c "$(wc -c <a.gz)" | cmp - a.gz
"$FRESHET" --decompress auto -k 1 a.gz
echo "--- large, and not held up in a pipe"
seq 200000 >numbers
gzip <numbers >numbers.gz
"$FRESHET" numbers.gz | cmp - numbers
"$FRESHET" --stats numbers.gz numbers 2>&1 >/dev/null | head -n 6
mkfifo fifo
"$FRESHET" <fifo >out &
exec 3>fifo
cat a.gz >&3
while ! [ -s out ]; do sleep 0.02; done
cat out
cat a.gz >&3
exec 3>&-
wait "$!"
echo "status $?"
echo "--- damaged or cut off: what came before is written, the rest is read"
head -c 200000 numbers.gz >cut.gz
"$FRESHET" cut.gz plain >out
echo "status $?"
tail -n 2 out
sed '$d' out | sed '$d' >begin
head -n "$(wc -l <begin)" numbers | cmp - begin
[ "$(wc -l <begin)" -gt 1000 ] && echo "and something before"
(head -c 100000 numbers.gz; echo nonsense; tail -c 100000 numbers.gz) >bad.gz
"$FRESHET" bad.gz >out 2>message
echo "status $?"
sed 's/damaged.*/damaged/' message
[ "$(wc -l <out)" -gt 1000 ] && echo "and something before"
echo "--- less than a name of a format"
printf '\037' | "$FRESHET" | od -An -c
: | "$FRESHET"
"$FRESHET" --decompress=gzip </dev/null
echo "status $?"
