#!/usr/bin/env python3
"""Draw how three filters err as a stream goes on, as the papers draw it.

    python3 curves.py curves.svg        (needs python3-matplotlib)
"""
import random
import sys

import freshet
import matplotlib

matplotlib.use("svg")
from matplotlib import pyplot  # noqa: E402

RECORDS, DISTINCT, STEP = 2_000_000, 1_200_000, 50_000
draw = random.Random(1)
stream = [str(draw.randrange(DISTINCT)) for _ in range(RECORDS)]
for name in "sbf", "rlbsbf", "pocket":
    seen, known, passes = freshet.Filter("512K", algorithm=name, seed=1), set(), []
    for at in range(0, RECORDS, STEP):
        keys = stream[at : at + STEP]
        repeats = [key in known or known.add(key) for key in keys]
        fresh = seen.add_many(keys)
        wrong = sum(is_new for is_new, repeat in zip(fresh, repeats) if repeat)
        passes.append(100 * wrong / max(1, sum(map(bool, repeats))))
    pyplot.plot(range(STEP, RECORDS + 1, STEP), passes, label=name)
pyplot.xlabel("records")
pyplot.ylabel("false passes, % of repeats")
pyplot.legend(title="512 KiB, 1.2 million keys")
pyplot.savefig(sys.argv[1])
