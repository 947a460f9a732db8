#!/bin/sh
# A bad wish is refused before anything is measured.
"$FRESHET" bench nosuch
echo "$?"
"$FRESHET" bench sbf:nosuch=1
echo "$?"
"$FRESHET" bench sbf:d=9
echo "$?"
"$FRESHET" bench --threads 1000
echo "$?"
"$FRESHET" bench --limit -m 200T >/dev/null
echo "$?"
