#!/usr/bin/env python3
"""How fast freshet kafka is, on a real broker: make bench-kafka

usage: kafka.py FRESHET [MESSAGES [RUNS [MILLIONS [KILLS]]]]

Messages have 100 bytes, half of them repeat others of their partition, in four
partitions.  The broker (Kafka 0.9, tests/kafka/broker.py) runs on the same
machine.  Runs take turns, every second round backwards, each with an output
topic of its own; the first rounds, in which the broker's code is compiled, are
not counted.  Before a run memory is touched (touch.py).  All of it takes about
five minutes on a quiet machine.  Exit status 1 if a target is missed.
"""
import os
import random
import resource
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
FRESHET = os.path.abspath(sys.argv[1] if len(sys.argv) > 1
                          else "build/release/cli/freshet")
os.environ["FRESHET"] = FRESHET
sys.path.insert(0, os.path.join(HERE, "..", "tests", "kafka"))

import quick                # noqa: E402
from broker import Brokers, free_port  # noqa: E402
from lib import ask, kcat   # noqa: E402
from touch import touch     # noqa: E402


def argument(i, default):
    return int(sys.argv[i]) if len(sys.argv) > i else default


MESSAGES = argument(2, 1000000)
RUNS = argument(3, 5)
MILLIONS = argument(4, 10)
KILLS = argument(5, 200)
WARMING = 2           # rounds that are not counted
TOUCHED = 512 << 20   # bytes, more than a run takes
PARTITIONS = 4
EACH = MESSAGES // PARTITIONS
# 16 bytes for each key: a new filter's pages cost the kernel more time than the
# keys do, once.
SMALL = "-m 16M"
MANY = ("-X", "queue.buffering.max.messages=1000000")
missed = False


def value(i, partition):
    return b"%012d %d" % (i, partition) + b"x" * 86 + b"\n"


def half_repeats(n):
    """n values, of which half repeat one before them."""
    new = 0
    for _ in range(n):
        if not new or random.random() < 0.5:
            new += 1
            yield new
        else:
            yield random.randrange(1, new + 1)


def feed(c, topic, numbers):
    """Each partition gets values of its own, so that the pipe, which has one
    filter for all of them, passes as many as freshet kafka does."""
    for p in range(PARTITIONS):
        kcat(c, "-P", "-t", topic, "-p", str(p), *MANY,
             data=b"".join(value(i, p) for i in numbers))


def ends(c, topic):
    """The number of messages of a topic."""
    said = kcat(c, "-Q", *[word for p in range(PARTITIONS)
                           for word in ("-t", "%s:%d:-1" % (topic, p))])
    return sum(int(line.split()[-1]) for line in said.splitlines())


def broker_seconds(c):
    with open("/proc/%d/stat" % c.processes[0].pid) as f:
        fields = f.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def new_topic(c):
    """The name of a topic that the broker has just made."""
    new_topic.made += 1
    name = "copied-%d" % new_topic.made
    c.wait_for_partitions(name, PARTITIONS)
    return name


new_topic.made = 0


def timed(c, command):
    """Seconds on the clock, of the processor, of the broker's processor, and
    the number of messages produced."""
    topic = new_topic(c)
    touch(TOUCHED)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    broker = broker_seconds(c)
    began = time.monotonic()
    subprocess.run(command.replace("OUTPUT", topic), shell=True, check=True,
                   executable="/bin/bash")
    took = time.monotonic() - began
    broker = broker_seconds(c) - broker
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return took, (after.ru_utime + after.ru_stime - before.ru_utime -
                  before.ru_stime), broker, ends(c, topic)


def show(words, figure, target, met):
    global missed
    missed |= not met
    print("%-60s %6.2f   %s  %s" % (words, figure, target,
                                    "met" if met else "MISSED"), flush=True)


def command(c, source, target, more="-m 256M"):
    return "%s kafka --brokers %s %s --from %s --to %s --until-end " \
        "--rebuild never %s" % (FRESHET, c.brokers, " ".join(c.options),
                                source, target, more)


def pipe(c, source, target, between):
    server = "-b %s %s" % (c.brokers, " ".join(c.options))
    return "kcat %s -C -t %s -o beginning -e -q | %skcat %s -P -t %s %s" % (
        server, source, between, server, target, " ".join(MANY))


def commands(c):
    """Name, what it is, and the command of each row."""
    between = FRESHET + " -m 256M | "
    passing = SMALL + " --by header:none"
    return (
        ("kafka", "freshet kafka -m 256M, half of the messages are repeats",
         command(c, "half", "OUTPUT")),
        ("pipe", "kcat -C | freshet -m 256M | kcat -P, the same messages",
         pipe(c, "half", "OUTPUT", between)),
        ("copy", "kcat -C | kcat -P, the same messages, all of them",
         pipe(c, "half", "OUTPUT", "")),
        ("decided", "freshet kafka %s, all messages are new" % SMALL,
         command(c, "new", "OUTPUT", SMALL)),
        ("passed", "the same without comparing: --by header:none",
         command(c, "new", "OUTPUT", passing)),
        ("kafka 8", "freshet kafka -m 256M, 8 messages",
         command(c, "few", "OUTPUT")),
        ("pipe 8", "kcat -C | freshet -m 256M | kcat -P, 8 messages",
         pipe(c, "few", "OUTPUT", between)),
    )


