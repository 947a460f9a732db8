#!/usr/bin/env bash
# valgrind_python.sh OUT FRESHET - no test of the Python package reads or writes
# what it should not
set -eu

here=$(cd "$(dirname "$0")" && pwd)
if ! command -v valgrind >/dev/null; then
    echo 'no valgrind: skipped'
    exit 77
fi
# Valgrind 3.19 does not know an instruction of optimised AVX2 code (vmovq
# between registers), so that the extension module is built for it without
# optimisation.
cmake -S "$here/.." -B "$1" -DCMAKE_BUILD_TYPE=Debug -DFRESHET_TESTS=OFF \
    -DFRESHET_PYTHON="$(/usr/bin/python3 -c \
        'import sysconfig; print(sysconfig.get_path("include"))')" >/dev/null
cmake --build "$1" --target freshet-python --parallel >/dev/null
# Python's own allocator hides errors.  Processes, the interpreter's end and
# filters by parts are left to the sanitizers: valgrind runs one thread at a
# time, and threads hardly ever wait for each other.
PYTHONPATH=$1/python FRESHET=$2 PYTHONMALLOC=malloc PYTHONDONTWRITEBYTECODE=1 \
    valgrind --quiet --error-exitcode=3 --leak-check=no \
    /usr/bin/python3 "$here/../python/tests/test_filter.py" \
    Keys Many Windows Files Figures Threads.test_each_key_is_new_once BadInput.test_keys \
    BadInput.test_options BadInput.test_a_closed_filter \
    BadInput.test_closing_during_add_many_is_told
