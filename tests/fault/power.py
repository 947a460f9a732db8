"""power.py FRESHET RECORD.SO - what is left after a power loss

The program runs with record.c, which notes what is done to files.  The run is
then cut after each of these steps, and for every cut images are made of what a
disk may hold.  POSIX promises no more than this: what was synced is there.  A
write, or a change of a file's size, that was not synced may be there, missing,
or there in part, and later ones may be there without earlier ones; a name that
was made, renamed or removed in a directory that was not synced since may be as
before or as after.

In each image the state file must be one that was saved, whole, and none older
than the last one of which the program knew that it was on disk; and each
record that this state remembers must be in the output.  Of the images some are
written to a disk for the program to go on with: it must print what is missing
and leave no temporary file.  ROWS is a regular expression for some of the
modes.
"""
import os
import random
import re
import struct
import subprocess
import sys
import tempfile
import time

from preload import preload

RECORDS = 6000
RECOVERIES = 25  # of each mode
SECTOR = 512
ENTRY = struct.Struct("=4IQQ")
ENV = {**os.environ, "ASAN_OPTIONS": "verify_asan_link_order=0:detect_leaks=0"}

STATE = ["--state", "state", "-m", "128K"]
MODES = {
    "new": STATE + ["-o", "out"],
    "old": STATE,
    "apart": STATE + ["-o", "apart/out"],
    "checkpoint": STATE + ["--checkpoint", "1ms", "-o", "out", "--dup-output",
                           "dups", "--metrics", "metrics"],
    "stdout": STATE + ["--checkpoint", "1ms", "--stats-output", "stats"],
    "repeated": STATE + ["-d", "-o", "out"],
}


