"""Scores that the two published studies released, with the texts that they were computed on."""

import csv
import gzip
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from metrics.scorers.scorer import Texts

# The tokens of mir2019, as the released scores betray them: runs of letters, with one joint by an
# apostrophe or hyphen; the one title among them; runs of digits; runs of other signs.
MIR_TOKEN = re.compile(r"dr\.|[a-zA-Z]+(?:['-][a-zA-Z]+)?|[0-9]+|(?:[^\w\s]|_)+")
MASK = "[STYLE]"


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
    """Scores against the source, style words masked or removed; tokens parted by blanks."""
    folder = studies / "mir2019"
    lexicon = {row["word"] for row in _rows(folder / "style_lexicon.csv")}
    sources = {row["segment_id"]: row["source"] for row in _rows(folder / "segments.csv")}
    outputs = _outputs(folder)
    rows = [
        (row["segment_id"], row["system"], float(row["score"]))
        for row in _rows(folder / "metric_scores.csv.gz")
        if (row["metric"], row["text_setting"]) == (metric, setting)
    ]
    keep = MASK if setting == "style_masked" else ""
    texts = Texts.of(
        [_without_style(outputs[segment, system], lexicon, keep) for segment, system, _ in rows],
        [_without_style(sources[segment], lexicon, keep) for segment, *_ in rows],
    )
    return Released(texts, _scores(rows))


def mir2019_plain(studies: Path) -> Texts:
    """Outputs and sources as they were released, in the order of the masked ones."""
    folder = studies / "mir2019"
    sources = {row["segment_id"]: row["source"] for row in _rows(folder / "segments.csv")}
    outputs = _outputs(folder)
    keys = [
        (row["segment_id"], row["system"])
        for row in _rows(folder / "metric_scores.csv.gz")
        if (row["metric"], row["text_setting"]) == ("BLEU", "style_masked")
    ]
    return Texts.of([outputs[key] for key in keys], [sources[segment] for segment, _ in keys])


def mir2019_lexicon(studies: Path) -> dict[str, float]:
    """Words of the study's lexicon with their weights."""
    rows = _rows(studies / "mir2019" / "style_lexicon.csv")
    return {row["word"]: float(row["weight"]) for row in rows}


def _without_style(text: str, lexicon: set[str], mask: str) -> str:
    tokens = (mask if each in lexicon else each for each in MIR_TOKEN.findall(text))
    return " ".join(token for token in tokens if token)


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
