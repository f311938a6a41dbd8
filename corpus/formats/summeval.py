"""SummEval: one JSON object for each summary, with lists of annotations by experts and by a crowd.

Other data sets of summaries are published in the same shape.
"""

from __future__ import annotations

from pathlib import Path

from corpus.formats.format import Format, ReadAs
from corpus.formats.offered import Offered
from corpus.tabular.mapping import Columns, Mapping, Wide

LISTS = {"expert_annotations": "experts", "turker_annotations": "crowd"}


class SummEval(Format):
    """SummEval-like JSON Lines."""

    name = "summeval"
    title = "SummEval (JSON Lines)"

    def recognises(self, files: Offered) -> bool:
        """Whether an object holds a summary of a model and lists of annotations."""
        return bool(_files_in(files))

    def read(self, files: Offered, folder: Path, chosen: str) -> ReadAs:
        """Read the files as they are, by mappings."""
        read = ReadAs()
        for name in _files_in(files):
            record = files.first_record(name)
            read.tables.append((files.source(name), _mappings(set(record))))
            if "text" not in record:
                read.notes.append(
                    f"{name} has no texts that were summarised: the sources are empty. SummEval "
                    "gives a script that puts them in."
                )
        read.notes.append(
            "Raters are numbered by their places in the lists: 1 of one summary need not be the "
            "same person as 1 of another."
        )
        return read


def _files_in(files: Offered) -> list[str]:
    return [
        name
        for name in files.ending_with(".jsonl", ".json")
        if {"id", "model_id", "decoded"} <= (first := files.first_record(name)).keys()
        and any(isinstance(first.get(each), list) for each in LISTS)
    ]


def _mappings(given: set[str]) -> list[Mapping]:
    segments: dict[str, Columns] = {"segment": "id"}
    constants = {} if "text" in given else {"source": ""}
    if "text" in given:
        segments["source"] = "text"
    if "references" in given:
        segments["reference"] = ("references",)
    found = [
        Mapping("segments", segments, constants, distinct=True),
        Mapping("outputs", {"segment": "id", "system": "model_id", "output": "decoded"}),
    ]
    for name, campaign in LISTS.items():
        if name in given:
            columns: dict[str, Columns] = {"segment": "id", "system": "model_id"}
            columns["rater"] = f"{name}[#]"
            wide = Wide("aspect", "score", pattern=f"{name}[].{{name}}", skip_empty=True)
            found.append(
                Mapping("ratings", columns, {"campaign": campaign}, wide=wide, explode=name)
            )
    return found


FORMAT = SummEval()
