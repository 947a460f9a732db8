#!/usr/bin/env bash
# counts.sh [update] - the table of doc/testing.md counts what is in the tree;
# update: write it
# shellcheck disable=SC2016 # the backquotes are those of Markdown
set -eu
cd "$(dirname "$0")/.."

document=doc/testing.md

# Occurrences of a pattern in files.
occurrences()
{
    local pattern=$1

    shift
    cat "$@" | grep -cE "$pattern" || true
}

row()
{
    printf '| %s | %s | %s |\n' "$1" "$2" "$3"
}

files()
{
    git ls-files "$@" | wc -l
}

# Rounded down to a multiple, so that not every new test makes it stale.
about()
{
    echo "over $(($2 / $1 * $1))"
}

list()
{
    git ls-files "$@"
}

table()
{
    echo '| what | how many | command |'
    echo '|---|--:|---|'
    row 'tests in C' "$(about 100 "$(list 'tests/**/*.c' | xargs cat |
        grep -c 'cmocka_unit_test[a-z_]*(')")" '`make check`'
    row 'golden scripts of the program' \
        "$(about 20 "$(files 'tests/golden/*/*.sh')")" '`make check`'
    row 'tests of the module, on each server' \
        "$(about 50 "$(list 'tests/module/*.js' | xargs cat |
            grep -cE '^    async [a-z_0-9]+\(\) \{')")" '`make check`'
    row 'tests of `freshet kafka`' \
        "$(about 20 "$(list 'tests/kafka/*.py' | xargs cat |
            grep -cE '^@(test|remote)$')")" '`make check`, `make slow`'
    row 'system calls that fail' "$(occurrences '^[a-z]' \
        tests/fault/table.txt)" '`ctest --preset asan -R fault_table`'
    row 'modes in which each allocation of the program fails' \
        "$(python3 -c "import re
text = open('tests/fault/sweep.py').read()
print(len(re.search(r'TRIED = \[(.*?)\]', text, re.S)[1].split(',')))")" \
        '`ctest --preset asan -R fault_memory`'
    row 'commands of the module of which each allocation fails' \
        "$(sed -n '/^const rows/,/^];/p' tests/module/allocations.js |
            grep -cE '^    \[')" '`ctest --preset asan -R module_allocations`'
    row 'modes that lose power' "$(sed -n '/^MODES/,/^}/p' \
        tests/fault/power.py | grep -cE '^    "')" '`ctest --preset asan -R fault_power`'
    row 'fuzz targets' "$(files 'fuzz/fuzz_*.c')" '`make fuzz-all N=60`'
    row 'inputs of fuzz targets that are replayed' \
        "$(about 100 "$(files 'fuzz/corpus/*')")" '`make check`'
    row 'bugs of other tools that freshet must not have' \
        "$(sed -n '/^## Bugs that others/,/^## On real/p' tests/README.md |
            grep -c '^| [^-b]')" '`make check`'
    row 'defects put in, each caught by a test' \
        "$(grep -cE '^    "[^"]*": \($' tests/mutations/mutations.py)" \
        '`make slow`'
    row 'files of saved filters that must load for ever' \
        "$(files 'tests/snapshots/*')" '`make check`'
}

# More than this is no corpus to carry about.
bytes=$(list 'fuzz/corpus/*' | xargs -d '\n' cat | wc -c)
if [ "$bytes" -gt $((4 << 20)) ]; then
    echo "the corpora have $bytes bytes; 4 MiB is the most" >&2
    exit 1
fi

written()
{
    awk -v table="$1" '
        /^<!-- counts -->$/ { print; print ""; print table; print ""; skip = 1 }
        /^<!-- end -->$/ { skip = 0 }
        !skip { print }' "$document"
}

new=$(written "$(table)")
if [ "${1:-}" = update ]; then
    printf '%s\n' "$new" >"$document"
elif ! diff <(printf '%s\n' "$new") "$document"; then
    echo "$document is stale: tests/counts.sh update" >&2
    exit 1
fi
