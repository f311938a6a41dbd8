"""What is wrong with an import: file, line and column, found and expected."""

import pytest

from corpus.models import Study
from corpus.tabular.questions.question import KEEP
from tests.fixtures.study_files import (
    OUTPUTS,
    RATINGS,
    SCORES,
    SEGMENTS,
    STUDY,
    TABLES,
    import_path,
    places,
    questions,
    row_counts,
    write_files,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def refused(tmp_path):
    """Import files that must be refused, leaving nothing behind; return the problems."""

    def run(files, *keep, **options):
        before = row_counts()
        folder = write_files(tmp_path / "study", files)
        answers = dict.fromkeys(keep, KEEP)
        job = import_path(folder, accept=False, answers=answers, **options)
        assert job.state == "failed", job.result
        assert row_counts() == before
        assert "questions" not in job.result, questions(job)
        return job.result["problems"]

    return run


def with_row(table, row):
    return [*table, row]


def facts(problem, *names):
    return tuple(problem[name] for name in names)


WHERE = ("file", "line", "column")


@pytest.mark.parametrize("word", ["NaN", "1e999"])
def test_scores_that_are_not_finite_are_refused(refused, word):
    [problem] = refused(
        TABLES | {"metric_scores.csv": with_row(SCORES, ["s1", "(source)", "bleu", "x", word])},
        "other-numbers:metric_scores:bleu",
    )
    assert facts(problem, *WHERE) == ("metric_scores.csv", 18, "score")
    assert facts(problem, "found", "expected") == (word, "a finite number")


def test_a_system_without_an_output_for_the_segment_is_not_called_unknown(refused):
    [problem] = refused(
        TABLES
        | {
            "outputs.csv": OUTPUTS[:-1],
            "ratings.csv": RATINGS[:-4] + RATINGS[-1:],
            "metric_scores.csv": SCORES[:-2],
        }
    )
    assert facts(problem, *WHERE, "found", "code") == (
        "ratings.csv", 30, "system", "T5", "unknown-output",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("name", "row", "column"),
    [
        ("segments.csv", ["s1", *SEGMENTS[2][1:]], "segment_id"),
        ("outputs.csv", [*OUTPUTS[1][:2], "another text"], "segment_id"),
        ("ratings.csv", RATINGS[1], "segment_id"),
        ("metric_scores.csv", SCORES[1], "segment_id"),
    ],
)
def test_a_repeated_key_names_the_line_where_it_stands_already(refused, name, row, column):
    table = name.removesuffix(".csv")
    kept = [f"{kind}:{table}" for kind in ("repeated", "equal-repeats")]
    [problem] = refused(TABLES | {name: with_row(TABLES[name], row)}, *kept)
    assert facts(problem, *WHERE) == (name, len(TABLES[name]) + 1, column)
    assert problem["expected"] == "each key once"
    assert f"is listed already at {name}:2" in problem["message"]


def test_all_errors_of_all_files_come_in_one_answer_in_the_order_of_their_lines(refused):
    problems = refused(
        TABLES
        | {
            "ratings.csv": [
                *RATINGS,
                ["s1", "T5", "r3", "style", "-1"],
                ["s1", "T5", "r4", "style", "x"],
            ],
            "metric_scores.csv": with_row(SCORES, ["s1", "T5", "bleu", "wmd", "?"]),
        },
        "other-numbers:metric_scores:bleu",
        "unlike-others:ratings:style",
        "off-the-scale:ratings:style",
    )
    assert [facts(p, "file", "line", "found") for p in problems] == [
        ("metric_scores.csv", 18, "?"),
        ("ratings.csv", 34, "-1"),
        ("ratings.csv", 35, "x"),
    ]


def test_the_first_hundred_errors_are_listed_and_all_are_counted(tmp_path):
    count = 120
    wrong = [["s1", "T5", f"x{n}", "style", "high"] for n in range(count)]
    far = [["s1", "T5", f"y{n}", "style", "1000"] for n in range(count)]
    twice = [["s1", "T5", "z", "style", "7"] for n in range(count + 1)]
    files = TABLES | {"ratings.csv": [*RATINGS, *wrong, *far, *twice]}
    answers = dict.fromkeys(["off-the-scale:ratings:style", "equal-repeats:ratings"], KEEP)
    job = import_path(write_files(tmp_path / "study", files), answers=answers)
    assert len(job.result["problems"]) == 100
    assert job.result["problems_total"] == 3 * count
    assert f"(and {3 * count - 1} more)" in job.error
    assert [p["line"] for p in job.result["problems"]] == list(range(34, 134))


# study.json


@pytest.mark.parametrize(
    ("change", "column", "found"),
    [
        ({"scales": {"style": [100, 0]}}, "scales.style", "[100, 0]"),
        ({"campaigns": {"main": {"scales": {"a": [1]}}}}, "campaigns.main.scales.a", "[1]"),
        ({"title": 7}, "title", "7"),
        ({"protocol": {"ratings.csv": 5}}, "protocol.ratings.csv", "5"),
        ({"description": "a\0b"}, "description", "'a\\x00b'"),
        ({"metrics": {"m": {"speaks_of": "\ud800"}}}, "metrics.m.speaks_of", "'\\ud800'"),
        ({"system_pattern": "{human}-{value}"}, "system_pattern", "{human}-{value}"),
        ({"query": "SELECT 1"}, "query", "SELECT 1"),
    ],
)
def test_a_wrong_declaration_is_named(refused, change, column, found):
    [problem] = refused(TABLES | {"study.json": STUDY | change})
    assert facts(problem, "file", "column", "found") == ("study.json", column, found)
    assert problem["expected"] or problem["message"]


# Ratings that are none


@pytest.mark.parametrize("judgement", ["perhaps", "T5"])
def test_a_judgement_that_is_no_answer_is_refused(refused, judgement):
    rows = [["segment_id", "system", "task", "judgement"], ["s1", "BART", "relative", judgement]]
    [problem] = refused(TABLES | {"ratings.csv": rows})
    assert facts(problem, *WHERE, "found") == ("ratings.csv", 2, "judgement", judgement)


def test_probabilities_that_do_not_sum_to_one_are_refused(refused):
    rows = [
        ["segment_id", "system", "classifier", "p_formal", "p_informal"],
        ["s1", "BART", "c", "0.5", "0.5"],
        ["s2", "BART", "c", "0.5", "0.6"],
        ["s3", "BART", "c", "-0.5", "1.5"],
    ]
    problems = refused(TABLES | {"style_distributions.csv": rows})
    assert [facts(p, *WHERE) for p in problems] == [
        ("style_distributions.csv", 3, "probabilities"),
        ("style_distributions.csv", 4, "probabilities"),
    ]


# Against what is stored


def test_a_changed_text_is_refused_listing_every_key(tmp_path):
    import_path(write_files(tmp_path / "a", TABLES))
    before = row_counts()
    outputs = [
        OUTPUTS[0],
        ["s1", "BART", "new"],
        ["s2", "T5", "T5 writes 2"],
        ["s3", "T5", "newer"],
    ]
    job = import_path(write_files(tmp_path / "b", {"outputs.csv": outputs}))
    assert job.state == "failed"
    assert places(job) == [("outputs.csv", 2, "output"), ("outputs.csv", 4, "output")]
    first, second = job.result["problems"]
    assert facts(first, "found", "expected") == ("new", "the stored text 'BART writes 1'")
    assert "BART for segment s1" in first["message"]
    assert "T5 for segment s3" in second["message"]
    assert row_counts() == before


@pytest.mark.parametrize(
    ("name", "row", "column", "found", "expected"),
    [
        ("segments.csv", ["s1", "else"], "source", "else", "the stored text 'gonna be late'"),
        (
            "segments.csv",
            ["s1", "gonna be late", "formal", "formal"],
            "source_style",
            "formal",
            "informal, as stored",
        ),
        ("ratings.csv", ["s1", "BART", "r1", "content", "99"], "score", "99", "23, as stored"),
        (
            "metric_scores.csv",
            ["s1", "BART", "bleu", "reference", "1"],
            "score",
            "1",
            "0.18, as stored",
        ),
        ("systems.csv", ["BART", "gpt"], "system", "model = gpt", "model = bart, as stored"),
    ],
)  # fmt: skip
def test_a_stored_fact_that_differs_is_refused(tmp_path, name, row, column, found, expected):
    import_path(write_files(tmp_path / "a", TABLES))
    header = {"systems.csv": ["system", "model"]}.get(name) or TABLES[name][0][: len(row)]
    job = import_path(write_files(tmp_path / "b", {name: [header, row]}))
    assert job.state == "failed"
    [problem] = job.result["problems"]
    assert facts(problem, "file", "line", "column") == (name, 2, column)
    assert problem["found"] == found
    assert problem["expected"] == expected
    assert Study.objects.get().revision == 1
