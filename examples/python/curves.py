#!/usr/bin/env python3
"""Draw how three filters err as a stream goes on, as the papers draw it.

    python3 curves.py [curves.svg]      (needs python3-matplotlib)
"""
import random
import sys

import freshet
import matplotlib

matplotlib.use("agg")
from matplotlib import pyplot  # noqa: E402

FILE = sys.argv[1] if len(sys.argv) > 1 else "curves.svg"
RECORDS, DISTINCT, STEP = 2_000_000, 1_200_000, 50_000
draw = random.Random(1)
stream = [str(draw.randrange(DISTINCT)) for _ in range(RECORDS)]
figure, panels = pyplot.subplots(1, 2, figsize=(10, 4))
for name in "sbf", "rlbsbf", "pocket":
    seen, known, rates = freshet.Filter("512K", 0.01, algorithm=name, seed=1), set(), []
    for at in range(0, RECORDS, STEP):
        wrong, of = [0, 0], [0, 0]  # of new keys, of repeats
        keys = stream[at : at + STEP]
        for key, is_new in zip(keys, seen.add_many(keys)):
            repeat = key in known
            known.add(key)
            of[repeat] += 1
            wrong[repeat] += repeat == is_new
        rates.append([100 * w / max(1, n) for w, n in zip(wrong, of)])
    for panel, values in zip(panels, zip(*rates)):
        panel.plot(range(STEP, RECORDS + 1, STEP), values, label=name)
for panel, title in zip(panels, ("false drops, % of new keys", "false passes, % of repeats")):
    panel.set(xlabel="records", ylabel=title)
panels[0].legend(title="512 KiB, 1.2 million keys")
figure.savefig(FILE)
