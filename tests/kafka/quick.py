"""quick.py - freshet kafka on librdkafka's mock cluster"""
import glob
import json
import os
import random
import shutil
import subprocess
import sys
import time

from lib import (ask, check, consume, end, equal, first_ones, kcat, main,
                 messages, need, produce, run, start, test, values, wait_for)

END = ("--until-end", "-m", "4M")
KEEP = END + ("--state", "s")
ONE_BY_ONE = ("-X", "batch.num.messages=100", "-X",
              "max.in.flight.requests.per.connection=1")


def make(cluster, partitions=1, *more):
    for name in ("in", "out") + more:
        cluster.topic(name, partitions)


def produced(cluster, many, topic="out"):
    """Whether a topic has at least that many messages."""
    return lambda: len(consume(cluster, topic)) >= many


# ---- What passes ------------------------------------------------------------


@test
def repeats_are_removed_and_order_is_kept(c):
    make(c, 3)
    for p in range(3):
        produce(c, "in", ["b", "a", "b", "c%d" % p, "a"], p)
    run(c, *END)
    for p in range(3):
        equal(values(c, "out", p), ["b", "a", "c%d" % p], "partition %d" % p)


@test
def value_key_headers_and_time_pass_unchanged(c):
    form = "%k|%s|%h|%T\n"
    make(c)
    produce(c, "in", ["k1\tone", "k2\ttwo"], key=True, more=("-H", "a=1"))
    run(c, *END)
    check("k1|one|a=1|" in consume(c, "in", form)[0][0], "the input")
    equal(consume(c, "out", form), consume(c, "in", form), "messages")


@test
def a_message_without_a_value_passes(c):
    make(c)
    produce(c, "in", ["k\tv", "k\t", "k\tv", "k\t"], key=True, more=("-Z",))
    run(c, *END, "--by", "key")
    equal(consume(c, "out", "%k %S\n"), [["k 1"], ["k -1"], ["k -1"]],
          "messages")


@test
def keys_come_from_the_value_the_key_or_a_header(c):
    make(c, 1, "out2", "out3")
    produce(c, "in", ['1\t{"id":7}', '2\t{"id": 7 }', '2\t{"id":8}'], key=True,
            more=("-H", "h=x"))
    produce(c, "in", ['3\t{"id":9}'], key=True, more=("-H", "h=y"))
    run(c, *END, "--json", ".id")
    equal([m.key for m in messages(c, "out")[0]], ["1", "2", "3"], ".id")
    run(c, *END, "--by", "key", "--to", "out2")
    equal([m.key for m in messages(c, "out2")[0]], ["1", "2", "3"], "key")
    run(c, *END, "--by", "header:h", "--to", "out3")
    equal([m.key for m in messages(c, "out3")[0]], ["1", "3"], "header")


@test
def what_has_no_key_or_is_malformed(c):
    make(c, 1, "out2", "out3")
    lines = ['{"id":1}', '{"id":', '{"x":1}', '{"id":1}', '{"id":2}']
    produce(c, "in", lines)
    said = run(c, *END, "--json", ".id", "--malformed", "fail", status=2)
    check("partition 0, offset 1: the message" in said, said)
    equal(values(c, "out"), lines[:1], "before the malformed one")
    run(c, *END, "--json", ".id", "--to", "out2", "--missing", "drop")
    equal(values(c, "out2"), [lines[0], lines[1], lines[4]], "drop")
    run(c, *END, "--json", ".id", "--to", "out3", "--malformed", "drop")
    equal(values(c, "out3"), [lines[0], lines[2], lines[4]], "malformed")


@test
def repeats_go_to_their_topic(c):
    make(c, 2, "dup")
    produce(c, "in", ["a", "b", "a", "a"], 1)
    run(c, *KEEP, "--dup-topic", "dup")
    equal(values(c, "out", 1), ["a", "b"], "new")
    equal(values(c, "dup", 1), ["a", "a"], "repeats")
    produce(c, "in", ["b"], 1)
    run(c, *KEEP, "--dup-topic", "dup")
    equal(values(c, "dup", 1), ["a", "a", "b"], "repeats")


