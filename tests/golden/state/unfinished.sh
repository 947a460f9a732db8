#!/bin/sh
# After a signal a record without its end is neither printed nor remembered.
mkfifo fifo full
exec 4<>full
# packed: what is read is written as it is, or by gzip without the end
packed() {
    if [ -z "$pack" ]; then
        cat
    else
        head -n 2 | gzip
        echo part | gzip | head -c 15
    fi
}
pack=
# start LAST OPTION...: read from descriptor 3; the last record has no end
start() {
    last=$1
    shift
    rm -f out s said
    env --default-signal=INT "$FRESHET" --state s -m 64K "$@" \
        <fifo >out 2>full &
    pid=$!
    exec 3>fifo
    printf 'one\ntwo\n%s' "$last" | packed >&3
    while ! grep -qs two out; do sleep 0.02; done
}
# ended OPTION...: how it ended, what it printed, what it does not remember
ended() {
    wait "$pid" 2>/dev/null
    echo "status $?"
    cat out
    echo "new: $(printf 'one\ntwo\npart\n' | "$FRESHET" --state s "$@" |
        tr '\n' ' ')"
}
# both_end SIGNAL LAST OPTION...: the writer ends as well.  The statistics are
# not read at first, so that the signal comes while they are written; what is
# read next is the end of the input.
both_end() {
    signal=$1
    shift
    dd if=/dev/zero of=full bs=4096 oflag=nonblock 2>/dev/null
    start "$@"
    shift
    kill -USR1 "$pid"
    sleep 0.3
    exec 3>&-
    kill -s "$signal" "$pid"
    cat full >said &
    reader=$!
    ended "$@"
    echo "all is said" >&4
    while ! grep -aq "all is said" said; do sleep 0.02; done
    kill "$reader"
    wait "$reader" 2>/dev/null
    grep -aE 'warning|cut' said
}
for signal in INT TERM; do
    for threads in 1 2; do
        echo "--- SIG$signal, threads: $threads; the writer goes on"
        start part --parallel "$threads"
        kill -s "$signal" "$pid"
        ended
        exec 3>&-
        echo "--- SIG$signal, threads: $threads; the writer ends as well"
        both_end "$signal" part --parallel "$threads"
    done
done
echo "--- CSV: no word about the quote, which had more to come"
both_end INT 'part,"' --csv 1
echo "--- without a signal it counts"
start part
exec 3>&-
ended
pack=yes
for threads in 1 2; do
    echo "--- gzip, threads: $threads; the writer ends as well: not damaged"
    both_end INT '' --parallel "$threads"
done
echo "--- gzip, without a signal it is"
start ''
exec 3>&-
ended
cat full >said &
reader=$!
while ! grep -aq cut said; do sleep 0.02; done
kill "$reader"
wait "$reader" 2>/dev/null
grep -a cut said
