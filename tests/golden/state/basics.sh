#!/bin/sh
# A filter that outlives the run.
feed() {
    printf '%s\n' "$@"
}
echo "--- saved at the end, loaded at the start"
feed a b a | "$FRESHET" --state s -m 64K --seed 7
echo "status $?"
feed a c | "$FRESHET" --state s
feed c d | "$FRESHET" --state s
stat -c '%a %s' s
ls
echo "--- more open, it stays so; behind a link, too"
chmod 644 s
ln -s s link
feed d e | "$FRESHET" --state link
stat -c '%a' s
stat -c '%F' link
echo "--- only asked: the file and the filter stay as they are"
cp s before
feed a x x | "$FRESHET" --state s --read-only
feed a x x | "$FRESHET" --state s --read-only -D
cmp s before
chmod 400 s
feed a x | "$FRESHET" --state s --read-only
echo "--- the same options again are fine, others are named"
feed a | "$FRESHET" --state s -m 64K -e 1e-6 --algorithm pocket \
    --param choices=2
echo "status $?"
cp -f s before
for option in -m1M -e1e-3 --expect=5 --last=9 --within=5m --seed=1 \
    --algorithm=sbf --prefer=keep --prefer=drop --param=width=20 --refresh \
    --param=nosuch=1; do
    feed a new | "$FRESHET" --state s "$option"
    echo "$option: $?"
done
cmp s before
echo "--- the least rate is stored; one below it is refused at the start"
for rate in 1e-30 8.6e-19 8.7e-19 1e-17; do
    feed a | "$FRESHET" --state least -m 4K -e $rate >/dev/null
    echo "-e $rate: $?"
    feed a | "$FRESHET" --state least -e $rate
    echo "again: $?"
    rm -f least
done
echo "--- a window of time is kept in the file"
feed a | "$FRESHET" --state w --within 1h -m 64K
feed a b | "$FRESHET" --state w
feed a b | "$FRESHET" --state w --within 60m
feed a b | "$FRESHET" --state w --within 30m
echo "status $?"
"$FRESHET" --state w --explain | grep -v forgets
echo "--- what it goes with"
"$FRESHET" --checkpoint 5s
echo "$?"
"$FRESHET" --read-only
echo "$?"
"$FRESHET" --state s --read-only --checkpoint 5s
echo "$?"
"$FRESHET" --state s -d
echo "$?"
"$FRESHET" --state nosuch --read-only
echo "$?"
feed a b a | "$FRESHET" --state s -q
echo "check: $?"
