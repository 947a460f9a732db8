#!/bin/sh
# Ended from outside: saved on a signal, and by checkpoints before kill -9.
mkfifo fifo
# start OPTION...: read from descriptor 3 in the background
start() {
    rm -f out
    env --default-signal=INT "$FRESHET" --state s -m 64K "$@" <fifo >out &
    pid=$!
    exec 3>fifo
}
# killed FILE: kill -9, and wait for a child that may still save to the file
killed() {
    kill -KILL "$pid"
    wait "$pid" 2>/dev/null
    flock "$1.lock" true
}
for signal in INT TERM HUP; do
    start
    echo "before $signal" >&3
    while ! [ -s out ]; do sleep 0.02; done
    kill -s "$signal" "$pid"
    wait "$pid" 2>/dev/null
    echo "$signal: $?"
    exec 3>&-
    cat out
    echo "before $signal" | "$FRESHET" --state s
done
echo "--- checkpoints, also while nothing comes"
rm s
start --checkpoint 50ms
echo a >&3
while ! [ -s s ]; do sleep 0.02; done
killed s
exec 3>&-
echo a | "$FRESHET" --state s | wc -l
echo "--- SIGUSR2: a checkpoint at once"
rm s
start
echo b >&3
while ! [ -s out ]; do sleep 0.02; done
kill -USR2 "$pid"
while ! [ -s s ]; do sleep 0.02; done
killed s
exec 3>&-
echo b | "$FRESHET" --state s | wc -l
echo "--- without --state it is told, and the stream goes on"
rm -f out
"$FRESHET" <fifo >out 2>err &
pid=$!
exec 3>fifo
echo c >&3
while ! [ -s out ]; do sleep 0.02; done
kill -USR2 "$pid"
while ! [ -s err ]; do sleep 0.02; done
echo d >&3
exec 3>&-
wait "$pid"
echo "status $?"
cat err out
rm err
echo "--- killed at any moment: the old or the new, never a broken one"
awk 'BEGIN { for (i = 0; i < 200000; i++) print i }' >many
for delay in 1 3 5 7 9 11 13 15; do
    # Every other time with a second filter in the file.
    if [ $((delay / 2 % 2)) -eq 0 ]; then
        set -- --state s
    else
        set -- --state d -d -m 64K
    fi
    while cat many 2>/dev/null; do :; done |
        "$FRESHET" "$@" --checkpoint 1ms >/dev/null 2>&1 &
    pid=$!
    sleep "0.$(printf '%02d' "$delay")"
    killed "$2"
    "$FRESHET" "$@" </dev/null
done
"$FRESHET" info d | grep -c shown
ls
