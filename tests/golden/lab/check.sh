#!/bin/sh
# Promised rates, the small ones; lab/promise.h says what is promised.
echo "--- the planner against a published table"
"$FRESHET" lab check dutta2
echo "status $?"
echo "--- the same in JSON, two at a time, in order"
"$FRESHET" lab check dutta2 --jobs 2 --json
echo "--- kept, and not measured again"
"$FRESHET" lab check dutta2 --csv x.csv | tail -n 1
cp x.csv before
"$FRESHET" lab check --csv x.csv dutta2 | tail -n 1
cmp x.csv before && echo "as it was"
echo "--- no such group"
"$FRESHET" lab check pocket bera3
echo "status $?"
