#!/usr/bin/env bash
# trouble.sh - whatever stops make, its last words say what to do
#
# The scripts of make, in a small tree of their own: with a system that is
# imitated where the real one must not be changed, and with a project of two
# lines where a real build would take long.
# shellcheck disable=SC2016 # what is imitated has words of its own
set -u -o pipefail

source=$(realpath "$(dirname "$0")/../..")
work=$(mktemp -d) || exit 1
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
chmod 755 "$work"
tree=$work/tree
failed=0
unset V JOBS

# A user who may not write everywhere, as root may.
anyone=()
if [ "$(id -u)" -eq 0 ]; then
    anyone=(setpriv --reuid=65534 --regid=65534 --clear-groups)
fi

# says WORDS STATUS COMMAND...: it ends so, and prints the words
says()
{
    local words=$1 status=$2 got

    shift 2
    "$@" >"$work/out" 2>&1 </dev/null
    got=$?
    if [ "$got" -ne "$status" ] ||
        { [ -n "$words" ] && ! grep -qF -- "$words" "$work/out"; }; then
        echo "FAILED: $*: status $got, not $status; or not \"$words\":"
        cat "$work/out"
        failed=1
    fi
}

# imitate NAME LINE...: a program of the imitated system
imitate()
{
    local name=$1

    shift
    rm -f "$work/bin/$name" # which may be a link
    printf '%s\n' '#!/bin/sh' "$@" >"$work/bin/$name"
    chmod 755 "$work/bin/$name"
}