@test
def a_window_goes_by_the_messages_own_time(c):
    make(c)
    produce(c, "in", ["a", "b", "a"])
    run(c, *KEEP, "--within", "1h")
    equal(values(c, "out"), ["a", "b"], "within the window")
    lines = ['{"t":"2024-01-01T00:00:00Z","id":1}',
             '{"t":"2024-01-01T00:30:00Z","id":1}',
             '{"t":"2024-01-01T03:00:00Z","id":1}']
    c.topic("in2", 1)
    c.topic("out2", 1)
    produce(c, "in2", lines)
    run(c, *END, "--within", "1h", "--json", ".id", "--time", ".t", "--from",
        "in2", "--to", "out2")
    equal(values(c, "out2"), [lines[0], lines[2]], "by --time")


# The options of keys and filters: which of the values pass.
OPTIONS = [
    ("-k 2", ["a x", "b x", "c y"], "13"),
    ("-t , -k 1", ["a,x", "a,y", "b,y"], "13"),
    ("-f 1", ["a x", "b x", "c y"], "13"),
    ("-s 1", ["ax", "bx", "cy"], "13"),
    ("-w 1", ["ax", "ay", "by"], "13"),
    ("-i", ["a", "A", "b"], "13"),
    ("--csv 2", ['1,"x"', "2,x", "3,y"], "13"),
    ("--regex [0-9]+", ["a1", "b1", "c2"], "13"),
    ("--exclude .t", ['{"i":1,"t":1}', '{"i":1,"t":2}', '{"i":2}'], "13"),
    ("--crlf", ["a\r", "a", "b"], "13"),
    ("--last 1", ["a", "a", "b", "c", "d", "e", "f", "a"], "1345678"),
    ("--within 1h --max-skew none --refresh", ["a", "a"], "1"),
    ("--within 1h --time 1 --time-format %s", ["1700000000 a",
                                               "1700000000 a"], "1"),
    ("-e 1e-3 --expect 1000 --seed 7 --hash siphash", ["a", "a"], "1"),
    ("--algorithm sbf --param k=4", ["a", "a"], "1"),
    ("--prefer keep -S 8M", ["a", "a"], "1"),
]


@test
def keys_and_filters_have_the_options_of_the_pipe(c):
    for i, (options, lines, passing) in enumerate(OPTIONS):
        c.topic("in%d" % i, 1)
        c.topic("out%d" % i, 1)
        produce(c, "in%d" % i, lines)
        run(c, *END, *options.split(), "--from", "in%d" % i, "--to",
            "out%d" % i)
        equal(values(c, "out%d" % i), [lines[int(n) - 1] for n in passing],
              options)


# ---- Runs that follow each other --------------------------------------------


@test
def a_second_run_goes_on_where_the_first_ended(c):
    make(c)
    produce(c, "in", ["a", "b", "a"])
    run(c, *KEEP)
    produce(c, "in", ["b", "c"])
    run(c, *KEEP)
    equal(values(c, "out"), ["a", "b", "c"], "output")
    info = subprocess.run([os.environ["FRESHET"], "info", "s/in-0.state"],
                          stdout=subprocess.PIPE, text=True).stdout
    check("from          in/0 by value" in info, info)
    check("place         5 3 -1" in info, info)
    equal(os.stat("s/in-0.state").st_mode & 0o777, 0o600, "mode")


@test
def without_a_state_the_output_rebuilds_the_filter(c):
    make(c)
    produce(c, "in", ["a", "b", "a"])
    run(c, *END)
    produce(c, "in", ["b", "c"])
    said = run(c, *END, "--stats=json")
    equal(values(c, "out"), ["a", "b", "c"], "output")
    equal(json.loads(said)["rebuilt"], 2, said)
    run(c, *END, "--rebuild", "never")
    equal(values(c, "out"), ["a", "b", "c"] * 2, "never")


@test
def a_message_that_arrived_before_the_crash_is_not_produced_again(c):
    """The state is put back to what it was, as if a crash had undone it."""
    make(c, 1, "dup")
    more = ("--dup-topic", "dup")
    produce(c, "in", ["a", "b"])
    run(c, *KEEP, *more)
    shutil.copy("s/in-0.state", "old")
    produce(c, "in", ["c", "a", "d", "c", "e"])
    run(c, *KEEP, *more)
    os.rename("old", "s/in-0.state")
    produce(c, "in", ["f", "a"])
    said = run(c, *KEEP, *more, "--stats=json")
    equal(values(c, "out"), ["a", "b", "c", "d", "e", "f"], "output")
    equal(values(c, "dup"), ["a", "c", "a"], "repeats")
    said = json.loads(said)
    equal((said["matched"], said["foreign"]), (5, 0), "matched, foreign")


