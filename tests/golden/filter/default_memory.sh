#!/bin/sh
# Memory when nobody asks for any: what plain files need, or 256M.
memory() {
    echo "--- $*"
    "$FRESHET" --explain "$@" | grep '^memory'
}
i=0
while [ $i -lt 3000 ]; do echo "line $i of a plain file"; i=$((i + 1)); done >plain
echo one >short
gzip -k plain
: >empty
mkfifo fifo

memory plain
memory plain plain
memory - <plain
memory <plain
memory short
memory -d plain
memory --decompress=none plain.gz
printf 'plain\0short\0' >names
memory --files0-from names

echo "--- 256M, for what is compressed, empty, no file or unknown"
memory plain.gz
memory plain plain.gz
memory empty plain
memory /proc/self/status
memory fifo
memory nosuch
yes | head -n 3 | memory
{
    IFS= read -r _
    memory # the rest of it
} <short

echo "--- and where anything is said about the filter"
memory -m 1M plain
memory -e 1e-7 plain
memory --expect 1e9 plain
memory --last 1e9 plain
memory --state state plain

echo "--- no file has more different records for its size"
awk 'BEGIN {
    for (n = 0; n < 2; n++)
        for (a = 33; a < 127; a++)
            for (b = 33; b < 127; b++)
                printf "%c%c\n", a, b }' >dense
awk '!seen[$0]++' dense >wanted
for options in "" -d; do
    # shellcheck disable=SC2086 # no option, or one
    "$FRESHET" --stats $options dense 2>stats | sort | cmp - wanted &&
        awk '/^(memory|forgotten)/' stats
done

echo "--- the memory for such a file keeps each of its keys, to the last"
awk 'BEGIN {
    for (a = 33; a < 127; a++)
        for (b = 33; b < 127; b++) {
            printf "%c%c\n", a, b
            for (c = 33; c < 64; c++)
                printf "%c%c%c\n", a, b, c
        } }' >denser
memory=$("$FRESHET" --explain denser | sed -n 's/^memory  *\([^ ,]*\).*/\1/p')
"$FRESHET" -m "$memory" --seed 1 denser denser | cmp - denser &&
    echo "all in $memory"

echo "--- a file that grows"
awk 'BEGIN { for (i = 0; i < 400000; i++) print "long " i }' >big
"$FRESHET" big short >fifo 2>warning &
exec 3<fifo
head -c 1 <&3 >first # so it has begun; more than a pipe holds is to come
awk 'BEGIN { for (i = 0; i < 5000000; i++) printf "%x\n", i }' >>short
cat <&3 | tail -n 1
wait $!
echo $?
sed 's/[0-9][0-9]* keys/N keys/' warning
