"""Problems of staged rows, led back to a line, a column and a character of their file."""

from collections.abc import Iterator, Sequence
from typing import Any

from corpus.imports.recognise import Recognised
from corpus.imports.row_problem import RowProblem
from corpus.tables import handler_for
from corpus.tabular.confined.session import ConfinedReading
from corpus.tabular.locating import Place
from corpus.tabular.mapping import Mapping
from corpus.tabular.problems import Problem, shorten

Key = tuple[int, str, *tuple[str, ...]]


def placed(
    reading: ConfinedReading,
    recognised: Recognised,
    file_names: Sequence[str],
    found: Sequence[RowProblem],
) -> Iterator[Problem]:
    """Yield problems with their places, reading each file concerned once more.

    A problem whose field comes from no column (a constant, an entry of `study.json`) keeps the
    line of its record and the name of the field.
    """
    places = _located(reading, recognised, found)
    for problem in found:
        known = (
            places.get((problem.file, *_key(problem, m))) for m in _mappings(recognised, problem)
        )
        place = next((place for place in known if place), None)
        yield Problem(
            file=file_names[problem.file],
            line=place.line if place else problem.line,
            column=place.column if place else problem.field,
            position=place.position if place else None,
            found=shorten(problem.found),
            expected=shorten(problem.expected),
            message=problem.message,
            code=problem.code,
        )


def _located(
    reading: ConfinedReading, recognised: Recognised, found: Sequence[RowProblem]
) -> dict[Any, Place]:
    places: dict[Any, Place] = {}
    for index, file in enumerate(recognised.files):
        for mapping in file.mappings:
            spec = handler_for(mapping.table).spec
            wanted = {
                _key(problem, mapping)
                for problem in found
                if problem.file == index and problem.field in spec.names
            }
            located = reading.locate(file.source, mapping, spec, wanted) if wanted else {}
            places |= {(index, *key): place for key, place in located.items()}
    return places


def _key(problem: RowProblem, mapping: Mapping) -> Key:
    """Name a cell as `locate` does: of fields that have several columns, also the labels."""
    spread = mapping.wide.names if mapping.wide else (problem.field,)
    labels = [problem.labels.get(name, "") for name in spread]
    return (problem.line, problem.field, *(labels if any(labels) else ()))


def _mappings(recognised: Recognised, problem: RowProblem) -> list[Mapping]:
    """Return the mappings of a problem's file; `study.json` stands behind the last file."""
    files = recognised.files
    return files[problem.file].mappings if 0 <= problem.file < len(files) else []