@test
def what_others_wrote_to_the_output_is_remembered_and_counted(c):
    make(c)
    by = ("--by", "key")
    produce(c, "in", ["1\ta"], key=True)
    run(c, *KEEP, *by)
    produce(c, "out", ["2\tforeign", "3\tforeign"], key=True)
    produce(c, "in", ["4\tb", "2\tc", "5\td"], key=True)
    said = json.loads(run(c, *KEEP, *by, "--stats=json"))
    equal([m.key for m in messages(c, "out")[0]], ["1", "2", "3", "4", "5"],
          "keys")
    equal(said["foreign"], 2, "foreign")
    produce(c, "in", ["3\te"], key=True)
    run(c, *KEEP, *by)
    equal(len(values(c, "out")), 5, "still remembered")


@test
def a_group_shares_partitions_and_its_commits_lead(c):
    """Two processes of one group; each has a folder of its own."""
    make(c, 4)
    more = ("--group", "g", "-m", "4M", "--checkpoint", "200ms", "-X",
            "session.timeout.ms=6000")
    one = start(c, *more, "--state", "one")
    two = start(c, *more, "--state", "two")
    for p in range(4):
        produce(c, "in", ["a", "b", "a"], p)
    wait_for("8 messages", 40, produced(c, 8))
    end(one)
    for p in range(4):
        produce(c, "in", ["b", "c", "a"], p)
    wait_for("12 messages", 40, produced(c, 12))
    end(two)
    for p in range(4):
        equal(values(c, "out", p), ["a", "b", "c"], "partition %d" % p)


def states(folder, many):
    """Whether a folder has state files of that many partitions, or more."""
    return lambda: len(glob.glob(folder + "/in-?.state")) >= many


@test
def partitions_that_are_taken_away_do_not_end_a_run_before_the_end(c):
    """A second process takes half of the partitions and is killed: the first
    one copies the other half.  Fetches fail until the second is there, so that
    the first has not come to its end before."""
    make(c, 4)
    for p in range(4):
        produce(c, "in", ["a", "b"], p)
    c.tell("error 1 6 30")  # Fetch: not the leader
    more = END + ("--group", "g", "-X", "session.timeout.ms=6000", "-X",
                  "heartbeat.interval.ms=100", "-X",
                  "fetch.error.backoff.ms=200")
    one = start(c, *more, "--state", "one")
    wait_for("partitions of the first", 40, states("one", 4))
    two = start(c, *more, "--state", "two")
    wait_for("partitions of the second", 40, states("two", 2))
    two.kill()
    two.communicate()
    said = one.communicate(timeout=120)[1].decode()
    equal((one.returncode, said), (0, ""), "status")
    copied = [p for p in range(4) if values(c, "out", p) == ["a", "b"]]
    check(len(copied) >= 2, "of the partitions only %s are copied" % copied)


# ---- Crashes ----------------------------------------------------------------


def kill_often(c, times, more=()):
    """kill -9 at random moments: nothing is lost, nothing is there twice."""
    said = []
    for _ in range(times):
        lines = [str(random.randrange(1000000)) if random.random() < 0.5
                 or not said else random.choice(said) for _ in range(1000)]
        said += lines
        # Each message to a partition of its own, not 10 ms of them to one.
        produce(c, "in", lines, -1,
                more=("-X", "sticky.partitioning.linger.ms=0"))
        job = start(c, "-m", "8M", "--state", "s", "--checkpoint", "20ms",
                    *more)
        time.sleep(random.uniform(0.01, 0.35))
        job.kill()
        job.communicate()
    run(c, "--until-end", "-m", "8M", "--state", "s", *more)
    came, went = messages(c, "in"), messages(c, "out")
    for p in range(4):
        check(len(came[p]) > 100, "partition %d is used" % p)
        equal([m.value for m in went[p]],
              first_ones(m.value for m in came[p]), "partition %d" % p)
    print("     killed %d times: %d messages, %d new, 0 lost, 0 extra" %
          (times, sum(map(len, came.values())), sum(map(len, went.values()))))


