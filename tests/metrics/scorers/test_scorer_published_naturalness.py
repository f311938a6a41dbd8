"""Our adversarial naturalness on a published study, as its page of documentation says."""

import re
from pathlib import Path

import pytest

from benchmarks.published_naturalness import Study, rows
from metrics.scorers.naturalness import UnigramNaturalness
from tests.fixtures.machine import ROOT

PAGE = ROOT / "docs" / "metrics" / "published-naturalness.md"
CELL = r" *\| *([\d.]+) %"


@pytest.mark.slow
def test_the_page_says_what_the_unigram_classifier_reaches(studies: Path) -> None:
    found = rows(Study(studies / "mir2019"), [UnigramNaturalness])
    text = PAGE.read_text(encoding="utf-8")
    documented = {
        model: [float(value) / 100 for value in values]
        for model, *values in re.findall(rf"\| unigram \| (\w+){CELL * 6}", text)
    }
    assert set(documented) == {"CAAE", "ARAE", "DAR"}
    columns = [
        f"{whose}{protocol}"
        for protocol in ("relative", "absolute")
        for whose in ("", "released ", "always source ")
    ]
    for row in found:
        expected = [row[column] for column in columns]
        assert documented[row["model"]] == pytest.approx(expected, abs=0.006), row["model"]
        assert row["told apart"] > 0.55


def test_released_scores_agree_with_people_as_the_paper_prints(studies: Path) -> None:
    study = Study(studies / "mir2019")
    printed = {"CAAE": 0.6451, "ARAE": 0.6667, "DAR": 0.6557}
    for model, share in printed.items():
        released = study.published("unigram", model)
        assert study.agreement(model, released, study.relative) == pytest.approx(share, abs=1e-4)
