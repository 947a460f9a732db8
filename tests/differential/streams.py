"""streams.py - random records and the options that go with them

A kind of stream is a function of a random generator and a size.  It returns a
Case: the bytes, the options, and for each record the key that the oracle finds.
"""
import csv as csv_module
import datetime
import itertools

import oracle
from oracle import ABSENT, MALFORMED, MISSING

EPOCH = 1700000000


class Case:
    """Records, as printed, and their keys: a tuple, MISSING or MALFORMED."""

    def __init__(self, options, data, records, keys, delimiter=b"\n"):
        self.options, self.data, self.delimiter = options, data, delimiter
        self.records, self.keys = records, keys
        self.header = None  # a record that is not compared
        self.window = None  # (length, clocks, refresh)

    def missing_as(self, rng, missing):
        """missing: for each record, whether a part of its key is."""
        choice = rng.choice(["pass", "drop", "key"])
        if choice != "pass" or rng.random() < 0.5:
            self.options += ["--missing", choice]
        self.drops_missing = choice == "drop"
        if choice != "key":
            self.keys = [MISSING if gone and key != MALFORMED else key
                         for key, gone in zip(self.keys, missing)]
        return self

    drops_missing = False


def some_of(rng, pool, n):
    """n of them, with favourites."""
    favourites = rng.sample(pool, max(1, len(pool) // 4))
    return [rng.choice(favourites if rng.random() < 0.5 else pool)
            for _ in range(n)]


def joined(rng, records, delimiter):
    """The last record may lack its delimiter."""
    data = b"".join(r + delimiter for r in records)
    if records and records[-1] and rng.random() < 0.3:
        data = data[:-1]
    return data


def cached(function):
    """For oracles that are slow and records that repeat."""
    known = {}

    def find(record):
        if record not in known:
            known[record] = function(record)
        return known[record]
    return find


# ---- Lines and fields ----------------------------------------------------

def text(rng, alphabet, most):
    return bytes(rng.choice(alphabet) for _ in range(rng.randint(0, most)))


def lines(rng, n):
    delimiter, options = rng.choice([(b"\n", []), (b"\0", ["-z"]),
                                     (b";", ["--delimiter", ";"])])
    alphabet = [b for b in rng.choice([b"ab", b"aA\r \t", bytes(range(256))])
                if bytes([b]) != delimiter]
    pool = [text(rng, alphabet, rng.choice([3, 40]))
            for _ in range(n // 3 + 1)]
    records = some_of(rng, pool, n)
    ignore_case, crlf = rng.random() < 0.3, rng.random() < 0.3
    options += ["-i"] * ignore_case + ["--crlf"] * crlf
    keys = [(oracle.fold(r[:-1] if crlf and r.endswith(b"\r") else r,
                         ignore_case),) for r in records]
    return Case(options, joined(rng, records, delimiter), records, keys,
                delimiter)


def field_records(rng, n):
    separator = rng.choice([None, b",", b"\t", b":"])
    alphabet = rng.choice([b"ab ,\t", b"aAb:, \t", b"xyz,:\t  "])
    pool = [text(rng, alphabet, 14) for _ in range(n + 1)]
    return separator, some_of(rng, pool, n)


def field_list(rng):
    """Ranges, and a way of writing them: in any order, overlapping or not."""
    wanted = sorted(rng.sample(range(1, 8), rng.randint(1, 4)))
    ranges = []
    for number in wanted:
        if ranges and ranges[-1][1] is None:
            break
        if ranges and number <= ranges[-1][1]:
            continue
        last = rng.choice([number, number, number + rng.randint(1, 2), None])
        ranges.append((number, last))
    words = [f"{a}" if a == b else f"{a}-{b or ''}" for a, b in ranges]
    words = [f"-{b}" if a == 1 and b and b > 1 else w
             for (a, b), w in zip(ranges, words)]
    rng.shuffle(words)
    return ranges, ",".join(words)


def fields(rng, n):
    separator, records = field_records(rng, n)
    ranges, written = field_list(rng)
    ignore_case = rng.random() < 0.3
    options = ["-k", written] + ["-i"] * ignore_case
    if separator:
        options += ["-t", separator.decode().replace("\t", "\\t")]
    found = [oracle.key_of_fields(oracle.fold(r, ignore_case), ranges,
                                  separator) for r in records]
    case = Case(options, joined(rng, records, b"\n"), records,
                [key for key, _ in found])
    return case.missing_as(rng, [gone for _, gone in found])


def skipping(rng, n):
    _, records = field_records(rng, n)
    skip, chars = rng.randint(0, 3), rng.randint(0, 4)
    most = rng.choice([None, 0, 1, 3])
    ignore_case = rng.random() < 0.3
    options = ["-i"] * ignore_case
    options += ["-f", str(skip)] if skip else []
    options += ["-s", str(chars)] if chars else []
    options += ["-w", str(most)] if most is not None else []
    keys = [oracle.key_of_skipping(oracle.fold(r, ignore_case), skip, chars,
                                   most)[0] for r in records]
    return Case(options, joined(rng, records, b"\n"), records, keys)


# ---- CSV -----------------------------------------------------------------

def csv_text(rng, separator):
    """One row, well formed."""
    row = []
    for _ in range(rng.randint(1, 5)):
        value = text(rng, b'ab", \n;A', 4)
        odd = any(c in value for c in (b'"', b"\n", separator))
        if odd or rng.random() < 0.3:
            value = b'"' + value.replace(b'"', b'""') + b'"'
        row.append(value)
    return separator.join(row) + rng.choice([b"", b"", b"\r"])


def damaged(rng, record):
    """One byte is lost, doubled or replaced, or the end is cut off."""
    if not record:
        return record
    at = rng.randrange(len(record))
    return rng.choice([record[:at] + record[at + 1:],
                       record[:at] + record[at:at + 1] + record[at:],
                       record[:at] + rng.choice([b'"', b",", b"x", b"0"])
                       + record[at + 1:],
                       record[:at]])


def as_module_reads(rows, data, separator):
    """Of what is well formed, Python's own reader must find the same."""
    read = list(csv_module.reader(data.decode("latin-1").splitlines(True),
                                  delimiter=separator.decode(), strict=True))
    rows = [[f.decode("latin-1") for f in row] for _, row in rows]
    assert [row or [""] for row in read] == rows, data


def csv(rng, n):
    separator = rng.choice([b",", b",", b";", b"\t"])
    pool = [csv_text(rng, separator) for _ in range(n // 2 + 1)]
    damage = rng.random() < 0.4
    if damage:
        pool += [damaged(rng, r) for r in pool[:n // 8]]
    data = joined(rng, some_of(rng, pool, n), b"\n")
    numbers = rng.sample(range(1, 6), rng.randint(1, 3))
    others, names = rng.random() < 0.3, rng.random() < 0.3
    options = ["-t", separator.decode().replace("\t", "\\t")]
    if separator == b"," and rng.random() < 0.5:
        options = []
    words = [f"n{i}" if names else str(i) for i in numbers]
    options += ["--exclude" if others else "--csv", ",".join(words)]
    if names:
        data = separator.join(b"n%d" % i for i in range(1, 6)) + b"\n" + data
    rows = oracle.csv_rows(data, separator)
    if not damage:
        as_module_reads(rows, data, separator)
    header = rows.pop(0)[0] if names else None
    of = oracle.key_of_other_columns if others else oracle.key_of_columns
    ignore_case = rng.random() < 0.2
    options += ["-i"] * ignore_case
    found = [of([oracle.fold(f, ignore_case) for f in row], numbers)
             if row is not None else (MALFORMED, False) for _, row in rows]
    case = Case(options, data, [r for r, _ in rows], [k for k, _ in found])
    case.header = header
    return case.missing_as(rng, [gone for _, gone in found])


# ---- JSON ----------------------------------------------------------------

NAMES = ["a", "b", "c d", "é"]
PATHS = [((b"a",), ".a"), ((b"b",), ".b"), ((b"a", b"b"), ".a.b"),
         ((b"a", 0), ".a[0]"), ((b"a", 1, b"b"), ".a[1].b"),
         ((b"c d",), '."c d"'), ((b"b", b"a"), 'b["a"]'),
         (("é".encode(),), ".é")]


def json_spelling(rng, word):
    """A string in one of its spellings."""
    out = b""
    for c in word:
        code = ord(c)
        half = 0xD800 <= code < 0xDC00  # of a pair that has no other half
        if c in '"\\' or code < 32 or half or rng.random() < 0.15:
            units = c.encode("utf-16-be", "surrogatepass")
            short = {'"': b'\\"', "\\": b"\\\\", "\n": b"\\n", "/": b"\\/"}
            written = b"".join(b"\\u%02x%02X" % (units[i], units[i + 1])
                               for i in range(0, len(units), 2))
            out += short.get(c, written) if rng.random() < 0.5 else written
        else:
            out += c.encode("utf-8", "surrogateescape")
    return b'"' + out + b'"'


def json_text(rng, depth=0):
    space = lambda: rng.choice([b"", b"", b"", b" ", b"\t", b" \r "])
    kind = rng.random() if depth else 1
    if depth > 3 or kind < 0.55:
        return rng.choice([
            lambda: rng.choice([b"0", b"1", b"1.0", b"-0", b"1e0", b"12"]),
            lambda: rng.choice([b"true", b"false", b"null"]),
            lambda: json_spelling(rng, rng.choice(
                ["", "a", "A", "1", "a b", 'q"q', "é", "😀", "\\", "\n",
                 "null", "\ud800", "x\udc80", '","', "/"]))])()
    if kind < 0.7:
        items = [json_text(rng, depth + 1) for _ in range(rng.randint(0, 3))]
        open_, close = b"[", b"]"
    else:
        items = [json_spelling(rng, rng.choice(NAMES)) + space() + b":"
                 + space() + json_text(rng, depth + 1)
                 for _ in range(rng.randint(0, 5))]
        open_, close = b"{", b"}"
    body = (space() + b"," + space()).join(items)
    return space() + open_ + space() + body + space() + close + space()


def json(rng, n):
    pool = [json_text(rng) for _ in range(n // 2 + 1)]
    if rng.random() < 0.6:
        pool += [damaged(rng, r) for r in pool[:n // 4]]
        pool += [b"", b"{}{}", b"[1,]", b"01", b"+1", b"nul", b"[}",
                 b'{"a":1,}', b'"\t"', b'"\\u12"', b"1.", b".5", b"NaN"]
    records = some_of(rng, pool, n)
    paths = rng.sample(PATHS, rng.randint(1, 3))
    others, ignore_case = rng.random() < 0.3, rng.random() < 0.2
    options = ["--exclude" if others else "--json",
               ",".join(p if p[0] in ".[" else "." + p for _, p in paths)]
    options += ["-i"] * ignore_case

    @cached
    def find(record):
        value = oracle.json_read(record)
        if value == MALFORMED:
            return MALFORMED, False
        if others:
            parts = (oracle.json_without(value, [p for p, _ in paths]),)
        else:
            parts = tuple(oracle.json_find(value, p) for p, _ in paths)
        if ignore_case:
            parts = oracle.json_fold(parts)
        return parts, not others and ABSENT in parts

    found = [find(r) for r in records]
    case = Case(options, joined(rng, records, b"\n"), records,
                [k for k, _ in found])
    return case.missing_as(rng, [gone for _, gone in found])


# ---- Windows -------------------------------------------------------------

def numbered(rng, n, universe):
    """Keys and records that say their number, so that the output tells."""
    keys = [b"k%d" % int(rng.paretovariate(1) * rng.random() * universe)
            for _ in range(n)]
    return keys, [b"%s %d" % (k, i) for i, k in enumerate(keys)]


def last(rng, n):
    keys, records = numbered(rng, n, rng.choice([1, 5, n]))
    window = rng.choice([1, 2, 3, 7, 8, 9, 64, rng.randint(1, n + 1)])
    refresh = rng.random() < 0.4
    case = Case(["-k", "1", "--last", str(window)] + ["--refresh"] * refresh,
                joined(rng, records, b"\n"), records, [(k,) for k in keys])
    case.window = (window, range(n), refresh)
    return case


def written_time(rng, seconds):
    """Seconds since 1970, which may have thousandths, in one of the ways."""
    stamp = datetime.datetime.fromtimestamp(int(seconds),
                                            datetime.timezone.utc)
    thousandths = round(seconds * 1000) % 1000
    return rng.choice([
        f"{int(seconds)}.{thousandths:03}",
        f"{int(seconds)}{thousandths:03}",
        stamp.strftime("%Y-%m-%dT%H:%M:%S") + f".{thousandths:03}Z",
        (stamp + datetime.timedelta(hours=2)).strftime("%Y-%m-%d %H:%M:%S")
        + f".{thousandths:03}+02:00"]).encode()


def within(rng, n):
    """The clock is the latest time so far; records may come late."""
    keys, _ = numbered(rng, n, rng.choice([1, 5, n]))
    window, now, times = rng.choice([1, 8, 60, 3600]), EPOCH, []
    for _ in range(n):
        now += round(rng.expovariate(rng.choice([1, 10]) / window), 3)
        behind = rng.random() < 0.1 and rng.random() * 2 * window
        times.append(round(now - behind, 3))
    clocks = itertools.accumulate(times, max)
    form = rng.choice(["json", "csv", "regex"])
    refresh = rng.random() < 0.4
    options = ["--within", f"{window}s"] + ["--refresh"] * refresh
    stamps = [written_time(rng, t) for t in times]
    if form == "json":
        pattern, options = b'{"k":"%s","t":"%s","i":%d}', options + [
            "--json", ".k", "--time", ".t"]
    elif form == "csv":
        pattern, options = b'%s,"%s",%d', options + ["--csv", "1",
                                                    "--time", "2"]
    else:
        pattern, options = b"%s at=%s; %d", options + [
            "-k", "1", "--time", "at=([^;]*);"]
    records = [pattern % r for r in zip(keys, stamps, range(n))]
    case = Case(options, joined(rng, records, b"\n"), records,
                [(k,) for k in keys])
    milliseconds = [round(c * 1000) for c in clocks]
    case.window = (window * 1000, milliseconds, refresh)
    return case


KINDS = {f.__name__: f for f in (lines, fields, skipping, csv, json, last,
                                 within)}