def every_message_is_in_one_of_both(c):
    """Repeats are in the other topic, in their order."""
    came, dups = messages(c, "in"), messages(c, "dup")
    for p in range(4):
        seen, repeats = set(), []
        for m in came[p]:
            if m.value in seen:
                repeats.append(m.value)
            seen.add(m.value)
        equal([m.value for m in dups[p]], repeats, "repeats of %d" % p)


@test
def killed_at_random_moments(c):
    make(c, 4)
    kill_often(c, int(os.environ.get("KILLS", "20")))


@test
def killed_at_random_moments_with_repeats_produced(c):
    make(c, 4, "dup")
    kill_often(c, int(os.environ.get("KILLS", "5")), ("--dup-topic", "dup"))
    every_message_is_in_one_of_both(c)


@test
def sigterm_saves_and_ends_by_the_signal(c):
    make(c)
    produce(c, "in", ["a", "b"])
    job = start(c, "-m", "4M", "--state", "s", "--stats=json")
    wait_for("2 messages", 20, produced(c, 2))
    said = json.loads(end(job))
    equal(said["new"], 2, "new")
    equal(said["partitions"][0]["lag"], 0, "lag")
    produce(c, "in", ["a", "c"])
    said = json.loads(run(c, *KEEP, "--stats=json"))
    equal((said["records"], said["rebuilt"], said["matched"]), (2, 0, 0),
          "what the second run did")
    equal(values(c, "out"), ["a", "b", "c"], "output")


# ---- Bad days ---------------------------------------------------------------


@test
def topics_that_do_not_fit(c):
    make(c, 2)
    c.topic("three", 3)
    said = run(c, *END, "--to", "none", "--retry", "500ms", status=2)
    check("there is no topic none; make it first" in said, said)
    said = run(c, *END, "--to", "three", "--retry", "500ms", status=2)
    check("topic in has 2 partitions and topic three has 3" in said, said)
    said = run(c, *END, "--to", "in", status=2)
    check("--from and --to are the same topic" in said, said)


@test
def a_topic_that_is_created_a_moment_later(c):
    c.topic("in")
    produce(c, "in", ["a", "a"])
    job = start(c, *END)
    time.sleep(0.5)
    c.topic("out")
    said = job.communicate(timeout=60)[1].decode()
    equal((job.returncode, said), (0, ""), "status")
    equal(values(c, "out"), ["a"], "output")


@test
def brokers_that_are_down_at_the_start(c):
    c.close()
    said = run(c, *END, "--retry", "2s", status=2)
    check("no broker answered within 2s" in said, said)


@test
def brokers_that_go_away_for_a_while(c):
    make(c, 1, "dup")
    job = start(c, "-m", "4M", "--state", "s", "--checkpoint", "100ms")
    produce(c, "in", ["a", "b"])
    wait_for("2 messages", 20, produced(c, 2))
    c.tell("down 1")
    time.sleep(1)
    c.tell("up 1")
    produce(c, "in", ["b", "c"])
    wait_for("3 messages", 30, produced(c, 3))
    end(job)
    equal(values(c, "out"), ["a", "b", "c"], "output")


@test
def a_delivery_that_fails_is_like_a_crash(c):
    """The first of ten requests fails: none of the others may come before what
    it had.  Real brokers refuse requests that were sent with it; the mock does
    not, so they are sent one after the other."""
    make(c)
    produce(c, "in", [str(i) for i in range(1000)])
    c.tell("error 0 87 1")  # 0: Produce; 87, invalid record: no retry helps
    said = run(c, *KEEP, "--stats=json", *ONE_BY_ONE)
    check("beginning again at the last checkpoint" in said, said)
    equal(values(c, "out"), [str(i) for i in range(1000)], "output")


@test
def a_message_that_is_too_large(c):
    make(c)
    produce(c, "in", ["a", "b" * 5000, "c"])
    said = run(c, *KEEP, "-X", "message.max.bytes=2000", status=2)
    check("a message of 5000 bytes was not delivered" in said, said)
    check("-X message.max.bytes" in said, said)
    run(c, *KEEP)
    equal([len(v) for v in values(c, "out")], [1, 5000, 1], "output")
    produce(c, "in", ["d"])
    c.tell("error 0 10 1")  # the broker finds it too large
    said = run(c, *KEEP, status=2)
    check("a message of 1 bytes was not delivered" in said, said)
    check("raise the output's limit" in said, said)


