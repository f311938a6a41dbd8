"""Loading models of transformers: what goes wrong is said without paths or files' contents."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from metrics.scorers.scorer import Unavailable
from metrics.weights.quiet import quiet

logger = logging.getLogger(__name__)


@contextmanager
def loading(name: str, kind: str = "") -> Iterator[None]:
    """Load a model inside a with statement; whatever it raises becomes `Unavailable`.

    Libraries put paths, and of damaged files their content, into errors: only the log has these.

    Parameters
    ----------
    name
        What the model is called.
    kind
        What it should be, such as ``a classifier``.
    """
    try:
        with quiet():
            yield
    except Unavailable:
        raise
    except Exception as error:
        logger.warning("model %r cannot be loaded: %r", name, error)
        wanted = f" as {kind}" if kind else ""
        raise Unavailable(
            f"model {name!r} cannot be loaded{wanted}: its files are of another kind, or damaged; "
            "the server's log says more"
        ) from error
