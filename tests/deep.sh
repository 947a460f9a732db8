#!/usr/bin/env bash
# deep.sh COMPILE_COMMANDS [tidy|cppcheck|analyzer]... - what reads the sources
# for minutes: clang-tidy, cppcheck and gcc's analyzer
#
# Every report is a failure.  One that is no defect is explained where the code
# is: NOLINT and cppcheck-suppress stand there with a reason; checks that are a
# matter of taste are switched off, with a reason, in .clang-tidy.
# shellcheck disable=SC2317 # functions are called by the names of tools
set -u
cd "$(dirname "$0")/.." || exit

commands=$1
shift
[ $# -gt 0 ] || set -- tidy cppcheck analyzer
failed=0

# One file at a time: version 14 takes every va_list for uninitialised in all
# files but the first.
tidy()
{
    python3 -B tests/deep.py "$commands" sources | xargs -r -P "$JOBS" -n 1 \
        clang-tidy -p "$(dirname "$commands")" --quiet \
        --warnings-as-errors='*' --extra-arg=-Wno-unknown-warning-option \
        2>/dev/null # it counts what it does not show
}

# Some macros it cannot know.
cppcheck_all()
{
    cppcheck --project="$commands" --enable=warning,performance,portability \
        --inline-suppr --quiet --error-exitcode=1 --std=c11 -j "$JOBS" \
        -D__BYTE_ORDER__=1234 -D__ORDER_LITTLE_ENDIAN__=1234 2>&1
}

analyzer()
{
    python3 -B tests/deep.py "$commands" analyze
}

JOBS=${JOBS:-$(nproc)}
for tool; do
    begun=$SECONDS
    case $tool in
    cppcheck) reports=$(cppcheck_all) ;;
    *) reports=$("$tool") ;;
    esac || failed=1
    [ -z "$reports" ] || printf '%s\n' "$reports"
    echo "$tool: $(grep -cE ': (warning|error|portability|performance): ' \
        <<<"$reports") reports, $((SECONDS - begun)) s"
done
exit "$failed"
