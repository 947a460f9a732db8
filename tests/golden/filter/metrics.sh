#!/bin/sh
# --metrics: the figures of --stats in Prometheus' text format.
# well_formed FILE: help, type, then samples, each metric once, all numbers
well_formed() {
    awk '
        /^# HELP [a-z][a-z0-9_]* ./ { help = $3; next }
        /^# TYPE [a-z][a-z0-9_]* (counter|gauge)$/ {
            if ($3 != help || seen[$3]++) print "bad type: " $0
            if (($4 == "counter") != ($3 ~ /_total$/)) print "bad name: " $0
            type = $3
            next
        }
        /^[a-z][a-z0-9_]*({[a-z]+="[^"\\]*"(,[a-z]+="[^"\\]*")*})? [0-9.e+-]+$/ {
            name = $1
            sub(/{.*/, "", name)
            if (name != type) print "no type: " $0
            next
        }
        { print "bad line: " $0 }' "$1"
    tail -c 1 "$1" | od -An -c
    ! command -v promtool >/dev/null || promtool check metrics <"$1"
}
# value NAME FILE
value() {
    awk -v name="freshet_$1" '$1 == name { print $2 }' "$2"
}
# adds_up FILE: what was counted
adds_up() {
    echo "$(value records_total "$1") = $(value new_total "$1")" \
        "+ $(value repeats_total "$1") + $(value passed_total "$1")" \
        "+ $(value dropped_total "$1")"
}
echo "--- well formed, with and without an audit"
printf 'a,1\nb,1\nc\nd,2\nd,2\n' >in
"$FRESHET" --seed 1 -m 64K -t , -k 2 --metrics m.prom in
well_formed m.prom
adds_up m.prom
"$FRESHET" --seed 1 -m 64K --audit --metrics audited in >/dev/null
well_formed audited
grep '^freshet_audit' audited
grep -c '^freshet_audit' m.prom
echo "--- the same figures as --stats, all of them"
"$FRESHET" --seed 1 -m 64K -t , -k 2 --stats=json --metrics m.prom in \
    2>json >/dev/null
sed 's/[,{}]/\n/g' json | sed -nE 's/^"([a-z_]+)":([0-9.e-]+)$/\1 \2/p' |
    while read -r name figure; do
        exposed=$(value "$name" m.prom)
        [ -n "$exposed" ] || exposed=$(value "${name}_total" m.prom)
        [ -n "$exposed" ] || exposed=$(value "${name}_bytes" m.prom)
        case $name in
        seconds) [ -n "$exposed" ] && figure=$exposed ;;
        esac
        awk -v a="$figure" -v b="$exposed" -v name="$name" 'BEGIN {
            if (b == "" || a - b > 1e-8 * a || b - a > 1e-8 * a)
                print name ": " a " is not " b }'
    done
echo "--- readable by others, unless it was not; nothing is left beside it"
umask 077
rm m.prom
"$FRESHET" -m 64K --metrics m.prom in >/dev/null
stat -c '%a' m.prom
chmod 640 m.prom
"$FRESHET" -m 64K --metrics m.prom in >/dev/null
stat -c '%a' m.prom
ls
echo "--- there from the start, and renewed while nothing comes"
mkfifo fifo
rm m.prom
"$FRESHET" -m 64K --metrics m.prom <fifo >out &
pid=$!
exec 3>fifo
while ! [ -s m.prom ]; do sleep 0.02; done
adds_up m.prom
echo a >&3
while [ "$(value records_total m.prom)" != 1 ]; do sleep 0.1; done
first=$(stat -c %i m.prom)
while [ "$(stat -c %i m.prom)" = "$first" ]; do sleep 0.1; done
printf 'a\nb\n' >&3
exec 3>&-
wait "$pid"
adds_up m.prom
echo "--- also when it is told to end"
"$FRESHET" -m 64K --metrics m.prom <fifo >out &
pid=$!
exec 3>fifo
while [ "$(value records_total m.prom)" != 0 ]; do sleep 0.02; done
rm -f out2
echo c >&3
while ! grep -q c out; do sleep 0.02; done
kill -TERM "$pid"
wait "$pid" 2>/dev/null
echo "status $?"
exec 3>&-
adds_up m.prom
echo "--- --check reads all of the stream for them"
printf 'a\na\nb\n' | "$FRESHET" -q -m 64K --metrics m.prom
echo "status $?"
adds_up m.prom
echo "--- what it cannot be"
"$FRESHET" --metrics in in
echo "an input: $?"
"$FRESHET" --metrics x -o x in
echo "the output: $?"
"$FRESHET" --metrics x --state ./x in
echo "the state: $?"
"$FRESHET" --metrics nosuch/x in
echo "nowhere: $?"
"$FRESHET" --metrics . in
echo "a directory: $?"
"$FRESHET" --metrics fifo in
echo "a pipe: $? $(stat -c %F fifo)"
