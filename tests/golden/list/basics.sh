#!/bin/sh
# Every algorithm is one line; of them only one is pinned here.
"$FRESHET" list | grep '^sbf '
"$FRESHET" list | awk 'NF < 2 { print "no title: " $0 }'
