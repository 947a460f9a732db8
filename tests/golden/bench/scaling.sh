#!/bin/sh
# Ten points a decade, the last as many records as asked for; then the slowest.
"$FRESHET" bench --scaling --records 2e6 -m 64K sbf | sed -n '/records ns/,$p' |
    awk '{ print $1 }'
"$FRESHET" bench --scaling --records 1e3 -m 64K --json sbf |
    sed -n 's/.*\("from".*"to":[0-9]*\).*/\1/p'