def records(n):
    """Each number twice: half of the records are repeats."""
    return [b"record %d %s\n" % (i * 7919 % (n // 2), b"x" * 40)
            for i in range(n)]


ALL = records(RECORDS)
BEFORE = ALL[:RECORDS // 6]


# ---- What a disk holds ---------------------------------------------------

class File:
    """The bytes that are on disk, and what was done since."""

    def __init__(self, synced=b""):
        self.synced, self.pending = synced, []

    def do(self, step):
        self.pending.append(step)

    def sync(self):
        self.synced, self.pending = self.image(self.pending), []

    def image(self, steps):
        """With these of the pending steps; a step is a size, or an offset and
        bytes."""
        if not steps:
            return self.synced
        data = bytearray(self.synced)
        for step in steps:
            if isinstance(step, int):
                if step < len(data):
                    del data[step:]
                else:
                    data.extend(bytes(step - len(data)))
            else:
                at, new = step
                if at > len(data):
                    data.extend(bytes(at - len(data)))
                data[at:at + len(new)] = new
        return bytes(data)


def torn(step, at):
    """The beginning of a step, up to a byte."""
    return step if isinstance(step, int) else (step[0], step[1][:at])


def some_of(steps, chance):
    """Any of the steps, in any order, some of them torn."""
    chosen = [s for s in steps if chance.random() < 0.5]
    chance.shuffle(chosen)
    return [torn(s, chance.randrange(len(s[1]) + 1))
            if not isinstance(s, int) and chance.random() < 0.3 else s
            for s in chosen]


def choices(steps, chance):
    """Which of a file's pending steps may be on disk: all, none, all but one,
    only one, torn ones, and some by chance."""
    yield list(steps)
    if not steps:
        return
    yield []
    for i in {0, len(steps) // 2, len(steps) - 1}:
        yield steps[:i] + steps[i + 1:]
        yield [steps[i]]
    last = steps[-1]
    if not isinstance(last, int):
        for at in {1, SECTOR, len(last[1]) // 2, len(last[1]) - 1}:
            yield steps[:-1] + [torn(last, at)]
    for _ in range(4):
        yield some_of(steps, chance)


class Disk:
    def __init__(self, before):
        """Begins with files that are on disk: (name, inode, bytes)."""
        self.inode = {inode: File(data) for _, inode, data in before}
        self.names = {name: self.inode[inode] for name, inode, _ in before}
        self.now = dict(self.names)  # as the program sees them
        self.steps = []              # changes of names that are not synced
        self.versions = [data for name, _, data in before if name == "state"]
        self.sure = len(self.versions) - 1  # the last one surely on disk

    def name(self, step):
        """A change of names: a dictionary of name to file or None."""
        self.steps.append(step)
        for name, file in step.items():
            if file:
                self.now[name] = file
            else:
                self.now.pop(name, None)

    def sync_directory(self, directory):
        kept = []
        for step in self.steps:
            if all(os.path.dirname(n) == directory for n in step):
                apply(self.names, step)
            else:
                kept.append(step)
        self.steps = kept
        if self.names.get("state"):
            data = self.names["state"].synced
            if data in self.versions:
                self.sure = max(self.sure, self.versions.index(data))

    def play(self, entry):
        what, file, at, names, data = entry
        if what == "C":
            self.inode[file] = File()
            self.name({names[0]: self.inode[file]})
        elif what == "D":
            self.sync_directory(names[0])
        elif what == "U":
            self.name({names[0]: None})
        elif what == "R":
            if names[1] == "state":
                moved = self.now[names[0]]
                self.versions.append(moved.image(moved.pending))
            self.name({names[0]: None, names[1]: self.now[names[0]]})
        elif file in self.inode:
            self.play_file(self.inode[file], what, at, data)

    def play_file(self, file, what, at, data):
        if what == "S":
            file.sync()
        elif what == "T":
            file.do(at)
        elif what == "W":
            file.do((at, data))
        elif file.image(file.pending) != data:  # written by a stream
            file.do((0, data))

    def images(self, chance):
        """What may be there if the power fails now: name to bytes."""
        files = list({id(f): f for f in list(self.names.values()) +
                      list(self.now.values())}.values())
        for step in names_kept(self.steps, chance):
            there = dict(self.names)
            for one in step:
                apply(there, one)
            for kept in files_kept(files, chance):
                yield {name: file.image(kept.get(id(file), file.pending))
                       for name, file in there.items()}


def apply(names, step):
    for name, file in step.items():
        if file:
            names[name] = file
        else:
            names.pop(name, None)


def names_kept(steps, chance):
    """Which changes of names are on disk: each beginning, and any others."""
    if len(steps) <= 4:
        for bits in range(1 << len(steps)):
            yield [s for i, s in enumerate(steps) if bits >> i & 1]
        return
    for n in range(len(steps) + 1):
        yield steps[:n]
    for _ in range(8):
        yield [s for s in steps if chance.random() < 0.5]


def files_kept(files, chance):
    """Which steps of which file are on disk: every choice of one file while
    the others have all or none, then any."""
    pending = [f for f in files if f.pending]
    for file in pending:
        for chosen in choices(file.pending, chance):
            yield {id(file): chosen}
            yield {**{id(f): [] for f in pending}, id(file): chosen}
    for _ in range(3 if len(pending) > 1 else 0):
        yield {id(f): some_of(f.pending, chance) for f in pending}
    if not pending:
        yield {}


# ---- A run ---------------------------------------------------------------

def first_times(lines, known=()):
    seen, new = set(known), []
    for line in lines:
        if line not in seen:
            new.append(line)
            seen.add(line)
    return new


def read_log(path, work):
    """Entries with names relative to the directory of the run."""
    with open(path, "rb") as file:
        log = file.read()
    at, entries = 0, []
    while at < len(log):
        what, n, size, _, inode, offset = ENTRY.unpack_from(log, at)
        at += ENTRY.size
        names = [os.path.relpath(os.path.join(work, os.fsdecode(p)), work)
                 for p in log[at:at + n].split(b"\n")] if n else []
        names = ["" if p == "." else p for p in names]
        entries.append((chr(what), inode, offset, names,
                        log[at + n:at + n + size]))
        at += n + size
    return entries


def start(program, options, env, slowly):
    """All records go in, slowly if checkpoints are to be due."""
    with open("input", "rb") as whole, open("stdout", "ab") as stdout:
        done = subprocess.Popen([program] + options, env=env, stdout=stdout,
                                stdin=subprocess.PIPE if slowly else whole,
                                stderr=subprocess.PIPE)
        for i in range(0, RECORDS if slowly else 0, RECORDS // 6):
            done.stdin.write(b"".join(ALL[i:i + RECORDS // 6]))
            done.stdin.flush()
            time.sleep(0.03)
        said = done.communicate()[1]
    if done.returncode != 0:
        sys.exit(f"{options}: status {done.returncode}: {said}")


class Run:
    def __init__(self, program, record, mode):
        self.program, self.mode = program, mode
        self.options = MODES[mode]
        self.work = os.path.realpath(os.getcwd())
        self.out = next((o for o in self.options if o.endswith("out")),
                        "stdout")
        self.known = BEFORE if mode == "old" else []
        os.mkdir("apart")
        with open("input", "wb") as file:
            file.writelines(ALL)
        self.before = list(self.begin())
        with tempfile.TemporaryDirectory() as logs:
            env = {**ENV, **preload(record), "POWER_LOG": logs + "/log"}
            start(program, self.options, env, "--checkpoint" in self.options)
            self.log = read_log(logs + "/log", self.work)
        with open(self.out, "rb") as file:
            self.expected = file.read().splitlines(True)
        disk = Disk(self.before)
        for entry in self.log:
            disk.play(entry)
        self.versions = disk.versions

    def begin(self):
        """What is on disk before the run."""
        open("stdout", "wb").close()
        if self.known:
            with open("before", "wb") as file:
                file.writelines(BEFORE)
            subprocess.run([self.program] + STATE + ["before"], check=True,
                           env=ENV, stdout=subprocess.DEVNULL)
        for name in ("stdout", "state"):
            if os.path.exists(name):
                with open(name, "rb") as file:
                    yield name, os.fstat(file.fileno()).st_ino, file.read()

    def remembered(self, state):
        """How many bytes of the output a state remembers."""
        with tempfile.TemporaryDirectory() as other:
            path = os.path.join(other, "state")
            with open(path, "wb") as file:
                file.write(state)
            with open("input", "rb") as all_of_it:
                done = subprocess.run(
                    [self.program, "--state", path], env=ENV,
                    stdin=all_of_it, capture_output=True)
        if done.returncode != 0:
            sys.exit(f"{self.mode}: a saved state is refused: {done.stderr}")
        left = done.stdout.splitlines(True)
        n = len(self.expected) - len(left)
        if n < 0 or left != self.expected[n:]:
            sys.exit(f"{self.mode}: a state remembers what is no beginning")
        return sum(map(len, self.expected[:n]))


# ---- What must hold ------------------------------------------------------

class Judge:
    def __init__(self, run):
        self.run, self.lengths, self.wrong = run, {}, []
        self.whole = b"".join(run.expected)

    def length(self, version):
        if version not in self.lengths:
            self.lengths[version] = 0 if self.run.mode == "repeated" else \
                self.run.remembered(self.run.versions[version])
        return self.lengths[version]

    def wrong_of(self, image, sure, versions):
        state = image.get("state")
        if state is None:
            return "the state is gone" if sure >= 0 else None
        version = next((i for i in range(versions - 1, -1, -1)
                        if self.run.versions[i] == state), None)
        if version is None:
            return f"the state is damaged ({len(state)} bytes)"
        if version < sure:
            return f"the state is number {version}, {sure} was on disk"
        n = self.length(version)
        if not image.get(self.run.out, b"").startswith(self.whole[:n]):
            return f"state {version} remembers {n} bytes, the output has " + \
                f"{len(image.get(self.run.out, b''))}"
        return None


def recover(run, image):
    """The program goes on with an image.  Returns what is wrong, or None."""
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        os.mkdir("apart")
        for name, data in image.items():
            with open(name, "wb") as file:
                file.write(data)
        with open(os.path.join(run.work, "input"), "rb") as whole:
            options = STATE[:2] if "state" in image else STATE
            done = subprocess.run([run.program] + options, stdin=whole,
                                  env=ENV, capture_output=True)
        left = [n for n in os.listdir(".") if n in ("state.tmp", "state.lock")]
        os.chdir(run.work)
    if done.returncode != 0:
        return f"the next run fails: {done.stderr}"
    printed = image.get(run.out, b"").splitlines(True) + \
        done.stdout.splitlines(True)
    missing = set(run.expected) - set(printed)
    if missing and run.mode != "repeated":
        return f"lost: {sorted(missing)[:3]}"
    return f"left behind: {left}" if left else None


def try_mode(program, record, mode):
    """Returns the numbers of steps, images, different images and recoveries,
    and what went wrong."""
    chance = random.Random(mode)
    run = Run(program, record, mode)
    judge, disk = Judge(run), Disk(run.before)
    images, seen, wrong = 0, {}, []
    for at, entry in enumerate([None] + run.log):
        if entry:
            disk.play(entry)
        if at == len(run.log):  # the program has ended: the last one is safe
            disk.sure = len(disk.versions) - 1
        for image in disk.images(chance):
            images += 1
            why = judge.wrong_of(image, disk.sure, len(disk.versions))
            if why and len(wrong) < 5:
                wrong.append(f"{mode}, after step {at}: {why}")
            seen.setdefault(hash(tuple(sorted(image.items()))), image)
    sample = chance.sample(list(seen.values()), min(RECOVERIES, len(seen)))
    for image in sample if not wrong else []:
        why = recover(run, image)
        if why:
            wrong.append(f"{mode}: {why}")
    return len(run.log), images, len(seen), len(sample), wrong


def main(program, record, *modes):
    begun, totals, failed = time.time(), [0] * 4, []
    chosen = re.compile(os.environ.get("ROWS", ""))
    for mode in modes or filter(chosen.search, MODES):
        with tempfile.TemporaryDirectory() as work:
            os.chdir(work)
            *counts, wrong = try_mode(program, record, mode)
            os.chdir("/")
        totals = [a + b for a, b in zip(totals, counts)]
        failed += wrong
        print("{}: {} steps, {} images, {} of them different, {} gone on with"
              .format(mode, *counts), flush=True)
    print("\n".join(failed))
    print("{} steps, {} images, {} different, {} gone on with, {} wrong, "
          "{:.0f} s".format(*totals, len(failed), time.time() - begun))
    return len(failed) > 0


if __name__ == "__main__":
    sys.exit(main(*map(os.path.abspath, sys.argv[1:3]), *sys.argv[3:]))
