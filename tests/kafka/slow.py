"""slow.py - freshet kafka on real brokers"""
import collections
import os
import select
import signal
import subprocess
import sys
import time

import quick
from broker import Brokers
from lib import (ask, check, consume, end, equal, main, produce, run, start,
                 test, values, wait_for)
from tls import client_options

MEMORY = ("-m", "64M")


@test
def killed_200_times_at_random_moments(c):
    quick.make(c, 4)
    quick.kill_often(c, int(os.environ.get("KILLS", "200")))


@test
def killed_with_repeats_produced(c):
    quick.make(c, 4, "dup")
    quick.kill_often(c, 20, ("--dup-topic", "dup"))
    quick.every_message_is_in_one_of_both(c)


@test
def a_group_of_two_of_which_one_is_killed(c):
    """The other one takes over, without the state of the first."""
    quick.make(c, 4)
    more = MEMORY + ("--group", "g", "--checkpoint", "300ms", "-X",
                     "session.timeout.ms=6000")
    jobs = [start(c, *more, "--state", "s%d" % i) for i in range(2)]
    said = collections.defaultdict(list)
    for turn in range(4):
        for p in range(4):
            lines = [str(i) for i in range(turn * 500, turn * 500 + 1000)]
            said[p] += lines
            produce(c, "in", lines, p)
        wait_for("%d messages" % (4 * (turn * 500 + 1000)), 90,
                 quick.produced(c, 4 * (turn * 500 + 1000)))
        victim = turn % 2
        jobs[victim].kill()
        jobs[victim].communicate()
        jobs[victim] = start(c, *more, "--state", "s%d" % victim)
    for job in jobs:
        end(job)
    for p in range(4):
        equal(values(c, "out", p), list(dict.fromkeys(said[p])),
              "partition %d" % p)


@test
def a_broker_that_is_restarted(c):
    quick.make(c, 1)
    job = start(c, *MEMORY, "--state", "s", "--checkpoint", "200ms")
    produce(c, "in", ["a", "b", "a"])
    wait_for("2 messages", 30, quick.produced(c, 2))
    c.processes[0].terminate()
    c.processes[0].wait()
    time.sleep(5)
    c.start(0)
    time.sleep(5)
    produce(c, "in", ["b", "c"])
    wait_for("3 messages", 60, quick.produced(c, 3))
    end(job)
    equal(values(c, "out"), ["a", "b", "c"], "output")


@test
def partitions_that_grow_while_it_runs(c):
    """It ends with a sentence, and goes on when both topics have as many."""
    quick.make(c, 1)
    for before, more in ((1, ()), (2, ("--group", "g"))):
        more += ("--state", "s%d" % before)
        a, b, new = ("%s%d" % (letter, before) for letter in "abc")
        have = len(values(c, "out"))
        job = start(c, "-m", "%dM" % (32 * before), "--checkpoint", "200ms",
                    *more)
        produce(c, "in", [a, b])
        wait_for("2 messages", 60, quick.produced(c, have + 2))
        c.grow("in", before + 1)
        said = job.communicate(timeout=120)[1].decode()
        equal(job.returncode, 2, said)
        check("partitions" in said and "start again" in said, said)
        more += ("--until-end",)
        said = run(c, *more, status=2)
        check("topic in has %d partitions and topic out has %d" %
              (before + 1, before) in said, said)
        c.grow("out", before + 1)
        produce(c, "in", [new, b])
        said = run(c, "-m", "%dM" % (32 * before), *more, status=2)
        check("the saved filter, which has %dM" % (32 * before + 32) in said,
              said)
        run(c, "-m", "%dM" % (32 * before + 32), *more)
        equal(values(c, "out")[have:], [a, b, new], "output")


@test
def a_topic_that_is_deleted_while_it_runs(c):
    quick.make(c, 1)
    job = start(c, *MEMORY, "--state", "s", "--checkpoint", "200ms")
    produce(c, "in", ["a", "b"])
    wait_for("2 messages", 60, quick.produced(c, 2))
    c.topics("--delete", "--topic", "in")
    check(select.select([job.stderr], [], [], 60)[0], "nothing is said")
    said = job.stderr.readline().decode()
    check("warning: topic in does not exist any more" in said, said)
    end(job)
    c.wait_until_deleted("in")
    c.topic("in")
    said = run(c, *MEMORY, "--state", "s", status=2)
    check("the topic was truncated or made anew" in said, said)


class Client:
    """A client of the port for TLS."""

    def __init__(self, cluster, authority="ca", name="client"):
        self.brokers = "127.0.0.1:%d" % cluster.tls_port
        self.options = cluster.options + client_options(cluster.folder,
                                                        authority, name)


