"""sweep.py FRESHET INJECT.SO - every n-th allocation of a run fails

The program runs in several modes, once for each allocation that it makes: the
n-th one gets no memory.  The output must be right, or the status is 2, there is
a message, and what faults.py asks of every row holds.
"""
import os
import sys
import tempfile

import faults

faults.RECORDS = 2000
faults.ALL = faults.records(faults.RECORDS)
faults.BEFORE = faults.ALL[:faults.RECORDS // 6]
faults.MODES.update({
    "fields": ["-k", "1-2"],
    "csv": ["--csv", "1"],
    "regex": ["--regex", "(.*)"],
    "json": ["--json", ".", "--malformed", "pass", "--stats-output", "stats"],
    "audit": ["--audit", "--stats-output", "stats"],
    "window": ["--last", "1000000", "-m", "64M"],
})
TRIED = ["file", "output", "dup", "new", "state", "metrics", "parallel",
         "fields", "csv", "regex", "audit", "window"]


def sweep(program, inject, mode):
    """How many allocations there are, and what went wrong."""
    n, wrong = 0, []
    while n < 5000:
        n += 1
        with tempfile.TemporaryDirectory() as work:
            os.chdir(work)
            run = faults.Run(program, inject, mode, None)
            fault = f"alloc:{n}:ENOMEM"
            status, output, said = run.start(fault)
            happened = os.path.exists("log")
            why = happened and faults.wrong_of(run, status, output, said,
                                               fault)
            os.chdir("/")
        if not happened:
            break
        if why:
            wrong.append(f"{mode}, allocation {n}: {why}")
    return n - 1, wrong


def main(program, inject, *modes):
    all_wrong, total = [], 0
    for mode in modes or TRIED:
        n, wrong = sweep(program, inject, mode)
        total += n
        all_wrong += wrong if n else [f"{mode}: no allocation failed"]
        print(f"{mode}: {n} allocations, {len(wrong)} wrong", flush=True)
    print("\n".join(all_wrong))
    print(f"{total} allocations in {len(modes or TRIED)} modes, "
          f"{len(all_wrong)} wrong")
    return len(all_wrong) > 0


if __name__ == "__main__":
    sys.exit(main(*map(os.path.abspath, sys.argv[1:3]), *sys.argv[3:]))
