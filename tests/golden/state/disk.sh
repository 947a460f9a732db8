#!/bin/sh
# Disks that are full or read-only: the old state stays, and it is said.
feed() {
    printf '%s\n' "$@"
}
# Mounts of our own, where that is allowed.
if [ "${1:-}" != inside ]; then
    for options in -m -Urm; do
        unshare "$options" true 2>/dev/null &&
            exec unshare "$options" sh "$0" inside
    done
    echo "no mounts here: skipped" >&2
    exit 77
fi
mkdir disk
mount -t tmpfs -o size=200k tmpfs disk || exit 77
cd disk || exit
# No holes are left.  With any seed a false drop would be seen now and then.
seq 50000 | "$FRESHET" --state s -m 128K --seed 1 >/dev/null
cp s ../before
echo "--- full: at the end, at a checkpoint, and the stream goes on"
feed 50000 c | "$FRESHET" --state s
echo "status $?"
cmp s ../before
seq 50001 150000 | "$FRESHET" --state s --checkpoint 1ms >../out 2>../err
echo "status $?"
sort -u ../err
wc -l <../out
cmp s ../before
feed 50000 x | "$FRESHET" --state s --read-only
ls
echo "--- metrics: said once, the stream goes on"
head -c 1000000 /dev/zero >filler 2>/dev/null
feed a | "$FRESHET" --metrics m
echo "from the start: $?"
rm filler
mkfifo ../fifo
"$FRESHET" -m 64K --metrics m <../fifo >../out 2>../err &
pid=$!
exec 3>../fifo
while ! [ -s m ]; do sleep 0.02; done
head -c 1000000 /dev/zero >filler 2>/dev/null
echo a >&3
while ! [ -s ../err ]; do sleep 0.1; done
echo b >&3
exec 3>&-
wait "$pid"
echo "later on: $?"
cat ../err ../out
grep -c '^freshet_records_total 0$' m
rm filler
echo "--- read-only"
mount -o remount,ro disk 2>/dev/null || mount -o remount,ro .
feed a | "$FRESHET" --state s
echo "status $?"
feed 50000 y | "$FRESHET" --state s --read-only
feed a | "$FRESHET" --metrics n
echo "metrics: $?"
feed a | "$FRESHET" -o n
echo "output: $?"
