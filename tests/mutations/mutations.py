"""mutations.py SOURCE [WORK [NAME...]] - defects that tests must catch

Each mutation is a defect in the code that survives crashes, locks, undoes or
sends again.  In a copy of the sources it is put in, the program and the module
are built, and the test that is named must fail; before, it must have passed.
Where the text to be changed is no longer there, the row is to be written anew:
without WORK only that is looked at.
"""
import filecmp
import os
import re
import shutil
import subprocess
import sys
import time

# name: (file, what stands there, the defect, the test that catches it, and a
# regular expression for its rows or modes)
MUTATIONS = {
    # ---- Crashes
    "state not synced": (
        "base/atomic_file.c", "if (status == 0 && how->durable)",
        "if (0)", "fault_power ^new"),
    "directory of the state not synced": (
        "base/atomic_file.c", "return how->durable ? sync_directory(path) : 0;",
        "return 0;", "fault_power ^old"),
    "state written in place": (
        "base/atomic_file.c", 'snprintf(temporary, NAME, "%s.tmp", target)',
        'snprintf(temporary, NAME, "%s", target)', "fault_power ^old"),
    "output not synced": (
        "output/sink.c", "if (fsync(s->fd) < 0)", "if (0)", "fault_power ^new"),
    "name of the output not synced": (
        "output/sink.c", "if (!s->created ||", "if (true ||", "fault_power ^apart"),
    "checkpoint before the output is on disk": (
        "cli/filter_state.c", """    if (!sync_outputs(job))
        job->trouble = true;
    else
        fork_checkpoint(job);""", "    fork_checkpoint(job);",
        "fault_power ^checkpoint"),
    "temporary file left when the rename fails": (
        "base/atomic_file.c", """        (void)unlink(temporary);
        errno = why;""", "        errno = why;", "fault_table ^rename"),
    # ---- Locks
    "a lock that is held is taken": (
        "state/snapshot.c", "if (flock(fd, LOCK_EX | LOCK_NB) < 0) {",
        "if (flock(fd, LOCK_EX | LOCK_NB) < 0 && errno != EWOULDBLOCK) {",
        "golden_state_errors"),
    "each name of a state has a lock of its own": (
        "state/state.c", "s->file = atomic_file_target(s->path);",
        "s->file = strdup(s->path);", "golden_state_links"),
    # ---- Undo
    "what was not written is remembered": (
        "cli/filter_run.c", "job->lost = !engine_undo_unwritten(job->engine);",
        "job->lost = false;", "fault_table ^write@(stdout|out)"),
    "state saved though records were lost": (
        "cli/filter_state.c", "if (job->lost || !sync_outputs(job)) {",
        "if (!sync_outputs(job)) {", "fault_table ^write@.* both"),
    "the undo of one thread does nothing": (
        "engine/decider_local.c",
        "freshet_forget_batch(l->filter, &key, 1) >= 0;",
        "l->filter != NULL && key.lo == key.lo;",
        "fault_table ^write@stdout:2:.* state"),
    "the undo by parts does nothing": (
        "engine/decider_parts.c", "freshet_forget_batch(filter, &key, 1) >= 0;",
        "filter != NULL && key.lo == key.lo;", "fault_table ^write@.* parts"),
    # ---- Sending again
    "what a lost connection owed is not sent again": (
        "redis/redis_request.c", """        if (tag)
            request_set_late(tag);""", "        (void)tag;",
        "module_redis_remote_trouble"),
    "the server does a request twice": (
        "module/cmd_hashes.c",
        "if ((!numbered.client || !answered(ctx, p.value, &numbered, request)) &&",
        "if ((!numbered.client || numbered.seq + 1 > 0) &&",
        "module_redis_remote_trouble"),
}
TARGETS = ["freshet-cli", "freshet-module", "fault_inject", "fault_record"]


def copy_sources(source, work):
    """What git knows or would add, without what was built.  A file that is the
    same is left alone, and one that is not is new to make: what was built with
    a defect is built again."""
    names = subprocess.run(
        ["git", "ls-files", "-z", "-c", "-o", "--exclude-standard"],
        cwd=source, check=True, capture_output=True).stdout.split(b"\0")
    for name in map(os.fsdecode, filter(None, names)):
        at, to = os.path.join(source, name), os.path.join(work, name)
        os.makedirs(os.path.dirname(to), exist_ok=True)
        if os.path.islink(at):
            if not os.path.islink(to):
                os.symlink(os.readlink(at), to)
        elif os.path.exists(at) and not (
                os.path.exists(to) and filecmp.cmp(at, to, shallow=False)):
            shutil.copy(at, to)


def run(work, *command):
    return subprocess.run(command, cwd=work, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)


def build(work):
    done = run(work, "cmake", "--build", "build/tested", "--parallel",
               os.environ.get("JOBS", "2"), "--target", *TARGETS)
    if done.returncode != 0:
        sys.exit(f"it does not build:\n{done.stdout[-3000:]}")


def passes(work, test):
    name, _, rows = test.partition(" ")
    done = run(work, "env", f"ROWS={rows}", "ctest", "--test-dir",
               "build/tested", "-R", f"^{name}$", "--output-on-failure",
               "--timeout", "300")
    if "No tests were found" in done.stdout or "***Skipped" in done.stdout:
        sys.exit(f"{test} is not there, or is skipped")
    return done.returncode == 0, done.stdout


def reason(output):
    """A line of the test's output that tells what it saw."""
    for line in output.splitlines():
        if re.search(r"FAILED|wrong|lost|differ|^[-+][^-+]|remembers|gone",
                     line) and "tests failed" not in line:
            return line.strip()[:90]
    return ""


def is_stale(source, name):
    """Whether the text to be changed is not there, or more than once."""
    path, before = MUTATIONS[name][:2]
    with open(os.path.join(source, path)) as file:
        times = file.read().count(before)
    if times != 1:
        print(f"STALE   {name}: {path} has the text {times} times")
    return times != 1


def try_one(work, name):
    """Whether the test caught it."""
    path, before, after, test = MUTATIONS[name]
    full = os.path.join(work, path)
    if is_stale(work, name):
        return False
    with open(full) as file:
        text = file.read()
    with open(full, "w") as file:
        file.write(text.replace(before, after))
    begun = time.time()
    build(work)
    good, output = passes(work, test)
    with open(full, "w") as file:
        file.write(text)
    print(f"{'MISSED ' if good else 'caught '} {name}: {test} "
          f"({time.time() - begun:.0f} s) {'' if good else reason(output)}",
          flush=True)
    return not good


def main(source, work=None, *names):
    chosen = names or MUTATIONS
    if not work:
        return sum([is_stale(source, name) for name in chosen]) > 0
    copy_sources(source, work)
    done = run(work, "cmake", "--preset", "tested", "-DFRESHET_WERROR=OFF")
    if done.returncode != 0:
        sys.exit(done.stdout)
    build(work)
    for test in sorted({MUTATIONS[name][3] for name in chosen}):
        good, output = passes(work, test)
        if not good:
            sys.exit(f"{test} fails without any mutation:\n{output[-3000:]}")
    caught = sum(try_one(work, name) for name in chosen)
    print(f"{caught} of {len(chosen)} mutations were caught")
    return caught != len(chosen)


if __name__ == "__main__":
    sys.exit(main(*map(os.path.abspath, sys.argv[1:3]), *sys.argv[3:]))
