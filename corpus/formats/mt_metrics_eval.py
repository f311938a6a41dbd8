"""mt-metrics-eval v2: the layout in which the WMT metrics tasks are released.

`sources`, `references`, `documents`, `system-outputs`, `human-scores` and `metric-scores` beside
each other, for any number of language pairs. The file names and lines are specified under "File
organization and naming convention" in the README of google-research/mt-metrics-eval.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from corpus.formats.format import ReadAs, WritableFormat, WrittenTable
from corpus.formats.mt_metrics_eval_scores import ScoreFile, human_tables, metric_tables
from corpus.formats.mt_metrics_eval_writing import WrittenPair
from corpus.formats.offered import Offered
from corpus.formats.writing import write_table
from corpus.tabular.mapping import Columns
from corpus.tabular.mapping import Mapping as TableMapping
from corpus.tabular.problems import Problem, TableError

_REFERENCE_BY_PEOPLE = re.compile(r"(?i)ref-?[a-z0-9]?")
_LEFT_OUT = {
    "domain": "scores of domains, which follow from those of segments",
    "doc": "scores of documents, which follow from those of segments",
    "rating": "error spans; only the scores are read",
}


@dataclass
class PairFiles:
    """The files of one language pair, by what they hold."""

    sources: str = ""
    documents: str = ""
    references: dict[str, str] = field(default_factory=dict)
    outputs: dict[str, str] = field(default_factory=dict)
    human: dict[tuple[str, str], str] = field(default_factory=dict)
    """By name and level."""
    metrics: dict[tuple[str, str], str] = field(default_factory=dict)
    """By name with reference, and level."""
    passed_over: list[tuple[str, str]] = field(default_factory=list)


class MtMetricsEval(WritableFormat):
    """mt-metrics-eval v2, in and out."""

    name = "mt-metrics-eval-v2"
    title = "WMT metrics task (mt-metrics-eval v2)"
    part = "language pair"

    def recognises(self, files: Offered) -> bool:
        """Whether there is a pair with sources and outputs."""
        return bool(_pairs(files))

    def read(self, files: Offered, folder: Path, chosen: str) -> ReadAs:
        """Read one pair: texts from the files as they are, scores from tables written of them."""
        pairs = _pairs(files)
        if len(pairs) == 1 and not chosen:
            chosen = next(iter(pairs))
        choices = tuple(pairs)
        if not chosen:
            return ReadAs(choices=choices)
        if chosen not in pairs:
            known = ", ".join(choices)
            message = "Choose one of them."
            raise TableError(Problem("", None, None, None, chosen, known, message, "select"))
        read = ReadAs(choices=choices, chosen=chosen)
        _Pair(files, folder, chosen, pairs[chosen], read).read()
        return read

    def write(
        self,
        tables: Mapping[str, WrittenTable],
        study: Mapping[str, Any],
        folder: Path,
        chosen: str,
    ) -> list[str]:
        """Write a study with direct scores as one pair."""
        return WrittenPair(tables, study, folder, chosen).write()


def _pairs(files: Offered) -> dict[str, PairFiles]:
    """Return the pairs that have sources and outputs; of several test sets with their names."""
    found: dict[tuple[str, str], PairFiles] = {}
    for name in files.names:
        parts = name.removesuffix(".gz").split("/")
        place = next((n for n, part in enumerate(parts[:-1]) if part in _PLACES), None)
        if place is None:
            continue
        kind, rest = _PLACES[parts[place]], "/".join(parts[place + 1 :])
        if kind in ("outputs", "metrics"):
            pair, _, rest = rest.partition("/")
        else:
            pair, _, rest = rest.partition(".")
        files_of_pair = found.setdefault(("/".join(parts[:place]), pair), PairFiles())
        _sort_in(files_of_pair, kind, rest, name)
    whole = {key: pair for key, pair in found.items() if pair.sources and pair.outputs}
    several = len({test_set for test_set, _ in whole}) > 1
    return {
        f"{test_set}/{pair}" if several else pair: whole[test_set, pair]
        for test_set, pair in sorted(whole)
    }


_PLACES = {
    "sources": "sources",
    "documents": "documents",
    "references": "references",
    "system-outputs": "outputs",
    "human-scores": "human",
    "metric-scores": "metrics",
}


def _sort_in(pair: PairFiles, kind: str, rest: str, name: str) -> None:
    """Put a file among those of its pair, by what its name says behind the pair's."""
    if kind == "sources" and rest == "txt":
        pair.sources = name
    elif kind == "documents" and rest == "docs":
        pair.documents = name
    elif kind in ("references", "outputs") and rest.endswith(".txt"):
        getattr(pair, kind)[rest.removesuffix(".txt")] = name
    elif kind in ("human", "metrics") and rest.count(".") >= 2:
        base, level, ending = rest.rsplit(".", 2)
        if ending == "score" and level in ("seg", "sys"):
            getattr(pair, kind)[base, level] = name
        else:
            known = _LEFT_OUT.get(level if ending == "score" else ending)
            pair.passed_over.append((name, known or "no file of this layout"))
    else:
        pair.passed_over.append((name, "no file of this layout"))


