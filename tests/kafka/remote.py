"""remote.py - freshet kafka --remote: one filter for all partitions

On librdkafka's mock cluster and a real redis-server.  MODULE is the module,
PRELOAD what a sanitized one needs loaded before it.
"""
import json
import os
import random
import socket
import subprocess
import sys
import threading
import time

from lib import (check, consume, end, equal, first_ones, main, messages,
                 need, produce, run, start, test, values, wait_for)
from quick import ONE_BY_ONE

END = ("--until-end",)
GROUP = ("--group", "g", "--checkpoint", "50ms", "-X",
         "session.timeout.ms=3000")


class Server:
    """A redis-server with the module, on a socket in the test's folder."""

    def __init__(self):
        self.path = os.path.join(os.getcwd(), "r")
        self.start()

    def start(self):
        with open("redis.log", "ab") as log:
            self.process = subprocess.Popen(
                ["redis-server", "--port", "0", "--unixsocket", self.path,
                 "--save", "", "--dir", os.getcwd(), "--loadmodule",
                 os.environ["MODULE"]], stdout=log, stderr=log,
                env=dict(os.environ, LD_PRELOAD=os.environ.get("PRELOAD", ""),
                         ASAN_OPTIONS="detect_leaks=0"))
        wait_for("redis-server answers", 30, lambda: self.call("PING"))

    def call(self, *words):
        """The lines of a reply, or none if there is no answer."""
        done = subprocess.run(["redis-cli", "-s", self.path, *words],
                              stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True)
        return done.stdout.split("\n")[:-1] if done.returncode == 0 else []

    def remembered(self, name="seen"):
        lines = self.call("FR.INFO", name)
        return int(lines[lines.index("remembered") + 1]) \
            if "remembered" in lines else 0

    def url(self, name="seen"):
        return ("--remote", "unix://%s/%s" % (self.path, name), "-m", "4M")

    def end(self, save=False):
        if save:
            self.call("SHUTDOWN", "SAVE")
        elif self.process.poll() is None:
            self.process.kill()
        self.process.wait(30)


class Gate:
    """Forwards to a server, and holds back what tells it to remember."""

    def __init__(self, server):
        self.server = server
        self.held = threading.Event()
        self.listener = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self.accept, daemon=True).start()

    def url(self):
        return ("--remote", "redis://127.0.0.1:%d/seen" %
                self.listener.getsockname()[1], "-m", "4M")

    def accept(self):
        while True:
            client = self.listener.accept()[0]
            server = socket.socket(socket.AF_UNIX)
            server.connect(self.server.path)
            for pair in ((client, server), (server, client)):
                threading.Thread(target=self.forward, args=pair,
                                 daemon=True).start()

    def forward(self, source, target):
        seen = b""
        while True:
            try:
                data = source.recv(65536)
                seen = seen[-20:] + data
                if b"FR.REMEMBERHASH" in seen:
                    self.held.set()
                    return  # the connection stays open, and no answer comes
                target.sendall(data)
            except OSError:
                return
            if not data:
                target.close()
                return


def remote(function):
    """A test of a cluster and a server."""
    def with_server(c):
        server = Server()
        try:
            function(c, server)
        finally:
            server.end()
    with_server.__name__ = function.__name__
    return test(with_server)


def make(c, partitions=4, *more):
    for name in ("in", "out") + more:
        c.topic(name, partitions)


def all_values(c, topic="out"):
    return [m.value for p in messages(c, topic).values() for m in p]


def produced(c, many, topic="out"):
    return lambda: len(consume(c, topic)) >= many


# ---- What passes ------------------------------------------------------------


@remote
def repeats_in_other_partitions_are_removed(c, r):
    make(c, 4, "dup", "sharded")
    for p in range(4):
        produce(c, "in", ["a", "b", "b", "c%d" % p], p)
    said = json.loads(run(c, *END, *r.url(), "--dup-topic", "dup",
                          "--stats=json"))
    equal(sorted(all_values(c)), ["a", "b", "c0", "c1", "c2", "c3"], "output")
    equal(sorted(all_values(c, "dup")), ["a"] * 3 + ["b"] * 7, "repeats")
    equal((said["new"], said["repeats"]), (6, 10), "new, repeats")
    check("memory_bytes" not in said["partitions"][0], "the filter is shared")
    equal(r.remembered(), 6, "remembered")
    run(c, *END, *r.url("two"), "--shards", "2", "--to", "sharded")
    equal(sorted(all_values(c, "sharded")), sorted(all_values(c)), "--shards")


