#!/usr/bin/env bash
# layers.sh - who may include whom
#
# layers.txt says which rooms a room may see.  Beside that, modules (a .c and
# its .h) form no cycle, and no basename stands twice, since a header is
# included by its basename.  What the library may use of the system, and how it
# is layered inside, stands below.
set -u
. "$(dirname "$0")/sources.sh"

failed=0
complain()
{
    echo "$1" >&2
    failed=1
}

# The headers that a file includes, <system> and "own" alike, with a space
# before and after each.
declare -A includes
while IFS=: read -r file header; do
    includes[$file]="${includes[$file]:- }$header "
done < <(sources '*.[ch]' '*.cc' '*.cpp' 'include/*.h' | tr '\n' '\0' |
    xargs -0 grep -HE '^ *# *include *[<"][^>"]*[>"]' |
    sed -E 's/: *# *include *[<"]([^>"]*)[>"].*/:\1/')

# Returns whether a file includes a header.
has_include()
{
    [[ ${includes[$1]:-} == *" $2 "* ]]
}

mapfile -t rooms < <(sed -nE 's/^([a-z]+):.*/\1/p' tests/layers.txt)
mapfile -t files < <(sources "${rooms[@]/%//*.[ch]}" 'lib/*.[ch]' 'include/*.h')

# ---- Rooms and cycles -------------------------------------------------

# Lines "FILE HEADER", both with their paths, of includes among these files.
edges()
{
    grep -HoE '^ *# *include *"[^"]*"' "${files[@]}" |
        sed -E 's/: *# *include *"([^"]*)"/ \1/' |
        awk -v files="${files[*]}" '
        BEGIN {
            n = split(files, list, " ")
            for (i = 1; i <= n; i++) {
                name = list[i]
                sub(/.*\//, "", name)
                path[name] = list[i]
            }
        }
        { sub(/.*\//, "", $2); if ($2 in path) print $1, path[$2] }'
}
edges=$(edges)

while read -r basename; do
    complain "$basename: two files have this name"
done < <(printf '%s\n' "${files[@]##*/}" | sort | uniq -d)

while read -r message; do
    complain "$message"
done < <(awk '
    function room(path) {
        sub(/\/.*/, "", path)
        return path == "include" ? "lib" : path
    }
    /^#/ || NF == 0 || $1 == "loop" { next }
    FILENAME ~ /layers.txt/ {
        sub(/:$/, "", $1)
        may[$1 " " $1] = 1
        for (i = 2; i <= NF; i++)
            may[$1 " " $i] = 1
        next
    }
    {
        from = room($1)
        to = room($2)
        if (from != to && to == "lib" && $2 !~ /^include\//)
            print $1 ": may not include " $2 ", which is not public"
        else if (from != to && !((from " " to) in may))
            print $1 ": may not include " $2 " (tests/layers.txt)"
    }' tests/layers.txt - <<<"$edges")

# tsort names each file of a loop on stderr.
loops=$(sed -E 's/\.[ch]( |$)/\1/g' <<<"$edges" | awk '
    $1 == "loop" { for (i = 2; i <= NF; i++) group[$i] = NR; next }
    /^#|:/ || FILENAME != "-" { next }
    $1 != $2 && !(group[$1] && group[$1] == group[$2])' tests/layers.txt - |
    sort -u | tsort 2>&1 >/dev/null)
[ -z "$loops" ] || complain "modules include each other: $loops"

# ---- The library ------------------------------------------------------

# For each file of the patterns $2..., none of the headers in $1.
forbid()
{
    local headers=$1 file header

    shift
    while read -r file; do
        for header in $headers; do
            if has_include "$file" "$header"; then
                complain "$file: may not include $header"
            fi
        done
    done < <(sources "$@")
}

# Algorithms know nothing of options, blocks, hashes and plans.
forbid 'options.h block.h hash.h planner.h' 'lib/algo/*.[ch]' 'lib/parts/*.[ch]' \
    'lib/theory/*.[ch]' 'lib/pocket/*.[ch]' 'lib/set/*.[ch]'

# The library reads no clock, starts no thread, does no input or output.
forbid 'time.h sys/time.h pthread.h threads.h signal.h fcntl.h
    unistd.h syslog.h' 'lib/*.[ch]'

# Messages are formatted where users' words are read, and nowhere else.
while read -r file; do
    case $file in
    lib/status.c | lib/options.c | lib/planner.c | lib/freshet.c) ;;
    *)
        if has_include "$file" stdio.h; then
            complain "$file: may not include stdio.h"
        fi
        ;;
    esac
done < <(sources 'lib/*.[ch]')

# The hash is part of the format: one file decides what it is.
while read -r file; do
    if [ "$file" != lib/hash.c ] && has_include "$file" xxhash.h; then
        complain "$file: may not include xxhash.h"
    fi
done < <(sources '*.[ch]')

# Outside lib/, only tests of internals see lib/*.h.
while read -r file; do
    case $file in
    lib/* | include/* | tests/lib/internal_*.c) continue ;;
    esac
    for header in ${includes[$file]:-}; do
        if [ -e "lib/$header" ] && [ ! -e "${file%/*}/$header" ]; then
            complain "$file: may not include lib/$header"
        fi
    done
done < <(sources '*.[ch]' '*.cc' '*.cpp')

exit $failed
