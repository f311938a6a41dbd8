"""sacreBLEU: scores of systems as `sacrebleu --format json` prints them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from corpus.formats.format import Format, ReadAs
from corpus.formats.offered import Offered
from corpus.formats.writing import write_table
from corpus.tabular.files import stem_of
from corpus.tabular.mapping import Mapping
from corpus.tabular.problems import Problem, TableError

_METRIC = re.compile(r"(?i)(BLEU|chrF|TER)")
"""How sacreBLEU's names of metrics begin."""
_BASELINE = "Baseline: "


class SacreBleu(Format):
    """sacreBLEU JSON."""

    name = "sacrebleu"
    title = "sacreBLEU scores (JSON)"

    def recognises(self, files: Offered) -> bool:
        """Whether a JSON file begins with a score and its signature, or with a system's scores."""
        return bool(_files_in(files))

    def read(self, files: Offered, folder: Path, chosen: str) -> ReadAs:
        """Read scores of whole systems; those of one system are named by their file."""
        read = ReadAs()
        names = _files_in(files)
        columns = ["system", "metric", "compared_to", "score"]
        rows = [row for name in names for row in _rows(files, name, read)]
        file = write_table(folder, "sacrebleu-system-scores.csv", columns, rows)
        read.tables.append((file, [Mapping("system_scores", {name: name for name in columns})]))
        return read


def _files_in(files: Offered) -> list[str]:
    return [
        name
        for name in files.ending_with(".json")
        if {"name", "score", "signature"} <= (first := files.first_record(name)).keys()
        or ("system" in first and len(first) > 1 and all(map(_METRIC.match, _scores(first))))
    ]


def _scores(record: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in record.items() if name != "system"}


def _is_score(value: Any) -> bool:
    try:
        float(value["score"] if isinstance(value, dict) else value)
    except (KeyError, TypeError, ValueError):
        return False
    return True


def _rows(files: Offered, name: str, read: ReadAs) -> Iterator[tuple[str, str, str, Any]]:
    """Yield the scores of one file; note signatures, which say how they were computed."""
    content = files.document(name)
    for record in content if isinstance(content, list) else [content]:
        good = isinstance(record, dict)
        if good and "signature" in record:
            good = _is_score(record) and isinstance(record.get("name"), str)
            if good:
                read.notes.append(f"{name}: {record['name']} is {record['signature']}.")
                yield stem_of(name), record["name"], "reference", record["score"]
        elif good and "system" in record and all(map(_is_score, _scores(record).values())):
            system = stem_of(str(record["system"]).removeprefix(_BASELINE))
            for metric, value in _scores(record).items():
                score = value["score"] if isinstance(value, dict) else value
                yield system, metric, "reference", score
        else:
            good = False
        if not good:
            expected = "a score with its signature, or the scores of a system"
            raise TableError(
                Problem(name, expected=expected, message="Write it again.", code="json")
            )


FORMAT = SacreBleu()
