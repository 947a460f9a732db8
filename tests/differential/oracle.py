"""oracle.py - what the manual page says about records, keys and windows

Everything here is written from freshet(1), not from the sources of freshet, in
the slowest and plainest way.  A key is a tuple, MISSING or MALFORMED.
"""
import json

MISSING = "missing"
MALFORMED = "malformed"
ABSENT = ("absent",)  # a part that is missing, as a part of a key


# ---- Records -------------------------------------------------------------

def lines(data, delimiter):
    """The records of data, without delimiters."""
    records = data.split(delimiter)
    if records[-1] == b"":
        records.pop()
    return records


def csv_rows(data, separator):
    """Records and their fields as RFC 4180 has them: (bytes, fields) pairs.

    Fields are None where the record is malformed.
    """
    rows, at = [], 0
    while at < len(data):
        end, fields = csv_row(data, at, separator)
        rows.append((data[at:end], fields))
        at = end + 1
    return rows


def csv_row(data, at, separator):
    """The end of the record that begins at this byte, and its fields."""
    fields, good = [], True
    while True:
        field, at, well_formed = csv_field(data, at, separator)
        fields.append(field)
        good = good and well_formed
        if at == len(data) or data[at:at + 1] == b"\n":
            return at, fields if good else None
        at += 1


def csv_field(data, at, separator):
    """A field, where its separator or line end is, and whether it is right."""
    stops = (separator, b"\n", b"")
    if data[at:at + 1] != b'"':
        end = at
        while data[end:end + 1] not in stops:
            end += 1
        at_line_end = data[end:end + 1] in (b"\n", b"")
        cut = at_line_end and end > at and data[end - 1:end] == b"\r"
        return data[at:end - cut], end, True
    text, at = b"", at + 1
    while True:
        if at == len(data):
            return text, at, False
        if data[at:at + 2] == b'""':
            text, at = text + b'"', at + 2
        elif data[at:at + 1] == b'"':
            break
        else:
            text, at = text + data[at:at + 1], at + 1
    end = at + 1
    if data[end:end + 1] == b"\r" and data[end + 1:end + 2] in (b"\n", b""):
        end += 1
    right = data[end:end + 1] in stops
    while data[end:end + 1] not in stops:
        end += 1
    return text, end, right


# ---- Keys ----------------------------------------------------------------

def fold(data, ignore_case):
    """A to Z become a to z, and nothing else changes."""
    return data.lower() if ignore_case else data  # of bytes: ASCII alone


def split_fields(record, separator):
    if separator is not None:
        return record.split(separator)
    return [f for f in record.replace(b"\t", b" ").split(b" ") if f]


def key_of_fields(record, ranges, separator):
    """ranges: (first, last) pairs, in order and apart; last may be None."""
    fields, parts, missing = split_fields(record, separator), [], False
    for first, last in ranges:
        if first > len(fields):
            parts.append(ABSENT)
            missing = True
        else:
            parts += fields[first - 1:last]
    return tuple(parts), missing


def key_of_skipping(record, fields, skipped, most):
    """As uniq does with -f, -s and -w."""
    at = 0
    for _ in range(fields):
        while record[at:at + 1] in (b" ", b"\t"):
            at += 1
        while at < len(record) and record[at:at + 1] not in (b" ", b"\t"):
            at += 1
    rest = record[at:][skipped:]
    return (rest if most is None else rest[:most],), False


def key_of_columns(row, numbers):
    parts = [row[n - 1] if n <= len(row) else ABSENT for n in numbers]
    return tuple(parts), ABSENT in parts


def key_of_other_columns(row, numbers):
    return tuple(f for n, f in enumerate(row, 1) if n not in numbers), False


# ---- JSON ----------------------------------------------------------------

HIGH = 0xF0000  # bytes above 127 pass through Python's parser up here


def json_string(text):
    """The bytes that a string stands for."""
    return b"".join(bytes([ord(c) - HIGH]) if HIGH <= ord(c) < HIGH + 256
                    else c.encode("utf-8", "surrogatepass") for c in text)


def json_object(pairs):
    """The last member of a name counts, where it stands."""
    last = {json_string(name): i for i, (name, _) in enumerate(pairs)}
    return ("object",) + tuple((json_string(name), json_value(value))
                               for i, (name, value) in enumerate(pairs)
                               if last[json_string(name)] == i)


def json_value(value):
    if isinstance(value, str):
        return ("string", json_string(value))
    if isinstance(value, list):
        return ("array",) + tuple(json_value(v) for v in value)
    if value is None or isinstance(value, bool):
        return ("word", value)
    return value  # made by one of the hooks


def refuse(word):
    raise ValueError(word)


def json_read(record):
    """The value of a record by Python's parser, or MALFORMED."""
    text = "".join(chr(b) if b < 128 else chr(HIGH + b) for b in record)
    number = lambda digits: ("number", digits)
    try:
        return json_value(json.loads(text, object_pairs_hook=json_object,
                                     parse_int=number, parse_float=number,
                                     parse_constant=refuse))
    except ValueError:
        return MALFORMED


def json_find(value, path):
    """What a path, names and numbers, leads to, or ABSENT."""
    for step in path:
        if isinstance(step, int):
            inside = value[0] == "array" and step + 1 < len(value)
            value = value[step + 1] if inside else ABSENT
        else:
            members = dict(value[1:]) if value[0] == "object" else {}
            value = members.get(step, ABSENT)
    return value


def json_without(value, paths):
    """The value without what the paths lead to; order counts."""
    if () in paths:
        return ABSENT
    if value[0] == "object":
        left = ((name, json_without(v, below(paths, name)))
                for name, v in value[1:])
        return ("object",) + tuple((n, v) for n, v in left if v != ABSENT)
    if value[0] == "array":
        left = (json_without(v, below(paths, i))
                for i, v in enumerate(value[1:]))
        return ("array",) + tuple(v for v in left if v != ABSENT)
    return value


def below(paths, step):
    return [p[1:] for p in paths if p and p[0] == step
            and isinstance(p[0], type(step))]


def json_fold(value):
    """Without regard to the case of A to Z."""
    if isinstance(value, tuple):
        return tuple(json_fold(v) for v in value)
    if isinstance(value, str):
        return value.lower()
    return value.lower() if isinstance(value, bytes) else value


# ---- Verdicts ------------------------------------------------------------

def first_times(keys):
    """For each key whether it is new: an exact filter without a window."""
    seen, new = set(), []
    for key in keys:
        new.append(key not in seen)
        seen.add(key)
    return new


def wrong_in_window(keys, clocks, new, window, refresh):
    """The number of the first verdict that the manual page rules out, or None.

    A repeat of a pass is held back while the window lasts, and let through
    when more than an eighth of it is over; in between both are right.  With
    refresh the window counts from the last repeat.
    """
    since = {}
    for i, (key, now) in enumerate(zip(keys, clocks)):
        age = now - since[key] if key in since else None
        if age is None or age > window + window / 8:
            right = new[i]
        elif age <= window:
            right = not new[i]
        else:
            right = True
        if not right:
            return i
        if new[i] or refresh:
            since[key] = now
    return None
