"""faults.py FRESHET INJECT.SO TABLE [MODULE SERVER] - the table of faults

Each row of the table is a run of the program in which chosen system calls fail.
For every row the same must hold, whatever the row says: the fault did happen;
with status 0 the output is right; with status 2 there is a message and the
output is a beginning of what is right; no temporary file is left; the state
loads, and a second run without faults prints what is missing, so that no record
is lost.  With UPDATE=1 the table is written instead of compared: look at the
difference.  ROWS is a regular expression for some of the rows.
"""
import gzip
import itertools
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time

from preload import preload

RECORDS = 40000
NUMBERS = itertools.count()  # of filters on the server
ENV = {**os.environ, "ASAN_OPTIONS": "verify_asan_link_order=0:detect_leaks=0"}

# What a mode adds to the command.
MODES = {
    "stdout": [],
    "pipe": [],
    "file": ["input"],
    "files": ["input", "more"],
    "output": ["-o", "out"],
    "dup": ["--dup-output", "dups"],
    "new": ["--state", "state", "-m", "1M"],
    "state": ["--state", "state"],
    "parts": ["--state", "state", "--parallel", "4"],
    "both": ["--state", "state", "--dup-output", "dups"],
    "checkpoint": ["--state", "state", "--checkpoint", "1ms"],
    "metrics": ["--metrics", "metrics"],
    "stats": ["--stats-output", "stats"],
    "large": ["-m", "64M", "--algorithm", "pocket"],
    "parallel": ["--parallel", "2"],
    "packed": ["--parallel", "2", "packed", "more"],
    "remote": ["--remote", "redis://127.0.0.1:{port}/{name}", "--retry", "2s",
               "-m", "4M"],
}


