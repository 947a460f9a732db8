#!/bin/sh
# What could not be written is trouble, not success.
"$FRESHET" --help >/dev/full
echo "help: $?"
"$FRESHET" list >/dev/full
echo "list: $?"
"$FRESHET" bench --limit --runs 1 --seconds 0.001 -m 64K >/dev/full
echo "bench: $?"
