"""Which studies a set of files holds, where a named format can hold several."""

import tempfile
from pathlib import Path

from django.conf import settings

from corpus.imports.limits import import_limits
from corpus.imports.options import ImportOptions
from corpus.imports.recognise import look
from corpus.tabular.confined.session import ConfinedReading

ALL = "all"
"""Each of them, by command."""


def parts_of(path: Path, options: ImportOptions) -> tuple[str, ...]:
    """Return the names of the studies in some files, such as language pairs; empty for one.

    Raises
    ------
    TableError
        If the files cannot be read at all.
    """
    parent = Path(settings.MEDIA_ROOT) / "work"
    parent.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory(prefix="parts-", dir=parent) as workdir,
        ConfinedReading(import_limits()) as reading,
    ):
        found = look(reading, path, Path(workdir), options).format
    return found.choices if found else ()
