#!/bin/sh
# Where and when a filter settles, and what Max the gaps want.
# The first digits of each number.
short() {
    sed -E 's/([.][0-9]{4})[0-9]*/\1/g'
}
echo "--- explained before a filter is made"
"$FRESHET" --explain --algorithm sbf -m 64K -e 1% | sed -n '/^settles/,$p'
echo "--- where the cells are large all repeats begin to pass at nearly one gap"
"$FRESHET" --explain --algorithm sbf --param gap=1000 -m 12800 -e 10% |
    sed -n '/^settles/,$p'
echo "--- said by plan, as text and as JSON"
"$FRESHET" plan -m 64K -e 1% | sed -n '/^Filters/,$p' | grep -A3 '^sbf'
"$FRESHET" plan -m 64K -e 1% -j | grep '"sbf"' | sed 's/.*"stable_zero/"stable_zero/' | short
"$FRESHET" plan -m 64K -j | grep -c stable_zero
echo "--- said of a saved filter"
seq 1000 | "$FRESHET" --state s --algorithm sbf -m 64K -e 1% --seed 7 >/dev/null
"$FRESHET" info s | sed -n '/^settles/,/passes/p'
"$FRESHET" info -j s | sed 's/.*"stable_zero/"stable_zero/; s/,"seed.*//' | short
seq 1000 | "$FRESHET" --state p -m 64K >/dev/null
"$FRESHET" info p | grep -c settles

# rate OPTION...: the false passes of sbf, to a digit
rate() {
    "$FRESHET" plan -m 12800 -e 10% -j "$@" | grep '"sbf"' |
        sed -E 's/.*"'"$field"'":([^,]*),.*/\1/' | awk '{ printf "%.0e\n", $1 }'
}
echo "--- a gap makes cells as large as it wants them"
field=false_pass
rate --gap 2000
rate --gap 1000000
echo "--- and so do those of a sample, for which theory has a rate of its own"
"$FRESHET" gen endless:n=1e5,repeats=20%,gap=2000,shape=fixed,seed=4 >log
rate --sample log
field=false_pass_by_gaps
rate --sample log
: >empty
"$FRESHET" plan --sample empty
echo "status $?"