class _Pair:
    """One language pair on its way to tables."""

    def __init__(
        self, files: Offered, folder: Path, chosen: str, pair: PairFiles, read: ReadAs
    ) -> None:
        self._files = files
        self._folder = folder
        self._pair = pair
        self._result = read
        self._chosen = chosen
        self._segments = 0

    def read(self) -> None:
        """Fill the result."""
        pair, read = self._pair, self._result
        self._texts()
        self._systems()
        scores = [self._score_file(*each) for each in pair.metrics.items()]
        human = [self._score_file(*each) for each in pair.human.items()]
        read.tables += human_tables(human, self._folder, self._prefix, read.notes)
        read.tables += metric_tables(scores, self._folder, self._prefix)
        target = self._chosen.rpartition("-")[2]
        read.study |= {
            "title": f"{self._test_set} {self._chosen.rpartition('/')[2]}".strip(),
            "language": target[:35] or "und",
            # The tool that reads this layout takes the higher score for the better everywhere.
            "metrics": {score.base: {"orientation": "higher"} for score in scores},
        }
        if scores:
            read.notes.append(
                "Higher is better for every metric, as everywhere in mt-metrics-eval: error rates "
                "are released with their sign turned."
            )
        read.passed_over += pair.passed_over

    @property
    def _prefix(self) -> str:
        """Begins the names of files that are written: those of another pair are others."""
        return f"{self._chosen.replace('/', '-')}."

    @property
    def _test_set(self) -> str:
        """The name of the folder around, where there is one."""
        around = self._pair.sources.split("/")[:-2]
        return around[-1] if around else self._files.title

    def _texts(self) -> None:
        pair = self._pair
        sources = list(self._files.texts(pair.sources))
        self._segments = len(sources)
        names = sorted(pair.references)
        references = [self._aligned(pair.references[name]) for name in names]
        documents = list(self._documents()) if pair.documents else []
        columns = ["segment", "source", *(f"reference {name}" for name in names)]
        kept = ["domain", "document"] if documents else []
        numbers = map(str, range(1, len(sources) + 1))
        rows = zip(numbers, sources, *references, *zip(*documents, strict=True), strict=True)
        fields: dict[str, Columns] = {"segment": "segment", "source": "source"}
        if names:
            fields["reference"] = tuple(columns[2:])
        mapping = TableMapping("segments", columns=fields, attributes=tuple(kept))
        self._result.tables.append(
            (
                write_table(self._folder, f"{self._prefix}segments.csv", [*columns, *kept], rows),
                [mapping],
            )
        )
        if names:
            listed = ", ".join(f"{name} is reference {n}" for n, name in enumerate(names, start=1))
            self._result.notes.append(f"References: {listed}.")
        for system, name in sorted(pair.outputs.items()):
            self._count(name)
            outputs = TableMapping(
                "outputs",
                columns={"segment": "line", "output": "text"},
                constants={"system": system},
            )
            self._result.tables.append((self._files.source(name, "lines"), [outputs]))

    def _aligned(self, name: str) -> list[str]:
        texts = list(self._files.texts(name))
        self._check_count(name, len(texts))
        return texts

    def _count(self, name: str) -> None:
        self._check_count(name, sum(1 for _ in self._files.texts(name)))

    def _check_count(self, name: str, found: int) -> None:
        if found != self._segments:
            raise TableError(
                Problem(
                    name,
                    line=min(found, self._segments) + 1,
                    found=f"{found} lines",
                    expected=f"{self._segments} lines, as in {self._pair.sources}",
                    message="Each line belongs to the same line of the source file; an empty "
                    "text is an empty line.",
                    code="line-count",
                )
            )

    def _documents(self) -> Iterator[tuple[str, str]]:
        """Yield domain and document of each segment."""
        name = self._pair.documents
        lines = self._aligned(name)
        for number, line in enumerate(lines, start=1):
            parts = line.split(None, 1)
            if len(parts) != 2:
                message = "Write the domain and the name of the document."
                expected = "two words"
                raise TableError(
                    Problem(name, number, None, 1, line[:80], expected, message, "fields")
                )
            yield parts[0], parts[1].strip()

    def _systems(self) -> None:
        """Say which outputs are references too."""
        both = sorted(self._pair.references.keys() & self._pair.outputs.keys())
        people = {name for name in both if _REFERENCE_BY_PEOPLE.fullmatch(name)}
        if not both:
            return
        self._result.study["systems"] = [
            {"system": name, "human": name in people, "reference": name} for name in both
        ]
        for name in both:
            words = "it is taken" if name in people else "it is not taken"
            self._result.notes.append(
                f"{name} is a reference and a system; {words} for human-written. The systems page "
                "changes that."
            )

    def _score_file(self, key: tuple[str, str], name: str) -> ScoreFile:
        base, level = key
        systems = self._pair.outputs.keys()
        return ScoreFile(self._files, name, base, level, set(systems), self._segments)


FORMAT = MtMetricsEval()
