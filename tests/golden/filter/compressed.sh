#!/bin/sh
# Compressed files are told by their first bytes.
printf 'a\nb\na\n' | gzip >a.gz
printf '%b' '\0050\0265\0057\0375\0004\0130\0061\0000\0000\0141\0012\0142\0012\0141\0012\0352\0312\0323\0111' >a.zst
printf '%b' '\0004\0042\0115\0030\0144\0100\0247\0006\0000\0000\0200\0141\0012\0142\0012\0141\0012\0000\0000\0000\0000\0225\0122\0276\0133' >a.lz4
printf '%b' '\0375\0067\0172\0130\0132\0000\0000\0004\0346\0326\0264\0106\0002\0000\0041\0001\0014\0000\0000\0000\0217\0230\0101\0234\0001\0000\0005\0141\0012\0142\0012\0141\0012\0000\0000\0000\0372\0072\0044\0007\0003\0262\0260\0045\0000\0001\0036\0006\0301\0057\0244\0035\0037\0266\0363\0175\0001\0000\0000\0000\0000\0004\0131\0132' >a.xz
printf '%b' '\0102\0132\0150\0061\0061\0101\0131\0046\0123\0131\0243\0173\0222\0251\0000\0000\0002\0101\0000\0000\0020\0060\0000\0040\0000\0060\0314\0014\0172\0204\0136\0056\0344\0212\0160\0241\0041\0106\0367\0045\0122' >a.bz2
printf 'c\na\n' >plain
echo "--- whatever they are called, also one after the other"
cp a.gz a
for file in a.gz a.zst a.lz4 a.xz a.bz2 a; do
    "$FRESHET" "$file"
done
"$FRESHET" a.zst plain a.gz
cat a.gz a.gz | "$FRESHET" --annotate
cat a.xz a.xz | "$FRESHET" --annotate
cat a.bz2 a.bz2 | "$FRESHET" --annotate
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
