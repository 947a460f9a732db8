#!/usr/bin/env bash
# run.sh DIRECTORY - "make run" with nothing but what the build packages ship
#
# A copy of the sources is made in DIRECTORY, and "make run" runs there while
# the search for programs and pkg-config see only files of the packages that
# allowed.awk lists.  Then every header that the compiler read, every program
# that CMake found and every library that was linked must be of these packages,
# for the compiler and CMake also look where nobody told them to.
set -eu -o pipefail

mkdir -p "$1"
out=$(realpath "$1")
tree=$out/the\ sources # a path with a space must do
here=$(realpath "$(dirname "$0")")
. "$here/../sources.sh"

# The sources as they are, with their times, and what was built from them.
copy_sources()
{
    mkdir -p "$tree"
    find "$tree" -mindepth 1 -maxdepth 1 ! -name build -exec rm -rf {} +
    sources '*' | tar -c -T - | tar -x -C "$tree"
    rm -f "$tree/build/release/CMakeCache.txt" # and what pkg-config found
}

allowed_files()
{
    # shellcheck disable=SC2016 # fields of dpkg-query
    local form='${Package}\t${Essential}\t${Priority}\t${Provides}\t'

    # shellcheck disable=SC2016
    dpkg-query -W -f "$form"'${Depends}, ${Pre-Depends}\n' |
        awk -f "$here/allowed.awk" "$tree/packaging/packages.txt" - |
        xargs dpkg -L | sed -E 's,^/(bin|sbin|lib|lib64)/,/usr/&,; s,//,/,' |
        sort -u
}

# Prints the directory of the programs.  CMake's makefiles cannot call a make
# whose path has a space: then it is one outside, the same at each run.
choose_bin()
{
    local bin=$out/bin

    if [[ $out == *\ * ]]; then
        bin=$(cat "$out/outside" 2>/dev/null || :)
        if [ ! -O "$bin" ]; then
            bin=$(mktemp -d -t freshet-bare.XXXXXX)/bin
            echo "$bin" >"$out/outside"
        fi
    fi
    echo "$bin"
}

# A directory with links to the programs that are allowed, and one with links
# to what they say to pkg-config.
make_directories()
{
    rm -rf "$bin" "$out/pkgconfig"
    mkdir "$bin" "$out/pkgconfig"
    grep -E '^/usr/s?bin/[^/]+$' "$out/files" |
        xargs ln -s -f -t "$bin"
    grep -E '\.pc$' "$out/files" | xargs -r ln -s -f -t "$out/pkgconfig"
    find /usr/bin -lname '/etc/alternatives/*' | while read -r link; do
        if grep -qxF "$(realpath "$link")" "$out/files"; then
            ln -s -f "$link" "$bin"
        fi
    done
    # A cache of the compiler's results changes nothing in them.
    if [ -n "${CMAKE_C_COMPILER_LAUNCHER:-}" ]; then
        ln -s -f "$(command -v "$CMAKE_C_COMPILER_LAUNCHER")" "$bin"
    fi
}

make_run()
{
    local kept name

    kept=()
    for name in ${!CCACHE_*} CMAKE_C_COMPILER_LAUNCHER JOBS; do
        kept+=("$name=${!name:-}")
    done
    (cd "$tree" && env -i HOME="$HOME" "${kept[@]}" PATH="$bin" \
        PKG_CONFIG_LIBDIR="$out/pkgconfig" make run) >"$out/log" 2>&1 || {
        cat "$out/log"
        exit 1
    }
}

# What users' part of the build has read of files with such a name: optimised.sh
# adds tests, which "make run" does not build.
recorded()
{
    find "$tree/build/release" -path "$tree/build/release/tests" -prune -o \
        -name "$1" -exec cat {} +
}

# Files outside the tree that the build has used.
used_files()
{
    recorded '*.o.d' | grep -oE '/usr/[^ ]+'
    recorded link.txt | grep -oE '/usr/[^ ]+\.(so|a)\b'
    sed -nE 's,^[A-Za-z_]+:FILEPATH=(/.*),\1,p' \
        "$tree/build/release/CMakeCache.txt" | grep -v -e "^$out/" -e "^$bin/"
}

# Each of them, with the package that has it, where that is not allowed.
strangers()
{
    used_files | sort -u | xargs -d '\n' realpath -e | sort -u |
        comm -23 - "$out/files" | while read -r file; do
        echo "$file of $(dpkg -S "$file" 2>&1 | cut -d : -f 1)"
    done
}

copy_sources
if ! command -v dpkg-query >/dev/null; then
    echo "this is not a Debian system"
    exit 77
fi
allowed_files >"$out/files"
bin=$(choose_bin)
make_directories
make_run
failed=0
if sed -n 's/^\([A-Z0-9]*\)_FOUND:INTERNAL=$/pkg-config finds no \1/p' \
    "$tree/build/release/CMakeCache.txt" | grep .; then
    echo "packaging/packages.txt tags no package \"build\" that has it"
    failed=1
fi
strangers >"$out/strangers"
if [ -s "$out/strangers" ]; then
    sed 's/$/ is used, and is not tagged "build" in packages.txt/' \
        "$out/strangers"
    failed=1
fi
before=$(sed '/^A million records/,$d' "$out/log" | wc -l)
if [ "$before" -gt 15 ] || ! grep -q '^audit_drop' "$out/log"; then
    echo "make run prints $before lines before its result, 15 are allowed:"
    cat "$out/log"
    failed=1
fi
exit $failed
