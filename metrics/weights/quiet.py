"""Loading models without the bars and notes that transformers writes to the terminal."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def quiet() -> Iterator[None]:
    """Let transformers say nothing but errors inside a with statement."""
    from transformers.utils import logging

    # Its functions have no types.
    library: Any = logging
    verbosity, had_bars = library.get_verbosity(), library.is_progress_bar_enabled()
    library.set_verbosity_error()
    library.disable_progress_bar()
    try:
        yield
    finally:
        library.set_verbosity(verbosity)
        if had_bars:
            library.enable_progress_bar()
