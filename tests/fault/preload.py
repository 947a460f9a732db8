"""The environment that loads a library before all others."""
import os


def preload(library):
    """By its name: in a path a space would end it."""
    return {"LD_PRELOAD": os.path.basename(library),
            "LD_LIBRARY_PATH": os.path.dirname(library)}
