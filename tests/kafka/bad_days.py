"""bad_days.py - what goes wrong around freshet kafka, on librdkafka's mock
cluster; more of it is in quick.py, and on real brokers in slow.py"""
import json
import os
import resource
import select
import signal
import subprocess
import sys

import lib
from lib import (check, consume, end, equal, main, need, produce, run, start,
                 test, values, wait_for)
from quick import END, KEEP, make, produced
from sasl_broker import SaslBroker

LARGE = "x" * 100000


@test
def a_password_that_is_wrong(c):
    broker = SaslBroker()
    said = run(broker, *END, status=2)
    broker.close()
    check("the brokers refuse the connection" in said, said)
    check("wrong name or password" in said, said)
    check("no broker answered" not in said, said)


@test
def a_broker_that_does_not_speak_tls(c):
    make(c)
    said = run(c, *END, "-X", "security.protocol=ssl", "--retry", "3s",
               status=2)
    check("SSL" in said, said)
    said = run(c, *END, "-X", "security.protocol=ssl", "-X",
               "ssl.ca.location=none.pem", status=2)
    check("ssl.ca.location failed" in said, said)


@test
def a_message_that_the_broker_finds_too_large(c):
    make(c)
    produce(c, "in", ["a", "b"])
    c.tell("error 0 10 1")  # Produce: message size too large
    said = run(c, *KEEP, status=2)
    check("was not delivered" in said and "raise the output's limit" in said,
          said)
    run(c, *KEEP)
    equal(values(c, "out"), ["a", "b"], "output")


@test
def a_topic_that_may_not_be_written(c):
    make(c)
    produce(c, "in", ["a"])
    c.tell("error 0 29 1")  # Produce: topic authorization failed
    said = run(c, *KEEP, status=2)
    check("authorization failed" in said, said)


@test
def offsets_that_may_not_be_committed(c):
    """It is said during the run, and not only at the end of it."""
    make(c)
    produce(c, "in", ["a"])
    job = start(c, "-m", "4M", "--group", "g", "--checkpoint", "100ms")
    wait_for("1 message", 40, produced(c, 1))
    c.tell("error 8 30 100")  # OffsetCommit: group authorization failed
    produce(c, "in", ["b"])
    check(select.select([job.stderr], [], [], 40)[0], "nothing is said")
    said = job.stderr.readline().decode()
    check("warning: offsets were not committed: Broker: Group authorization "
          "failed" in said, said)
    end(job)
    equal(values(c, "out"), ["a", "b"], "output")


# ---- Retention: the mock keeps the last 5 MiB of a partition ----------------


def first_offset(c, topic):
    return int(consume(c, topic, "%o\n")[0][0])


@test
def messages_deleted_between_two_runs(c):
    make(c)
    produce(c, "in", ["a", "b"])
    run(c, *KEEP)
    produce(c, "in", [LARGE + str(i) for i in range(100)])
    first = first_offset(c, "in")
    check(first > 2, "the mock keeps everything")
    said = run(c, *KEEP, status=2)
    check("warning: topic in, partition 0: the messages from offset 2 to %d "
          "were deleted before they were read" % (first - 1) in said, said)
    equal(values(c, "out")[-5:], values(c, "in")[-5:], "what is there")
    produce(c, "in", ["c"])
    run(c, *KEEP)
    equal(values(c, "out")[-1], "c", "the run after it")


@test
def messages_deleted_while_the_process_was_paused(c):
    make(c)
    produce(c, "in", ["a", "b"])
    job = start(c, "-m", "4M", "--state", "s", "--checkpoint", "100ms")
    wait_for("2 messages", 20, produced(c, 2))
    job.send_signal(signal.SIGSTOP)
    produce(c, "in", [LARGE + str(i) for i in range(100)])
    job.send_signal(signal.SIGCONT)
    said = job.communicate(timeout=60)[1].decode()
    equal(job.returncode, 2, said)
    check("topic in, partition 0: messages were deleted before they were read;"
          " start again" in said, said)
    said = run(c, *KEEP, status=2)
    check("were deleted before they were read" in said, said)
    equal(len(values(c, "out")) > 2, True, "it goes on with what is there")


