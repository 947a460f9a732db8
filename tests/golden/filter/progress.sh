#!/bin/sh
# --progress: a line on the terminal, gone before anything else is said there.
# on_terminal COMMAND: what a terminal gets, escapes readable, a draw per line
on_terminal() {
    script -qec "stty columns ${2:-120}; $1" /dev/null </dev/null | tr -d '\r' |
        sed 's/\x1b\[K/\n<wipe>/g' | sed '/^$/d'
}
# kinds: each draw by its kind, repetitions once
kinds() {
    sed -E 's/\[=*> *\] +/BAR /
        s/([0-9]+% [0-9:]+ left,|100%) ([0-9.]+[kM]?B)/SHARE, TIME left, \2/
        s/[0-9.]+[kM]?B of [0-9.]+MB/BYTES of TOTAL/
        s/[0-9.]+[kM]?B read/BYTES read/
        s/, [0-9.]+ MB\/s, [0-9.]+[kM]? records\/s/, RATES/' | uniq
}
seq 1000000 >numbers
gzip -k numbers
# A pipe that is not read for a while, once something was written to it, makes
# any machine slow enough.
slow='(head -c 1 >/dev/null; sleep 0.8; cat >/dev/null)'
echo "--- files: a bar"
on_terminal "\"\$FRESHET\" --progress numbers | $slow" | kinds
echo "--- packed, by what is packed"
on_terminal "\"\$FRESHET\" --progress --parallel 1 numbers.gz | $slow" >drawn
kinds <drawn
# A pipe holds at most 1 MiB of the 6.9 MB in 2.1 MB.
sed -nE 's/.*> *\] +([0-9]+)%.*/\1/p' drawn |
    awk 'NR == 1 { print ($1 < 40 ? "less" : "more") " than 40%" }'
echo "--- messages and statistics stand on lines of their own"
on_terminal "\"\$FRESHET\" --progress --stats numbers nosuch | $slow" | kinds |
    head -n 4
echo "--- of a stream only how fast it is"
on_terminal "(cat numbers; sleep 0.8) | \"\$FRESHET\" --progress | cat >/dev/null" |
    kinds
echo "--- a narrow terminal has no room for a bar"
on_terminal "\"\$FRESHET\" --progress numbers | $slow" 40 >drawn
grep -c '\[' drawn
awk '/%/ && length($0) > longest { longest = length($0) }
    END { print longest - length("<wipe>") }' drawn
echo "--- nothing where records go to the terminal, or stderr does not"
on_terminal "(echo a; sleep 0.8) | \"\$FRESHET\" --progress"
(cat numbers; sleep 0.8) | "$FRESHET" --progress 2>&1 | grep -c wipe
"$FRESHET" --progress numbers 2>&1 >/dev/null | wc -c
