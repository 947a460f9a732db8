#!/usr/bin/env bash
# documents.sh - documents keep up with the header and with the tree
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

# Lines "PAGE NAME": the files of the tree that documents name.  Sources are known
# by their ending, others stand in backticks and begin with a folder.  NAME and X
# are for the reader to fill in.
named_files()
{
    local ending='[.](c|h|sh|awk|gp|py|js|in|cmake)'

    sources '*.md' | grep -vx CHANGELOG.md |
        xargs grep -HoE "[A-Za-z0-9_./*-]+$ending\b|\`[a-z]+/[A-Za-z0-9_./*-]*\`" |
        tr -d '`' | sed -E 's,:[./]*, ,; s,/$,,' |
        grep -vE '[ /_](X|NAME|FOLDER)\b|README.md program.c$'
}

# Every file that a document names is there: by its path, or by the end of it.
while read -r message; do
    echo "$message" >&2
    failed=1
done < <(sources '*' | awk '
    FILENAME == "-" {
        top[substr($0, 1, index($0, "/") - 1)] = 1
        for (path = $0; path; sub(/\/?[^\/]*$/, "", path))
            for (end = path; !(end in there); sub(/^[^\/]*\//, "", end))
                there[end] = 1
        next
    }
    function is_there(name, end) {
        if (name !~ /[*]/)
            return name in there
        gsub(/[.]/, "[.]", name)
        gsub(/[*]/, "[^/]*", name)
        for (end in there)
            if (end ~ "^" name "$")
                return 1
        return 0
    }
    {
        folder = substr($2, 1, index($2, "/") - 1)
        if (($2 ~ /[.][a-z]+$/ || folder in top) && !is_there($2))
            print $1 ": names " $2 ", which is not there"
    }' - <(named_files))

# Programs of tests that documents name as build/PRESET/PROGRAM have a source.
while IFS=: read -r page program; do
    if [ ! -e "$(cut -d / -f 3- <<<"$program").c" ]; then
        echo "$page: names $program, which is not built" >&2
        failed=1
    fi
done < <(sources '*.md' | xargs grep -HoE 'build/[a-z]+/(tests|fuzz)/[a-z_/]+')

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