@test
def a_state_of_something_else_is_refused(c):
    make(c, 1, "out2")
    produce(c, "in", ["a"])
    run(c, *KEEP)
    said = run(c, *KEEP, "--to", "out2", status=2)
    check("that wrote to 'out', not 'out2'" in said, said)
    said = run(c, *KEEP, "--by", "key", status=2)
    check("that read 'in/0 by value', not 'in/0 by key'" in said, said)
    said = run(c, *KEEP, "--json", ".id", status=2)
    check("--json .id" in said, said)
    said = run(c, *KEEP, "--group", "g", status=2)
    check("of the group '-', not 'g'" in said, said)
    said = run(c, *KEEP, "--within", "1h", status=2)
    check("--within" in said, said)


@test
def a_state_that_is_newer_than_the_topic_is_refused(c):
    make(c)
    produce(c, "in", ["a", "b"])
    run(c, *KEEP)
    c.close()
    c.__init__()
    make(c)
    said = run(c, *KEEP, status=2)
    check("the topic was truncated or made anew" in said, said)


@test
def two_processes_with_one_folder(c):
    make(c)
    produce(c, "in", ["a"])
    job = start(c, "-m", "4M", "--state", "s", "--checkpoint", "100ms")
    wait_for("a state", 20, lambda: os.path.exists("s/in-0.state"))
    said = run(c, *KEEP, status=2)
    check("another freshet is using it" in said, said)
    end(job)


@test
def a_state_that_cannot_be_written(c):
    make(c)
    produce(c, "in", ["a"])
    run(c, *KEEP)
    os.mkdir("s/in-0.state.tmp")
    produce(c, "in", ["b"])
    said = run(c, *KEEP, status=2)
    check("s/in-0.state" in said, said)
    os.rmdir("s/in-0.state.tmp")
    said = json.loads(run(c, *KEEP, "--stats=json"))
    equal(values(c, "out"), ["a", "b"], "output")
    equal(said["matched"], 1, "found in the output")


@test
def properties_are_checked(c):
    make(c)
    for given, wanted in (("nonsense=1", "No such configuration property"),
                          ("nonsense", "is not name=value"),
                          ("acks=1", "acks cannot be set"),
                          ("message.timeout.ms=30000", "is not below half")):
        said = run(c, *END, "-X", given, status=2)
        check(wanted in said, said)
    run(c, *END, *("-X", "client.id=many") * 63)  # and one that run() adds


@test
def figures_are_shown_for_each_partition(c):
    make(c, 2)
    produce(c, "in", ["a", "a", "b"], 1)
    said = run(c, *END, "--stats", "--metrics", "m", "--progress",
               "--stats-output", "st")
    equal(said, "", "standard error")
    with open("m") as f:
        text = f.read()
    check('freshet_kafka_new_total{partition="1"} 2\n' in text, text)
    check('freshet_kafka_lag{partition="1"} 0\n' in text, text)
    with open("st") as f:
        text = f.read()
    check(text.splitlines()[2].split()[:4] == ["1", "3", "2", "1"], text)


@test
def figures_and_health_are_served_over_http(c):
    make(c, 2)
    job = start(c, "-m", "4M", "--listen", "0", "--metrics", "m")
    said = job.stderr.readline().decode()
    url = said.split()[-1]
    check(url.startswith("http://127.0.0.1:"), said)
    produce(c, "in", ["a", "a", "b"], 1)
    wait_for("3 messages", 30, lambda: 'records_total{partition="1"} 3\n' in
             ask(url + "/metrics")[1])
    text = ask(url + "/metrics")[1]
    check('freshet_kafka_new_total{partition="1"} 2\n' in text, text)
    check('freshet_kafka_lag{partition="1"} 0\n' in text, text)
    equal(ask(url + "/healthz"), (200, "ok\n"), "/healthz")
    end(job)
    with open("m") as f:
        equal([line.split()[0] for line in text.splitlines()],
              [line.split()[0] for line in f], "names, as in --metrics")


@test
def a_run_that_has_not_begun_is_not_healthy(c):
    c.close()
    job = start(c, "-m", "4M", "--listen", "0")
    url = job.stderr.readline().decode().split()[-1]
    equal(ask(url + "/healthz"), (503, "the run has not begun\n"), "/healthz")
    equal(ask(url + "/metrics")[0], 503, "/metrics")
    end(job)


if __name__ == "__main__":
    need("kcat", "kcat")
    main(sys.modules["__main__"])
