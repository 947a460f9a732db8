"""differential.py FRESHET [SEED [TRIALS]] - freshet against an exact oracle

Each trial is a random stream with random options.  What the program prints is
compared with what oracle.py says, with 1, 2 and 4 threads.  A stream that
fails is written to the current directory with the command that shows it.
"""
import os
import random
import shlex
import subprocess
import sys

from oracle import MALFORMED, MISSING, first_times, wrong_in_window
from streams import KINDS

SIZES = [0, 1, 3, 30, 300, 300, 300]
LARGE, EVERY = 12000, 10  # one trial of ten takes several windows of a reader


# ---- What must be printed ------------------------------------------------

def verdicts(case):
    """For each record: new, repeat, passed or dropped."""
    compared = [k for k in case.keys if k not in (MISSING, MALFORMED)]
    new = iter(first_times(compared))
    for key in case.keys:
        if key == MISSING:
            yield "dropped" if case.drops_missing else "passed"
        elif key == MALFORMED:
            yield case.malformed
        else:
            yield "new" if next(new) else "repeat"


def until_failure(case, said):
    """With --malformed fail nothing comes after such a record."""
    return said[:said.index("failed")] if "failed" in said else said


def first_repeats(case, said):
    """Those repeats that are the first of their key."""
    seen = set()
    for key, verdict in zip(case.keys, said):
        yield verdict == "repeat" and key not in seen
        if verdict == "repeat":
            seen.add(key)


def printed(case, records):
    head = [] if case.header is None else [case.header]
    return b"".join(r + case.delimiter for r in head + records)


def expected(case, mode):
    """Output and status."""
    said = list(verdicts(case))
    status = 2 if "failed" in said else 0
    said = until_failure(case, said)
    pairs = list(zip(case.records, said))
    if mode == "-D":
        return printed(case, [r for r, v in pairs if v == "repeat"]), status
    if mode == "-d":
        return printed(case, [r for (r, _), first in
                              zip(pairs, first_repeats(case, said))
                              if first]), status
    if mode == "-q":
        return b"", status or int("repeat" in said)
    return printed(case, [r for r, v in pairs
                          if v in ("new", "passed")]), status


def wrong_window(case, output):
    """What is wrong with the output of a window, or None."""
    window, clocks, refresh = case.window
    shown = output.split(b"\n")[:-1]
    passed = set(shown)
    if shown != [r for r in case.records if r in passed]:
        return "the output is not made of the records in their order"
    new = [r in passed for r in case.records]
    at = wrong_in_window(case.keys, clocks, new, window, refresh)
    return None if at is None else (f"record {at + 1} is "
                                    f"{'let through' if new[at] else 'held back'}")


# ---- Trials --------------------------------------------------------------

def choose_mode(rng, case):
    """Options about the output, and about malformed records."""
    case.malformed = "passed"
    if MALFORMED in case.keys:
        choice, case.malformed = rng.choice([
            ("pass", "passed"), ("drop", "dropped"), ("fail", "failed")])
        case.options += ["--malformed", choice]
    if case.window:
        return None
    mode = rng.choice([None, None, "-D", "-d", "-q"])
    return mode


def split(rng, case):
    """The input in one piece, or in two with a state kept in between."""
    if case.header is not None or case.malformed == "failed" \
            or rng.random() < 0.6:
        return [case.data]
    at = rng.randint(0, len(case.records))
    begin = b"".join(r + case.delimiter for r in case.records[:at])
    return [begin[:len(case.data)], case.data[len(begin):]]


def run_one(program, options, data, from_file):
    """Through a pipe or from a file."""
    command = [program, "--seed", "1", "-m", "1M"] + options
    if not from_file:
        return subprocess.run(command, input=data, capture_output=True)
    with open("input", "wb") as file:
        file.write(data)
    return subprocess.run(command + ["input"], capture_output=True,
                          stdin=subprocess.DEVNULL)


def run(program, options, pieces, from_file):
    """What was printed, the last status, the state, and the messages."""
    if os.path.exists("state"):
        os.remove("state")
    if len(pieces) > 1:
        options = options + ["--state", "state"]
    done = [run_one(program, options, p, from_file) for p in pieces]
    state = None
    if len(pieces) > 1:
        with open("state", "rb") as file:
            state = file.read()
    return (b"".join(d.stdout for d in done),
            max(d.returncode for d in done), state,
            b"".join(d.stderr for d in done))


def judge(program, rng, case):
    """What is wrong, the options and messages, or None."""
    mode = choose_mode(rng, case)
    options = case.options + ([mode] if mode else [])
    pieces = split(rng, case)
    from_file, first = rng.random() < 0.5, None
    for threads in ("1", "2", "4"):
        all_options = options + ["--parallel", threads]
        *outcome, said = run(program, all_options, pieces, from_file)
        first = first or outcome
        if outcome != first:
            why = "output, status or state depend on the number of threads"
        elif case.window:
            why = wrong_window(case, outcome[0]) or outcome[1]
        else:
            why = tuple(outcome[:2]) != expected(case, mode)
        if why:
            return why, all_options, said.decode(errors="replace"), pieces
    return None


def keep(pieces, name, options, why, said):
    """A trial that failed is written down."""
    for i, piece in enumerate(pieces):
        with open(f"{name}.{i}", "wb") as file:
            file.write(piece)
    state = ["--state", "state"] if len(pieces) > 1 else []
    print(f"FAILED: {why}: freshet --seed 1 -m 1M "
          f"{shlex.join(options + state)} <{os.path.abspath(name)}.0"
          f"{' # then .1' if state else ''}\n{said}")


def main(program, seed="1", trials="8"):
    failed = done = 0
    for kind, make in KINDS.items():
        for trial in range(int(trials)):
            rng = random.Random(f"{kind} {seed} {trial}")
            size = LARGE if trial % EVERY == EVERY - 1 else rng.choice(SIZES)
            case = make(rng, size)
            wrong = judge(program, rng, case)
            done += 1
            if wrong:
                failed += 1
                why, options, said, pieces = wrong
                keep(pieces, f"{kind}-{seed}-{trial}", options, why, said)
    print(f"{done} trials of {len(KINDS)} kinds, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
