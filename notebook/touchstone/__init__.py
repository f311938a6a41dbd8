"""Touchstone in a notebook: all statistics on plain arrays and frames, and a client of a server.

>>> from touchstone import statistics
>>> statistics.fleiss_kappa([[1, 1, 1], [2, 2, 2], [1, 2, 2]]).value  # doctest: +ELLIPSIS
0.55...

``connect(url, token).study("reviews").ratings().to_frame()`` reads from a server.
"""

from touchstone.client import ApiError, Study, Workbench, connect

__version__ = "1.0.0"
__all__ = ["ApiError", "Study", "Workbench", "connect", "statistics"]


def __getattr__(name: str) -> object:
    """Import the statistics when they are first asked for: SciPy takes a second."""
    if name == "statistics":
        from importlib import import_module

        return import_module("touchstone.statistics")
    raise AttributeError(f"module 'touchstone' has no attribute {name!r}")
