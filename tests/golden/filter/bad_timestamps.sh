#!/bin/sh
# Whatever happens, what was decided is written and every record is counted.
feed() {
    printf '%s\n' "$@"
}
# counted COMMAND...: the status, the message, and counters that add up
counted() {
    "$@" --stats=json >out 2>err
    echo "status $?"
    sed '/^{/d' err
    sed -nE 's/.*"records":([0-9]+),"new":([0-9]+),"repeats":([0-9]+),"passed":([0-9]+),"dropped":([0-9]+).*/\1 \2 \3 \4 \5/p' err |
        while read -r records new repeats passed dropped; do
            echo "$records = $new + $repeats + $passed + $dropped"
            [ "$records" -eq $((new + repeats + passed + dropped)) ] ||
                echo "that is wrong"
        done
}
feed a b a >good
feed c a >rest
mkdir directory
echo "--- unreadable files among readable ones: 5 records"
counted "$FRESHET" good nosuch directory rest
paste -s out
echo "--- a read error in the middle: 2 values, 1 name, 8 empty records"
# The end of a stack is environment, name and eight zeroes; then comes nothing.
# shellcheck disable=SC2016 # not the shell's variables
env -i FIRST=1 SECOND=2 perl -e '
    open(my $mem, "<", "/proc/self/mem") or die;
    open(my $stat, "<", "/proc/self/stat") or die;
    my ($fields) = <$stat> =~ /.*\) (.*)/;
    sysseek($mem, (split / /, $fields)[47], 0) or die;
    if (my $child = fork) {
        waitpid $child, 0;
        exit $? >> 8;
    }
    open(STDIN, "<&", $mem) or die;
    exec @ARGV' "$FRESHET" -z --stats >out 2>err
echo "status $?"
tr '\0' '\n' <out | grep '='
grep -E '^(freshet|records|new|repeats|passed)' err
echo "--- packed, and damaged in the middle"
seq 100000 | gzip >numbers.gz
(head -c 100000 numbers.gz; echo nonsense; tail -c 100000 numbers.gz) >bad.gz
counted "$FRESHET" bad.gz good >told
sed -E 's/damaged.*/damaged/; s/^[0-9]+ = [0-9]+ .*/adds up/' told
tail -n 2 out | paste -s
echo "--- a record over the limit: the file ends there, the others are read"
feed 1 2 123456789 3 >long
counted "$FRESHET" --max-record 5 long good
paste -s out
echo "--- malformed records"
feed '{"k":1}' '{"k":' '{"k":1}' '{"k":2}' '{}' >json
counted "$FRESHET" --json .k json
counted "$FRESHET" --json .k --malformed drop --missing drop json
counted "$FRESHET" --json .k --malformed fail json
echo "--- full disks"
counted "$FRESHET" -o /dev/full good
counted "$FRESHET" --dup-output /dev/full good
"$FRESHET" --stats=json good 2>err >/dev/full
echo "status $?"
sed 's/,"bytes_read.*//' err
echo "--- nothing to read"
"$FRESHET" --stats=json <&- 2>err
echo "status $?"
sed 's/,"bytes_read.*//' err
echo "--- told to end"
mkfifo fifo
rm out
"$FRESHET" --stats=json <fifo >out 2>err &
pid=$!
exec 3>fifo
printf 'a\nb\na\nhalf' >&3
while ! grep -qs b out; do sleep 0.02; done
kill -TERM "$pid"
wait "$pid" 2>/dev/null
echo "status $?"
exec 3>&-
sed 's/,"bytes_read.*//' err
