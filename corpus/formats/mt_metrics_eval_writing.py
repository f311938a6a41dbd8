"""A study written in the layout of mt-metrics-eval v2, as one language pair."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from pathlib import Path
from statistics import fmean
from typing import Any

from corpus.formats.format import CannotWriteError, WrittenTable
from corpus.formats.mt_metrics_eval import named_as, names_of_files, plain

NONE = "None"
Scores = dict[str, dict[str, float]]
"""By system and segment."""
_OF_RUN = ("metric", "compared_to", "aspect", "text_setting")
_COMPARED_TO = {"": "src", "source": "src", "reference": "all", "references": "all"}
_LEFT_OUT = ("target", "descriptive")
_FIRST = ("", "1")
"""Variants that are written."""


class WrittenPair:
    """A study on its way into files.

    Parameters
    ----------
    tables, study
        As the study archive has them.
    folder
        Where the files go.
    chosen
        The language pair that it is written as, with or without a test set; empty to find it.
    """

    def __init__(
        self,
        tables: Mapping[str, WrittenTable],
        study: Mapping[str, Any],
        folder: Path,
        chosen: str,
    ) -> None:
        self._tables = tables
        self._study = study
        self._notes: Counter[str] = Counter()
        self._segments: list[str] = []
        self._systems: dict[str, str] = {}
        self._references: list[str] = []
        self._averaged: list[str] = []
        self._written: set[str] = set()
        test_set, self.pair = named_as(study, chosen)
        self._folder = folder / test_set

    def write(self) -> list[str]:
        """Write everything; return what could not be said, in sentences."""
        if not {"segments", "outputs"} <= self._tables.keys():
            raise CannotWriteError("The study has no texts of systems: there is nothing to write.")
        outputs = self._outputs()
        references = self._texts()
        self._write_references(references, outputs)
        for system, texts in outputs.items():
            if system in self._systems:
                lines = (texts[segment] for segment in self._segments)
                self._lines(f"system-outputs/{self.pair}/{self._systems[system]}.txt", lines)
        self._human_scores()
        self._metric_scores()
        notes = [f"{n:,} {what}" if n else what for what, n in self._notes.items()]
        if self._averaged:
            notes.append(
                f"{len(self._averaged):,} files of scores of systems (.sys.score) hold means of "
                "the scores of segments, as the study has no scores of systems by these metrics: "
                f"{', '.join(self._averaged)}."
            )
        return notes

    # Texts

    def _outputs(self) -> dict[str, dict[str, str]]:
        found: dict[str, dict[str, str]] = {}
        records = self._tables["outputs"].records("segment", "system", "output", "variant")
        for segment, system, text, variant in records:
            if variant in _FIRST:
                found.setdefault(system, {})[segment] = text
            else:
                self._note("further outputs of a system for a segment were left out.", 1)
        return found

    def _texts(self) -> list[list[str]]:
        """Write sources and documents; return the references, each with a text a segment."""
        table = self._tables["segments"]
        places = [table.columns[name][0] for name in ("segment", "source")]
        numbered = table.columns.get("reference", ())
        domain, document = (table.attributes.get(name) for name in ("domain", "document"))
        sources, documents = [], []
        references: list[list[str]] = [[] for _ in numbered]
        for row in table.rows:
            key, source = (row[place] for place in places)
            self._segments.append(key)
            sources.append(source)
            named = domain is not None and row[domain]
            inside = document is not None and row[document]
            documents.append(f"{plain(named or 'all')}\t{plain(inside or f'segment-{key}')}")
            for texts, place in zip(references, numbered, strict=True):
                texts.append(row[place])
        if self._segments != [str(n) for n in range(1, len(self._segments) + 1)]:
            self._note("Segments are lines, in the order of the study: their keys are not written.")
        self._lines(f"sources/{self.pair}.txt", sources)
        self._lines(f"documents/{self.pair}.docs", documents)
        return references

    def _write_references(
        self, references: list[list[str]], outputs: dict[str, dict[str, str]]
    ) -> None:
        """Write references under the names of systems with the same texts, else by letters."""
        segments = self._segments
        whole = {name: texts for name, texts in outputs.items() if texts.keys() >= {*segments}}
        for system in outputs.keys() - whole.keys():
            self._note(f"System {system} was left out: it has no output for some segments.")
        self._systems = names_of_files(whole)
        for number, texts in enumerate(references):
            if not all(texts):
                self._note("references that not every segment has were left out.", 1)
                continue
            same = (n for n, each in whole.items() if [each[s] for s in segments] == texts)
            named = self._systems.get(next(same, ""), "")
            if not named or named in self._references or re.search(r"[.-]", named):
                named = f"ref{chr(ord('A') + number)}" if number < 26 else f"ref{number + 1}"
            self._references.append(named)
            self._lines(f"references/{self.pair}.{named}.txt", texts)

    # Scores

    def _human_scores(self) -> None:
        if (table := self._tables.get("ratings")) is None:
            return
        latest: dict[tuple[str, ...], tuple[int, float]] = {}
        fields = "campaign", "aspect", "system", "segment", "rater"
        further = "rater_kind", "against", "score", "revision", "variant"
        for record in table.records(*fields, *further):
            key, (kind, against, score, revision, variant) = record[:5], record[5:]
            if against or not score or variant not in _FIRST:
                self._note("ratings that are no direct scores were left out.", 1)
            elif kind == "model":
                self._note("ratings by models were left out.", 1)
            elif key[2] in self._systems:
                rating = int(revision or 1), float(score)
                latest[key] = max(latest.get(key, rating), rating, key=lambda each: each[0])
        given: dict[tuple[str, str], dict[str, dict[str, list[float]]]] = {}
        for (campaign, aspect, system, segment, _), (_, value) in latest.items():
            systems = given.setdefault((campaign, aspect), {})
            systems.setdefault(system, {}).setdefault(segment, []).append(value)
        campaigns = [campaign for campaign, _ in given]
        for (campaign, aspect), systems in given.items():
            alone = campaigns.count(campaign) == 1 or aspect == "overall"
            name = self._free(plain(campaign if alone else f"{campaign}-{aspect}", dots=False))
            means = {
                system: {segment: fmean(values) for segment, values in segments.items()}
                for system, segments in systems.items()
            }
            self._scores(f"human-scores/{self.pair}.{name}", means)

    def _metric_scores(self) -> None:
        released = self._released()
        for key, scores in self._runs():
            self._metric(key, scores, released.pop(key[:4], None))
        for of_systems, values in released.items():
            self._metric(of_systems, {}, values)

    def _metric(
        self, key: tuple[str, ...], scores: Scores, values: dict[str, float] | None
    ) -> None:
        if name := self._metric_name(*key):
            if values is None:
                self._averaged.append(name)
            path = f"metric-scores/{self.pair}/{name}"
            self._scores(path, scores, values, self._turn(key[0]))

    def _runs(self) -> Iterator[tuple[tuple[str, ...], Scores]]:
        """Yield the scores of outputs number by number; rows of one run stand together."""
        if (table := self._tables.get("metric_scores")) is None:
            return
        fields = "metric_run", "metric_field", "system", "segment", "score", "variant"
        for run, rows in groupby(table.records(*_OF_RUN, *fields), key=lambda each: each[:5]):
            numbers: dict[str, Scores] = {}
            for *_, field, system, segment, score, variant in rows:
                is_shown = system in self._systems and variant in _FIRST and score
                if is_shown and not field.startswith("statistic:"):
                    of_system = numbers.setdefault(field, {}).setdefault(system, {})
                    of_system[segment] = float(score)
            yield from (((*run[:4], field), scores) for field, scores in numbers.items())

    def _released(self) -> dict[tuple[str, ...], dict[str, float]]:
        found: dict[tuple[str, ...], dict[str, float]] = {}
        if table := self._tables.get("system_scores"):
            for *key, system, score in table.records(*_OF_RUN, "system", "score"):
                if system in self._systems:
                    found.setdefault(tuple(key), {})[system] = float(score)
        return found

    def _metric_name(
        self, metric: str, compared_to: str, aspect: str, setting: str, field: str = ""
    ) -> str:
        """Return the name of a metric's files; empty if the layout cannot hold it."""
        if self._orientation(metric) in _LEFT_OUT:
            self._note(f"{metric} was left out: it says nothing of which output is better.")
            return ""
        base = plain(metric if field in ("", "score") else f"{metric}-{field}")
        saw = self._reference_name(compared_to)
        further = "_".join([base, *(plain(each) for each in (aspect, setting) if each)])
        if f"{base}-{saw}" not in self._written:
            return self._free(base, f"-{saw}")
        is_free = f"{further}-{saw}" not in self._written
        return self._free(further if is_free else f"{base}_", f"-{saw}")

    def _reference_name(self, compared_to: str) -> str:
        """Return what the layout calls a text that outputs were compared with."""
        numbered = re.fullmatch(r"reference\D?(\d{1,4})", compared_to)
        if numbered and 0 < int(numbered[1]) <= len(self._references):
            return self._references[int(numbered[1]) - 1]
        return _COMPARED_TO.get(compared_to) or plain(compared_to).replace("-", "_")

    def _orientation(self, metric: str) -> str:
        facts = self._study.get("metrics", {}).get(metric, {})
        return str(facts.get("orientation", "unknown"))

    def _turn(self, metric: str) -> int:
        """Return -1 for a metric of which lower is better: in this layout higher always is."""
        orientation = self._orientation(metric)
        if orientation == "unknown":
            self._note(f"It is not known whether higher is better for {metric}: written as it is.")
        if orientation == "lower":
            self._note(f"{metric} is written with its sign turned, so that higher is better.")
        return -1 if orientation == "lower" else 1

    # Files

    def _scores(
        self, path: str, scores: Scores, values: dict[str, float] | None = None, turned: int = 1
    ) -> None:
        """Write scores of segments, if any, and of systems: their means where there are none."""
        if values is None:
            values = {system: fmean(each.values()) for system, each in scores.items()}
        if scores:
            lines = (
                f"{self._systems[system]}\t{turned * each[segment] if segment in each else NONE}"
                for system, each in scores.items()
                for segment in self._segments
            )
            self._lines(f"{path}.seg.score", lines)
        lines = (f"{self._systems[name]}\t{turned * value!r}" for name, value in values.items())
        self._lines(f"{path}.sys.score", lines)

    def _lines(self, name: str, lines: Iterable[str]) -> None:
        place = self._folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        with place.open("x", encoding="utf-8", newline="") as stream:
            for line in lines:
                if "\n" in line or "\r" in line:
                    self._note("texts had line breaks, which are written as spaces.", 1)
                    line = " ".join(re.split(r"\r\n|\r|\n", line))
                stream.write(f"{line}\n")

    def _free(self, name: str, end: str = "") -> str:
        """Return a name that no other file has."""
        numbered = (f"{name}{number}{end}" for number in ("", *range(2, len(self._written) + 3)))
        free = next(each for each in numbered if each not in self._written)
        self._written.add(free)
        return free

    def _note(self, what: str, count: int = 0) -> None:
        self._notes[what] += count
