"""Scores that the two published studies released, with the texts that they were computed on."""

import csv
import gzip
import io
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from corpus.masking import Masked, masker
from metrics.scorers.scorer import Texts

LEXICON = "style_lexicon.csv"


@dataclass(frozen=True)
class Released:
    """Texts with the scores that were released for them."""

    texts: Texts
    scores: np.ndarray


def lai2022(studies: Path, metric: str, compared_to: str) -> Released:
    """Scores against the source, or the reference, which is the text of the system REF."""
    folder = studies / "lai2022"
    sources = {row["segment_id"]: row["source"] for row in _rows(folder / "segments.csv")}
    outputs = _outputs(folder)
    rows = [
        (outputs[row["segment_id"], row["system"]], row["segment_id"], float(row["score"]))
        for row in _rows(folder / "metric_scores.csv")
        if (row["metric"], row["compared_to"]) == (metric, compared_to)
    ]
    against = [
        sources[segment] if compared_to == "source" else outputs[segment, "REF"]
        for _, segment, _ in rows
    ]
    return Released(Texts.of([text for text, *_ in rows], against), _scores(rows))


def mir2019(studies: Path, metric: str, setting: str) -> Released:
    """Scores against the source, style words masked or removed by the study's lexicon."""
    folder = studies / "mir2019"
    masked = masker({row["word"]: float(row["weight"]) for row in _rows(folder / LEXICON)})
    sources = {row["segment_id"]: row["source"] for row in _rows(folder / "segments.csv")}
    outputs = _outputs(folder)
    rows = [
        (row["segment_id"], row["system"], float(row["score"]))
        for row in _rows(folder / "metric_scores.csv.gz")
        if (row["metric"], row["text_setting"]) == (metric, setting)
    ]

    def changed(text: str) -> str:
        found = masked(text)
        return found.text if setting == "style_masked" else _without(text, found)

    texts = Texts.of(
        [changed(outputs[segment, system]) for segment, system, _ in rows],
        [changed(sources[segment]) for segment, *_ in rows],
    )
    return Released(texts, _scores(rows))


def _without(text: str, masked: Masked) -> str:
    starts = [0, *(end for _, end in masked.spans)]
    ends = [*(start for start, _ in masked.spans), len(text)]
    return "".join(text[start:end] for start, end in zip(starts, ends, strict=True))


def _outputs(folder: Path) -> dict[tuple[str, str], str]:
    return {
        (row["segment_id"], row["system"]): row["output"] for row in _rows(folder / "outputs.csv")
    }


def _scores(rows: list[tuple[str, str, float]]) -> np.ndarray:
    return np.array([score for *_, score in rows])


def _rows(path: Path) -> Iterator[dict[str, str]]:
    content = path.read_bytes()
    text = (gzip.decompress(content) if path.suffix == ".gz" else content).decode()
    yield from csv.DictReader(io.StringIO(text, newline=""))