def records(n):
    """Each number twice, so that half of the records are repeats, and more
    bytes than the program reads at once."""
    return [b"record %d %s\n" % (i * 7919 % (n // 2), b"x" * 70)
            for i in range(n)]


ALL = records(RECORDS)
BEFORE = ALL[:RECORDS // 6]  # known to the state that is there before


def first_times(lines, known=()):
    seen, new = set(known), []
    for line in lines:
        if line not in seen:
            new.append(line)
            seen.add(line)
    return new


def feed_slowly(to):
    """A beginning with pauses, so that there is time for checkpoints; what is
    left is returned."""
    begin = RECORDS // 8
    try:
        for i in range(0, begin, begin // 4):
            to.write(b"".join(ALL[i:i + begin // 4]))
            to.flush()
            time.sleep(0.05)
    except BrokenPipeError:
        pass
    return b"".join(ALL[begin:])


# ---- A run ---------------------------------------------------------------

class Run:
    def __init__(self, program, inject, mode, server):
        self.program, self.inject, self.mode = program, inject, mode
        self.server = server
        self.options = [o.format(port=server and server.port,
                                 name=f"row{next(NUMBERS)}")
                        for o in MODES[mode]]
        self.has_state = "--state" in self.options
        with open("input", "wb") as file:
            file.writelines(ALL)
        open("more", "wb").close()
        if mode == "packed":
            with open("packed", "wb") as file:
                file.write(gzip.compress(b"".join(ALL), 1))
        self.known = []
        if self.has_state and mode != "new":
            with open("before", "wb") as file:
                file.writelines(BEFORE)
            subprocess.run([program, "--state", "state", "-m", "1M", "before"],
                           check=True, env=ENV, stdout=subprocess.DEVNULL)
            os.remove("before")
            self.known = BEFORE
            with open("state", "rb") as file:
                self.old = file.read()

    def start(self, fault=None):
        """Status, output and messages."""
        env = dict(ENV)
        if fault:
            env.update(preload(self.inject), FAULT=fault, FAULT_LOG="log")
        stdin = subprocess.DEVNULL if "input" in self.options else \
            open("input", "rb")
        pipe = self.mode in ("pipe", "checkpoint")
        with open("stdout", "wb") as stdout:
            done = subprocess.Popen([self.program] + self.options, env=env,
                                    stdin=subprocess.PIPE if pipe else stdin,
                                    stdout=stdout, stderr=subprocess.PIPE)
            rest = feed_slowly(done.stdin) if pipe else None
            try:
                err = done.communicate(rest, timeout=300)[1]
            except subprocess.TimeoutExpired:
                done.kill()
                err = done.communicate()[1] + b"(it does not end)"
        return done.returncode, self.output(), err.decode(errors="replace")

    def output(self):
        name = "out" if "-o" in self.options else "stdout"
        if not os.path.exists(name):
            return b""
        with open(name, "rb") as file:
            return file.read()

    def expected(self):
        return first_times(ALL, self.known)


def describe_output(output, expected):
    whole = b"".join(expected)
    if output == whole:
        return "exact"
    if not output:
        return "none"
    return "prefix" if whole.startswith(output) else "WRONG"


def describe_state(run):
    if not run.has_state:
        return "-"
    if not os.path.exists("state"):
        return "none"
    with open("state", "rb") as file:
        if run.known and file.read() == run.old:
            return "old"
    done = subprocess.run([run.program, "info", "state"], env=ENV,
                          capture_output=True)
    return "new" if done.returncode == 0 else "DAMAGED"


# ---- What must hold for every row ----------------------------------------

def lost(run, output):
    """Records that neither this run nor the next one prints."""
    printed = output.splitlines(True)
    if printed and not printed[-1].endswith(b"\n"):
        printed.pop()
    if not run.has_state:
        return []
    again = run.start()
    if again[0] != 0:
        return [b"the next run fails: " + again[2].encode()]
    missing = set(run.expected()) - set(printed) - \
        set(again[1].splitlines(True))
    return sorted(missing)[:3]


def temporary_files():
    return [name for name in os.listdir(".") if name.endswith(".tmp")]


def wrong_of(run, status, output, said, fault):
    """What no row may do."""
    if not os.path.exists("log"):
        return f"the fault {fault} did not happen"
    if status not in (0, 2, -signal.SIGPIPE):
        return f"status {status}: {said}"
    if status == 2 and not said.strip():
        return "status 2 without a message"
    if "Sanitizer" in said or "runtime error" in said:
        return said
    shown = describe_output(output, run.expected())
    if shown == "WRONG" or (status == 0 and shown != "exact"):
        return f"the output is {shown} with status {status}"
    if describe_state(run) == "DAMAGED":
        return "the state does not load"
    if temporary_files():
        return f"left behind: {temporary_files()}"
    missing = lost(run, output)
    return f"lost: {missing}" if missing else None


# ---- Rows ----------------------------------------------------------------

class Server:
    """A server with the module, for --remote."""

    def __init__(self, module, server):
        for _ in range(10):
            with socket.socket() as s:
                s.bind(("127.0.0.1", 0))
                self.port = s.getsockname()[1]
            self.process = subprocess.Popen(
                [server, "--port", str(self.port), "--loadmodule", module,
                 "--save", "", "--bind", "127.0.0.1"],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL)
            while self.process.poll() is None:
                if self.answers():
                    return
                time.sleep(0.05)
        sys.exit("the server does not start")

    def answers(self):
        """Is this process the one that listens on the port?"""
        try:
            with socket.create_connection(("127.0.0.1", self.port), 10) as s:
                s.sendall(b"INFO server\r\n")
                return b"process_id:%d\r" % self.process.pid in s.recv(1 << 16)
        except OSError:
            return False


def try_row(program, inject, server, fault, mode):
    """What happened, and what is wrong with it whatever the row says."""
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        run = Run(program, inject, mode, server)
        status, output, said = run.start(fault)
        shown = describe_output(output, run.expected())
        state = describe_state(run)
        wrong = wrong_of(run, status, output, said, fault)
        os.chdir("/")
    return [str(status), shown, state], wrong, said


def read_table(path):
    with open(path) as file:
        return [(line, None if line.startswith("#") or not line.strip()
                 else line.split()) for line in file]


def main(program, inject, table, module=None, server=None):
    at = module and Server(module, server)
    try:
        return try_all(program, inject, table, at)
    finally:
        if at:
            at.process.kill()


def try_all(program, inject, table, at):
    failed, rows, lines = 0, 0, []
    for line, row in read_table(table):
        if not row or (row[1] == "remote" and not at) or \
                not re.search(os.environ.get("ROWS", ""), line):
            lines.append(line)
            continue
        fault, mode, wanted = row[0], row[1], row[2:]
        found, wrong, said = try_row(program, inject, at, fault, mode)
        lines.append(f"{fault:39} {mode:11} {found[0]:>4} {found[1]:7} "
                     f"{found[2]}\n")
        rows += 1
        if wrong or (found != wanted and os.environ.get("UPDATE") != "1"):
            failed += 1
            print(f"FAILED: {fault} {mode}: {wrong or ' '.join(found)}"
                  f"\n    wanted {' '.join(wanted)}; it says: {said.strip()}")
    if os.environ.get("UPDATE") == "1":
        with open(table, "w") as file:
            file.writelines(lines)
    print(f"{rows} rows, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main(*map(os.path.abspath, sys.argv[1:5]), *sys.argv[5:]))
