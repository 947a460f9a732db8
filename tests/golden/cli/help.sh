#!/bin/sh
# Help is on stdout, fits 80 columns, and is no error.
for command in '' plan list info gen lab 'lab run' 'lab reproduce' 'lab check' \
    'lab report' bench kafka help; do
    # shellcheck disable=SC2086 # a command of a command is two words
    "$FRESHET" $command --help >text || echo "status $?"
    awk 'length > 80 { print "too long: " $0 }' text
    cat text
done
