"""Loading models of transformers: what goes wrong is said without paths or files' contents."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from metrics.scorers.scorer import Unavailable


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


def read_pretrained(kind: Any, folder: str | Path, **options: Any) -> Any:
    """Return a model or tokenizer that was saved in a folder of this machine.

    Parameters
    ----------
    kind
        A class of transformers that reads it.
    folder
        Where it is; nothing is fetched, and no code of the folder runs.
    **options
        For the class.
    """
    return kind.from_pretrained(
        str(folder), local_files_only=True, trust_remote_code=False, **options
    )


def pretrained(
    kind: str, folder: Path, name: str, what: str = "", **options: Any
) -> tuple[Any, Any]:
    """Return a model and its tokenizer, as they were saved in a folder of this machine.

    Parameters
    ----------
    kind
        Class of transformers that reads the model, such as ``AutoModelForCausalLM``.
    folder, options
        As for `read_pretrained`.
    name, what
        As for `loading`.

    Raises
    ------
    Unavailable
        If they cannot be loaded.
    """
    import transformers

    library: Any = transformers
    with loading(name, what):
        tokenizer = read_pretrained(library.AutoTokenizer, folder)
        return read_pretrained(getattr(library, kind), folder, **options), tokenizer
