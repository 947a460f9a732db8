#!/usr/bin/env bash
# sanitized.sh tsan|msan|ubsan|helgrind [REGEX] - the tests that are not slow, or
# those that match, as built by clang with a sanitizer; or the portable kernels,
# from several threads, under helgrind
set -eu -o pipefail
cd "$(dirname "$0")/.."

need()
{
    if ! command -v "$1" >/dev/null; then
        echo "no $1: skipped"
        exit 77
    fi
}

jobs=${JOBS:-$(nproc)}
if [ "$1" = helgrind ]; then
    need valgrind
    cmake --preset tested >/dev/null
    cmake --build --preset tested --target test_parts_portable \
        --parallel "$jobs" >/dev/null
    valgrind --tool=helgrind --quiet --error-exitcode=3 \
        build/tested/tests/lib/test_parts_portable only
    exit
fi
need clang
cmake --preset "$1" -DCMAKE_C_COMPILER=clang -B "build/clang-$1" >/dev/null
cmake --build "build/clang-$1" --parallel "$jobs" >/dev/null
# Libraries that know nothing of the memory sanitizer may compare what they have
# written.  libmicrohttpd, librdkafka, jansson and codecs that pack go on by it or
# hand it on, and the module's large blocks are zeroed by madvise(), which the
# sanitizer does not see: what uses them is left out.  test_codec_memory replaces
# dlsym(), which the sanitizers of threads and memory need.
export MSAN_OPTIONS=intercept_memcmp=0
case $1 in
msan)
    without='test_codec_memory|test_metrics_server|listen$|kafka'
    without+='|module_defrag|fuzz_decompress|fuzz_json'
    ;;
tsan) without='test_codec_memory|kafka' ;; # which has C11 threads: not known
*) without='^$' ;;
esac
# What looks at sources and packages is the same in every build.
ctest --test-dir "build/clang-$1" --label-exclude 'slow|lint|install|clang' \
    --parallel "$jobs" --output-on-failure -R "${2:-.}" -E "$without" | tail -n 40
