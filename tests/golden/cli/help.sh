#!/bin/sh
# Help is on stdout, fits a screen, and is no error.
"$FRESHET" --help
"$FRESHET" list --help
"$FRESHET" bench --help
"$FRESHET" bench --help | awk 'length > 80 { print "too long: " $0 }'
