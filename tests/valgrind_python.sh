#!/usr/bin/env bash
# valgrind_python.sh - no test of the Python package reads or writes what it
# should not
set -eu

if ! command -v valgrind >/dev/null; then
    echo 'no valgrind: skipped'
    exit 77
fi
# Python's own allocator hides errors; tests that start processes are left to
# the sanitizers.
PYTHONMALLOC=malloc valgrind --quiet --error-exitcode=3 --leak-check=no \
    /usr/bin/python3 "$(dirname "$0")/../python/tests/test_filter.py" \
    Keys Many Windows Files BadInput.test_keys BadInput.test_options
