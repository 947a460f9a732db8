#!/bin/sh
"$FRESHET"
echo "none: $?"
"$FRESHET" nosuch
echo "unknown: $?"
"$FRESHET" --nosuch
echo "option: $?"
