"""listen.py FRESHET - what freshet --listen serves, and that nobody who asks
delays the records"""
import http.client
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from random import Random

FRESHET = os.path.realpath(sys.argv[1])
SKIP = 77


def equal(got, wanted, words):
    if got != wanted:
        raise AssertionError("%s: %r is not %r" % (words, got, wanted))


class Run:
    """freshet with a pipe as its input, and the address it listens on."""

    def __init__(self, *options, listen="127.0.0.1:0", to=subprocess.PIPE):
        self.process = subprocess.Popen(
            [FRESHET, "-m", "1M", "--listen", listen, *options],
            stdin=subprocess.PIPE, stdout=to, stderr=subprocess.PIPE)
        said = self.process.stderr.readline().decode()
        found = re.fullmatch("freshet: listening on (http://(.*):([0-9]+))\n",
                             said)
        if not found:
            print(said)
            sys.exit(SKIP)
        self.url = found[1]
        self.host, self.port = found[2].strip("[]"), int(found[3])
        while self.ask("/healthz")[2] == "the run has not begun\n":
            time.sleep(0.02)

    def write(self, text):
        self.process.stdin.write(text.encode())
        self.process.stdin.flush()

    def ask(self, path, method="GET", data=None):
        """Status, headers, text."""
        request = urllib.request.Request(self.url + path, data, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.status, answer.headers, answer.read().decode()
        except urllib.error.HTTPError as answer:
            return answer.code, answer.headers, answer.read().decode()

    def figures(self):
        return parse(self.ask("/metrics")[2])

    def wait_for(self, name, value):
        while self.figures()[name] != value:
            time.sleep(0.02)

    def send(self, bytes_):
        """Sends any bytes, and takes what comes back."""
        with socket.create_connection((self.host, self.port)) as s:
            s.settimeout(0.5)
            try:
                s.sendall(bytes_)
                s.shutdown(socket.SHUT_WR)
                s.recv(1000)
            except OSError:
                pass

    def end(self, status=0):
        out = self.process.communicate()[0]
        equal(self.process.returncode, status, "status")
        return out


def parse(text):
    """The value of each metric; labels are part of the name."""
    return {name: float(value) for name, value in
            (line.rsplit(" ", 1) for line in text.splitlines()
             if not line.startswith("#"))}


def adds_up(f):
    equal(sum(f["freshet_%s_total" % name] for name in
              ("new", "repeats", "passed", "dropped")),
          f["freshet_records_total"], "new + repeats + passed + dropped")


def figures_of_the_stream_are_served():
    run = Run("--metrics", "m.prom")
    status, headers, text = run.ask("/metrics")
    equal((status, headers["Content-Type"]),
          (200, "text/plain; version=0.0.4; charset=utf-8"), "/metrics")
    run.write("a\nb\na\n")
    run.wait_for("freshet_records_total", 3)
    equal(run.figures()["freshet_new_total"], 2, "new")
    status, headers, text = run.ask("/healthz")
    equal((status, text), (200, "ok\n"), "/healthz")
    names = set(run.figures())
    equal(run.end(), b"a\nb\n", "output")
    with open("m.prom") as f:
        equal(names, set(parse(f.read())), "names of /metrics and --metrics")


def an_audit_is_served():
    run = Run("--audit")
    run.write("a\nb\na\n")
    run.wait_for("freshet_records_total", 3)
    audited = [name for name in run.figures() if "audit" in name]
    equal(len(audited) > 0, True, "figures of the audit")
    equal(run.end(), b"a\nb\n", "output")


def paths_and_methods():
    run = Run()
    status, headers, text = run.ask("/metrics", "HEAD")
    equal((status, text), (200, ""), "HEAD")
    equal(int(headers["Content-Length"]) > 500, True, "its length")
    equal(run.ask("/")[0], 404, "/")
    equal(run.ask("/nothing", "POST", b"x" * 100000)[0], 404, "POST /nothing")
    for method in ("POST", "PUT", "DELETE", "OPTIONS", "PATCH"):
        status, headers, text = run.ask("/healthz", method, b"x")
        equal((status, headers["Allow"]), (405, "GET, HEAD"), method)
    equal(run.end(), b"", "output")


def a_connection_serves_many_requests():
    run = Run()
    to = http.client.HTTPConnection(run.host, run.port, timeout=60)
    to.connect()
    first = to.sock
    for _ in range(5):
        to.request("GET", "/healthz")
        equal(to.getresponse().read(), b"ok\n", "/healthz")
        equal(to.sock is first, True, "the connection stays open")
    to.close()
    run.end()


def nonsense_does_no_harm():
    run = Run()
    for bytes_ in (b"\0" * 100, b"GET\r\n\r\n", b"GET / HTTP/9\r\n\r\n",
                   b"GET /metrics HTTP/1.1\r\nX: " + b"y" * 100000,
                   b"GET /" + b"a" * 100000 + b" HTTP/1.1\r\n\r\n",
                   b"POST /metrics HTTP/1.1\r\nHost: a\r\n"
                   b"Content-Length: 99999999999999999999\r\n\r\n"):
        run.send(bytes_)
    equal(run.ask("/healthz")[0], 200, "/healthz")
    run.end()


def damaged(random, request):
    """A request with some bytes changed, taken out, put in or doubled."""
    text = bytearray(request)
    for _ in range(random.randint(1, 8)):
        at = random.randrange(len(text) + 1)
        to = random.randrange(at, min(at + 20, len(text)) + 1)
        text[at:to] = random.choice(
            (b"", bytes([random.randrange(256)]), text[at:to] * 2, b"\r\n",
             b"%00", b"..", b"99999999999999999999", b"chunked"))
    return bytes(text)


def damaged_requests_do_no_harm():
    run, random = Run(), Random(1)
    for turn in range(400):
        run.send(damaged(random, random.choice((
            b"GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n",
            b"HEAD /healthz?a=b#c HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
            b"POST /metrics HTTP/1.1\r\nHost: a\r\n"
            b"Transfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n0\r\n\r\n",
            b"PUT /healthz HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n"
            b"Content-Length: 3\r\n\r\nabcGET / HTTP/1.1\r\n\r\n"))))
        run.write("%d\n" % (turn // 2))
    equal(run.ask("/healthz")[::2], (200, "ok\n"), "/healthz")
    equal(run.end(), b"".join(b"%d\n" % i for i in range(200)), "output")


def figures_are_consistent_while_records_pass():
    for threads in ("1", "3"):
        with open("out", "wb") as out:
            run = Run("--parallel", threads, to=out)
            before, n = 0, 0
            for turn in range(30):
                run.write("".join("%d\n" % (i % 7919) for i in
                                  range(turn * 1000, turn * 1000 + 20000)))
                f = run.figures()
                adds_up(f)
                equal(f["freshet_records_total"] >= before, True, "it grows")
                before, n = f["freshet_records_total"], n + 20000
            run.wait_for("freshet_records_total", n)
            run.end()
        with open("out") as out:
            equal(len(out.readlines()), 7919, "output")


def stalled_clients_do_not_stall_the_records():
    # In 1 MiB, with a random seed, a new record is dropped once in 10,000 runs.
    run = Run("--seed", "1")
    clients = [socket.create_connection((run.host, run.port))
               for _ in range(24)]
    for i, client in enumerate(clients):
        client.sendall(b"GET /metrics HTTP/1.1\r\nHost: a\r\n"
                       + b"\r\n" * (i % 2))
    lines = "".join("%d\n" % i for i in range(200000))
    run.process.stdin.write(lines.encode())
    equal(run.end(), lines.encode(), "output")
    for client in clients:
        client.close()


def a_signal_ends_it_with_clients_connected():
    run = Run()
    client = socket.create_connection((run.host, run.port))
    run.process.send_signal(signal.SIGTERM)
    run.end(-signal.SIGTERM)
    client.close()


def with_ipv6():
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        print("     no IPv6")
        return
    run = Run(listen="[::1]:0")
    equal(run.ask("/healthz")[0], 200, "/healthz")
    run.end()


def only_loopback_unless_written_out():
    run = Run(listen="0")
    equal(run.host, "127.0.0.1", "host")
    run.end()
    run = Run(listen="0.0.0.0:0")
    equal(run.host, "0.0.0.0", "host")
    equal(run.ask("/healthz")[0], 200, "/healthz")
    run.end()


def main():
    failed = 0
    for test in (figures_of_the_stream_are_served, an_audit_is_served,
                 paths_and_methods,
                 a_connection_serves_many_requests, nonsense_does_no_harm,
                 damaged_requests_do_no_harm,
                 figures_are_consistent_while_records_pass,
                 stalled_clients_do_not_stall_the_records,
                 a_signal_ends_it_with_clients_connected, with_ipv6,
                 only_loopback_unless_written_out):
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            began = time.monotonic()
            try:
                test()
                print("ok   %s (%.1f s)" % (test.__name__,
                                            time.monotonic() - began))
            except AssertionError as wrong:
                failed += 1
                print("FAILED %s: %s" % (test.__name__, wrong))
            os.chdir("/")
    sys.exit(failed != 0)


main()
