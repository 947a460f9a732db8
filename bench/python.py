#!/usr/bin/env python3
"""How fast the Python package is beside a set: make bench-python

Each row is the median of RUNS runs, in turns; keys are URLs of about 40 bytes.

Memory is touched before each run (touch.py); one more run of each shows what it
takes after the machine gave its free memory back to its host.
"""
import gc
import resource
import statistics
import sys
import time

import freshet
from touch import touch

RUNS = 3
KEYS = 10_000_000
MEMORY = "256M"
DISTINCT = 100_000_000
TOUCHED = 768 << 20  # bytes: more than any of the ways takes
GIVEN_BACK = 5  # seconds after which free memory is the host's again


def urls(start, n):
    return [f"https://example.org/page/{i * 7919 % 2**40:016d}" for i in range(start, start + n)]


def timed(work):
    gc.collect()
    gc.disable()
    started = time.perf_counter()
    work()
    took = time.perf_counter() - started
    gc.enable()
    return took / KEYS * 1e9


def by_set(keys):
    known = set()
    for key in keys:
        if key not in known:
            known.add(key)


def by_add_many(keys):
    freshet.Filter(memory=MEMORY).add_many(keys)


def by_add(keys):
    add = freshet.Filter(memory=MEMORY).add
    for key in keys:
        add(key)


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize() >> 20


def flat():
    """Memory while distinct keys come without end."""
    seen, sizes = freshet.Filter(memory=MEMORY), []
    for start in range(0, DISTINCT, 1_000_000):
        seen.add_many(f"https://example.org/page/{i:016d}" for i in range(start, start + 1_000_000))
        sizes.append(resident())
    print(f"{DISTINCT} distinct keys, memory='{MEMORY}': resident {sizes[9]} MiB after "
          f"10 million, {sizes[-1]} MiB at the end")
    return sizes[-1] <= sizes[9] * 1.02


def measure(ways, keys, times, prepare):
    """Nanoseconds a key of each run."""
    runs = {name: [] for name in ways}
    for _ in range(times):
        for name, work in ways.items():
            prepare()
            runs[name].append(timed(lambda: work(keys)))
    return runs


def compare(runs, name, goal):
    """Prints a row, with a goal or None.  Returns whether the goal is met."""
    took, by_sets = statistics.median(runs[name]), statistics.median(runs["set"])
    ratio = took / by_sets
    met = goal is None or ratio <= goal
    said = "" if goal is None else f" ({goal:g}): {'met' if met else 'MISSED'}"
    print(f"{name}: {took:.0f} ns a key ({min(runs[name]):.0f} to {max(runs[name]):.0f}), "
          f"{ratio:.3f} of set.add and in, {by_sets:.0f} ns "
          f"({min(runs['set']):.0f} to {max(runs['set']):.0f}){said}", flush=True)
    return met


def main():
    keys = urls(0, KEYS)
    before = resident()
    known = set(keys)
    print(f"set of {KEYS} keys: {resident() - before} MiB besides the keys themselves")
    del known
    ways = {"set": by_set, "add_many": by_add_many, "add": by_add}
    runs = measure(ways, keys, RUNS, lambda: touch(TOUCHED))
    good = compare(runs, "add_many", 1 / 4)
    good &= compare(runs, "add", 1.2)
    print(f"the same, with memory that has been free for {GIVEN_BACK} s:")
    del ways["add"]
    runs = measure(ways, keys, 1, lambda: time.sleep(GIVEN_BACK))
    compare(runs, "add_many", None)
    del keys
    good &= flat()
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
