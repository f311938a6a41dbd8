"""MQM annotations of the WMT metrics tasks: a line for each error that a rater marked.

The tables of google/wmt-mqm-human-evaluation. Scores of segments are made with the weights of
Freitag et al. (2021, "Experts, Errors, and Context"): major 5, minor 1, minor punctuation 0.1,
non-translation 25.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from corpus.formats.format import Format, ReadAs
from corpus.formats.offered import Offered
from corpus.formats.writing import write_table
from corpus.tabular.files import stem_of
from corpus.tabular.mapping import Mapping
from corpus.tabular.problems import Problem, TableError, shorten

NON_TRANSLATION, MAJOR, MINOR, PUNCTUATION = 25.0, 5.0, 1.0, 0.1
NO_WEIGHT = ("neutral", "no-error", "no error")
_NEEDED = {"system", "doc", "rater", "source", "target", "category", "severity"}
_SEGMENT = ("globalsegid", "seg_id", "segid", "global_seg_id", "docsegid")
_MARK = re.compile(r"</?v>")
COLUMNS = ["segment", "system", "source", "output", "document", "rater", "score"]


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
            "non-translation 25 (Freitag et al. 2021). Which errors they were is not kept."
        )
        return read


def _files_in(files: Offered) -> list[str]:
    found = []
    for name in files.ending_with(".tsv", ".tab", ".txt"):
        header = {cell.lower() for cell in files.header(name)}
        if header >= _NEEDED and header & {*_SEGMENT}:
            found.append(name)
    return found


def weight(category: str, severity: str) -> float | None:
    """Return what an error costs; None if the severity is not known.

    Examples
    --------
    >>> weight("Fluency/Punctuation", "Minor"), weight("Accuracy/Addition", "major")
    (0.1, 5.0)
    """
    severity, category = severity.strip().lower(), category.strip().lower()
    if severity in NO_WEIGHT or category in NO_WEIGHT:
        return 0.0
    if category.startswith("non-translation") and severity in ("major", "minor"):
        return NON_TRANSLATION
    if severity == "major":
        return MAJOR
    if severity == "minor":
        return PUNCTUATION if category == "fluency/punctuation" else MINOR
    return None


def _ratings(files: Offered, name: str, read: ReadAs) -> Iterator[list[str]]:
    """Yield a rating for each segment, system and rater, with the texts."""
    lines = files.texts(name)
    header = [cell.strip().lower() for cell in next(lines).split("\t")]
    place = {cell: number for number, cell in enumerate(header)}
    segment = next(each for each in _SEGMENT if each in place)
    sums: dict[tuple[str, str, str, str], float] = {}
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
        sums[who] = sums.get(who, 0.0) + cost
        plain = (_MARK.sub("", cells[place[each]]) for each in ("source", "target"))
        texts.setdefault(who, tuple(plain))  # type: ignore[arg-type]
    is_global = segment.startswith("global")
    for (system, doc, key, rater), cost in sums.items():
        source, target = texts[system, doc, key, rater]
        segment_key = key if is_global else f"{doc}:{key}"
        # A sum without a minus before zero.
        yield [segment_key, system, source, target, doc, rater, repr(0.0 - cost)]
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
            {name: name for name in ("segment", "system", "rater", "score")},
            {"aspect": "overall", "campaign": campaign[:100]},
        ),
    ]


FORMAT = WmtMqm()
