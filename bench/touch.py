"""touch.py - memory at hand before a run that is timed

A virtual machine may give free memory back to its host after a few seconds, and
to get it again costs more than many runs do.
"""
import mmap


def touch(size):
    """The machine has this many bytes of free memory at hand afterwards."""
    memory = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    memory.madvise(mmap.MADV_HUGEPAGE)
    memory[:: mmap.PAGESIZE] = bytes(size // mmap.PAGESIZE)
    memory.close()
