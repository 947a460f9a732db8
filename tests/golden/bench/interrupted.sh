#!/bin/sh
# An interrupted run dies by the signal, as the shell expects.
"$FRESHET" bench --limit --seconds 60 -m 64K >/dev/null &
sleep 0.2
kill -TERM $!
exec 2>/dev/null # shells differ in what they say about it
wait $!
