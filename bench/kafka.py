#!/usr/bin/env python3
"""How fast freshet kafka is, on a real broker: make bench-kafka

usage: kafka.py FRESHET [MESSAGES [RUNS [MILLIONS]]]

Messages have 100 bytes, half of them repeat others of their partition, in four
partitions.  The broker (Kafka 0.9, tests/kafka/broker.py) runs on the same
machine.  Runs take turns, and medians are shown.  Exit status 1 if a target is
missed.
"""
import os
import random
import resource
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "tests", "kafka"))

from broker import Brokers  # noqa: E402
from lib import kcat        # noqa: E402

FRESHET = os.path.abspath(sys.argv[1] if len(sys.argv) > 1
                          else "build/release/cli/freshet")
MESSAGES = int(sys.argv[2]) if len(sys.argv) > 2 else 1000000
RUNS = int(sys.argv[3]) if len(sys.argv) > 3 else 5
MILLIONS = int(sys.argv[4]) if len(sys.argv) > 4 else 10
PARTITIONS = 4
# 16 bytes for each key: a new filter's pages cost the kernel more time than the
# keys do, once.
SMALL = "-m 16M"
MANY = ("-X", "queue.buffering.max.messages=1000000")
missed = False


def value(i):
    return b"%012d" % i + b"x" * 88 + b"\n"


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
    """Every partition gets the same values."""
    data = b"".join(value(i) for i in numbers)
    for p in range(PARTITIONS):
        kcat(c, "-P", "-t", topic, "-p", str(p), *MANY, data=data)


def timed(command):
    """Seconds on the clock, and of the processor."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.monotonic()
    subprocess.run(command, shell=True, check=True, executable="/bin/bash")
    took = time.monotonic() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return took, (after.ru_utime + after.ru_stime - before.ru_utime -
                  before.ru_stime)


def show(words, figure, target, met):
    global missed
    missed |= not met
    print("%-52s %6.2f   %s  %s" % (words, figure, target,
                                    "met" if met else "MISSED"), flush=True)


def command(c, source, target, more=""):
    return "%s kafka --brokers %s %s --from %s --to %s --until-end " \
        "--rebuild never -m 256M %s" % (FRESHET, c.brokers,
                                        " ".join(c.options), source, target,
                                        more)


def pipe(c, source, target):
    ends = "-b %s %s" % (c.brokers, " ".join(c.options))
    return "kcat %s -C -t %s -o beginning -e -q | %s -m 256M | kcat %s -P " \
        "-t %s %s" % (ends, source, FRESHET, ends, target, " ".join(MANY))


def row(name, times):
    took = statistics.median(t for t, _ in times)
    print("%-10s %7.2f s  %8.0f messages/s  %6.2f s of the processor" %
          (name, took, MESSAGES / took,
           statistics.median(cpu for _, cpu in times)), flush=True)
    return took


def compare(c):
    runs = {"kafka": [], "pipe": [], "decided": [], "passed": []}
    for _ in range(RUNS):
        runs["kafka"].append(timed(command(c, "half", "out")))
        runs["pipe"].append(timed(pipe(c, "half", "out")))
        runs["decided"].append(timed(command(c, "new", "out", SMALL)))
        runs["passed"].append(timed(command(c, "new", "out",
                                            SMALL + " --by header:none")))
    print("kafka      freshet kafka, half of the messages are repeats")
    print("pipe       kcat -C | freshet | kcat -P, the same messages")
    print("decided    freshet kafka " + SMALL + ", all messages are new")
    print("passed     the same without comparing: --by header:none")
    took = {name: row(name, times) for name, times in runs.items()}
    ratio = took["pipe"] / took["kafka"]
    show("times the messages per second of the pipe", ratio, "at least 2",
         ratio >= 2)
    cpu = {name: statistics.median(cpu for _, cpu in times)
           for name, times in runs.items()}
    ratio = cpu["decided"] / cpu["passed"]
    show("processor time, times that of passing everything", ratio,
         "at most 1.15", ratio <= 1.15)


def resident(process):
    with open("/proc/%d/status" % process.pid) as f:
        for line in f:
            if line.startswith("VmRSS"):
                return int(line.split()[1]) / 1024
    return 0


def decided(path):
    try:
        with open(path) as f:
            return sum(int(line.split()[-1]) for line in f
                       if line.startswith("freshet_kafka_records_total"))
    except OSError:
        return 0


def memory(c):
    """Resident memory, while millions of messages pass."""
    path = os.path.join(c.folder, "metrics")
    words = command(c, "many", "out2", "--metrics " + path)
    job = subprocess.Popen(words.replace("--until-end ", "").split())
    sizes = []
    try:
        for i in range(MILLIONS):
            feed(c, "many", range(i * MESSAGES // 4, (i + 1) * MESSAGES // 4))
            while decided(path) < (i + 1) * (MESSAGES // 4) * 4:
                time.sleep(0.5)
            sizes.append(resident(job))
    finally:
        job.terminate()
        job.wait()
    print("resident MiB after each million, 256 MiB of filters: " +
          " ".join("%.0f" % s for s in sizes))
    half = sizes[len(sizes) // 2]
    show("resident at the end, times that half-way", sizes[-1] / half,
         "at most 1.05", sizes[-1] <= 1.05 * half)


def main():
    random.seed(1)
    c = Brokers()
    try:
        for topic in ("half", "new", "out", "many", "out2"):
            c.topic(topic, PARTITIONS)
        feed(c, "half", half_repeats(MESSAGES // PARTITIONS))
        feed(c, "new", range(MESSAGES // PARTITIONS))
        print("Kafka 0.9.0.1, %d messages of 100 bytes, %d partitions, median "
              "of %d" % (MESSAGES, PARTITIONS, RUNS))
        compare(c)
        memory(c)
    finally:
        c.close()
    sys.exit(missed)


main()