@remote
def what_has_no_key_passes(c, r):
    make(c, 1)
    produce(c, "in", ["k\tv", "k\t", "k\tv", "k\t", "\tw"], key=True,
            more=("-Z",))
    run(c, *END, *r.url(), "--by", "key")
    equal(consume(c, "out", "%k %S\n"), [["k 1"], ["k -1"], ["k -1"], [" 1"]],
          "messages")


@remote
def the_filter_is_that_of_the_pipe(c, r):
    """Another run of freshet, on the same filter, has put a key there."""
    make(c, 1)
    subprocess.run([os.environ["FRESHET"], *r.url()], input=b"a\n",
                   stdout=subprocess.DEVNULL, check=True)
    produce(c, "in", ["a", "b"])
    run(c, *END, *r.url())
    equal(values(c, "out"), ["b"], "output")


@remote
def a_window_goes_by_the_servers_clock(c, r):
    make(c, 1)
    produce(c, "in", ["a", "a"])
    run(c, *END, *r.url(), "--within", "1s")
    time.sleep(2.5)
    produce(c, "in", ["a", "a"])
    run(c, *END, *r.url(), "--within", "1s")
    equal(values(c, "out"), ["a", "a"], "output")


# ---- Groups -----------------------------------------------------------------


@remote
def a_second_run_goes_on_where_the_group_was(c, r):
    make(c, 2)
    produce(c, "in", ["a", "b"], 0)
    run(c, *END, *r.url(), *GROUP)
    produce(c, "in", ["b", "c"], 1)
    said = json.loads(run(c, *END, *r.url(), *GROUP, "--stats=json"))
    equal((said["records"], said["new"]), (2, 1), "records, new")
    equal(sorted(all_values(c)), ["a", "b", "c"], "output")


@remote
def two_processes_find_each_others_repeats(c, r):
    make(c)
    jobs = [start(c, *r.url(), *GROUP, "--metrics", "m%d" % i)
            for i in range(2)]
    for p in range(4):
        produce(c, "in", ["%d-%d" % (p, i) for i in range(500)], p)
    wait_for("2000 messages", 60, produced(c, 2000))
    wait_for("2000 keys", 60, lambda: r.remembered() == 2000)
    wait_for("both have partitions", 60, lambda: has_some(0) and has_some(1))
    for p in range(4):
        produce(c, "in", ["%d-%d" % (q, i) for q in range(4)
                          for i in range(500)] + ["end %d" % p], p)
    wait_for("the last of each", 60, lambda: sum(
        v.startswith("end") for v in all_values(c)) == 4)
    for job in jobs:
        end(job)
    equal(len(all_values(c)), 2004, "messages")
    equal(len(set(all_values(c))), 2004, "different ones")


def has_some(i):
    """Whether a process has partitions, or had."""
    try:
        with open("m%d" % i) as f:
            return "freshet_kafka_records_total{" in f.read()
    except OSError:
        return False


# ---- Crashes ----------------------------------------------------------------


@remote
def killed_between_produce_and_remember(c, r):
    """The output has messages that the filter does not know."""
    make(c, 2, "dup")
    more = GROUP + ("--dup-topic", "dup")
    gate = Gate(r)
    job = start(c, *gate.url(), *more)
    lines = [str(i) for i in range(1000)]
    produce(c, "in", lines + lines[:10], 0)
    wait_for("1000 messages", 60, produced(c, 1000))
    wait_for("10 repeats", 60, produced(c, 10, "dup"))
    check(gate.held.wait(60), "it remembers")
    job.kill()
    job.communicate()
    equal(r.remembered(), 0, "remembered")
    produce(c, "in", lines + ["new"], 1)
    said = json.loads(run(c, *END, *r.url(), *more, "--stats=json"))
    equal(values(c, "out", 0), lines, "0 lost, 0 extra")
    equal(values(c, "out", 1), ["new"], "the other partition")
    equal(len(all_values(c, "dup")), 10 + 1000, "repeats")
    equal((said["matched"], said["foreign"]), (1010, 0), "matched, foreign")
    equal(r.remembered(), 1001, "remembered")


