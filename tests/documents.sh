#!/usr/bin/env bash
# documents.sh - what is documented elsewhere keeps up with the header
set -u
. "$(dirname "$0")/sources.sh"

failed=0
# Every line of standard input must occur in the file $1 as a whole word.
all_in()
{
    local word

    while read -r word; do
        if ! grep -qwF -- "$word" "$1"; then
            echo "$1: does not mention $word" >&2
            failed=1
        fi
    done
}

statuses()
{
    sed -nE 's/^ *X\((ERR_[A-Z]+),.*/FRESHET_\1/p' include/freshet.h
}

# The fields of the public structs.
fields()
{
    sed -nE '/^typedef struct/,/^}/s/^ +[a-z].*[ *]([a-z_]+)(\[[0-9]+\])?;.*/\1/p' \
        include/freshet.h | sort -u
}

all_in doc/man/freshet.3 < <(public_functions; statuses; fields)
all_in fuzz/README.md < <(public_functions)

# Each row of tests/README.md names a file and words that stand in it.
# shellcheck disable=SC2016 # backticks as Markdown has them
while IFS= read -r row; do
    file=$(sed -E 's/.*\| `([^`]*)`: `.*/\1/' <<<"$row")
    words=$(sed -E 's/.*`: `([^`]*)` \|$/\1/; s/\\\|/|/g' <<<"$row")
    if ! grep -qF -- "$words" "$file"; then
        echo "tests/README.md: $file does not say '$words'" >&2
        failed=1
    fi
done < <(grep -E '^\|.*`: `.*` \|$' tests/README.md)

# Links between documents lead somewhere.
while read -r page; do
    while read -r link; do
        if [ ! -e "$(dirname "$page")/${link%%#*}" ]; then
            echo "$page: broken link to $link" >&2
            failed=1
        fi
    done < <(grep -oE '\]\([^):]+\)' "$page" | sed -E 's/^\]\((.*)\)$/\1/' |
        grep -v '^#')
done < <(sources '*.md')

exit $failed
