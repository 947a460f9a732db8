#!/bin/sh
# Published tables, the small ones; lab/claim.h says what holds.
echo "--- a table, both filters at the printed size"
"$FRESHET" lab reproduce dutta2
echo "--- the same in JSON, two at a time"
"$FRESHET" lab reproduce dutta2 --jobs 2 -j
echo "--- kept, and not measured again"
"$FRESHET" lab reproduce --full dutta2 --csv x.csv | tail -n 1
grep '^#' x.csv | cut -c 1-9
cp x.csv before
"$FRESHET" lab reproduce --full dutta2 --csv x.csv --json | wc -l
cmp x.csv before && echo "as it was"
echo "--- other sizes are other results"
grep -v '^#' x.csv | cut -d , -f 1 | sort | uniq -c
"$FRESHET" lab reproduce dutta2 --csv x.csv | tail -n 1
grep -v '^#' x.csv | cut -d , -f 1 | sort | uniq -c
echo "--- a damaged file is left alone"
head -c -9 before >x.csv
cp x.csv before
"$FRESHET" lab reproduce dutta2 --csv x.csv
echo "status $?"
cmp x.csv before && echo "as it was"
echo "--- no such table"
"$FRESHET" lab reproduce dutta2 bera10
echo "status $?"
echo "--- how long it takes is said beforehand"
"$FRESHET" lab reproduce --full bera7 2>said >/dev/null &
until [ -s said ]; do sleep 0.05; done
kill $!
wait $! 2>/dev/null
sed 's/about [0-9]* [a-z]*/about N/' said
