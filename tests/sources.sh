# shellcheck shell=bash
# sources.sh - for the lint scripts: which files there are
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

# Files of the project whose names match any of the patterns, one per line:
# those git knows, or in a tarball all outside the build directories.
sources()
{
    local pattern

    if git ls-files --error-unmatch tests/sources.sh >/dev/null 2>&1; then
        git ls-files --cached --others --exclude-standard -- "$@" | sort -u |
            while read -r file; do [ ! -e "$file" ] || echo "$file"; done
    else
        for pattern in "$@"; do
            find . -path ./build -prune -o -type f -path "./$pattern" -print
        done | sed 's,^\./,,' | sort -u
    fi
}

# The functions that include/freshet.h declares, one per line.
public_functions()
{
    tr '\n' ' ' <include/freshet.h | grep -oE 'FRESHET_(API|FALLIBLE) [^;(]*\(' |
        grep -v '__attribute__' | grep -oE 'freshet_[a-z_]+\(' | tr -d '(' |
        sort
}
