#!/bin/sh
# Memory does not grow with the input: 16 MiB and 4 MiB for each thread are
# all that is taken besides the filter.
mkfifo in

# peak RECORDS OPTION...: whether a run's resident set stayed within that
peak() {
    records=$1
    shift
    "$FRESHET" -m 16M "$@" <in >/dev/null &
    pid=$!
    exec 3>in
    $records >&3
    # The last ones may still be in the pipe; what matters came before.
    awk -v limit=$(((16 + 16 + 4 * threads) * 1024)) '/^VmHWM/ {
        if ($2 > limit) print "resident set", $2, "kB, over", limit
        else print "within" }' /proc/$pid/status
    exec 3>&-
    wait $pid
}
# Quoted newlines, objects and short records are what takes most.
numbers() { seq 5000000; }
empty() { yes '' | head -n 10000000; }
long() { head -c 50000000 /dev/zero | tr '\0' x | fold -w 120000; }
for threads in 1 4; do
    peak numbers --parallel $threads
    peak numbers --parallel $threads --csv 1 --time 1 --within 1h
    peak empty --parallel $threads --regex '(x)|(y)' --missing key
    peak long --parallel $threads -i
done
