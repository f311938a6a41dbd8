"""MQM annotations of the WMT metrics tasks: a line for each error that a rater marked.

The tables of google/wmt-mqm-human-evaluation. Scores of segments are made with the weights of
Freitag et al. (2021, "Experts, Errors, and Context"): major 5, minor 1, minor punctuation 0.1,
non-translation 25; issues of the source and creative reinterpretation count nothing, as in the
scores that WMT released since.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from corpus.formats.format import Format, ReadAs
from corpus.formats.marked_errors import ASPECTS, counted
from corpus.formats.offered import Offered
from corpus.formats.writing import write_table
from corpus.tabular.files import stem_of
from corpus.tabular.mapping import Mapping
from corpus.tabular.problems import Problem, TableError, shorten
from corpus.tabular.wide import Wide

TENTHS = 10
NON_TRANSLATION, MAJOR, MINOR, PUNCTUATION = 250, 50, 10, 1
NO_WEIGHT = ("neutral", "no-error", "no error")
NO_FAULT = ("source issue", "creative reinterpretation")
"""Categories, below any other, that are no fault of a system."""
_NEEDED = {"system", "doc", "rater", "source", "target", "category", "severity"}
_SEGMENT = ("globalsegid", "seg_id", "segid", "global_seg_id", "docsegid")
_MARK = re.compile(r"</?v>")
COLUMNS = ["segment", "system", "source", "output", "document", "rater", "overall", *ASPECTS]


class WmtMqm(Format):
    """WMT MQM TSV."""

    name = "wmt-mqm"
    title = "WMT MQM annotations (TSV)"

    def recognises(self, files: Offered) -> bool:
        """Whether a table has the columns of marked errors."""
        return bool(_files_in(files))

    def read(self, files: Offered, folder: Path, chosen: str) -> ReadAs:
        """Read the weighted sum of the errors of a segment as a rating, higher is better."""
        read = ReadAs()
        for name in _files_in(files):
            table = write_table(
                folder, f"{stem_of(name)}.csv", COLUMNS, _ratings(files, name, read)
            )
            read.tables.append((table, _mappings(stem_of(name))))
        read.notes.append(
            "A rating is minus the sum of its errors: major 5, minor 1, minor punctuation 0.1, "
            "major non-translation 25 (Freitag et al. 2021); source issues and creative "
            "reinterpretation count nothing. The aspects errors_major and errors_minor are minus "
            "the numbers of errors that count; their places and categories are not kept."
        )
        return read


def _files_in(files: Offered) -> list[str]:
    found = []
    for name in files.ending_with(".tsv", ".tab", ".txt"):
        header = {cell.lower() for cell in files.header(name)}
        if header >= _NEEDED and header & {*_SEGMENT}:
            found.append(name)
    return found


def weight(category: str, severity: str) -> int | None:
    """Return what an error costs, in tenths; None if the severity is not known.

    Sums of whole numbers are exact, so that equal errors in another order are ties.

    Examples
    --------
    >>> weight("Fluency/Punctuation", "Minor"), weight("Accuracy/Addition", "major")
    (1, 50)
    """
    severity, category = severity.strip().lower(), category.strip().lower()
    if severity in NO_WEIGHT or category in NO_WEIGHT:
        return 0
    if severity in ("major", "minor") and category.rpartition("/")[2] in NO_FAULT:
        return 0
    if severity == "major":
        return NON_TRANSLATION if category.startswith("non-translation") else MAJOR
    if severity == "minor":
        return PUNCTUATION if category == "fluency/punctuation" else MINOR
    return None


def _ratings(files: Offered, name: str, read: ReadAs) -> Iterator[list[str]]:
    """Yield a rating for each segment, system and rater, with the texts."""
    lines = files.texts(name)
    header = [cell.strip().lower() for cell in next(lines).split("\t")]
    place = {cell: number for number, cell in enumerate(header)}
    segment = next(each for each in _SEGMENT if each in place)
    sums: dict[tuple[str, str, str, str], int] = {}
    faults: dict[tuple[str, str, str, str], list[str]] = {}
    texts: dict[tuple[str, str, str, str], tuple[str, str]] = {}
    unknown: dict[str, int] = {}
    for number, line in enumerate(lines, start=2):
        cells = line.split("\t")
        if len(cells) < len(header):
            found, expected = f"{len(cells)} fields", f"{len(header)} fields, as in the header"
            message = "Tabs and line breaks in texts must be taken out."
            raise TableError(Problem(name, number, None, 1, found, expected, message, "fields"))
        cost = weight(cells[place["category"]], cells[place["severity"]])
        if cost is None:
            severity = shorten(cells[place["severity"]], 40)
            unknown[severity] = unknown.get(severity, 0) + 1
            continue
        doc, key = cells[place["doc"]], cells[place[segment]]
        who = (cells[place["system"]], doc, key, cells[place["rater"]])
        sums[who] = sums.get(who, 0) + cost
        if cost:
            faults.setdefault(who, []).append(cells[place["severity"]])
        plain = (_MARK.sub("", cells[place[each]]) for each in ("source", "target"))
        texts.setdefault(who, tuple(plain))  # type: ignore[arg-type]
    is_global = segment.startswith("global")
    for who, cost in sums.items():
        (system, doc, key, rater), (source, target) = who, texts[who]
        segment_key = key if is_global else f"{doc}:{key}"
        given = [repr(-cost / TENTHS), *map(str, counted(faults.get(who, ())))]
        yield [segment_key, system, source, target, doc, rater, *given]
    for severity, count in unknown.items():
        read.notes.append(f"{name}: {count:,} lines of the severity {severity!r} were left out.")


def _mappings(campaign: str) -> list[Mapping]:
    return [
        Mapping(
            "segments",
            {"segment": "segment", "source": "source"},
            attributes=("document",),
            distinct=True,
        ),
        Mapping(
            "outputs",
            {"segment": "segment", "system": "system", "output": "output"},
            distinct=True,
        ),
        Mapping(
            "ratings",
            {name: name for name in ("segment", "system", "rater")},
            {"campaign": campaign[:100]},
            wide=Wide("aspect", "score", ("overall", *ASPECTS)),
        ),
    ]


FORMAT = WmtMqm()
