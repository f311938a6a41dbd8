"""What every line of the log says of the work it comes from: numbers, never names or texts.

Pure Python: no Django.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from types import MappingProxyType

Fields = Mapping[str, str | int | None]

_fields: ContextVar[Fields] = ContextVar("log_fields", default=MappingProxyType({}))


@contextmanager
def in_log(**fields: str | int | None) -> Iterator[None]:
    """Add fields to each line that is written inside.

    Examples
    --------
    >>> with in_log(job=7):
    ...     log_fields()
    {'job': 7}
    >>> log_fields()
    {}
    """
    token = _fields.set({**_fields.get(), **fields})
    try:
        yield
    finally:
        _fields.reset(token)


def log_fields() -> dict[str, str | int | None]:
    """Return the fields of this place."""
    return dict(_fields.get())