def quartiles(figures):
    if len(figures) < 2:
        return figures * 3
    return statistics.quantiles(figures, n=4, method="inclusive")


def row(name, runs):
    took, cpu, broker, out = zip(*runs)
    low, median, high = quartiles(list(took))
    print("%-8s %6.2f s (%.2f to %.2f) %6.2f s of processor, %.2f of the "
          "broker's; %d out" %
          (name, median, low, high, statistics.median(cpu),
           statistics.median(broker), statistics.median(out)), flush=True)
    return median, statistics.median(cpu)


def rounds(c, rows):
    """The figures of each row's runs."""
    runs = {name: [] for name, _, _ in rows}
    for i in range(WARMING + RUNS):
        for name, _, words in rows[::-1] if i % 2 else rows:
            figures = timed(c, words)
            if i >= WARMING:
                runs[name].append(figures)
    return runs


def spread(over, under, column):
    """The quartiles of the ratios of the rounds, as text."""
    low, _, high = quartiles([o[column] / u[column]
                              for o, u in zip(over, under)])
    return "(%.2f to %.2f)" % (low, high)


def compare(c):
    rows = commands(c)
    runs = rounds(c, rows)
    for name, what, _ in rows:
        print("%-8s %s" % (name, what))
    took, cpu = {}, {}
    for name, figures in runs.items():
        took[name], cpu[name] = row(name, figures)
    if len({out for _, _, _, out in runs["kafka"] + runs["pipe"]}) > 1:
        raise SystemExit("freshet kafka and the pipe passed different messages")
    print("messages/s: kafka %.0f, pipe %.0f, copy %.0f" % tuple(
        MESSAGES / took[name] for name in ("kafka", "pipe", "copy")))
    print("without the time that 8 messages take, kafka is %.2f times the pipe"
          % ((took["pipe"] - took["pipe 8"]) /
             (took["kafka"] - took["kafka 8"])))
    ratio = took["pipe"] / took["kafka"]
    show("times the messages per second of the pipe " +
         spread(runs["pipe"], runs["kafka"], 0), ratio, "at least 2",
         ratio >= 2)
    ratio = cpu["decided"] / cpu["passed"]
    show("processor time, times passing everything " +
         spread(runs["decided"], runs["passed"], 1), ratio, "at most 1.15",
         ratio <= 1.15)


def resident(process):
    with open("/proc/%d/status" % process.pid) as f:
        for line in f:
            if line.startswith("VmRSS"):
                return int(line.split()[1]) / 1024
    return 0


def decided(port):
    """The number of messages that a run has decided, as it says itself."""
    try:
        text = ask("http://127.0.0.1:%d/metrics" % port)[1]
    except OSError:  # it does not listen yet
        return 0
    return sum(int(line.split()[-1]) for line in text.splitlines()
               if line.startswith("freshet_kafka_records_total"))


def memory(c):
    """Resident memory, while millions of messages pass."""
    port = free_port()
    words = command(c, "many", "passing", "-m 256M --listen %d" % port)
    job = subprocess.Popen(words.replace("--until-end ", "").split())
    sizes = []
    try:
        for i in range(MILLIONS):
            feed(c, "many", range(i * EACH, (i + 1) * EACH))
            while decided(port) < (i + 1) * EACH * PARTITIONS:
                time.sleep(0.2)
            sizes.append(resident(job))
    finally:
        job.terminate()
        job.wait()
    print("resident MiB after each %d messages, 256 MiB of filters: " %
          MESSAGES + " ".join("%.0f" % s for s in sizes))
    half = (len(sizes) + 1) // 2
    growth = statistics.median(sizes[-half:]) / statistics.median(sizes[:half])
    show("resident in the second half, times the first", growth,
         "at most 1.05", growth <= 1.05)


def kills(c):
    """kill -9 at random moments, and a restart each time."""
    os.chdir(c.folder)
    quick.make(c, PARTITIONS)
    try:
        quick.kill_often(c, KILLS)
        wrong = 0
    except AssertionError as why:
        print(why)
        wrong = 1
    show("kill -9, %d times: partitions with a wrong output" % KILLS, wrong,
         "0", not wrong)


def main():
    random.seed(1)
    began = time.monotonic()
    c = Brokers(creates_topics=True)
    try:
        for topic in ("half", "new", "few", "many", "passing"):
            c.wait_for_partitions(topic, PARTITIONS)
        feed(c, "half", list(half_repeats(EACH)))
        feed(c, "new", range(EACH))
        feed(c, "few", range(2))
        print("Kafka 0.9.0.1, %d messages of 100 bytes, %d partitions, median "
              "and quartiles of %d" % (MESSAGES, PARTITIONS, RUNS))
        compare(c)
        memory(c)
        kills(c)
    finally:
        c.close()
    print("all of this took %.0f s" % (time.monotonic() - began))
    sys.exit(missed)


main()
