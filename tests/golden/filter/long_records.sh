#!/bin/sh
# A great many files, and a very long record.
echo a >one
echo b >two
# shellcheck disable=SC2046 # a hundred thousand words
"$FRESHET" $(yes one | head -n 99999) two
echo "status $?"
echo "--- 100 MB in one record"
head -c 100000000 /dev/zero >long
(cat long; echo; cat long; echo; cat long) | "$FRESHET" -m 1M | wc -lc
