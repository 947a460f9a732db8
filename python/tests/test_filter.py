"""The filter: keys, batches, windows, files, threads and bad input."""

import array
import ast
import copy
import ctypes
import doctest
import gc
import inspect
import itertools
import mmap
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
import unittest
from datetime import timedelta
from multiprocessing import shared_memory

import freshet

try:
    import numpy
except ImportError:
    numpy = None

FRESHET = os.environ.get("FRESHET")  # the program
# A sanitizer that is loaded before the interpreter is in the program already.
PROGRAM_ENV = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}


def small(**options):
    return freshet.Filter(memory="1M", seed=1, **options)


class Keys(unittest.TestCase):
    def test_a_key_is_new_once(self):
        seen = small()
        self.assertIs(seen.add("a"), True)
        self.assertIs(seen.add("a"), False)
        self.assertIn("a", seen)
        self.assertNotIn("b", seen)

    def test_text_and_its_utf8_are_one_key(self):
        seen = small()
        self.assertTrue(seen.add("zürich"))
        self.assertFalse(seen.add("zürich".encode()))

    def test_asking_remembers_nothing(self):
        seen = small()
        self.assertNotIn("a", seen)
        self.assertNotIn("a", seen)
        self.assertTrue(seen.add("a"))

    def test_remember_and_forget(self):
        seen = small()
        seen.remember("a")
        self.assertFalse(seen.add("a"))
        self.assertTrue(seen.forget("a"))
        self.assertFalse(seen.forget("a"))
        self.assertTrue(seen.add("a"))

    def test_reset_forgets_everything(self):
        seen = small()
        seen.add("a")
        seen.reset()
        self.assertTrue(seen.add("a"))

    def test_short_and_long_keys(self):
        seen = freshet.Filter(memory="1M")
        long = b"x" * 100_000_000
        for key in "", b"\0", b"\0\0", long, long + b"y":
            self.assertTrue(seen.add(key))
            self.assertFalse(seen.add(key))
        self.assertFalse(seen.add(b""))

    def test_one_seed_gives_the_same_verdicts(self):
        keys = [str(i * 7919 % 50021) for i in range(100_000)]
        runs = [freshet.Filter(memory="64K", seed=-3).add_many(keys) for _ in "ab"]
        self.assertEqual(bytes(runs[0]), bytes(runs[1]))


class Buffer(ctypes.Structure):
    """Py_buffer of Python's stable interface."""

    _fields_ = [
        ("buf", ctypes.c_void_p),
        ("obj", ctypes.c_void_p),
        ("len", ctypes.c_ssize_t),
        ("itemsize", ctypes.c_ssize_t),
        ("readonly", ctypes.c_int),
        ("ndim", ctypes.c_int),
        ("format", ctypes.c_char_p),
        ("shape", ctypes.c_void_p),
        ("strides", ctypes.c_void_p),
        ("suboffsets", ctypes.c_void_p),
        ("internal", ctypes.c_void_p),
    ]


MEMORY = ctypes.create_string_buffer(64)


def view_of(format, size):
    """A memoryview of two items, whose format and size no cast() makes."""
    shape = (ctypes.c_ssize_t * 1)(2)
    strides = (ctypes.c_ssize_t * 1)(size)
    buffer = Buffer(ctypes.addressof(MEMORY), None, 2 * size, size, 1, 1, format)
    buffer.shape = ctypes.addressof(shape)
    buffer.strides = ctypes.addressof(strides)
    make = ctypes.pythonapi.PyMemoryView_FromBuffer
    make.restype = ctypes.py_object
    return make(ctypes.byref(buffer))


