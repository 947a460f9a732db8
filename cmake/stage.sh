#!/usr/bin/env bash
# stage.sh NAME COMMAND... - run one stage of a make target
#
# Prints one line: the name of the stage and its time.  What the command prints
# goes to build/log/NAME.log; when the command fails, the end of the log and
# its name are shown.  V=1 shows everything as it comes.  A command that exits
# with 77 was skipped: its last line says why, and the stage succeeds.  The stage
# exits with 73 where no log can be written.
set -u -o pipefail
cd "$(dirname "$0")/.." || exit 1

name=$1
shift
log=build/log/${name//[!a-zA-Z0-9]/-}.log
if ! { mkdir -p build/log && : >"$log"; } 2>/dev/null; then
    echo "make: $PWD/build cannot be written to." \
        "Copy the sources to a directory of yours, and run make there." >&2
    exit 73
fi

# Tenths of a second since the stage began.
elapsed()
{
    local now=${EPOCHREALTIME//[!0-9]/}

    echo $(((now - begun) / 100000))
}

show_time()
{
    local tenths

    tenths=$(elapsed)
    echo "$1$((tenths / 10)).$((tenths % 10)) s"
}

begun=${EPOCHREALTIME//[!0-9]/}
if [ -n "${V:-}" ]; then
    echo "$name: $*"
    "$@" 2>&1 | tee "$log"
else
    printf '%-56s' "$name"
    "$@" >"$log" 2>&1 </dev/null
fi
status=$?
case $status in
0) show_time "${V:+$name: }" ;;
77)
    echo "skipped: $(tail -n 1 "$log")"
    status=0
    ;;
*)
    show_time 'failed after '
    if [ -z "${V:-}" ]; then
        echo "The end of $log:" >&2
        tail -n 40 "$log" >&2
    fi
    ;;
esac
exit $status
