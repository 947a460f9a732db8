"""deep.py COMPILE_COMMANDS sources|analyze - for deep.sh

sources prints the product's source files; analyze compiles each of them with
gcc's analyzer and prints what it reports, but for reports on lines below a
comment "analyzer: ...", which says why it is wrong.  The status is 1 if
anything is left.
"""
import concurrent.futures
import json
import os
import re
import shlex
import subprocess
import sys

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
NOT_OURS = ("tests/", "fuzz/", "examples/")  # not what users run


def product(path):
    """Each file once, with the command that compiles it."""
    with open(path) as file:
        found = {e["file"]: e for e in json.load(file)}
    return [e for name, e in sorted(found.items())
            if not os.path.relpath(name, HERE).startswith(NOT_OURS)]


def analyze(entry):
    words = shlex.split(entry["command"])
    if os.path.basename(words[0]) == "ccache":
        words = words[1:]
    words[words.index("-o") + 1] = "/dev/null"
    done = subprocess.run(words + ["-fanalyzer", "-Wno-error"],
                          cwd=entry["directory"], capture_output=True,
                          text=True)
    if done.returncode != 0:
        return [f"{entry['file']}:1:1: error: not compiled: "
                f"{done.stderr[-200:]}"]
    return [line for line in done.stderr.splitlines()
            if REPORT.match(line) and not is_explained(line)]


REPORT = re.compile(r"(.*?):(\d+):\d+: (?:warning|error): ")


def is_explained(report):
    """Is there a comment on it, up to four lines above?"""
    path, line = REPORT.match(report).groups()
    with open(path) as file:
        lines = file.read().splitlines()
    return "-Wanalyzer" in report and \
        "analyzer: " in "".join(lines[max(int(line) - 5, 0):int(line)])


def main(path, what):
    entries = product(path)
    if what == "sources":
        print("\n".join(e["file"] for e in entries))
        return 0
    jobs = int(os.environ.get("JOBS") or os.cpu_count())
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        reports = sorted({r for rs in pool.map(analyze, entries) for r in rs})
    print("\n".join(reports))
    return len(reports) > 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
