#!/bin/sh
# Several compressed files are decompressed side by side, and read in order.
seq 40000 >a
seq 30000 70000 >b
seq 60000 100000 >c
seq 90000 120000 >d
gzip -k a b c d
printf 'one\ntwo\n' >small
gzip small
cat a b c d >all
"$FRESHET" --parallel 1 all >wanted

# same OPTION...: whatever the number of threads
same() {
    for threads in 1 2 3 4 8 16; do
        "$FRESHET" --parallel "$threads" "$@" >out 2>message
        echo "$threads threads: status $?"
        cmp out wanted && cat message
    done
}
echo "--- in order"
same a.gz b.gz c.gz d.gz
echo "--- with plain ones between, and some twice"
same a.gz a.gz b c.gz c d.gz a.gz
echo "--- and their state"
for threads in 1 2 4; do
    rm -f saved
    "$FRESHET" --parallel "$threads" -m 1M --state saved --checkpoint 5ms --seed 7 \
        a.gz b.gz c.gz d.gz | cmp - wanted
    cksum <saved
done | uniq | wc -l
echo "--- a file that is missing, one that is damaged, one that is a directory"
(head -c -8 b.gz; echo nonsense) >bad.gz # in place of the checksum
mkdir folder.gz
for threads in 1 4; do
    "$FRESHET" --parallel "$threads" a.gz none.gz bad.gz folder.gz small.gz \
        c.gz 2>message | tail -n 1
    sed 's/damaged.*/damaged/' message
done
echo "--- no more of them than are wanted"
"$FRESHET" --parallel 4 a.gz b.gz c.gz d.gz | head -n 2
echo "--- a pipe comes in its turn"
mkfifo fifo
cat small.gz >fifo &
"$FRESHET" --parallel 4 a.gz fifo d.gz | sed -n '40000,40003p'
wait
