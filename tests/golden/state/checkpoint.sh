#!/bin/sh
# Checkpoints are written by a child, whose end is known.
feed() {
    printf '%s\n' "$@"
}
# until_true CONDITION...: wait for it, at most a minute and more
until_true() {
    tries=0
    until "$@"; do
        tries=$((tries + 1))
        [ "$tries" -lt 3000 ] || exit 1
        sleep 0.02
    done
}
knows() {
    feed "$2" | "$FRESHET" --read-only --state "$1" 2>/dev/null >asked &&
        ! [ -s asked ]
}
echo "--- the parent ignores SIGCHLD"
mkfifo fifo
env --ignore-signal=CHLD "$FRESHET" -m 64K --state s --checkpoint 10ms \
    <fifo >out &
exec 3>fifo
echo a >&3
until_true knows s a
echo b >&3
until_true knows s b
exec 3>&-
wait $!
echo "status $?"
cat out
echo "--- a checkpoint that fails is told, and the run goes on"
mkdir dir
"$FRESHET" -m 64K --state dir/s --checkpoint 10ms <fifo >out 2>err &
pid=$!
exec 3>fifo
echo a >&3
until_true knows dir/s a
mkdir dir/s.tmp # where the new file would be written
echo b >&3
until_true grep -q b out
until_true test -s err
rmdir dir/s.tmp
exec 3>&-
wait "$pid"
echo "status $?"
sort -u err
knows dir/s b && echo "saved at the end"
