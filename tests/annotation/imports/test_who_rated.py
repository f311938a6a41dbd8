"""Raters who are unnamed, numbered in a list, counted, medians, or models by their column."""

import json
import re

import pytest

from analysis.data import matrices
from analysis.estimates.agreements import agreement, rated_units
from analysis.estimates.ceilings import ceilings
from analysis.filter.question import Question
from analysis.publishing.tables import pseudonyms_of, published_tables
from analysis.reports.agreement.report import agreement_report
from analysis.reports.content import Asked
from analysis.reports.raters.report import raters_report
from analysis.stats.resampling.bootstrap import Bootstrap
from analysis.stats.results import Estimate, Undefined
from annotation.campaigns.rater_kinds import raters_in_words
from annotation.imports.who_rated import RaterColumns
from annotation.models import Annotator, Rating, Submission
from corpus.models import Study
from corpus.tabular.shaping.mapping import Mapping, Wide
from tests.fixtures.machine import ROOT
from tests.fixtures.report_pages import open_page, reader, words
from tests.fixtures.study_files import TABLES, import_path, stored_content, write_files

pytestmark = pytest.mark.django_db
OUTPUTS = [(f"s{n}", system) for n in range(1, 5) for system in ("BART", "T5")]
UNNAMED = [
    ["segment_id", "system", "aspect", "score"],
    *(
        [segment, system, "fluency", str(1 + number // 2 + number * rating % 2)]
        for rating in range(3)
        for number, (segment, system) in enumerate(OUTPUTS)
    ),
]
STUDY = {key: value for key, value in TABLES["study.json"].items() if key != "protocol"}


def imported(tmp_path, rows, mapping=None, name="study"):
    files = TABLES | {"ratings.csv": rows, "study.json": STUDY}
    options = {"mappings": {"ratings.csv": [mapping]}} if mapping else {}
    return import_path(write_files(tmp_path / name, files), **options)


def raters():
    found = Annotator.objects.order_by("pseudonym").values_list("pseudonym", "kind", "raters")
    return list(found)


def said(job):
    assert job.error == "", job.result
    return " ".join(job.result["notes"])


# Unnamed


def test_ratings_without_a_name_are_numbered_for_each_output(tmp_path):
    job = imported(tmp_path, UNNAMED)
    assert "ratings: nothing says who rated, and 8 items have several ratings" in said(job)
    assert "1st rating, 2nd rating" in said(job)
    assert raters() == [(f"{n} rating", "place", None) for n in ("1st", "2nd", "3rd")]
    values = Rating.objects.filter(submission__annotator__pseudonym="2nd rating")
    assert [r.value for r in values] == [float(row[3]) for row in UNNAMED[9:17]]
    [told] = raters_in_words(Study.objects.get()).values()
    assert told == ["3 unnamed raters, numbered for each output"]


def test_the_same_again_adds_nothing_and_an_export_brings_them_back(tmp_path):
    imported(tmp_path, UNNAMED)
    before = stored_content("small")
    again = imported(tmp_path, UNNAMED, name="again")
    assert said(again)
    assert again.result["tables"]["ratings"]["added"] == 0
    assert stored_content("small") == before


def test_the_ratings_of_one_line_are_one_persons(tmp_path):
    rows = [
        ["segment_id", "system", "fluency", "content"],
        ["s1", "BART", "", "1"],
        ["s1", "BART", "2", "3"],
        ["s1", "BART", "4", "5"],
    ]
    mapping = {
        "table": "ratings",
        "columns": {"segment": "segment_id", "system": "system"},
        "wide": {
            **{"pattern": "{aspect}", "value": "score", "columns": ["fluency", "content"]},
        },
    }
    said(imported(tmp_path, rows, mapping))
    second = Submission.objects.get(annotator__pseudonym="2nd rating")
    assert {r.aspect: r.value for r in second.ratings.all()} == {"fluency": 2.0, "content": 3.0}
    assert raters() == [(f"{n} rating", "place", None) for n in ("1st", "2nd", "3rd")]


def test_agreement_takes_unnamed_raters_as_interchangeable_and_says_so(tmp_path):
    said(imported(tmp_path, UNNAMED))
    data = matrices.load(Study.objects.get())
    units = rated_units(data, Question(), ("fluency",))
    assert units.unnamed
    for statistic in ("fleiss-kappa", "alpha-interval", "icc-1-1", "icc-1-k"):
        assert isinstance(agreement(units, statistic), Estimate), statistic
    for statistic in ("icc-2-1", "icc-3-k", "cohen-kappa", "pearson-of-rater-pairs"):
        found = agreement(units, statistic)
        assert isinstance(found, Undefined)
        assert "not identified" in found.reason
    scored = rated_units(data, Question(scores="z"), ("fluency",))
    assert "z-scores and ranks are those of a rater" in scored.left_out
    of_metrics = ceilings(data, Question(), "fluency", Bootstrap(resamples=50))
    assert isinstance(of_metrics["segment"], Estimate)
    assert "not identified" in of_metrics["annotator"].reason
    found = raters_report(Asked(data, Question(resamples=100)))
    assert (found.rows, found.sides, found.unnamed) == ((), (), 24)
    assert [matrix.raters for matrix in found.matrices] == [()]


PAGES = {
    "raters/": "24 ratings by unnamed raters are left out here",
    "agreement/": "not identified",
    "ranking/": "There are no z-scores and ranks",
    "system-comparison/?model=mixed": "the model has an effect of each rater",
    "planning/": "planning",
    "correlation/?resample=annotators": "fluency",
}


def test_the_pages_of_reports_say_so(tmp_path):
    said(imported(tmp_path, UNNAMED))
    client = reader("ada", "small")
    for address, expected in PAGES.items():
        assert expected in words(open_page(client, f"/studies/small/{address}")), address


# Numbered


def test_a_list_of_ratings_is_of_as_many_unnamed_raters(tmp_path):
    lines = [{"id": "s1", "system": "BART", "scores": [3, 4, 4]}]
    lines += [{"id": "s1", "system": "T5", "scores": [2, 1]}]
    mapping = {
        "table": "ratings",
        "columns": {
            **{"segment": "id", "system": "system"},
            **{"rater": "scores[#]", "score": "scores[]"},
            "aspect": "= 'fluency'",
        },
        "explode": "scores",
    }
    files = {name: each for name, each in TABLES.items() if name != "ratings.csv"}
    files |= {"ratings.jsonl": "\n".join(map(json.dumps, lines)), "study.json": STUDY}
    job = import_path(write_files(tmp_path / "study", files), mappings={"ratings.jsonl": [mapping]})
    assert "ratings.jsonl: raters are numbered by their place in a list" in said(job)
    assert raters() == [(n, "place", None) for n in "123"]
    assert Rating.objects.count() == 5


# Counted, means and medians


def test_a_column_says_how_many_raters_are_behind_a_mean(tmp_path):
    rows = [
        ["segment_id", "system", "aspect", "avg_score", "sd", "n_raters"],
        ["s1", "BART", "fluency", "3.5", "0.5", "4"],
        ["s2", "BART", "fluency", "2.25", "0.83", "4"],
        ["s1", "T5", "fluency", "4", "", "3"],
        ["s2", "T5", "fluency", "4", "", ""],
    ]
    job = imported(tmp_path, rows)
    assert "scores are stored as means of several raters, as the name" in said(job)
    assert raters() == [
        ("mean of 3 raters", "mean", 3),
        ("mean of 4 raters", "mean", 4),
        ("mean of several raters", "mean", None),
    ]
    comments = Submission.objects.exclude(comment="").values_list("comment", flat=True)
    assert sorted(comments) == [
        "fluency: standard deviation 0.5",
        "fluency: standard deviation 0.83",
    ]
    assert Rating.objects.count() == 4


def test_numbers_that_cannot_be_are_refused(tmp_path):
    rows = [
        ["segment_id", "system", "aspect", "score", "rater_kind", "n_raters", "std"],
        ["s1", "BART", "fluency", "3", "", "0", "1"],
        ["s2", "BART", "fluency", "3", "", "-2", "1"],
        ["s3", "BART", "fluency", "3", "person", "3", "1"],
        ["s4", "BART", "fluency", "3", "", "3", "-1"],
    ]
    problems = imported(tmp_path, rows).result["problems"]
    assert [(each["line"], each["code"], each["found"]) for each in problems] == [
        (2, "range", "0"),
        (3, "range", "-2"),
        (4, "rater-kind", "person"),
        (5, "range", "-1"),
    ]


def test_what_the_raters_became_together_is_said_by_their_kind(tmp_path):
    rows = [
        ["segment_id", "system", "aspect", "rater_kind", "n_raters", "score"],
        ["s1", "BART", "fluency", "median", "5", "3"],
        ["s2", "BART", "fluency", "majority", "3", "3"],
        ["s3", "BART", "fluency", "", "7", "3"],
    ]
    said(imported(tmp_path, rows))
    assert raters() == [
        ("majority of 3 raters", "majority", 3),
        ("mean of 7 raters", "mean", 7),
        ("median of 5 raters", "median", 5),
    ]


@pytest.mark.parametrize(
    ("columns", "wide", "together"),
    [
        ({"score": "mean_rating"}, None, "mean"),
        ({"score": "AvgScore"}, None, "mean"),
        ({"score": "median"}, None, "median"),
        ({"judgement": "majority_vote"}, None, "majority"),
        ({"score": "meaning"}, None, ""),
        ({"score": "mean", "rater": "who"}, None, ""),
        ({}, Wide("score", "{aspect}", ("fluency_mean", "style_mean")), "mean"),
        ({}, Wide("score", "{aspect}", ("fluency_mean", "style")), ""),
        ({}, Wide("score", "median_{aspect}"), "median"),
    ],
)
def test_the_name_of_the_score_column_says_mean_or_median(columns, wide, together):
    assert RaterColumns.of(Mapping("ratings", columns, wide=wide)).together == together


def test_medians_are_human_scores_without_agreement(tmp_path):
    rows = [["segment_id", "system", "rater", "aspect", "score"]]
    rows += [[*output, "median of 5 raters", "fluency", str(n)] for n, output in enumerate(OUTPUTS)]
    said(imported(tmp_path, rows))
    data = matrices.load(Study.objects.get())
    assert len(data.rated("fluency").value) == 8
    left_out = rated_units(data, Question(), ("fluency",)).left_out
    assert left_out == "it is not known what each rater gave, only medians of several raters"


# Models


def test_a_column_of_judges_that_are_models_says_so(tmp_path):
    rows = [["segment_id", "system", "judge_model", "aspect", "score"]]
    rows += [["s1", "BART", "our own", "fluency", "2"]]
    job = imported(tmp_path, rows)
    assert "raters are stored as models, as the name of their column says" in said(job)
    assert raters() == [("our own", "model", None)]


RECIPES = dict(
    re.findall(
        r"^`(unnamed|averages)\.csv`\n\n```csv\n(.*?)```",
        (ROOT / "docs" / "importing.md").read_text(encoding="utf-8"),
        re.DOTALL | re.MULTILINE,
    )
)
STORED = {
    "unnamed": [(f"{n} rating", "place", None) for n in ("1st", "2nd")],
    "averages": [(f"mean of {n} raters", "mean", n) for n in (2, 3)],
}


@pytest.mark.parametrize("name", STORED)
def test_the_recipes_of_the_documentation_need_no_mapping(tmp_path, name):
    rows = [line.split(",") for line in RECIPES[name].splitlines()]
    said(imported(tmp_path, rows))
    assert raters() == STORED[name]


# Preferences without a name


def preferences():
    """Three unnamed preferences for each pair of three systems on four segments."""
    pairs = [("A", "B"), ("B", "C"), ("A", "C")]
    rows = [["segment_id", "system", "against", "judgement"]]
    for rating in range(3):
        for number in range(1, 5):
            rows += [[f"s{number}", *pair, pair[(number + rating) % 3 == 0]] for pair in pairs]
    return rows


def test_preferences_without_a_name_have_agreement_and_no_consistency_of_raters(tmp_path):
    outputs = [["segment_id", "system", "output"]]
    outputs += [[f"s{n}", system, f"{system} {n}"] for n in range(1, 5) for system in "ABC"]
    files = {
        "segments.csv": TABLES["segments.csv"],
        "outputs.csv": outputs,
        "ratings.csv": preferences(),
        "study.json": {"protocol": "output_against_output"},
    }
    job = import_path(write_files(tmp_path / "study", files))
    assert "12 items have several ratings" in said(job)
    assert {kind for _, kind, _ in raters()} == {"place"}
    found = agreement_report(Asked(matrices.load(Study.objects.get()), Question(resamples=100)))
    agreed = [row for row in found.choices if isinstance(row.result, Estimate)]
    assert agreed
    assert {row.rater for row in found.consistency} == {"all raters", "majority"}
    reasons = [row.result.reason for row in found.consistency if row.rater == "all raters"]
    assert reasons
    assert all("not identified" in reason for reason in reasons)
    assert found.raters == ()


def test_a_publication_renames_places_too_for_somebody_may_have_named_a_person_so(tmp_path):
    rows = [["segment_id", "system", "rater", "rater_kind", "aspect", "score"]]
    rows += [["s1", "BART", "Ada", "place", "fluency", "2"]]
    said(imported(tmp_path, rows))
    study = Study.objects.get()
    names = pseudonyms_of(study, "a" * 32)
    [ratings] = [
        table
        for table in published_tables(study, names, comments=False)
        if "rater_kind" in table.table.columns
    ]
    [row] = ratings.arrays.to_pylist()
    assert row["rater_kind"] == "place"
    assert row["rater"] not in ("", "Ada")