class Many(unittest.TestCase):
    keys = [f"user-{i * 7919 % 5003}" for i in range(20_000)]

    @classmethod
    def setUpClass(cls):
        known = set()
        cls.truth = [not (k in known or known.add(k)) for k in cls.keys]

    def same(self, keys):
        fresh = small().add_many(keys)
        self.assertEqual(fresh.format, "?")
        self.assertEqual(list(fresh), self.truth)

    def test_lists_tuples_and_iterators(self):
        self.same(self.keys)
        self.same(tuple(self.keys))
        self.same(iter(self.keys))
        self.same(key.encode() for key in self.keys)
        self.same(dict(enumerate(self.keys)).values())

    def test_offsets_and_data(self):
        encoded = [key.encode() for key in self.keys]
        for code in "i", "q":
            ends = itertools.accumulate(map(len, encoded), initial=0)
            self.same((array.array(code, ends), b"".join(encoded)))

    def test_integers_are_their_digits(self):
        seen = small()
        self.assertEqual(list(seen.add_many(array.array("q", [7, -7, 7]))), [True, True, False])
        self.assertFalse(seen.add("-7"))
        self.assertFalse(seen.add_many(array.array("B", [7]))[0])
        self.assertTrue(seen.add_many(array.array("Q", [2**64 - 1]))[0])
        self.assertFalse(seen.add(str(2**64 - 1)))

    def test_wide_characters_of_ctypes_are_characters(self):
        seen = small()
        fresh = seen.add_many((ctypes.c_wchar * 3)(*"aüa"))
        self.assertEqual(list(fresh), [True, True, False])
        self.assertIn("ü", seen)

    def test_an_array_whose_items_are_several_numbers_is_refused(self):
        for format, size in (b"4i", 16), (b"2i", 8), (b"i", 16):
            with self.assertRaisesRegex(TypeError, "array of keys"):
                small().add_many(view_of(format, size))

    @unittest.skipUnless(numpy, "numpy is not installed")
    def test_numpy_arrays(self):
        self.same(numpy.array(self.keys))
        self.same(numpy.array(self.keys, dtype="S"))
        self.same(numpy.array(self.keys, dtype=object))
        every_second = numpy.array([k for key in self.keys for k in (key, "-")])[::2]
        self.same(every_second)
        seen = small()
        seen.add_many(numpy.array(["zürich", "\U0001f600"]))
        self.assertIn("zürich", seen)
        self.assertIn("\U0001f600", seen)
        fresh = small().add_many(self.keys)
        self.assertEqual(numpy.asarray(fresh).sum(), sum(self.truth))

    @unittest.skipUnless(numpy, "numpy is not installed")
    def test_arrays_that_hold_no_keys_are_refused(self):
        seen = small()
        for wrong in (
            numpy.array([1.5]),
            numpy.array([True]),
            numpy.array([[1, 2]]),
            numpy.array([1], dtype=">i8"),
            numpy.array(["a"], dtype=">U1"),
        ):
            self.assertRaisesRegex(TypeError, "array of keys", seen.add_many, wrong)
        surrogate = numpy.array([0x61, 0xD800], dtype="u4").view("U1")
        self.assertRaisesRegex(ValueError, "surrogate", seen.add_many, surrogate)
        self.assertIn("a", seen)
        self.assertEqual(seen.info()["offered"], 1)

    def test_nothing(self):
        self.assertEqual(list(small().add_many([])), [])
        self.assertEqual(list(small().add_many((array.array("q", [0]), b""))), [])

    def test_what_was_added_before_an_exception_stays(self):
        def keys():
            yield from ("a", "b")
            raise KeyError("half-way")

        for bad, expected in (keys(), KeyError), (["a", "b", 3], TypeError):
            seen = small()
            with self.assertRaises(expected):
                seen.add_many(bad)
            self.assertIn("a", seen)
            self.assertIn("b", seen)

    def test_a_signal_ends_it(self):
        def stop(*_):
            raise KeyboardInterrupt

        before = signal.signal(signal.SIGVTALRM, stop)
        seen = small()
        most = 2**26
        try:
            for keys in itertools.repeat("a", most), ["a"] * (most // 8):
                seen.reset()
                signal.setitimer(signal.ITIMER_VIRTUAL, 0.001)
                self.assertRaises(KeyboardInterrupt, seen.add_many, keys)
                self.assertLess(seen.info()["offered"], most // 8)
        finally:
            signal.signal(signal.SIGVTALRM, before)

    def test_a_list_may_shrink_while_it_is_read(self):
        keys = [str(i) for i in range(100_000)]
        thread = threading.Thread(target=keys.clear)
        thread.start()
        small().add_many(keys)
        thread.join()


class Windows(unittest.TestCase):
    def test_of_records(self):
        seen = small(last=100)
        self.assertTrue(seen.add("a"))
        seen.add_many([str(i) for i in range(50)])
        self.assertFalse(seen.add("a"))
        seen.add_many([str(i) for i in range(50, 200)])
        self.assertTrue(seen.add("a"))

    def test_of_time(self):
        for within in 60, "1m", timedelta(minutes=1):
            seen = small(within=within)
            seen.tick(1000)
            self.assertTrue(seen.add("a"))
            seen.tick(1059)
            self.assertFalse(seen.add("a"))
            seen.tick(1068)
            self.assertTrue(seen.add("a"))

    def test_refresh_extends_the_window(self):
        seen = small(within=60, refresh=True)
        for time in 1000, 1050, 1100:
            seen.tick(time)
            self.assertEqual(seen.add("a"), time == 1000)

    def test_the_machines_clock_counts_by_itself(self):
        seen = small(within="1h")
        seen.add("a")
        self.assertGreater(seen.info()["now"], 1.7e9)


class Files(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.folder.name, "state")

    def tearDown(self):
        self.folder.cleanup()

    def test_saved_and_opened(self):
        seen = small()
        seen.add("a")
        seen.save(self.path)
        self.assertEqual(os.stat(self.path).st_mode & 0o777, 0o600)
        again = freshet.open(self.path)
        self.assertFalse(again.add("a"))
        self.assertTrue(again.add("b"))
        again.save(self.path)
        self.assertIn("b", freshet.open(self.path))

    def run_program(self, text, *options):
        command = [FRESHET, "--state", self.path, *options]
        done = subprocess.run(command, input=text, capture_output=True, text=True, env=PROGRAM_ENV)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    @unittest.skipUnless(FRESHET, "FRESHET names no program")
    def test_the_program_reads_the_file_and_python_reads_the_programs(self):
        seen = small()
        seen.add("a")
        seen.save(self.path)
        self.assertEqual(self.run_program("a\nb\n"), "b\n")
        again = freshet.open(self.path)
        self.assertEqual(list(again.add_many(["a", "b", "c"])), [False, False, True])

    @unittest.skipUnless(FRESHET, "FRESHET names no program")
    def test_the_hash_is_kept_both_ways(self):
        seen = small(hash="siphash")
        seen.add("a")
        seen.save(self.path)
        self.assertEqual(self.run_program("a\nb\n", "--hash", "siphash"), "b\n")
        again = freshet.open(self.path)
        self.assertEqual(again.info()["hash"], "siphash")
        self.assertEqual(list(again.add_many(["a", "b", "c"])), [False, False, True])
        os.remove(self.path)
        self.run_program("x\ny\n", "-m", "1M", "--hash", "siphash")
        again = freshet.open(self.path)
        self.assertEqual(list(again.add_many(["x", "y", "z"])), [False, False, True])
        again = pickle.loads(pickle.dumps(again))
        self.assertEqual(list(again.add_many(["x", "y", "z"])), [False] * 3)

    @unittest.skipUnless(FRESHET, "FRESHET names no program")
    def test_the_end_of_records_is_kept(self):
        self.run_program("a\0", "-m", "1M", "-z")
        seen = freshet.open(self.path)
        self.assertTrue(seen.add("b"))
        seen.save(self.path)
        self.assertEqual(self.run_program("a\0b\0c\0", "-z"), "c\0")

    @unittest.skipUnless(FRESHET, "FRESHET names no program")
    def test_the_clock_of_records_is_kept(self):
        options = "--within", "1m", "--time", "1"
        self.run_program("1000 a\n", "-m", "1M", *options)
        seen = freshet.open(self.path)
        self.assertIn("1000 a", seen)
        self.assertEqual(seen.info()["now"], 1000)
        seen.tick(1030)
        seen.add("1030 b")
        seen.save(self.path)
        self.assertEqual(self.run_program("1000 a\n1030 b\n1031 c\n", *options), "1031 c\n")

    def test_a_clock_that_tick_moves_is_kept(self):
        seen = small(within=60)
        seen.tick(1000)
        seen.add("a")
        seen.save(self.path)
        copies = [freshet.open(self.path), copy.copy(seen), copy.deepcopy(seen)]
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            copies.append(pickle.loads(pickle.dumps(seen, protocol)))
        for again in copies:
            self.assertIn("a", again)
            self.assertEqual(again.info()["now"], 1000)
            again.tick(1070)
            self.assertNotIn("a", again)

    @unittest.skipUnless(FRESHET, "FRESHET names no program")
    def test_files_with_other_keys_are_refused_by_name(self):
        self.run_program("a b\n", "-m", "1M", "-k", "2")
        with self.assertRaisesRegex(freshet.StateError, "compared '--key 2'"):
            freshet.open(self.path)

    @unittest.skipUnless(FRESHET, "FRESHET names no program")
    def test_a_file_that_the_program_uses_is_not_overwritten(self):
        command = [FRESHET, "-m", "1M", "--state", self.path]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        with subprocess.Popen(command, env=PROGRAM_ENV, **pipes) as program:
            program.stdin.write(b"a\n")
            program.stdin.flush()
            program.stdout.readline()
            with self.assertRaisesRegex(freshet.StateError, "another freshet"):
                small().save(self.path)
            program.stdin.close()
            program.wait()

    def test_damaged_and_foreign_files_are_refused(self):
        small().save(self.path)
        with open(self.path, "r+b") as file:
            file.seek(5000)
            file.write(b"damage")
        with self.assertRaisesRegex(freshet.StateError, "damaged"):
            freshet.open(self.path)
        for size in 2**20, 100, 0:
            os.truncate(self.path, size)
            with self.assertRaises(freshet.StateError):
                freshet.open(self.path)
        with self.assertRaises(freshet.StateError):
            freshet.open(__file__)
        with self.assertRaises(freshet.StateError):
            freshet.open(self.folder.name)
        with self.assertRaises(FileNotFoundError):
            freshet.open(self.path + "-missing")
        with self.assertRaises(freshet.StateError):
            small().save(os.path.join(self.folder.name, "no", "such"))

    def test_pickles(self):
        seen = small()
        seen.add("a")
        again = pickle.loads(pickle.dumps(seen))
        self.assertFalse(again.add("a"))
        self.assertTrue(again.add("b"))
        self.assertNotIn("b", seen)
        saved = bytearray(seen.__reduce__()[1][0])
        saved[5000] ^= 1
        with self.assertRaises(freshet.StateError):
            freshet._freshet.restore(bytes(saved))
        for short in b"", b"x", bytes(100):
            with self.assertRaises(freshet.StateError):
                freshet._freshet.restore(short)
        with self.assertRaises(TypeError):
            pickle.dumps(small(audit="1M"))

    def test_a_subclass_is_pickled_as_such(self):
        seen = Named(memory="1M")
        seen.name = "urls"
        seen.add("a")
        for again in pickle.loads(pickle.dumps(seen)), copy.copy(seen):
            self.assertIs(type(again), Named)
            self.assertEqual(again.name, "urls")
            self.assertFalse(again.add("a"))
        with self.assertRaises(TypeError):
            freshet._freshet.restore(small().__reduce__()[1][0], False, int)


class Named(freshet.Filter):
    pass


def ask_shared(name, size, keys):
    shared = shared_memory.SharedMemory(name)
    seen = freshet.attach(shared.buf[:size])
    answers = [key in seen for key in keys]
    seen.close()
    shared.close()
    return answers


class Processes(unittest.TestCase):
    def test_a_block_is_shared(self):
        seen = small()
        seen.add("a")
        block = seen.block()
        shared = shared_memory.SharedMemory(create=True, size=len(block))
        try:
            shared.buf[: len(block)] = block
            with multiprocessing.get_context("spawn").Pool(2) as pool:
                call = (shared.name, len(block), ["a", "b"])
                for answers in pool.starmap(ask_shared, [call] * 4):
                    self.assertEqual(answers, [True, False])
        finally:
            shared.close()
            shared.unlink()

    def test_an_attached_filter_is_only_asked(self):
        block = small().block()
        memory = mmap.mmap(-1, len(block))
        memory[:] = block
        seen = freshet.attach(memory)
        for change in (
            lambda: seen.add("a"),
            lambda: seen.add_many(["a"]),
            lambda: seen.remember("a"),
            lambda: seen.forget("a"),
            lambda: seen.tick(1),
            lambda: seen.reset(),
        ):
            self.assertRaisesRegex(TypeError, "only asked", change)
        self.assertNotIn("a", seen)
        with self.assertRaises(freshet.ForeignError):
            freshet.attach(mmap.mmap(-1, 4096))

    def test_a_forked_process_has_a_filter_of_its_own(self):
        seen = small()
        seen.add("a")
        child = os.fork()
        if child == 0:
            good = not seen.add("a") and seen.add("b")
            os._exit(0 if good else 1)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        self.assertTrue(seen.add("b"))

    def test_a_fork_while_a_thread_decides_is_told_in_the_child(self):
        seen = small()
        keys = array.array("i", range(200_000))
        stop = threading.Event()

        def work():
            while not stop.is_set():
                seen.add_many(keys)

        thread = threading.Thread(target=work)
        thread.start()
        told = set()
        try:
            for _ in range(200):
                child = os.fork()
                if child == 0:
                    signal.alarm(60)
                    try:
                        seen.add("a")
                    except RuntimeError as error:
                        os._exit(3 if "forked" in str(error) else 4)
                    os._exit(0)
                told.add(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
                if 3 in told:
                    break
        finally:
            stop.set()
            thread.join()
        self.assertIn(3, told)
        self.assertLessEqual(told, {0, 3})


def run_threads(*work):
    threads = [threading.Thread(target=call) for call in work]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


class Threads(unittest.TestCase):
    keys = [str(i) for i in range(40_000)]
    numbers = array.array("i", range(40_000))

    def share(self, seen):
        """Four threads add the same keys.  Returns how often one was new."""
        fresh = []

        def work():
            fresh.append(sum(seen.add_many(self.keys)))
            fresh.append(sum(seen.add_many(self.numbers)))
            fresh.append(sum(map(seen.add, self.keys[::10])))

        run_threads(*[work] * 4)
        return sum(fresh)

    def split(self, **options):
        """Returns a filter that threads have waited for, until it is split."""
        seen = freshet.Filter(memory="4M", seed=1, **options)
        for _ in range(100):
            run_threads(*[lambda: seen.add_many(self.numbers)] * 4)
            if seen.info()["parts"] > 1:
                return seen
        self.fail("four threads never waited for each other")

    def test_each_key_is_new_once(self):
        for algorithm in "pocket", "set", "bloom":
            seen = freshet.Filter(memory="4M", seed=1, algorithm=algorithm)
            self.assertEqual(self.share(seen), len(self.keys))
            info = seen.info()
            self.assertEqual(info["new"], len(self.keys))
            self.assertEqual(info["offered"], 4 * 2.1 * len(self.keys))

    def test_a_filter_by_parts_is_like_a_whole_one(self):
        for algorithm in "pocket", "set":
            seen = self.split(algorithm=algorithm)
            seen.reset()
            whole = freshet.Filter(memory="4M", seed=1, algorithm=algorithm)
            for keys in self.numbers, self.keys, ["x"]:
                self.assertEqual(bytes(seen.add_many(keys)), bytes(whole.add_many(keys)))
            self.assertIn("x", seen)
            self.assertNotIn("y", seen)
            for each in seen, whole:
                each.remember("y")
            self.assertIn("y", seen)
            self.assertEqual(seen.block(), whole.block())
            again = pickle.loads(pickle.dumps(seen))
            self.assertFalse(again.add("y"))
            seen.close()
            self.assertRaises(freshet.ClosedError, seen.add, "a")

    def test_parts_forget(self):
        seen = self.split()
        self.assertTrue(seen.forget("7"))
        self.assertFalse(seen.forget("7"))
        self.assertTrue(seen.add("7"))
        self.assertRaises(freshet.UnsupportedError, self.split(algorithm="set").forget, "7")

    def test_windows_by_parts_are_like_whole_ones(self):
        for options in {"last": 1000}, {"within": 60}:
            seen = self.split(**options)
            seen.reset()
            whole = freshet.Filter(memory="4M", seed=1, **options)
            for time in range(1000, 1300, 7):
                keys = [str(i % 1500) for i in range(time * 40, time * 40 + 500)]
                if "within" in options:
                    seen.tick(time)
                    whole.tick(time)
                self.assertEqual(bytes(seen.add_many(keys)), bytes(whole.add_many(keys)))
            self.assertEqual(seen.info()["now"], whole.info()["now"])
            self.assertEqual(seen.block(), whole.block())

    def test_a_filter_with_an_audit_stays_whole(self):
        seen = freshet.Filter(memory="4M", seed=1, audit="4M")
        self.share(seen)
        self.assertEqual(seen.info()["parts"], 1)
        self.assertEqual(seen.audit()["false_pass"]["wrong"], 0)

    def test_others_ask_and_save_meanwhile(self):
        seen = self.split()
        counts = []

        def look():
            for _ in range(20):
                counts.append(seen.info()["offered"])
                seen.block()

        run_threads(look, *[lambda: seen.add_many(self.keys)] * 3)
        self.assertEqual(counts, sorted(counts))

    def test_small_stacks_are_enough(self):
        code = """
import array, threading, freshet
threading.stack_size(64 << 10)
seen = freshet.Filter(memory="1M")
keys, numbers = [str(i) for i in range(20_000)], array.array("i", range(20_000))
def work():
    seen.add_many(keys)
    seen.add_many(numbers)
    seen.add("a")
while seen.info()["parts"] == 1:
    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
"""
        self.assertEqual(subprocess.run([sys.executable, "-c", code]).returncode, 0)

    def test_closing_meanwhile_is_told(self):
        seen, told = self.split(), []

        def work():
            try:
                while True:
                    seen.add_many(self.numbers)
            except freshet.ClosedError:
                told.append(True)

        run_threads(work, work, seen.close)
        self.assertEqual(told, [True, True])


class Figures(unittest.TestCase):
    def test_info(self):
        seen = small(last=1000)
        seen.add_many(["a", "b", "a"])
        info = seen.info()
        self.assertEqual(info["offered"], 3)
        self.assertEqual(info["new"], 2)
        self.assertEqual(info["last"], 1000)
        self.assertLessEqual(info["memory"], 2**20)
        self.assertIn("pocket", repr(seen))

    def test_expect_and_plan(self):
        near, far = (small().expect(gap=gap)["false_pass"] for gap in (10, 1e7))
        self.assertLess(near, 1e-6)
        self.assertGreater(far, 0.9)
        plan = freshet.plan(memory="64M", expect=10**8)
        self.assertEqual(plan["memory"], 64 << 20)
        self.assertIn("short", plan["reason"])

    def test_algorithms(self):
        names = {a["name"]: a for a in freshet.algorithms()}
        self.assertIn("forget", names["pocket"]["can"])
        self.assertIn("width", {p["name"] for p in names["pocket"]["parameters"]})
        for name in names:
            freshet.Filter(memory="64K", algorithm=name).add("a")
        width = {"algorithm": "pocket", "params": {"width": 16, "choices": 1}}
        self.assertIn("width=16", freshet.Filter(memory="64K", **width).info()["params"])

    def test_audit_measures_the_errors(self):
        seen = freshet.Filter(memory="16K", seed=1, audit="4M")
        keys = [str(i) for i in range(20_000)]
        seen.add_many(keys)
        passed = sum(seen.add_many(keys))
        report = seen.audit()
        measured = report["false_pass"]
        self.assertEqual((measured["wrong"], measured["of"]), (passed, len(keys)))
        self.assertLessEqual(measured["low"], measured["rate"])
        self.assertLessEqual(measured["rate"], measured["high"])
        self.assertEqual(report["share"], 1)

    def test_unique(self):
        lines = ["a 1", "b 2", "a 3", "b 4", "c 5"]
        first = freshet.unique(lines, key=lambda line: line[0], memory="1M")
        self.assertEqual(list(first), ["a 1", "b 2", "c 5"])


    def test_everything_has_a_docstring(self):
        for owner in freshet, freshet.Filter:
            for name in dir(owner):
                if not name.startswith("_"):
                    self.assertTrue(getattr(owner, name).__doc__, name)


def parameters_of_stub(function):
    """Name and kind of each parameter, as inspect.signature() returns them."""
    args, kind = function.args, inspect.Parameter
    for group, kinds in (
        (args.posonlyargs, kind.POSITIONAL_ONLY),
        (args.args, kind.POSITIONAL_OR_KEYWORD),
        (args.kwonlyargs, kind.KEYWORD_ONLY),
        ([args.kwarg] if args.kwarg else [], kind.VAR_KEYWORD),
    ):
        yield from ((arg.arg, kinds) for arg in group)


class Stubs(unittest.TestCase):
    path = os.path.join(os.path.dirname(freshet.__file__), "__init__.pyi")
    with open(path) as file:
        stub = ast.parse(file.read())

    def same(self, function, owner):
        stub = [p for p in parameters_of_stub(function) if p[0] not in ("self", "cls")]
        real = inspect.signature(owner).parameters.values()
        real = [(p.name, p.kind) for p in real if p.name != "self"]
        self.assertEqual(stub, real, function.name)

    def functions(self, body):
        for node in body:
            if isinstance(node, ast.FunctionDef):
                yield node

    def test_parameters_are_the_real_ones(self):
        for function in self.functions(self.stub.body):
            self.same(function, getattr(freshet, function.name))
        filter = next(n for n in self.stub.body if getattr(n, "name", "") == "Filter")
        for function in self.functions(filter.body):
            if function.name == "__new__":
                self.same(function, freshet.Filter)
            elif not function.name.startswith("__"):
                self.same(function, getattr(freshet.Filter, function.name))
                self.assertIn("self", inspect.signature(getattr(freshet.Filter, function.name)).parameters)

    def test_names_are_the_real_ones(self):
        names = set()
        for node in self.stub.body:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                names.add(node.name)
        public = {name for name in names if not name.startswith("_")}
        self.assertEqual(public, {*freshet.__all__, "open"})


class BadInput(unittest.TestCase):
    def test_keys(self):
        seen = small()
        for key in 3, None, 1.5, ["a"], ("a",), bytearray(b"a"), object():
            for call in seen.add, seen.remember, seen.forget, seen.__contains__:
                self.assertRaisesRegex(TypeError, "str or bytes", call, key)
        for call in seen.add, seen.remember, seen.__contains__:
            self.assertRaisesRegex(ValueError, "surrogate", call, "\ud800")
        for one in "abc", b"abc", bytearray(b"abc"):
            self.assertRaisesRegex(TypeError, r"add_many\(\[", seen.add_many, one)
        self.assertRaisesRegex(ValueError, "surrogate", seen.add_many, ["\ud800"])
        self.assertRaises(TypeError, seen.add_many, 5)
        self.assertRaises(TypeError, seen.add_many, array.array("d", [1.5]))
        self.assertRaises(TypeError, seen.add_many, memoryview(bytes(6)).cast("B", (2, 3)))
        data = b"abcdef"
        for offsets in [0, 7], [3, 2], [-1, 2]:
            with self.assertRaisesRegex(ValueError, "offsets"):
                seen.add_many((array.array("q", offsets), data))
        with self.assertRaises(TypeError):
            seen.add_many((array.array("h", [0, 1]), data))
        self.assertEqual(seen.info()["offered"], 0)

    def test_options(self):
        for options, kind in (
            ({"memory": "1X"}, ValueError),
            ({"memory": -1}, ValueError),
            ({"memory": 0}, ValueError),
            ({"memory": 2**70}, ValueError),
            ({"memory": []}, TypeError),
            ({"memory": "999999999999G"}, ValueError),
            ({"memory": float("inf")}, ValueError),
            ({"memory": 10}, freshet.BudgetError),
            ({"error": 2}, ValueError),
            ({"error": -1e-6}, ValueError),
            ({"error": "little"}, TypeError),
            ({"error": float("nan")}, ValueError),
            ({"within": -3}, ValueError),
            ({"within": "soon"}, ValueError),
            ({"within": 1e300}, ValueError),
            ({"within": timedelta(-1)}, ValueError),
            ({"within": []}, TypeError),
            ({"within": 5, "last": 5}, ValueError),
            ({"last": 1.5}, ValueError),
            ({"last": -1}, ValueError),
            ({"expect": -5}, ValueError),
            ({"expect": 2**64}, ValueError),
            ({"audit": "-1"}, ValueError),
            ({"hash": "md5"}, freshet.HashError),
            ({"hash": 3}, TypeError),
            ({"refresh": True}, ValueError),
            ({"algorithm": "none"}, freshet.AlgorithmError),
            ({"algorithm": 3}, TypeError),
            ({"algorithm": "bloom", "params": "zz=1"}, freshet.ParameterError),
            ({"algorithm": "bloom", "params": "k=1000"}, freshet.RangeError),
            ({"params": {"k": "x" * 600}, "algorithm": "bloom"}, ValueError),
            ({"seed": "x"}, TypeError),
            ({"seed": 0}, ValueError),
            ({"nothing": 1}, TypeError),
            ({"memory": 10**400}, ValueError),
            ({"error": 10**400}, ValueError),
            ({"within": -(10**400)}, ValueError),
            ({"last": 10**400}, ValueError),
            ({"memory": "1M\0"}, ValueError),
            ({"algorithm": "pocket\0"}, ValueError),
            ({"hash": "siphash\0"}, ValueError),
            ({"algorithm": "pocket", "params": "width=16\0"}, ValueError),
        ):
            with self.subTest(options=options), self.assertRaises(kind) as caught:
                freshet.Filter(**options)
            self.assertGreater(len(str(caught.exception)), 9)

    def test_an_option_of_a_wrong_type_is_named(self):
        for name in "memory", "error", "within", "last", "expect", "audit":
            with self.assertRaisesRegex(TypeError, f"^{name}= must be .*, not <class 'bytes'>"):
                freshet.Filter(**{name: b"1"})

    def test_params_that_change_while_they_are_read(self):
        params = {}

        class Name:
            def __str__(self):
                params.clear()
                return "width"

        params[Name()] = "".join(["1", "6"])  # nothing else keeps it
        seen = small(algorithm="pocket", params=params)
        self.assertIn("width=16", seen.info()["params"])

    def test_absurd_memory_is_refused(self):
        with self.assertRaises((freshet.OutOfMemoryError, freshet.Error)):
            freshet.Filter(memory=2**60)

    def test_what_cannot_be_done(self):
        with self.assertRaisesRegex(freshet.UnsupportedError, "forget"):
            freshet.Filter(memory="64K", algorithm="bloom").forget("a")
        self.assertRaises(ValueError, small().audit)
        self.assertRaises(ValueError, small().tick, -1)
        self.assertRaises(ValueError, small().tick, 10**400)
        self.assertRaises(TypeError, small().tick, "now")
        self.assertRaises(ValueError, small().expect, gap=10**400)

    def test_a_closed_filter(self):
        with small() as seen:
            seen.add("a")
        for call in (
            lambda: seen.add("a"),
            lambda: "a" in seen,
            lambda: seen.add_many(["a"]),
            lambda: seen.info(),
            lambda: seen.save("never"),
            lambda: pickle.dumps(seen),
        ):
            self.assertRaises(freshet.ClosedError, call)
        seen.close()
        self.assertIn("closed", repr(seen))

    def test_closing_during_add_many_is_told(self):
        seen = small()

        def keys():
            yield from map(str, range(5000))
            seen.close()
            yield from map(str, range(5000))

        self.assertRaises(freshet.ClosedError, seen.add_many, keys())

    def test_the_interpreter_ends_with_a_filter_alive(self):
        for tail in "", "; import sys; sys.exit(0)":
            code = "import freshet\nclass F(freshet.Filter): pass\n" + "s = F(memory='1M'); s.add('a'); s.me = s" + tail
            self.assertEqual(subprocess.run([sys.executable, "-c", code]).returncode, 0)


    def test_the_interpreter_ends_while_threads_decide(self):
        code = """
import array, threading, freshet
seen = freshet.Filter(memory="1M")
def work(keys):
    while True:
        seen.add_many(keys)
for keys in [array.array("i", range(100_000)), [str(i) for i in range(100_000)]] * 2:
    threading.Thread(target=work, args=(keys,), daemon=True).start()
seen.add_many(map(str, range(100_000)))
"""
        self.assertEqual(subprocess.run([sys.executable, "-c", code]).returncode, 0)


class References(unittest.TestCase):
    def test_none_leak(self):
        key, keys = "key-of-its-own", ["one-of-many", b"two"]

        def use():
            seen = small(audit="64K")
            seen.add(key)
            seen.add_many(keys)
            seen.add_many(iter(keys))
            seen.info(), seen.expect(gap=1), seen.audit(), repr(seen)
            for call in lambda: seen.add(1), lambda: seen.add_many([key, 1]):
                try:
                    call()
                except TypeError:
                    pass
            for wrong in ([key, "\ud800"], (array.array("q", [0, 9]), b"short")):
                try:
                    seen.add_many(wrong)
                except ValueError:
                    pass
            plain = small()
            pickle.loads(pickle.dumps(plain)).block()
            freshet.plan(memory="1M")

        use()
        gc.collect()
        before = [sys.getrefcount(k) for k in (key, keys, *keys)]
        objects = len(gc.get_objects())
        for _ in range(50):
            use()
        gc.collect()
        self.assertEqual([sys.getrefcount(k) for k in (key, keys, *keys)], before)
        self.assertLess(len(gc.get_objects()) - objects, 20)


def load_tests(loader, tests, pattern):
    tests.addTests(doctest.DocTestSuite(freshet))
    tests.addTests(doctest.DocTestSuite(freshet._freshet))
    return tests


if __name__ == "__main__":
    unittest.main()
