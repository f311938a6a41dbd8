"""What the docs say of metrics on embeddings is what comes out, and their examples are true."""

import csv
import gzip
import io
import re

import numpy as np
import pytest

from metrics.scorers.registry import scorer_class
from tests.fixtures.by_night import by_night
from tests.fixtures.lai_content import mean_z_of_content
from tests.fixtures.machine import ROOT
from tests.fixtures.released_scores import lai2022, mir2019

PAGE = ROOT / "docs" / "metrics" / "embeddings.md"
RELEASED = {
    "bertscore": "bertscore",
    "wmd": "WMD",
    "embedding-average": "EmbedAvg",
    "greedy-matching": "GreedyMatch",
    "vector-extrema": "VectorExtrema",
}


def table():
    lines = re.findall(r"^\| .* \| (?:lai|mir)20.*\|$", PAGE.read_text("utf-8"), re.MULTILINE)
    return [tuple(cell.strip() for cell in line.strip("|").split("|")) for line in lines]


IN_EVERY_RUN = {("wmd", "lai2022", "reference"), ("greedy-matching", "mir2019", "style_masked")}
"""By night all rows of the page."""


def rows_of(path):
    content = path.read_bytes()
    text = (gzip.decompress(content) if path.suffix == ".gz" else content).decode()
    return list(csv.DictReader(io.StringIO(text, newline="")))


def correlation(first, second):
    return float(np.corrcoef(first, second)[0, 1])


def with_people_in_lai(studies, metric, compared, scores):
    outputs = rows_of(studies / "lai2022" / "outputs.csv")
    human = dict(
        zip(
            ((row["segment_id"], row["system"]) for row in outputs),
            mean_z_of_content(studies),
            strict=True,
        )
    )
    people = [
        human[row["segment_id"], row["system"]]
        for row in rows_of(studies / "lai2022" / "metric_scores.csv")
        if (row["metric"], row["compared_to"]) == (metric, compared)
    ]
    return correlation(scores, np.array(people))


def with_people_in_mir(studies, metric, setting, scores):
    folder = studies / "mir2019"
    human = {
        (row["segment_id"], row["system"]): float(row["score"])
        for row in rows_of(folder / "ratings_mean.csv")
        if row["aspect"] == "content_preservation"
    }
    keys = [
        (row["segment_id"], row["system"])
        for row in rows_of(folder / "metric_scores.csv.gz")
        if (row["metric"], row["text_setting"]) == (metric, setting)
    ]
    people = np.array([human[key] for key in keys])
    found = []
    for model in ("CAAE", "ARAE", "DAR"):
        own = np.array([system.startswith(model) for _, system in keys])
        found.append(correlation(scores[own], people[own]))
    return float(np.mean(found))


@pytest.mark.slow
@pytest.mark.parametrize(
    "row",
    by_night(table(), *(row for row in table() if row[:3] in IN_EVERY_RUN)),
    ids=lambda row: " ".join(row[:3]),
)
def test_every_row_of_the_page_is_what_comes_out(studies, row):
    key, study, compared, *numbers = row
    if study == "lai2022":
        name, people = key, with_people_in_lai
        released = lai2022(studies, name, compared)
    else:
        name, people = RELEASED[key], with_people_in_mir
        released = mir2019(studies, name, compared)
    scores = scorer_class(key)().score(released.texts)
    assert not scores.undefined
    values = scores.values[:, -1]  # F of BERTScore.
    found = (
        correlation(values, released.scores),
        people(studies, name, compared, values),
        people(studies, name, compared, released.scores),
    )
    assert numbers[0] == f"{len(values):,}"
    np.testing.assert_allclose(found, [float(each) for each in numbers[1:]], rtol=0, atol=6e-4)


def test_the_page_has_all_that_was_released():
    assert {row[0] for row in table()} == set(RELEASED)
    assert len(table()) == 12
