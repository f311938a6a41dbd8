"""Both published studies are recognised without help and read to the rows their README counts."""

import os
from pathlib import Path

import pandas
import pytest

from corpus.tabular.opening.sources import discover
from corpus.tabular.problems import ProblemLog
from tests.fixtures.guessed_files import guess_file
from tests.fixtures.machine import ROOT
from tests.fixtures.tabular_reading import records
from tests.fixtures.tabular_specs import METRIC_SCORES, SPECS, field_values, spec_named

STUDIES = Path(os.environ.get("TOUCHSTONE_STUDIES", ROOT.parent / "shared" / "studies"))
pytestmark = pytest.mark.skipif(
    not STUDIES.is_dir(), reason=f"the published studies are not at {STUDIES} (TOUCHSTONE_STUDIES)"
)
ROWS = {
    "lai2022": {
        "segments.csv": ("segments", 80),
        "outputs.csv": ("outputs", 720),
        "ratings.csv": ("ratings", 4320),
        "metric_scores.csv": ("metric_scores", 17840),
        "metric_scores_2023.csv": ("metric_scores", 7200),
    },
    "mir2019": {
        "segments.csv": ("segments", 244),
        "outputs.csv": ("outputs", 2928),
        "ratings_mean.csv": ("ratings", 5856),
        "naturalness_human.csv": ("ratings", 4636),
        "style_distributions.csv.gz": ("style_distributions", 6344),
        "style_lexicon.csv": ("style_lexicon", 433),
        "metric_scores.csv.gz": ("metric_scores", 42456),
    },
}


@pytest.mark.parametrize("study", ROWS)
def test_every_table_is_recognised_and_has_the_rows_that_the_readme_counts(study, tmp_path):
    found = discover(STUDIES / study, tmp_path)
    read = {}
    for source in found.files:
        guessed = guess_file(source, SPECS)
        for mapping in guessed.mappings if guessed.is_complete else ():
            log = ProblemLog()
            count = sum(1 for _ in records(source, mapping, spec_named(mapping.table), log))
            assert log.problems == ()
            assert guessed.unused == ()
            read[source.name] = (mapping.table, count)
    assert read == ROWS[study]


@pytest.mark.parametrize(
    ("file", "table", "names"),
    [
        ("lai2022/outputs.csv", "outputs", ["segment_id", "system", "output"]),
        ("mir2019/outputs.csv", "outputs", ["segment_id", "system", "output"]),
        ("mir2019/naturalness_human.csv", "ratings", ["segment_id", "system", "task", "judgement"]),
    ],
)
def test_texts_are_what_pandas_reads(file, table, names, tmp_path):
    source = discover(STUDIES / file, tmp_path).files[0]
    mapping = guess_file(source, SPECS).mappings[0]
    spec = spec_named(table)
    places = [spec.names.index(name.removesuffix("_id")) for name in names]
    read = [
        tuple(values[place] for place in places)
        for _, values in records(source, mapping, spec, ProblemLog())
    ]
    frame = pandas.read_csv(STUDIES / file, dtype=str, keep_default_na=False)
    assert read == list(frame[names].itertuples(index=False, name=None))


def test_scores_are_what_pandas_reads(tmp_path):
    source = discover(STUDIES / "mir2019" / "metric_scores.csv.gz", tmp_path).files[0]
    mapping = guess_file(source, SPECS).mappings[0]
    found = records(source, mapping, METRIC_SCORES, ProblemLog())
    read = [score for (score,) in field_values(METRIC_SCORES, found, "score")]
    assert read == pandas.read_csv(source.path)["score"].tolist()


def test_a_style_distribution_comes_as_one_record_with_all_its_styles(tmp_path):
    source = discover(STUDIES / "mir2019" / "style_distributions.csv.gz", tmp_path).files[0]
    mapping = guess_file(source, SPECS).mappings[0]
    spec = spec_named("style_distributions")
    number, values = next(records(source, mapping, spec, ProblemLog()))
    probabilities = {"negative": 0.771484, "positive": 0.226563}
    assert (number, values[:4]) == (1, ("yelp000", "(source)", "fasttext", probabilities))
