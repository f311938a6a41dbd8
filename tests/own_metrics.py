"""Metrics of another package, as the tests of metric runs bring them by an entry point."""

import os
import time
from pathlib import Path
from typing import ClassVar

import numpy as np

from metrics.scorers.scorer import Floats, Scorer, Scores, Texts, Unavailable
from metrics.scorers.spec import MetricSpec, Parameter

ENTRY_POINTS = """[touchstone.metrics]
counting = own_metrics:Counting
pair = own_metrics:Pair
slow = own_metrics:Slow
broken = own_metrics:Broken
absent = own_metrics:Absent
folder = own_metrics:Folder
"""


def install(folder: Path) -> Path:
    """Write what an installed package leaves for `importlib.metadata`."""
    facts = folder / "own_metrics-1.0.dist-info"
    facts.mkdir(parents=True)
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: own-metrics\nVersion: 1.0\n")
    (facts / "entry_points.txt").write_text(ENTRY_POINTS)
    return folder


def _spec(key: str, **others: object) -> MetricSpec:
    facts: dict[str, object] = {
        "title": key.capitalize(),
        "aspect": "content",
        "orientation": "higher",
        "formula": "Characters of the output less those of what it is compared with.",
        "range": "any whole number",
        "distrust": "always",
        "citation": "none",
        "comparisons": ("source", "reference", "references"),
    }
    return MetricSpec(key=key, **{**facts, **others})  # type: ignore[arg-type]


class Counting(Scorer):
    """Difference of lengths; remembers what it was asked, and fails where told to."""

    spec = _spec(
        "counting",
        parameters=(Parameter("plus", 0, "Added to every score.", 0, 9),),
        statistics=("characters", "texts"),
    )
    asked: ClassVar[list[str]] = []

    def score(self, texts: Texts) -> Scores:
        """Score; a text with FAIL in it raises, an empty one is undefined."""
        self.asked.extend(texts.outputs)
        if any("FAIL" in output for output in texts.outputs):
            raise ValueError("this text is too much")
        pairs = list(zip(texts.outputs, texts.against, strict=True))
        plus = int(self.parameters["plus"])
        values = np.array(
            [len(text) - max(map(len, against)) + plus for text, against in pairs], dtype=float
        )
        empty = [row for row, (text, _) in enumerate(pairs) if not text]
        values[empty] = np.nan
        statistics = np.array([[len(text), 1] for text, _ in pairs], dtype=float).reshape(-1, 2)
        return Scores(values.reshape(-1, 1), dict.fromkeys(empty, "the text is empty"), statistics)

    def corpus_score(self, statistics: Floats) -> float:
        """Return the mean length."""
        return float(statistics[0] / statistics[1])


class Pair(Scorer):
    """Two numbers a text: its characters and its words."""

    spec = _spec("pair", fields=("c", "w"), comparisons=("",))

    def score(self, texts: Texts) -> Scores:
        """Count both."""
        rows = [[len(text), len(text.split())] for text in texts.outputs]
        return Scores(np.array(rows, dtype=float).reshape(-1, 2))


class Slow(Scorer):
    """Length of a text, as a metric that takes its time."""

    spec = _spec("slow", comparisons=("",))

    def score(self, texts: Texts) -> Scores:
        """Take some milliseconds for each text."""
        time.sleep(float(os.environ.get("SLOW_SECONDS", "0")) * len(texts))
        return Scores(np.array([[len(text)] for text in texts.outputs], dtype=float).reshape(-1, 1))


class Broken(Scorer):
    """A metric that fails whatever it is asked."""

    spec = _spec("broken", comparisons=("",))

    def score(self, texts: Texts) -> Scores:
        """Fail."""
        raise RuntimeError("out of order")


class Folder(Scorer):
    """A metric that is told where its weights are."""

    spec = _spec("folder", comparisons=("",), parameters=(Parameter("path", "", "Its weights."),))

    def score(self, texts: Texts) -> Scores:
        """Count characters."""
        return Scores(np.array([[len(text)] for text in texts.outputs], dtype=float).reshape(-1, 1))

    def fingerprint(self) -> dict[str, str]:
        """Say what to do where nothing was told."""
        if not self.parameters["path"]:
            raise Unavailable("set the parameter path")
        return {}


class Absent(Scorer):
    """A metric whose weights are not there."""

    spec = _spec("absent", comparisons=("",), orientation="lower")

    def score(self, texts: Texts) -> Scores:
        """Never come to this: the fingerprint is asked first."""
        raise AssertionError

    def fingerprint(self) -> dict[str, str]:
        """Say what to do."""
        raise Unavailable("the weights are not installed: fetch them")
