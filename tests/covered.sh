#!/usr/bin/env bash
# covered.sh FRESHET - every option of every command is used in a golden test
#
# The options come from the program's own tables, by way of the completions: a
# new one without a test fails here.
set -u
freshet=$(realpath "$1")
. "$(dirname "$0")/sources.sh"

# Lines "COMMAND LONG LETTER", "-" for the filter itself and for no letter.
# In fish's completions an option is
#     complete -c freshet -n 'CONDITION' -l LONG -s LETTER ...
options()
{
    "$freshet" --generate fish | awk '
    /^complete.* -l / {
        command = "-"
        if (match($0, /__freshet_in [a-z]+/))
            command = substr($0, RSTART + 13, RLENGTH - 13)
        if (command == "filter")
            command = "-"
        long = letter = "-"
        for (i = 1; i < NF; i++) {
            if ($i == "-d")
                break
            if ($i == "-l")
                long = $(i + 1)
            if ($i == "-s")
                letter = $(i + 1)
        }
        if (long == "help" || long == "version")
            command = "-" # one piece of code answers for every command
        print command, long, letter
    }'
    # What is refused has a test of its reason.
    echo '- count c'
    echo '- unique u'
}

names=$("$freshet" --generate fish |
    sed -n 's/.*__freshet_first -a \([a-z]*\).*/\1/p' | paste -sd '|')

# The lines that run a command: those of its own scripts, which begin with its
# name, and of others those that name it.  The filter has all the rest.
lines_of()
{
    local which invert

    case $1 in
    -) which=$names invert=-v ;;
    *) which=$1 invert= ;;
    esac
    grep -E $invert -e "^tests/golden/($which)/[^:]*:" \
        -e "(FRESHET\"|try|quiet) ($which)( |$)" <<<"$golden"
}
mapfile -t scripts < <(sources 'tests/golden/*.sh')
golden=$(grep -v '^ *#' "${scripts[@]}")
# freshet kafka needs brokers: its options are used in tests of its own.
golden+=$'\n'$(cat tests/kafka/quick.py tests/kafka/remote.py |
    sed 's|^|tests/golden/kafka/quick.py:|')

failed=0
while read -r command long letter; do
    pattern="[[:space:]'\"]--$long([^-a-z]|$)"
    if [ "$letter" != - ]; then
        pattern="$pattern|[[:space:]'\"]-[a-zA-Z0]*$letter"
    fi
    if ! lines_of "$command" | grep -qE -e "$pattern"; then
        echo "no golden test uses --$long of freshet ${command#-}" >&2
        failed=1
    fi
done < <(options)
exit $failed
