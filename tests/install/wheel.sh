#!/usr/bin/env bash
# wheel.sh OUT FRESHET - the Python package builds without a network, installs in
# a clean virtual environment, and passes its tests there
set -eu

here=$(cd "$(dirname "$0")" && pwd)
python=/usr/bin/python3
# setuptools refuses to be imported after pip.
if ! "$python" -c 'import setuptools, pip, venv, wheel' 2>/dev/null; then
    echo "no pip, setuptools, venv or wheel for $python: skipped"
    exit 77
fi
rm -rf "$1"
"$python" -m pip --quiet wheel --no-build-isolation --no-deps --no-index \
    --wheel-dir "$1" "$here/../../python"
"$python" -m venv "$1/environment"
"$1/environment/bin/pip" --quiet install --no-index "$1"/*.whl
cd "$1"
FRESHET=$2 environment/bin/python "$here/../../python/tests/test_filter.py"