@remote
def killed_without_a_group(c, r):
    """It begins again: nothing is lost; what was not remembered is there
    twice."""
    make(c, 1)
    gate = Gate(r)
    job = start(c, *gate.url())
    produce(c, "in", ["a", "b", "a"])
    wait_for("2 messages", 60, produced(c, 2))
    check(gate.held.wait(60), "it remembers")
    job.kill()
    job.communicate()
    run(c, *END, *r.url())
    equal(values(c, "out"), ["a", "b", "a", "b"], "output")
    run(c, *END, *r.url())
    equal(len(values(c, "out")), 4, "remembered then")


@remote
def killed_at_random_moments(c, r):
    make(c)
    said = []
    for _ in range(int(os.environ.get("KILLS", "4"))):
        lines = [str(random.randrange(1000000)) if random.random() < 0.5
                 or not said else random.choice(said) for _ in range(1000)]
        said += lines
        produce(c, "in", lines, -1)
        job = start(c, *r.url(), *GROUP)
        before = len(consume(c, "out"))
        wait_for("messages", 60, produced(c, before + 1))
        time.sleep(random.uniform(0, 0.2))
        job.kill()
        job.communicate()
    run(c, *END, *r.url(), *GROUP)
    went = all_values(c)
    equal(len(set(went)), len(set(said)), "0 lost")
    equal(len(went), len(set(said)), "0 extra")
    for p, found in messages(c, "in").items():
        order = {v: i for i, v in enumerate(first_ones(m.value
                                                       for m in found))}
        places = [order[m.value] for m in messages(c, "out")[p]]
        equal(places, sorted(places), "order of partition %d" % p)


@remote
def a_delivery_that_fails_is_like_a_crash(c, r):
    """Keys that were asked about and not delivered are not seen."""
    make(c, 1)
    lines = [str(i) for i in range(1000)]
    produce(c, "in", lines)
    c.tell("error 0 87 1")  # invalid record: no retry helps
    said = run(c, *END, *r.url(), *GROUP, *ONE_BY_ONE)
    check("beginning again at the last checkpoint" in said, said)
    equal(values(c, "out"), lines, "output")


# ---- A server that is lost --------------------------------------------------


@remote
def a_server_that_is_lost_and_back(c, r):
    make(c, 1)
    job = start(c, *r.url(), *GROUP, "--retry", "60s")
    produce(c, "in", ["a", "b"])
    wait_for("2 keys", 60, lambda: r.remembered() == 2)
    r.end(save=True)
    produce(c, "in", ["b", "c"])
    time.sleep(1)
    equal(values(c, "out"), ["a", "b"], "it waits")
    r.start()
    wait_for("3 messages", 60, produced(c, 3))
    end(job)
    equal(values(c, "out"), ["a", "b", "c"], "output")


@remote
def a_server_that_is_lost_ends_the_run(c, r):
    make(c, 1)
    job = start(c, *r.url(), *GROUP, "--retry", "1s")
    produce(c, "in", ["a", "b"])
    wait_for("2 keys", 60, lambda: r.remembered() == 2)
    r.end(save=True)
    produce(c, "in", ["b", "c"])
    said = job.communicate(timeout=60)[1].decode()
    equal(job.returncode, 2, "status: " + said)
    equal(len(said.splitlines()), 1, "lines: " + said)
    check("%s: seen: " % r.path in said, said)
    r.start()
    run(c, *END, *r.url(), *GROUP)
    equal(values(c, "out"), ["a", "b", "c"], "0 lost, 0 extra")


@remote
def a_server_that_is_lost_lets_messages_pass(c, r):
    make(c, 1)
    job = start(c, *r.url(), *GROUP, "--retry", "1s", "--on-error", "pass")
    produce(c, "in", ["a", "b"])
    wait_for("2 keys", 60, lambda: r.remembered() == 2)
    r.end(save=True)
    produce(c, "in", ["b", "c"])
    wait_for("4 messages", 60, produced(c, 4))
    r.start()
    time.sleep(6)
    produce(c, "in", ["a", "d"])
    wait_for("5 messages", 60, produced(c, 5))
    said = end(job)
    check("records pass uncompared until it is back" in said, said)
    equal(values(c, "out"), ["a", "b", "b", "c", "d"], "output")


if __name__ == "__main__":
    need("kcat", "kcat")
    need("redis-server", "redis-server")
    need("redis-cli", "redis-tools")
    main(sys.modules["__main__"])
