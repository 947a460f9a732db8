#!/bin/sh
# Small input takes little memory, without any option.

# resident MIB COMMAND...: whether a run's resident set stays within that
resident() {
    limit=$1
    shift
    /usr/bin/time -o peak -f %M "$@" >/dev/null
    awk -v limit=$((limit * 1024)) '{
        if ($1 > limit) print "resident set", $1, "KiB, over", limit
        else print "within" }' peak
}

echo "--- one line, from a file and from a pipe"
echo one >one
resident 8 "$FRESHET" one
echo one | resident 8 "$FRESHET"
echo "--- 1000 lines"
"$FRESHET" gen log -n 1000 --seed 1 >thousand
resident 16 "$FRESHET" thousand
"$FRESHET" gen log -n 1000 --seed 1 | resident 16 "$FRESHET"
echo "--- 300000 lines from a file"
"$FRESHET" gen log -n 300000 --seed 1 >many
resident 64 "$FRESHET" many