# A tree with the scripts, and no build.
new_tree()
{
    rm -rf "$tree"
    mkdir -p "$tree/packaging" "$tree/cmake"
    cp "$source"/packaging/*.sh "$source"/packaging/packages.txt \
        "$tree/packaging"
    cp "$source"/cmake/*.sh "$source"/cmake/ctest.awk "$tree/cmake"
}

# Programs that scripts may use, and no others.
mkdir "$work/bin"
for tool in awk bash cat chmod dirname env grep mkdir paste rm sed sh tail tee \
    tr; do
    ln -s "$(command -v "$tool")" "$work/bin/$tool"
done
bare=(env PATH="$work/bin")
install=$tree/packaging/install.sh

# ---- Packages ----
new_tree
imitate dpkg-query 'for last; do :; done' 'case $last in' \
    'libzstd-dev | cmake) exit 1 ;; esac' 'printf installed'
imitate id 'echo 1000'
says 'As root: apt-get install cmake libzstd-dev' 1 "${bare[@]}" "$install" build
if grep -q 'gcc\|cmocka' "$work/out"; then
    echo "FAILED: what is not missing, or not needed, is named"
    failed=1
fi
says '' 0 "${bare[@]}" "$install" figures
[ ! -s "$work/out" ] || { echo "FAILED: words for nothing"; failed=1; }

# What another package brings is not missing.
imitate dpkg-query 'case $* in *Provides*) echo "installed nodejs-dev, npm" ;;' \
    '*npm) exit 1 ;; *) printf installed ;; esac'
says '' 0 "${bare[@]}" "$install" npm
[ ! -s "$work/out" ] || { echo "FAILED: npm is there"; failed=1; }
imitate dpkg-query 'case $* in *Provides*) echo "installed npm-other" ;;' \
    '*npm) exit 1 ;; *) printf installed ;; esac'
says 'As root: apt-get install npm' 1 "${bare[@]}" "$install" npm
imitate dpkg-query 'for last; do :; done' 'case $last in' \
    'libzstd-dev | cmake) exit 1 ;; esac' 'printf installed'

# sudo, which leaves the system as it is
imitate sudo 'case $1 in tee | chmod | rm) exit 0 ;; esac' 'exec "$@"'
imitate apt-get 'echo "Could not resolve the name of the mirror"' 'exit 100'
says 'Is there a network' 1 "${bare[@]}" "$install" build
says 'Could not resolve the name' 1 "${bare[@]}" "$install" build
imitate apt-get 'case "$*" in' '*update*) exit 0 ;;' \
    '*simulate*libzstd-dev*) exit 100 ;;' '*simulate*) exit 0 ;;' \
    'esac' 'echo "no candidate"' 'exit 100'
says 'apt-get cannot install libzstd-dev. ' 1 "${bare[@]}" "$install" build
imitate apt-get 'exit 0'
says 'Packages are missing: cmake libzstd-dev' 0 "${bare[@]}" "$install" build
says 'cmake' 1 "${bare[@]}" "$tree/cmake/configure.sh" release
says 'run make again' 1 "${bare[@]}" "$tree/cmake/configure.sh" release
rm -rf "$tree/build"
chmod -R a-w "$tree"
says 'Copy the sources' 1 "${anyone[@]}" "${bare[@]}" "$install" build
if grep -q 'apt-get cannot' "$work/out"; then
    echo "FAILED: apt-get is blamed for a tree that cannot be written to"
    failed=1
fi
chmod -R u+w "$tree"
rm "$work/bin/dpkg-query"
says "Needed, by Debian's names: gcc" 0 "${bare[@]}" "$install" build

# ---- Stages ----
new_tree
stage=$tree/cmake/stage.sh
says 'the log of a stage' 1 "$stage" one sh -c 'echo the log of a stage; exit 1'
says 'build/log/one.log' 1 "$stage" one sh -c 'echo the log of a stage; exit 1'
says 'skipped: no such thing here' 0 "$stage" two \
    sh -c 'echo no such thing here; exit 77'
says 'all of it' 0 env V=1 "$stage" three echo all of it
"$stage" four echo silence | grep -q silence && {
    echo "FAILED: a stage that succeeds is not silent"
    failed=1
}

# A tree without permission to write.
rm -rf "$tree/build"
chmod -R a-w "$tree"
says 'Copy the sources to a directory of yours' 73 "${anyone[@]}" "$stage" five true
chmod -R u+w "$tree"

# ---- A build that something older left behind ----
project()
{
    new_tree
    printf '%s\n' '{ "version": 6, "configurePresets": [ { "name": "one",' \
        '"binaryDir": "${sourceDir}/build/one" } ], "buildPresets": [' \
        '{ "name": "one", "configurePreset": "one" } ] }' \
        >"$tree/CMakePresets.json"
    printf '%s\n' 'cmake_minimum_required(VERSION 3.25)' 'project(p NONE)' \
        'enable_testing()' "$@" >"$tree/CMakeLists.txt"
}
project 'add_custom_target(all_of_it ALL COMMAND true)'
mkdir -p "$tree/build/one"
printf '%s\n' 'CMAKE_HOME_DIRECTORY:INTERNAL=/elsewhere' \
    'CMAKE_CACHEFILE_DIR:INTERNAL=/elsewhere/build' \
    'CMAKE_GENERATOR:INTERNAL=Ninja' >"$tree/build/one/CMakeCache.txt"
says 'one: build' 0 "$tree/cmake/build.sh" one
project 'add_custom_target(all_of_it ALL COMMAND false)'
says 'remove it, and run make again' 1 "$tree/cmake/build.sh" one

# ---- Tests: what is skipped says why, what fails says what ----
project 'add_test(NAME good COMMAND echo nobody needs this)' \
    'add_test(NAME absent COMMAND sh -c "echo there is no moon; exit 77")' \
    'set_tests_properties(absent PROPERTIES SKIP_RETURN_CODE 77)'
"$tree/cmake/build.sh" one >/dev/null
says 'absent is skipped: there is no moon' 0 \
    "$tree/cmake/ctest.sh" --test-dir build/one
says '100% tests passed' 0 "$tree/cmake/ctest.sh" --test-dir build/one
if grep -q 'nobody needs this' "$work/out"; then
    echo "FAILED: what a good test prints is shown"
    failed=1
fi
says 'nobody needs this' 0 env V=1 "$tree/cmake/ctest.sh" --test-dir build/one
echo 'add_test(NAME bad COMMAND sh -c "echo the reason; exit 1")' \
    >>"$tree/CMakeLists.txt"
"$tree/cmake/build.sh" one >/dev/null
says 'the reason' 8 "$tree/cmake/ctest.sh" --test-dir build/one

# ---- Installation where one may not write ----
project 'install(FILES CMakeLists.txt DESTINATION /usr/share/freshet-trouble)'
"$tree/cmake/build.sh" one >/dev/null
chmod -R a+rX "$tree"
says 'As root: make install' 1 "${anyone[@]}" "$tree/packaging/local.sh" \
    "$tree/build/one"
exit $failed
