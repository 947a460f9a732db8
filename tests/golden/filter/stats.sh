#!/bin/sh
# Counters add up, and come on stderr beside the output.
steady() {
    sed -E 's/(seconds"?:? *)[0-9.e-]+/\1T/; s/(false_drop"?:? *)[0-9.e-]+/\1P/'
}
printf 'a,1\nb,1\nc\nd,2\nd,2\nc\n' >in
"$FRESHET" --seed 1 -t , -k 2 --stats in 2>stats
steady <stats
"$FRESHET" --seed 1 -t , -k 2 --missing drop --stats=json in 2>stats
steady <stats
"$FRESHET" --seed 1 --stats=text </dev/null 2>&1 | head -n 5
echo "--- on SIGUSR1, while it goes on"
mkfifo fifo
"$FRESHET" <fifo >out 2>report &
pid=$!
exec 3>fifo
echo a >&3
while ! [ -s out ]; do sleep 0.02; done
kill -USR1 "$pid"
while ! grep -q forgotten report; do sleep 0.02; done
echo a >&3
exec 3>&-
wait "$pid"
echo "status $?"
head -n 3 report
echo "--- more distinct keys than planned: said once"
seq 100000 | "$FRESHET" --seed 1 --expect 1000 -m 16K 2>&1 >/dev/null |
    sed -E 's/now [0-9.e-]+ instead/now P instead/'
seq 100000 | "$FRESHET" --seed 1 --prefer drop -m 16K 2>&1 >/dev/null |
    sed -E 's/now [0-9.e-]+ instead/now P instead/'
seq 100000 | "$FRESHET" --prefer keep -m 16K | wc -l
echo "--- standard error is full"
echo a | "$FRESHET" --stats 2>/dev/full
echo "status $?"
