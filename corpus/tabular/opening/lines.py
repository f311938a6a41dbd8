"""Line-aligned plain files: one text per line, one file per system, as this field passes around."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from corpus.tabular.limits import DEFAULT_LIMITS, Limits
from corpus.tabular.opening.files import Dialect, SourceFile, TextTable
from corpus.tabular.opening.text_files import encoding_of, texts
from corpus.tabular.problems import ProblemLog, problem, refused
from corpus.tabular.shaping.mapping import Mapping, constant, list_of


def aligned(source: SourceFile, dialect: Dialect, limits: Limits) -> TextTable:
    """Return a text file with its companions, line by line; of the dialect the encoding matters.

    Texts come without their line end and otherwise as they are; a final line break makes no
    further text. `plan_lines` has checked that all files are equally long.
    """
    files = (source, *source.companions)
    names = [f"text {n}" for n in range(2, len(files) + 1)]
    found = zip(*(_lines_in(file, dialect, limits) for file in files), strict=False)
    rows = ((number, [str(number), *row]) for number, row in enumerate(found, 1))
    return TextTable(("line", "text", *names), rows, dialect, ProblemLog())


def _count_lines(source: SourceFile, dialect: Dialect, limits: Limits) -> int:
    return sum(1 for _ in _lines_in(source, dialect, limits))


def _lines_in(file: SourceFile, dialect: Dialect, limits: Limits) -> Iterator[str]:
    """Yield the lines; a carriage return ends them only in a file that has no line feeds."""
    pending = end = ""
    number = 0
    for piece in texts(file, encoding_of(file, dialect.encoding, limits), limits):
        end = end or ("\r" if "\r" in piece and "\n" not in piece else "\n")
        *whole, pending = (pending + piece).split(end)
        for text in whole:
            number += 1
            yield _checked_length(file.name, number, text.removesuffix("\r"), limits)
        _checked_length(file.name, number + 1, pending, limits)
    if pending:
        yield pending


def _checked_length(name: str, line: int, text: str, limits: Limits) -> str:
    limit = limits.field_characters
    if len(text) > limit:
        raise refused("long-line-of-text", name, line=line, most=limit)
    return text


SOURCE_STEMS = ("source", "src", "input", "sources", "inputs")
REFERENCE_STEMS = ("reference", "ref")


def plan_lines(
    files: Sequence[SourceFile],
    *,
    source: str = "",
    encoding: str | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> list[tuple[SourceFile, Mapping]]:
    """Say how the plain files of a study are read: which is the source, which are references.

    Parameters
    ----------
    files
        Of a discovery; those of other formats are passed over.
    source
        Name or stem of the source file; otherwise the one whose stem is ``source``, ``src`` or
        ``input``. Stems that begin with ``reference`` or ``ref`` are references, all other
        files systems named by their stem.
    encoding, limits
        Of files that do not say it; how much they may hold.

    Returns
    -------
    list of tuple
        For `records`: the source file with its references as companions and a mapping to
        segments, and each system's file with a mapping to outputs. Keys of segments are the
        line numbers ``1``, ``2``, …

    Raises
    ------
    TableError
        If there is not exactly one source file, or files differ in their number of lines (one
        problem per such file, naming both files and both counts).
    """
    dialect = Dialect(encoding)
    plain = [file for file in files if file.format == "lines"]
    first = _source_file(plain, source)
    others = [file for file in plain if file is not first]
    references = [file for file in others if _role(file).startswith(REFERENCE_STEMS)]
    systems = [file for file in others if file not in references]
    _check_names(systems)
    _check_counts(first, others, lambda file: _count_lines(file, dialect, limits))
    columns = {"segment": "line", "source": "text"}
    if references:
        columns["reference"] = list_of([f"text {n}" for n in range(2, len(references) + 2)])
    segments = Mapping("segments", columns, dialect=dialect)
    plan = [(replace(first, companions=tuple(references)), segments)]
    for file in systems:
        read = {"segment": "line", "output": "text", "system": constant(file.stem)}
        plan.append((file, Mapping("outputs", read, dialect=dialect)))
    return plan


def has_source(files: Sequence[SourceFile]) -> bool:
    """Say whether one of several plain files is named as the source of the others."""
    return len(files) > 1 and sum(_role(file) in SOURCE_STEMS for file in files) == 1


def _source_file(files: Sequence[SourceFile], source: str) -> SourceFile:
    def is_source(file: SourceFile) -> bool:
        return source in (file.name, file.stem) if source else _role(file) in SOURCE_STEMS

    found = [file for file in files if is_source(file)]
    if len(found) == 1:
        return found[0]
    there = ", ".join(file.name for file in found or files) or "no plain files"
    names = source or "source.txt, src.txt or input.txt"
    raise refused("no-source", "the folder", there, names=names)


def _role(file: SourceFile) -> str:
    """Return the word that says what a file holds: ``test.src`` is a source, ``ref0.txt`` not."""
    ending = file.stem.rpartition(".")[2].lower()
    return ending if ending in ("src", "ref") else file.stem.lower()


def _check_names(systems: Sequence[SourceFile]) -> None:
    """Refuse two files that would be one system."""
    first: dict[str, SourceFile] = {}
    for file in systems:
        if (other := first.setdefault(file.stem, file)) is not file:
            raise refused("duplicate-system", file.name, file.stem, other=other.name)


def _check_counts(
    first: SourceFile, others: Sequence[SourceFile], count: Callable[[SourceFile], int]
) -> None:
    """Refuse files that are not as long as the source file."""
    wanted, log = count(first), ProblemLog(len(others))
    for file in others:
        if (n := count(file)) != wanted:
            line, like = min(n, wanted) + 1, first.name
            log.add(problem("line-count", file.name, line=line, lines=n, wanted=wanted, first=like))
    log.raise_if_any()
