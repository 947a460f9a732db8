"""Tell new keys from repeats in streams that never end, in fixed memory.

>>> import freshet
>>> seen = freshet.Filter(memory="1M")
>>> seen.add("https://example.org/")
True
>>> seen.add("https://example.org/")
False
>>> "https://example.org/" in seen
True
>>> list(seen.add_many(["a", "b", "a"]))
[True, True, False]
"""

from ._freshet import (
    AlgorithmError,
    AlignmentError,
    ArgumentError,
    BudgetError,
    ClosedError,
    DamagedError,
    Error,
    Filter,
    ForeignError,
    HashError,
    MismatchError,
    OutOfMemoryError,
    ParameterError,
    RandomError,
    RangeError,
    StateError,
    UnsupportedError,
    VersionError,
    __version__,
    algorithms,
    attach,
    open,
    plan,
)

# "from freshet import *" leaves the built-in open() alone.
__all__ = [name for name in dir() if not name.startswith("_") and name != "open"]
__all__.append("unique")


def unique(records, key=None, **options):
    """Yield each record the first time that it, or its key, is seen.

    Options are those of Filter.

    >>> list(unique(["a 1", "b 2", "a 3"], key=lambda r: r.split()[0], memory="1M"))
    ['a 1', 'b 2']
    """
    add = Filter(**options).add
    for record in records:
        if add(record if key is None else key(record)):
            yield record