@test(tls=True)
def certificates_that_are_wrong(c):
    """Each ends with a sentence, and nothing is lost by it."""
    quick.make(c, 1)
    produce(c, "in", ["a", "b", "a"])
    said = run(Client(c, authority="other-ca"), *quick.KEEP, status=2)
    check("a broker's certificate is of an authority that" in said, said)
    for name in (None, "stranger"):
        said = run(Client(c, name=name), *quick.KEEP, "--retry", "3s", status=2)
        check("no broker answered within 3s" in said, said)
        check("check -X security.protocol and the certificates" in said, said)
    run(Client(c), *quick.KEEP)
    equal(values(c, "out"), ["a", "b"], "output")


@test(tls=True)
def a_certificate_that_expires_while_it_runs(c):
    quick.make(c, 1)
    job = start(Client(c), *MEMORY, "--state", "s", "--checkpoint", "200ms")
    produce(c, "in", ["a", "b", "a"])
    wait_for("2 messages", 60, quick.produced(c, 2))
    c.restart("expired")
    said = run(Client(c), *quick.END, status=2)
    check("a broker's certificate has expired" in said, said)
    said = job.stderr.readline().decode()
    check("warning: no broker can be reached (" in said, said)
    c.restart("broker")
    produce(c, "in", ["b", "c"])
    wait_for("3 messages", 90, quick.produced(c, 3))
    end(job)
    equal(values(c, "out"), ["a", "b", "c"], "output")


@test
def health_when_the_broker_is_gone(c):
    quick.make(c, 1)
    job = start(c, *MEMORY, "--state", "s", "--checkpoint", "1s", "--listen",
                "0")
    url = job.stderr.readline().decode().split()[-1]
    produce(c, "in", ["a", "b"])
    wait_for("2 messages", 60, quick.produced(c, 2))
    wait_for("health", 10, lambda: ask(url + "/healthz") == (200, "ok\n"))
    c.processes[0].terminate()
    c.processes[0].wait()
    wait_for("no health", 90, lambda: ask(url + "/healthz")[0] == 503)
    print("     " + ask(url + "/healthz")[1].strip())
    check("freshet_kafka_records_total" in ask(url + "/metrics")[1], "metrics")
    c.start(0)
    wait_for("health", 90, lambda: ask(url + "/healthz")[0] == 200)
    produce(c, "in", ["b", "c"])
    wait_for("3 messages", 60, quick.produced(c, 3))
    end(job)
    equal(values(c, "out"), ["a", "b", "c"], "output")


@test(creates_topics=True)
def the_commands_of_the_document(c):
    if "MODULE" not in os.environ:
        print("     no module for a server")
        return
    for name in ("raw", "mixed"):  # kcat 1.7 fails while Kafka 0.9 creates one
        c.topic(name, 4)
    done = subprocess.run(
        [os.path.join(os.path.dirname(quick.__file__), "document.sh")],
        env=dict(os.environ, BROKER=c.brokers,
                 BROKER_OPTIONS=" ".join(c.options)),
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    equal(done.returncode, 0, done.stdout)
    check(done.stdout.endswith("ok\n"), done.stdout)


@test(brokers=3)
def one_of_three_brokers_is_killed(c):
    """A foreign producer retries, and leaves real duplicates in the input."""
    quick.make(c, 4)
    many = 200000
    job = start(c, *MEMORY, "--state", "s", "--checkpoint", "1s",
                "--stats=json")
    feed = subprocess.Popen(
        ["kcat", "-b", c.brokers, *c.options, "-P", "-t", "in", "-X",
         "acks=all", "-X", "retries=100", "-X",
         "request.timeout.ms=2000"], stdin=subprocess.PIPE,
        stderr=subprocess.DEVNULL)
    for i in range(many):
        feed.stdin.write(b"message %d\n" % i)
        if i == many // 2:
            feed.stdin.flush()
            c.processes[0].send_signal(signal.SIGKILL)
            c.processes[0].wait()
    feed.stdin.close()
    equal(feed.wait(120), 0, "the foreign producer")
    inputs = [v for (v,) in consume(c, "in", "%s\n")]
    wanted = len(set(inputs))
    wait_for("%d messages" % wanted, 180,
             lambda: len({v for (v,) in consume(c, "out", "%s\n")}) >= wanted)
    end(job)
    outputs = [v for (v,) in consume(c, "out", "%s\n")]
    print("     %d sent, %d in the input, %d distinct, %d in the output, "
          "%d of them extra" % (many, len(inputs), wanted, len(outputs),
                                len(outputs) - len(set(outputs))))
    equal(set(outputs), set(inputs), "every message")


if __name__ == "__main__":
    main(sys.modules["__main__"], Brokers)
