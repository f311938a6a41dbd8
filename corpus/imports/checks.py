"""What is checked when all tables of an import are known."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from corpus.imports.batch import Batch
from corpus.imports.row_problem import EARLIER, RowProblem
from corpus.tabular.shaping.fields import TableSpec
from corpus.vocabulary.aspects import ASPECTS, find_aspect

Place = tuple[int, int]
WHERE = "Change it in the study under Aspects, or in study.json (aspects)."


def duplicates(
    batch: Batch,
    table: str,
    spec: TableSpec,
    keys: Mapping[str, str],
    describe: Callable[[tuple[Any, ...]], str] | None = None,
    only: str = "TRUE",
) -> Iterator[RowProblem]:
    """Find staged rows that repeat the key of an earlier one.

    Parameters
    ----------
    table
        A staging table.
    spec
        The table of the import format that is staged there.
    keys
        Field of the import format → column of the staging table; the first is shown.
    describe
        Turns the values of a key into words; default: the values, joined.
    only
        Condition in SQL on the rows that are reported.
    """
    columns = ", ".join(keys.values())
    rows = batch.faulty(
        "duplicate",
        f"""SELECT file, line, first_file, first_line, {columns}, COUNT(*) OVER () FROM (
                SELECT id, file, line, {columns},
                       FIRST_VALUE(file) OVER same_key AS first_file,
                       FIRST_VALUE(line) OVER same_key AS first_line,
                       ROW_NUMBER() OVER same_key AS occurrence
                FROM {table} WHERE job_id = %(job)s
                WINDOW same_key AS (PARTITION BY {columns} ORDER BY id)) numbered
            WHERE occurrence > 1 AND {only} ORDER BY id""",  # noqa: S608
        {"job": batch.job.pk},
    )
    for file, line, first_file, first_line, *key in rows:
        found = describe(tuple(key)) if describe else ", ".join(str(p) for p in key if p != "")
        yield repeated(batch, spec, next(iter(keys)), found, (file, line), (first_file, first_line))


def repeated(
    batch: Batch, spec: TableSpec, field: str, found: str, place: Place, first: Place
) -> RowProblem:
    """Say that a row repeats the key of an earlier one; each has its place in file and line."""
    advice = _advice(batch, spec, place[0], first[0])
    return RowProblem(
        file=place[0],
        line=place[1],
        field=field,
        found=found,
        expected="each key once",
        message=f"{found} is listed already at {EARLIER}. {advice}",
        code="duplicate",
        earlier=first,
    )


def _advice(batch: Batch, spec: TableSpec, file: int, first_file: int) -> str:
    """Say what makes two rows two records, or one; the data may be right and the mapping not."""
    if file >= len(batch.mappings):
        return "Write it once."
    sentences = []
    mapping = batch.mapping(file, spec.name)
    given = mapping.given if mapping else set(spec.names)
    if unread := [name for name in spec.told_apart_by if name not in given]:
        sentences.append(
            "If these are two records, map the column that says so: "
            f"{', '.join(unread)}{' (in both files)' if file != first_file else ''}."
        )
    if file != first_file:
        sentences.append("If both files hold the same, leave one of the two files out.")
    elif not (mapping and mapping.distinct):
        sentences.append(
            "If the rows are the same in all that is read, tick “Pass over records that repeat an "
            "earlier one”, or write SELECT DISTINCT in the query."
        )
    return " ".join([*sentences, "Otherwise the file says two things of one record: correct it."])


def note_aspects(batch: Batch, names: Iterable[str]) -> None:
    """Note each name that is read as an aspect of another name, or is unknown.

    Nothing is said of names of aspects themselves, nor of those that the study declares.
    """
    declared = batch.declarations.get("aspects", {})
    for name in dict.fromkeys(names):
        if name and name not in declared and (words := reading(name)):
            batch.note(f"{words} {WHERE}")


def reading(name: str) -> str:
    """Say as what a name is read, unless it is the key of an aspect.

    Examples
    --------
    >>> reading("style_strength")
    'style_strength is read as the aspect Style.'
    >>> reading("content")
    ''
    """
    if name in ASPECTS:
        return ""
    found = find_aspect(name)
    if found.key in ASPECTS:
        return f"{name} is read as the aspect {found.title}."
    return f"{name} is an aspect without a family: no metric is known to measure it."
