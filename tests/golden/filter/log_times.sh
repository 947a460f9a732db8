#!/bin/sh
# Times of logs: fields as with -k, brackets, years that are not there, formats.
export TZ=UTC
feed() {
    printf '%s\n' "$@"
}
# at TIMES...: a record for each, numbered, with key a
at() {
    for time; do
        n=$((${n:-0} + 1))
        echo "a $time $n"
    done
}
echo "--- field 4 of a web log goes on to its bracket"
feed '10.0.0.1 - - [14/Nov/2023:22:13:20 +0000] "GET /1" 200' \
    '10.0.0.1 - - [14/Nov/2023:23:13:59 +0100] "GET /2" 200' \
    '10.0.0.2 - - [14/Nov/2023:22:13:59 +0000] "GET /3" 200' \
    '10.0.0.1 - - [14/Nov/2023:22:14:40 +0000] "GET /4" 200' >access
"$FRESHET" -k 1 --within 1m --time 4 access
"$FRESHET" -k 1 --within 1m --time 4-5 -D access
feed '10.0.0.1 - - [14/Nov/2023:22:13:20 +0000 "GET /1" 200' |
    "$FRESHET" -k 1 --within 1m --time 4
echo "--- fields beside -f and -t, and without either"
sed 's/^/x /' access | "$FRESHET" -f 99 --within 1m --time 5
feed 'a;1700000000;1' 'a;1700000059;1' 'a;1700000100;1' >semicolons
"$FRESHET" -t ';' -k 1 --within 1m --time 2 semicolons
feed 'a;1700000000' 'a;1700000000' 'b;1700000001' |
    "$FRESHET" -t ';' --within 1m --time 2
feed '1700000000 a' '1700000000 a' | "$FRESHET" --within 1m --time 1
feed '1700000000 a' '1700000059 a' '1700000100 a' |
    "$FRESHET" --regex 'a' --within 1m --time 1
echo "--- a range of fields is a time with blanks"
at '2024-05-01 12:00:00' '2024-05-01 12:00:59' '2024-05-01 12:01:30' |
    "$FRESHET" -k 1 --within 1m --time 2-3
echo "--- syslog, RFC 5424 and RFC 3164"
feed '<34>1 2023-11-14T22:13:20.003Z h su - - a' \
    '<34>1 2023-11-14T22:14:00.003Z h su - - b' \
    '<34>1 2023-11-14T22:14:40.003Z h su - - c' |
    "$FRESHET" -k 3 --within 1m --time 2
year=$(date +%Y)
feed "Jan  1 00:00:00 h a" "Jan  1 00:00:59 h b" "Jan  1 00:01:30 h c" |
    "$FRESHET" -k 4 --within 1m --time 1-3
echo "--- its year is the latest that is not in the future, in the local zone"
# same TEXT ISO: are both one time?  A window of a second tells.
same() {
    printf '{"t":"%s"}\n{"t":"%s"}\n' "$2" "$1" |
        "$FRESHET" --json .k --missing key --time .t --within 1s --stats 2>&1 |
        grep -E '^(repeats|late)' | paste -s
}
now=$(date +%s)
past=$(date -d "@$((now - 172800))" '+%F %T')
ahead=$(date -d "@$((now + 172800))" '+%F %T')
# syslog TIME...: in the form of RFC 3164; iso TIME...: in that of ISO 8601
syslog() {
    date -d "$*" '+%b %e %T'
}
iso() {
    date -d "$*" '+%FT%T'
}
same "$(syslog "$past")" "$(iso "$past")"
same "$(syslog "$past")" "$(iso "$past" 1 year ago)" | grep -c 'repeats *1'
case $ahead in
*-02-29*) same "$(syslog "$past")" "$(iso "$past")" ;; # was not there last year
*) same "$(syslog "$ahead")" "$(iso "$ahead" 1 year ago)" ;;
esac
echo "--- in another zone"
(
    TZ=America/New_York
    same "$(syslog "@$((now - 172800))")" "$(TZ=UTC iso "$past")"
)
echo "--- other formats, by strptime"
at '01.05.2024 12:00:00' '01.05.2024 12:00:59,9' '01.05.2024 12:01:30' |
    "$FRESHET" -k 1 --within 1m --time 2-3 --time-format '%d.%m.%Y %T'
feed '{"k":1,"t":"May 1, 2024 2:00 PM +0200"}' \
    '{"k":1,"t":"May 1, 2024 12:01 PM +0000"}' \
    '{"k":1,"t":"May 1, 2024 12:05 PM +0000"}' |
    "$FRESHET" --json .k --time .t --time-format '%B %d, %Y %I:%M %p %z' \
        --within 2m --malformed drop
echo "--- what makes no sense"
try() {
    feed "a $year" | "$FRESHET" "$@"
    echo "$?"
}
try -k 1 --within 1m --time 0
try -k 1 --within 1m --time 3-2
try -k 1 --within 1m --time 3 --malformed fail
try -k 1 --within 1m --time 1 --malformed fail
try -k 1 --within 1m --time-format %F
try -k 1 --within 1m --time 1 --time-format %H:%M
try -k 1 --within 1m --time 1 --time-format %Q
try -f 1 -t , --within 1m --time 2
try -t ,
