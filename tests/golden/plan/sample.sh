#!/bin/sh
# What a sample says about the rest of the stream.
"$FRESHET" gen endless:n=2e5,repeats=20%,gap=2e4,seed=4 >log
# The stream's own figures, masked, but for their first digit.
rough() {
    sed -E 's/([0-9])[0-9.]*(e[+-][0-9]+)?/\1/g; s/ +/ /g'
}
echo "--- measured, extrapolated, and said to be"
"$FRESHET" plan -m 512K -e 1% --sample log | head -n 10 | rough
echo "--- a filter too small for its gaps, and the memory that would do"
"$FRESHET" plan -m 16K -e 1% --sample log --json | grep '"pocket"' |
    sed -E 's/.*"false_pass":0.([0-9]).*"needs":([0-9])[0-9]{4}[.].*"scale":1,"steady":true}/0.\1 \20000/'
echo "--- up to a number of keys"
"$FRESHET" plan -m 128K -e 1% --expect 5e4 --sample log | head -n 2 | rough
echo "--- which part of a record is the key"
sed 's/$/ x/' log | "$FRESHET" plan -m 8K --sample - -k 2 --json |
    grep '"pocket"' | sed -E 's/.*"measured_new":([0-9]*),.*/\1 new/'
{
    "$FRESHET" plan --sample none
    echo "status $?"
    "$FRESHET" plan --sample log --gap 5
    echo "status $?"
    "$FRESHET" plan --sample log --within 5s
    echo "status $?"
    "$FRESHET" plan --sample log --csv-key 0
    echo "status $?"
} 2>&1
