"""lib.py - what the tests of freshet kafka share: brokers, topics, runs

FRESHET is the program, MOCK the program mock_cluster.  A test is a function;
main() runs those named on the command line, or all.
"""
import collections
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

FRESHET = os.environ.get("FRESHET", "freshet")
SKIP = 77

Message = collections.namedtuple("Message", "partition offset key value")


def check(fact, words):
    if not fact:
        raise AssertionError(words)


def equal(got, wanted, words):
    if got != wanted:
        if isinstance(got, list) and isinstance(wanted, list):
            same = 0
            while got[same:same + 1] == wanted[same:same + 1]:
                same += 1
            words += " (%d and %d long), from the %dth on" % (
                len(got), len(wanted), same)
            got, wanted = got[same:], wanted[same:]
        raise AssertionError("%s: %s is not %s" % (words, short(got),
                                                    short(wanted)))


def short(what):
    text = repr(what)
    return text if len(text) < 600 else text[:600] + "..."


class Mock:
    """Brokers of librdkafka's mock cluster, in a process of their own."""

    options = ("-X", "fetch.wait.max.ms=20")

    def __init__(self, brokers=1):
        self.process = subprocess.Popen(
            [os.environ["MOCK"], str(brokers)], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True)
        self.brokers = self.process.stdout.readline().strip()
        check(self.brokers, "the mock cluster did not start")

    def tell(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        equal(self.process.stdout.readline().strip(), "ok", line)

    def topic(self, name, partitions=1):
        self.tell("topic %s %d" % (name, partitions))

    def close(self):
        self.process.stdin.close()
        self.process.wait(10)


def kcat(cluster, *args, data=b""):
    done = subprocess.run(["kcat", "-b", cluster.brokers, *cluster.options,
                           *args], input=data, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=120)
    check(done.returncode == 0, "kcat %s: %s" % (args, done.stderr.decode()))
    return done.stdout


def produce(cluster, topic, values, partition=0, key=False, more=()):
    """Produce values; with key, each is "KEY\\tVALUE"."""
    kcat(cluster, "-P", "-t", topic, "-p", str(partition),
         *(("-K", "\t") if key else ()), *more,
         data="".join(v + "\n" for v in values).encode())


def consume(cluster, topic, form="%p\\t%o\\t%k\\t%s\\n"):
    text = kcat(cluster, "-C", "-t", topic, "-o", "beginning", "-e", "-q",
                "-f", form).decode()
    return [line.split("\t") for line in text.split("\n")[:-1]]


def messages(cluster, topic):
    """The messages of each partition, in order."""
    found = collections.defaultdict(list)
    for p, o, k, v in consume(cluster, topic):
        found[int(p)].append(Message(int(p), int(o), k, v))
    return found


def values(cluster, topic, partition=0):
    return [m.value for m in messages(cluster, topic)[partition]]


def words(cluster, *args):
    return [FRESHET, "kafka", "--brokers", cluster.brokers, "--from", "in",
            "--to", "out", *cluster.options, *args]


def run(cluster, *args, status=0, timeout=60):
    """Run freshet to its end; returns what it wrote to standard error."""
    done = subprocess.run(words(cluster, *args), stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=timeout)
    said = done.stderr.decode()
    check(done.returncode == status, "%s: status %d, not %d: %s" %
          (" ".join(args), done.returncode, status, said))
    equal(done.stdout, b"", "standard output")
    return said


def start(cluster, *args):
    return subprocess.Popen(words(cluster, *args), stdout=subprocess.DEVNULL,
                            stderr=subprocess.PIPE)


def end(process, how=signal.SIGTERM):
    """End a run; returns what it wrote to standard error."""
    process.send_signal(how)
    said = process.communicate(timeout=60)[1].decode()
    equal(process.returncode, -how, "status: " + said)
    return said


def ask(url):
    """The status and the text of an answer over HTTP."""
    try:
        with urllib.request.urlopen(url, timeout=60) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as answer:
        return answer.code, answer.read().decode()


def wait_for(what, seconds, fact):
    until = time.monotonic() + seconds
    while not fact():
        check(time.monotonic() < until, "not within %d s: %s" % (seconds, what))
        time.sleep(0.05)


def first_ones(sequence):
    return list(dict.fromkeys(sequence))


def main(module, make=Mock):
    tests = [(n, f) for n, f in sorted(vars(module).items())
             if callable(f) and getattr(f, "is_test", False)]
    asked = sys.argv[1:]
    failed = 0
    for name, test in tests:
        if asked and name not in asked:
            continue
        folder = tempfile.mkdtemp()
        os.chdir(folder)
        random.seed(1)
        began = time.monotonic()
        cluster = make(**test.cluster)
        try:
            test(cluster)
            print("ok   %s (%.1f s)" % (name, time.monotonic() - began))
        except AssertionError as wrong:
            failed += 1
            print("FAILED %s: %s" % (name, wrong))
        finally:
            cluster.close()
            os.chdir("/")
            shutil.rmtree(folder)
        sys.stdout.flush()
    sys.exit(failed != 0)


def test(function=None, **cluster):
    """Marks a test; the arguments are for the cluster."""
    def mark(f):
        f.is_test = True
        f.cluster = cluster
        return f
    return mark(function) if function else mark


def need(program, package):
    if not shutil.which(program):
        print("%s is not installed (Debian's package %s): skipped" %
              (program, package))
        sys.exit(SKIP)
