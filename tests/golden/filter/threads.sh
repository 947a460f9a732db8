#!/bin/sh
# Several threads at work: nothing is held back, signals end it, and what was
# written is remembered.
mkfifo in out
"$FRESHET" --parallel 3 <in >out &
exec 3>in 4<out
echo "--- after many records, none waits for more input"
seq 300000 >&3 &
head -n 300000 <&4 | tail -n 1
echo next >&3
read -r got <&4
echo "$got"
echo 300000 >&3
exec 3>&-
wait
cat <&4
exec 4<&-
echo "--- a reader that goes away"
seq 3000000 | {
    "$FRESHET" --parallel 3
    echo "status $?" >&2
} 2>said | head -n 1
cat said
echo "--- a signal: what was written is remembered, and nothing else"
# One thread decides if there are fewer than 4; more decide by parts.
for run in 'INT 3' 'TERM 4'; do
    signal=${run% *}
    rm -f saved
    : >written
    env --default-signal=INT "$FRESHET" --parallel "${run#* }" -m 64M \
        --state saved --checkpoint 1ms <in >written &
    pid=$!
    exec 3>in # the input does not end before the signal
    seq 3000000 >&3 &
    while [ "$(wc -c <written)" -lt 2000000 ]; do sleep 0.02; done
    kill -s "$signal" "$pid"
    wait "$pid" 2>/dev/null
    echo "$signal: $?"
    exec 3>&-
    last=$(tail -n 1 written)
    [ "$(wc -l <written)" -eq "$last" ] || echo "not all up to $last"
    seq "$last" | "$FRESHET" --state saved | wc -l
    seq $((last + 1)) $((last + 500000)) | "$FRESHET" --state saved | wc -l
done
