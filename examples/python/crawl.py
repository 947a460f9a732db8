#!/usr/bin/env python3
"""Compare what a set, a Bloom filter and freshet's default remember of a crawl.

    python3 crawl.py [LINKS]

A crawler meets links in bursts: new pages, and pages of the site that it is on.
"""
import random
import sys
import time
import tracemalloc

import freshet

LINKS = int(sys.argv[1]) if len(sys.argv) > 1 else 300_000


def links():
    draw = random.Random(1)
    site = 0
    for i in range(LINKS):
        site += draw.random() < 0.01
        yield f"https://site{site}.example/page/{draw.randrange(200)}"


class Set(set):
    def add(self, key):
        if key in self:
            return False
        set.add(self, key)
        return True


truth = sum(map(Set().add, links()))
print(f"{LINKS} links to {truth} pages")
for name, make in {
    "set": Set,
    "bloom, 256K": lambda: freshet.Filter("256K", algorithm="bloom", expect=truth),
    "pocket, 256K": lambda: freshet.Filter("256K"),
}.items():
    tracemalloc.start()
    started, seen = time.perf_counter(), make()
    fetched = sum(map(seen.add, links()))
    took = time.perf_counter() - started
    grown = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    size = seen.info()["memory"] if isinstance(seen, freshet.Filter) else grown
    print(f"{name:14} {size / 1024:8.0f} KiB  {fetched} fetched  {took:.2f} s")
