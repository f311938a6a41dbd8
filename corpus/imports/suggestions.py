"""Which tables a file holds: by the names of its columns, else by what they hold."""

from collections.abc import Sequence

from corpus.tabular.confined.session import ConfinedReading
from corpus.tabular.fields import TableSpec
from corpus.tabular.files import SourceFile
from corpus.tabular.guessing import Guess, guess
from corpus.tabular.known_values import needs_a_look
from corpus.tabular.mapping import Mapping
from corpus.tabular.problems import TableError
from corpus.tabular.reading import Preview

_TEXTS = {"segments", "outputs"}
"""Numbers beside named columns of texts may be anything."""


def tables_of(
    reading: ConfinedReading, source: SourceFile, shown: Preview, specs: Sequence[TableSpec]
) -> tuple[Guess, list[Mapping], list[Mapping]]:
    """Return what the names of columns say, its mappings, and those to be confirmed.

    Parameters
    ----------
    reading
        By which the file is opened.
    source, shown
        The file, and its first rows, with how it is written.
    specs
        The tables that there are.
    """
    found = guess(shown.columns, shown.rows, specs, file_name=source.name)
    mappings = [proposal.mapping.written(shown.dialect) for proposal in found.proposals]
    known = {spec.name: spec for spec in specs}
    if found.is_complete and not any(
        needs_a_look(each, known[each.table], shown.columns, shown.rows) for each in mappings
    ):
        return found, mappings, []
    try:
        mappings, suggested = reading.propose(
            source, shown.dialect, specs, mappings, is_known=found.is_complete
        )
    except TableError:  # which is said when the file is read
        return found, mappings, []
    named = {proposal.mapping.table for proposal in found.proposals}
    if named:
        suggested = [each for each in suggested if each.table in named | _TEXTS]
    if not named <= {each.table for each in suggested}:
        suggested = []
    return found, mappings, [each.written(shown.dialect) for each in suggested]
