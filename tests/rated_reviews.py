"""A study of small reviews with ratings that follow the lengths of its outputs."""

from pathlib import Path
from typing import Any

import numpy as np
from study_files import import_path, write_files
from style_texts import reviews

from corpus.models import Study

SEGMENTS = 16
STYLES = ("negative", "positive")


def review_files() -> dict[str, Any]:
    """Sources of both styles; one system shortens, one lengthens; people mind the difference."""
    texts = reviews(SEGMENTS, seed=9).texts
    draw = np.random.default_rng(4)
    segments = [["segment_id", "source", "source_style", "target_style"]]
    outputs = [["segment_id", "system", "output"]]
    ratings = [["segment_id", "system", "rater", "aspect", "score"]]
    for n, text in enumerate(texts):
        segments.append([f"s{n}", text, STYLES[n % 2], STYLES[1 - n % 2]])
        words_of = text.split()
        made = {"cut": words_of[n % 5 :], "add": [*words_of, *words_of[: n % 7]]}
        for system, output in made.items():
            outputs.append([f"s{n}", system, " ".join(output)])
            score = 50 + 3 * (len(output) - len(words_of)) + draw.integers(-6, 7)
            for rater, more in (("r1", 0), ("r2", 2)):
                ratings.append([f"s{n}", system, rater, "content", str(score + more)])
    return {"segments.csv": segments, "outputs.csv": outputs, "ratings.csv": ratings}


def rated_reviews(folder: Path, **more: Any) -> Study:
    """Import the study, with further files."""
    job = import_path(write_files(folder, review_files() | more), slug="small")
    assert job.state == "done", job.error
    assert job.study is not None
    return job.study
