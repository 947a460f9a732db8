#!/bin/sh
# What --explain says is what is taken: the filter's memory, and little more
# for everything else, however long the input is.
# resident OPTION...: peak, in KiB, when every page has been written to
resident() {
    mkfifo in
    "$FRESHET" "$@" <in >out &
    pid=$!
    exec 3>in
    seq 3000000 >&3
    until [ "$(tail -n 1 out)" = 3000000 ]; do sleep 0.05; done
    awk '/^VmHWM/ { print $2 }' "/proc/$pid/status"
    exec 3>&-
    wait "$pid"
    rm in out
}
# 16 MiB are for everything else, and 4 MiB for each of four threads.
check() {
    "$FRESHET" --explain "$@" | grep ^memory
    budget=$("$FRESHET" --explain "$@" | awk '/^memory/ { print $2 * 1024 }')
    kib=$(resident "$@")
    if [ "$kib" -lt "$budget" ] || [ "$kib" -gt $((budget + 32768)) ]; then
        echo "$kib KiB resident, $budget KiB explained"
    fi
}
check
check -m 32M
check -m 32M --algorithm sbf
