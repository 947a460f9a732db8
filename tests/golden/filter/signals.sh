#!/bin/sh
# Signals: what was decided is written, then it dies by the signal.
mkfifo fifo
for signal in INT TERM HUP; do
    rm -f out
    # A shell lets its background jobs ignore SIGINT; env undoes that.
    env --default-signal=INT "$FRESHET" --stats <fifo >out 2>stats &
    pid=$!
    exec 3>fifo
    printf 'a\nb\na\nhalf' >&3
    while ! grep -qs b out; do sleep 0.02; done
    kill -s "$signal" "$pid"
    wait "$pid" 2>/dev/null
    echo "$signal: $?"
    exec 3>&-
    cat out
    grep -c records stats
done
echo "--- in the middle of a write that nobody reads"
mkfifo full
exec 4<>full
yes | awk '{ print NR }' | "$FRESHET" >full 2>/dev/null &
pid=$!
sleep 0.5
kill -TERM "$pid"
sleep 0.2
kill -TERM "$pid" 2>/dev/null # the second is not asked to wait
wait "$pid" 2>/dev/null
echo "status $?"