@test
def an_output_whose_tail_was_deleted(c):
    """What the output lost cannot be matched, and ends nothing."""
    make(c)
    produce(c, "in", ["a", "b"])
    run(c, *KEEP)
    produce(c, "out", [LARGE + str(i) for i in range(100)])
    check(first_offset(c, "out") > 2, "the mock keeps everything")
    produce(c, "in", ["b", "c"])
    run(c, *KEEP)
    equal(values(c, "out")[-1], "c", "output")
    equal("b" in values(c, "out"), False, "the filter knows it")


# ---- The disk ---------------------------------------------------------------


def start_with_signals_ignored(c, *args):
    """Python ignores SIGXFSZ, so that a write beyond the limit fails."""
    return subprocess.Popen(lib.words(c, *args), stdout=subprocess.DEVNULL,
                            stderr=subprocess.PIPE, restore_signals=False)


def limit_files(process, size):
    resource.prlimit(process.pid, resource.RLIMIT_FSIZE,
                     (size, resource.RLIM_INFINITY))


@test
def a_disk_that_is_full_for_a_while(c):
    """Checkpoints fail, the run goes on, and nothing is committed meanwhile."""
    make(c)
    produce(c, "in", ["a", "b"])
    job = start_with_signals_ignored(c, "-m", "1M", "--state", "s",
                                     "--checkpoint", "50ms", "--group", "g")
    wait_for("2 messages", 30, produced(c, 2))
    wait_for("a checkpoint", 20, lambda: place("s/in-0.state")[0] == 2)
    limit_files(job, 100)
    produce(c, "in", ["b", "c"])
    wait_for("3 messages", 30, produced(c, 3))
    said = job.stderr.readline().decode()
    check("s/in-0.state" in said and "too large" in said, said)
    equal(place("s/in-0.state")[0], 2, "the file is the old one")
    limit_files(job, resource.RLIM_INFINITY)
    wait_for("a checkpoint", 20, lambda: place("s/in-0.state")[0] == 4)
    end(job)
    equal(values(c, "out"), ["a", "b", "c"], "output")


@test
def a_disk_that_is_full_when_the_process_is_killed(c):
    make(c)
    produce(c, "in", ["a", "b"])
    job = start_with_signals_ignored(c, "-m", "1M", "--state", "s",
                                     "--checkpoint", "50ms")
    wait_for("a checkpoint", 30, lambda: os.path.exists("s/in-0.state") and
             place("s/in-0.state")[0] == 2)
    limit_files(job, 100)
    produce(c, "in", ["b", "c", "d"])
    wait_for("4 messages", 30, produced(c, 4))
    job.kill()
    job.communicate()
    said = json.loads(run(c, *KEEP, "-m", "1M", "--stats=json"))
    equal(values(c, "out"), ["a", "b", "c", "d"], "output")
    equal(said["matched"], 2, "found in the output")


@test
def a_disk_that_is_full_at_the_start(c):
    make(c)
    produce(c, "in", ["a"])
    done = subprocess.run(
        lib.words(c, *KEEP), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        restore_signals=False, timeout=60,
        preexec_fn=lambda: resource.setrlimit(
            resource.RLIMIT_FSIZE, (100, resource.RLIM_INFINITY)))
    equal(done.returncode, 2, "status")
    check(b"s/in-0.state" in done.stderr, done.stderr)
    equal(values(c, "out"), [], "nothing is produced without a state")


def place(path):
    """The saved offsets: of the input, and the ends of the outputs."""
    info = subprocess.run([lib.FRESHET, "info", path], stdout=subprocess.PIPE,
                          text=True).stdout
    for line in info.splitlines():
        if line.startswith("place "):
            return [int(n) for n in line.split()[1:]]
    return [-1]


if __name__ == "__main__":
    need("kcat", "kcat")
    main(sys.modules["__main__"])
