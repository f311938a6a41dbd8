"""Problems of staged rows, led back to a line and a column of their file."""

from collections.abc import Iterator, Sequence

from corpus.imports.recognise import Recognised
from corpus.imports.row_problem import EARLIER, RowProblem
from corpus.tabular.confined.session import ConfinedReading
from corpus.tabular.problems import Problem, shorten
from corpus.tabular.shaping.wide import PLACEHOLDER, Wide


def placed(
    reading: ConfinedReading,
    recognised: Recognised,
    file_names: Sequence[str],
    found: Sequence[RowProblem],
) -> Iterator[Problem]:
    """Yield problems with the lines of their records, and the columns of their fields.

    A field that comes from no one column (a constant, an entry of `study.json`) keeps its name.
    """
    wanted: dict[int, set[int]] = {}
    for file, row in (place for p in found for place in ((p.file, p.line), p.earlier) if place):
        wanted.setdefault(file, set()).add(row)
    lines = {
        index: reading.lines_of(file.source, wanted[index])
        for index, file in enumerate(recognised.files)
        if file.mappings and index in wanted
    }
    for problem in found:
        message = problem.message
        if problem.earlier:
            file, row = problem.earlier
            place = f"{file_names[file]}:{lines.get(file, {}).get(row, row)}"
            message = message.replace(EARLIER, place)
        yield Problem(
            file=file_names[problem.file],
            line=lines.get(problem.file, {}).get(problem.line, problem.line),
            column=_column(recognised, problem),
            found=shorten(problem.found),
            expected=shorten(problem.expected),
            message=message,
            code=problem.code,
        )


def _column(recognised: Recognised, problem: RowProblem) -> str | None:
    """Return the column behind a field, or the label of a wide one."""
    files = recognised.files
    mappings = files[problem.file].mappings if 0 <= problem.file < len(files) else []
    for mapping in mappings:
        if column := mapping.column(problem.field or ""):
            return column
        if mapping.wide and problem.field in (mapping.wide.value, *mapping.wide.names):
            return _wide_column(mapping.wide, problem)
    return problem.field


def _wide_column(wide: Wide, problem: RowProblem) -> str | None:
    labels = {name: problem.labels.get(name, "") for name in wide.names}
    named = PLACEHOLDER.sub(lambda place: labels[place[1]], wide.pattern)
    return named if all(labels.values()) else problem.field
