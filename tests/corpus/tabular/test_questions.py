"""Results of odd structure are asked about, and are as the answer says; ordinary ones are not."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

from corpus.tabular.questions.asking import apply, questions, settle
from corpus.tabular.questions.question import AnswerError, Question

RATINGS = ["segment", "system", "rater", "aspect", "score"]
VOTES = ["segment", "system", "against", "judgement", "rater"]
TYPES = {
    **dict.fromkeys(("variant", "revision", "rater_count"), "BIGINT"),
    "score": "DOUBLE",
    "reference": "VARCHAR[]",
}


@pytest.fixture
def database() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect(config={"threads": 1}) as connection:
        connection.execute("CREATE SCHEMA results; CREATE SCHEMA files")
        yield connection


def put(database, table, columns, rows, **types):
    """Make a result table; its first row is of line 2."""
    kinds = [f"{(TYPES | types).get(name, 'VARCHAR')}" for name in columns]
    names = ", ".join(f"{name} {kind}" for name, kind in zip(columns, kinds, strict=True))
    database.execute(f"CREATE OR REPLACE TABLE {table} (_row BIGINT, {names})")
    cells = ", ".join(f"unnest(?::{kind}[])" for kind in ("BIGINT", *kinds))
    numbered = [[line, *row] for line, row in enumerate(rows, start=2)]
    values = [list(column) for column in zip(*numbered, strict=True)]
    if values:
        database.execute(f"INSERT INTO {table} SELECT {cells}", values)


def read(database, path: Path, name: str) -> None:
    """Open a file as the import does: texts as published, and a number of each row."""
    database.execute(
        f'''CREATE TABLE files."{name}" AS SELECT row_number() OVER () + 1 AS _row, *
            FROM read_csv('{path}', all_varchar = true, header = true, nullstr = '\x01')'''
    )


def shape(database, table, query):
    database.execute(f"CREATE TABLE results.{table} AS {query}")


def kept(database, query):
    return database.execute(query).fetchall()


def only(database, **given) -> Question:
    [question] = questions(database, **given)
    return question


def scores(raters=("anna", "bert", "cleo"), segments=6, systems=("Alpha", "Beta", "Gamma")):
    """Ratings from 1 to 5 of every output by every rater."""
    return [
        [f"s{segment}", system, rater, "fluency", 1 + (segment + 2 * s + r) % 5]
        for segment in range(segments)
        for s, system in enumerate(systems)
        for r, rater in enumerate(raters)
    ]


# Answers


def test_votes_are_read_the_other_way_of_sides_degrees_and_systems_called_like_words(database):
    rows = [
        ["s1", "A", "B", "1", "a"],
        ["s2", "A", "B", "2", "b"],
        ["s3", "A", "B", "2", "a"],
        ["s4", "output", "7", "1", "b"],
        ["s5", "output", "7", "2", "a"],
        ["s6", "B", "A", "2", "a"],
    ]
    put(database, "results.ratings", ["segment", "system", "against", "judgement", "side"], rows)
    apply(database, [only(database)], {"votes:ratings": "reversed"})
    words = [word for (word,) in kept(database, "SELECT judgement FROM results.ratings")]
    assert words == ["B", "B", "A", "output", "output", "B"]
    database.execute("DROP TABLE results.ratings")
    degrees = [[f"s{n}", "A", "B", 2 - n % 5] for n in range(20)]
    put(database, "results.ratings", ["segment", "system", "against", "score"], degrees)
    settle(database, {}, accept=True)
    counted = "SELECT judgement, count(*), count(score) FROM results.ratings GROUP BY 1 ORDER BY 1"
    assert kept(database, counted) == [("A", 8, 0), ("B", 8, 0), ("tie", 4, 0)]


@pytest.mark.parametrize(
    "odd",
    [{-2, 99}, *(pytest.param(o, marks=pytest.mark.nightly) for o in ({-1}, {999}, {9, 8}, {-99}))],
)
def test_values_far_from_the_scale_are_missing(database, odd):
    rows = scores()
    for place, value in enumerate(sorted(odd)):
        rows[7 * place][4] = value
    put(database, "results.ratings", RATINGS, rows)
    assert only(database).name == "off-the-scale:ratings:fluency"
    settle(database, {}, accept=True)
    left = [score for (score,) in kept(database, "SELECT score FROM results.ratings")]
    assert left == [row[4] for row in rows if row[4] not in odd]


# Numbers in other forms


def written(database, texts, aspect="fluency"):
    """Put scores as texts, one for each output."""
    rows = [[f"s{n}", "Alpha", "anna", aspect, text] for n, text in enumerate(texts)]
    put(database, "results.ratings", RATINGS, rows, score="VARCHAR")


def read_scores(database):
    found = kept(database, "SELECT TRY_CAST(score AS DOUBLE) FROM results.ratings ORDER BY _row")
    return [score for (score,) in found]


AGREE = ["Strongly disagree", "disagree", "Neither agree nor disagree", "Agree", "STRONGLY  agree"]
FORMS = {
    "decimal": (["1,5", "4,5", "2", "−0,25", ",5"], [1.5, 4.5, 2, -0.25, 0.5]),
    "points": (["1.234,5", "1.234", "0,5", "7"], [1234.5, 1234, 0.5, 7]),
    "groups": (["1,234.5", "1,234,567", "12.5"], [1234.5, 1234567, 12.5]),
    "three decimals": (["0,512", "1,250", "0,75"], [0.512, 1.25, 0.75]),
    "thousands": (["1,200", "950", "2,050", "800"], [1200, 950, 2050, 800]),
    "percent": (["20%", "80 %", "62,5 %", "100%"], [20, 80, 62.5, 100]),
    "of": (["4/5", "3 out of 5", "1 of 5", "2,5 / 5"], [4, 3, 1, 2.5]),
    "shares": (["4/5", "5/10"], [0.8, 0.5]),
    "shares beside percents": (["4/5", "5/10", "20 %"], [0.8, 0.5, 0.2]),
    "stars": (["★★★☆☆", "⭐⭐", "★★★★★"], [3, 2, 5]),
    "labels": (
        ["4 – Agree", "Agree (4)", "2: disagree", "3.  Neutral", "5 stars"],
        [4, 4, 2, 3, 5],
    ),
    "ends": (["1 (worst)", "2", "3", "4", "5 (best)", "3", "2"], [1, 2, 3, 4, 5, 3, 2]),
    "words": (AGREE, [1, 2, 3, 4, 5]),
    "four steps": ([AGREE[0], AGREE[1], AGREE[3], AGREE[4]], [1, 2, 3, 4]),
    "few steps": (["Agree", "Strongly agree", "agree"], [4, 5, 4]),
    "named ends": (["Strongly disagree", "2", "3", "6", "strongly agree", "4"], [1, 2, 3, 6, 7, 4]),
    "often": (["Never", "Often", "Rarely", "Always", "Sometimes"], [1, 4, 2, 5, 3]),
    "yes": (["Yes", "no", "YES"], [1, 0, 1]),
}


@pytest.mark.parametrize(
    "name",
    [
        name
        if name in ("points", "of", "labels", "words")
        else pytest.param(name, marks=pytest.mark.nightly)
        for name in FORMS
    ],
)
def test_numbers_in_other_forms_are_read(database, name):
    texts, numbers = FORMS[name]
    written(database, [*texts, "n/a", "Don’t know"])
    before = {question.name for question in questions(database)}
    assert before == {"other-numbers:ratings:fluency", "unlike-others:ratings:fluency"}
    assert len(settle(database, {}, accept=True).answered) == 2
    assert read_scores(database) == pytest.approx(numbers)
    assert questions(database) == []


def test_what_is_kept_or_cannot_be_read_stays_as_it_was(database):
    texts = ["1,5", "2,5", "3,5", "good work", "4,5", "1,0", "2,0"]
    written(database, texts)
    names = ["other-numbers:ratings:fluency", "unlike-others:ratings:fluency"]
    settle(database, dict.fromkeys(names, "keep"))
    assert kept(database, "SELECT list(score ORDER BY _row) FROM results.ratings") == [(texts,)]
    database.execute("DROP TABLE results.ratings")
    written(database, ["12,345", "950", "13"])
    found = only(database)
    assert [answer.value for answer in found.answers] == ["thousands", "decimal", "keep"]
    apply(database, [found], {found.name: "decimal"})
    assert read_scores(database) == [12.345, 950, 13]
    put(database, "results.ratings", [*RATINGS, "seconds"], [[*scores()[0], "5 min"]])
    assert questions(database) == []


def test_aspects_in_the_same_words_are_asked_about_once_and_on_one_scale(database):
    """The second aspect alone could be on a scale of four steps."""
    rows = [[f"s{n}", "A", "anna", "ease", text] for n, text in enumerate(AGREE)]
    rows += [[*row[:3], "use", row[4]] for row in rows if "Neither" not in row[4]]
    put(database, "results.ratings", RATINGS, rows, score="VARCHAR")
    question = only(database)
    assert (question.name, question.text.partition(":")[0]) == (
        "other-numbers:ratings",
        "ease, use",
    )
    assert "“Agree” means 4" in question.detail
    settle(database, {}, accept=True)
    assert read_scores(database) == [1, 2, 3, 4, 5, 1, 2, 4, 5]


def test_dates_among_scores_are_missing(database):
    written(database, ["4.5", "3", "2024-05-03", "3-May", "May-4", "2.5", "2024-05-03 00:00:00"])
    question = only(database)
    assert "which a spreadsheet takes for dates" in question.text
    settle(database, {}, accept=True)
    assert read_scores(database) == [4.5, 3, 2.5]


def test_other_numbers_in_other_forms_are_read_too(database):
    columns = [*RATINGS, "seconds", "rater_count"]
    cells = [("1.234,5", "3 raters"), ("NA", "4"), ("12,25", "-"), ("7", "")]
    rows = [[*row, *each] for row, each in zip(scores(raters=["x"]), cells, strict=False)]
    put(database, "results.ratings", columns, rows, seconds="VARCHAR", rater_count="VARCHAR")
    metric_scores = [[f"s{n}", "A", "bleu", text] for n, text in enumerate(["0,25", "nan", "0.5"])]
    names = ["segment", "system", "metric", "score"]
    put(database, "results.metric_scores", names, metric_scores, score="VARCHAR")
    settle(database, {}, accept=True)
    found = "SELECT seconds, rater_count FROM results.ratings ORDER BY _row"
    assert kept(database, found) == [("1234.5", "3.0"), (None, "4"), ("12.25", None), ("7", None)]
    assert kept(database, "SELECT score FROM results.metric_scores") == [("0.25",), ("0.5",)]


@pytest.mark.parametrize(
    "no_vote",
    ["skip", *(pytest.param(word, marks=pytest.mark.nightly) for word in ("NA", "NaN", "-", ""))],
)
def test_votes_in_words_and_no_votes(database, no_vote):
    words = ["win", "loss", no_vote, "Win", "tie", no_vote, "draw"]
    votes = [[f"s{n}", "alpha", "beta", word, "j"] for n, word in enumerate(words)]
    put(database, "results.ratings", VOTES, votes)
    names = [question.name for question in questions(database)]
    assert names == ["votes:ratings", "unlike-others:ratings"]
    settle(database, {}, accept=True)
    found = kept(database, "SELECT judgement FROM results.ratings ORDER BY _row")
    assert [word for (word,) in found] == ["alpha", "beta", "alpha", "tie", "tie"]


def test_an_empty_answer_is_asked_about(database):
    rows = scores()
    rows[5][4] = None
    put(database, "results.ratings", RATINGS, rows)
    assert only(database).detail == ("“(empty)”: 1 answer",)


# Rows


def test_rows_that_are_no_records_are_left_out(database):
    rows = scores()
    odd = [
        ["segment", "system", "rater", "aspect", "score"],
        ["", "Alpha", "anna", "fluency", "4"],
        ["Mean", "", "", "fluency", "3.1"],
        ["Total:", "Alpha", "", "fluency", "99"],
    ]
    texts = [[*row[:4], str(row[4])] for row in rows]
    texts[20:20] = odd[:1]
    texts += odd[1:]
    texts[3][2] = "mean"  # A name amid the table is none of a summary.
    put(database, 'files."r.csv"', RATINGS, texts, score="VARCHAR")
    database.execute('CREATE TABLE results.ratings AS SELECT * FROM files."r.csv"')
    given: Any = {"sources": {"ratings": ["r.csv"]}}
    settled = settle(database, {}, **given)
    assert [question.name for question in settled.left] == ["no-records:rows"]
    assert [line.partition(":")[0] for line in settled.left[0].detail] == [
        "names of columns again",
        "no key",
        "a summary",
    ]
    settle(database, {"no-records:rows": "leave-out"}, **given)
    found = kept(database, "SELECT score FROM results.ratings ORDER BY _row")
    assert [score for (score,) in found] == [str(row[4]) for row in rows]


# Rows of files


COLUMNS_OF_STATES = [
    ("status", "APPROVED", ["RETURNED", "TIMED-OUT"]),
    ("Finished", "True", ["False"]),
    ("Status", "IP Address", ["Survey Preview", "Spam"]),
    ("approved", "1", ["0"]),
    ("was_cancelled", "False", ["True"]),
    ("_tainted", "FALSE", ["TRUE"]),
    ("Reject", "", ["did not read the source"]),
    ("attention_check", "4", ["2"]),
    ("attention_check_passed", "yes", ["no"]),
    ("submitdate", "2024-05-03 10:00", [""]),
    ("Progress", "100", ["37"]),
    ("DistributionChannel", "anonymous", ["preview"]),
]


@pytest.mark.parametrize(
    ("column", "counts", "does_not"),
    [
        state
        if state[0] in ("status", "attention_check", "Progress")
        else pytest.param(*state, marks=pytest.mark.nightly)
        for state in COLUMNS_OF_STATES
    ],
)
def test_columns_that_say_that_a_row_does_not_count(database, column, counts, does_not):
    put(database, "results.ratings", RATINGS, scores())
    rows = [["5", counts] for _ in scores()]
    for place, value in enumerate(does_not):
        rows[10 * place + 3][1] = value
    put(database, 'files."r.csv"', ["rating", column], rows)
    given: Any = {"sources": {"ratings": ["r.csv"]}}
    assert only(database, **given).name.startswith("rows-not-counted:ratings:")
    settle(database, {}, **given, accept=True)
    lines = {line for (line,) in kept(database, "SELECT _row FROM results.ratings")}
    assert lines == {line for line, (_, value) in enumerate(rows, start=2) if value == counts}


def test_sources_with_two_target_styles_keep_a_key_for_each(database):
    found = [[f"{n}", f"text {n % 3}", "ab"[n // 6]] for n in range(12)]
    put(database, "results.segments", ["segment", "source", "target_style"], found)
    systems = ["Alpha" if n // 3 % 2 else "Beta" for n in range(12)]
    outputs = [[str(n), system, f"{system} {n}"] for n, system in enumerate(systems)]
    put(database, "results.outputs", ["segment", "system", "output"], outputs)
    settle(database, {}, accept=True)
    keys = kept(database, "SELECT segment, count(*) FROM results.outputs GROUP BY 1")
    assert len(keys) == 6
    assert {(key[-2:], n) for key, n in keys} == {(":a", 2), (":b", 2)}


def test_one_system_each_without_sources_is_confirmed(database):
    rows = [[f"t{n}", ["Alpha", "Beta"][n % 2], "anna", "fluency", 1 + n % 5] for n in range(12)]
    put(database, "results.ratings", RATINGS, rows)
    question = only(database)
    assert (question.name, question.preset) == ("row-numbers:segments", "keep")
    assert settle(database, {}, accept=True).left == ()


# Names


def test_names_of_raters_aspects_and_segments_are_compared_in_every_form(database):
    rows = scores(raters=("josé", "bert"))
    rows[0][2] = "jose\u0301"
    rows[1][2] = "\u00a0bert"
    rows[3][3] = "Fluency"
    rows[-1][0] = "s5\u200b "
    put(database, "results.ratings", RATINGS, rows)
    put(database, "results.segments", ["segment", "source"], [["a1", "one"], ["A1", "two"]])
    names = {question.name for question in questions(database)}
    assert len(names) == 4
    settle(database, {}, accept=True)
    assert kept(database, "SELECT count(DISTINCT rater) FROM results.ratings") == [(2,)]
    assert kept(database, "SELECT DISTINCT aspect FROM results.ratings") == [("fluency",)]
    assert kept(database, "SELECT count(DISTINCT segment) FROM results.ratings") == [(6,)]
    assert kept(database, "SELECT segment FROM results.segments ORDER BY 1") == [("A1",), ("a1",)]


def test_what_human_systems_are_is_handed_to_the_import(database):
    systems = ("Human 1 Writing", "Gold summary", "ground truth", "BART", "T5")
    put(database, "results.ratings", RATINGS, scores(systems=systems))
    put(database, "results.systems", ["system", "human"], [["ground truth", "true"]])
    name = "human-written:systems:gold-summary"
    settled = settle(database, {name: "reference"}, stored_systems=["BART"], accept=True)
    assert settled.roles == {"Gold summary": "reference", "Human 1 Writing": "human"}
    assert questions(database, stored_systems=systems) == []


def test_keys_that_a_spreadsheet_made_dates_are_written_as_they_were(database):
    rows = scores(segments=4)
    written = {"s0": "2024-03-05", "s1": "5-Apr", "s2": "17-3", "s3": "5-3"}
    changed = [[written[segment], *rest] for segment, *rest in rows]
    put(database, "results.ratings", RATINGS, changed)
    put(
        database,
        "results.segments",
        ["segment", "source"],
        [["5-3", "a"], ["5-4", "b"], ["17-3", "c"]],
    )
    question = only(database)
    assert (question.name, question.preset) == ("dates:segments", "day-month")
    apply(database, [question], {question.name: question.preset})
    keys = kept(database, "SELECT DISTINCT segment FROM results.ratings ORDER BY 1")
    assert keys == [("17-3",), ("5-3",), ("5-4",)]


# Raters


def test_raters_named_like_models_are_models_unless_a_kind_is_given(database):
    put(database, "results.ratings", RATINGS, scores(raters=("gpt-4", "Claude", "anna")))
    found = {question.name: question.preset for question in questions(database)}
    assert found == {"models:raters:gpt-4": "model", "models:raters:claude": "person"}
    settle(database, {}, accept=True)
    kinds = "SELECT DISTINCT rater, rater_kind FROM results.ratings ORDER BY 1"
    assert kept(database, kinds) == [("Claude", "person"), ("anna", None), ("gpt-4", "model")]
    assert questions(database) == []


def test_numbered_raters_are_persons_or_places(database, cases):
    read(database, cases / "field" / "17" / "rows_are_raters.csv", "r.csv")
    shape(
        database,
        "ratings",
        """SELECT _row, segment, 'A' AS system, (_row - 1)::VARCHAR AS rater, 'fluency' AS aspect,
                  'place' AS rater_kind, score::DOUBLE AS score
           FROM (UNPIVOT files."r.csv" ON i1, i2, i3 INTO NAME segment VALUE score)
           WHERE score <> '' """,
    )
    question = only(database)
    assert (question.name, question.preset) == ("numbered:raters", "person")
    settle(database, {}, accept=True)
    assert kept(database, "SELECT DISTINCT rater_kind FROM results.ratings") == [("person",)]
    database.execute("DROP TABLE results.ratings")
    rows = scores(raters=("1", "2", "3"))
    put(database, "results.ratings", RATINGS, rows)
    assert questions(database) == []
    database.execute("DELETE FROM results.ratings WHERE rater = '3' AND segment = 's1'")
    assert only(database).preset == "place"


def test_numbers_that_count_raters_are_no_raters(database):
    put(database, "results.ratings", RATINGS, scores(raters=["3"]))
    assert only(database).name == "counts:raters"
    settle(database, {}, accept=True)
    found = "SELECT DISTINCT rater, rater_count FROM results.ratings"
    assert kept(database, found) == [("", 3)]


# Repeats


def test_texts_that_repeat_are_taken_once_collected_or_refused(database):
    texts = [
        *(["s1", "one two", ["r1"]], ["s1", "one  two ", ["r1"]]),
        *(["s2", "three", ["r1"]], ["s2", "three", ["r2", "r3"]], ["s2", "three", ["r1"]]),
    ]
    put(database, "results.segments", ["segment", "source", "reference"], texts)
    outputs = [["s1", "A", "x"], ["s1", "A", "y"], ["s2", "A", "x"], ["s2", "A", "x"]]
    put(database, "results.outputs", ["segment", "system", "output"], outputs)
    settled = settle(database, {}, accept=True)
    assert {question.name: value for question, value in settled.answered} == {
        "repeated:segments": "once",
        "repeated:outputs": "variants",
    }
    found = "SELECT segment, source, reference FROM results.segments ORDER BY 1"
    assert kept(database, found) == [("s1", "one two", ["r1"]), ("s2", "three", ["r1", "r2", "r3"])]
    found = "SELECT segment, output, variant FROM results.outputs ORDER BY ALL"
    assert kept(database, found) == [("s1", "x", 1), ("s1", "y", 2), ("s2", "x", 1)]


def test_ratings_that_repeat(database):
    rows = scores()
    put(database, "results.ratings", RATINGS, [*rows, rows[0], [*rows[1][:4], 5 - rows[1][4]]])
    settled = settle(database, {}, accept=True)
    assert {question.name: value for question, value in settled.answered} == {
        "changed-repeats:ratings": "revisions",
        "equal-repeats:ratings": "once",
    }
    counted = "SELECT revision, count(*) FROM results.ratings GROUP BY 1 ORDER BY 1"
    assert kept(database, counted) == [(1, 54), (2, 1)]


def test_answers_on_named_raters_leave_unnamed_ones_as_they_are(database):
    rows = scores(segments=2)
    unnamed = [[*row[:2], "", *row[3:]] for row in rows]
    columns = [*RATINGS, "revision"]
    given = [[*row, None] for row in (*rows, rows[0], *unnamed, *unnamed[:3])]
    given.append([*rows[1][:4], 6 - rows[1][4], None])
    put(database, "results.ratings", columns, given)
    settled = settle(database, {"changed-repeats:ratings": "first"}, accept=True)
    assert {question.name: value for question, value in settled.answered} == {
        "unnamed-repeats:ratings": "several",
        "equal-repeats:ratings": "once",
        "changed-repeats:ratings": "first",
    }
    left = [row[:5] for row in (*rows, *unnamed, *unnamed[:3])]
    found = kept(database, "SELECT segment, system, rater, aspect, score FROM results.ratings")
    assert [list(row) for row in found] == left
    settle(database, {"unnamed-repeats:ratings": "first"})
    counted = "SELECT count(*), count(*) FILTER (rater = '') FROM results.ratings"
    assert kept(database, counted) == [(len(rows) + 6, 6)]


def test_scores_that_repeat(database):
    rows = [[f"s{n % 5}", "A", "bleu", 0.5] for n in range(10)]
    put(database, "results.metric_scores", ["segment", "system", "metric", "score"], rows)
    settle(database, {}, accept=True)
    assert kept(database, "SELECT count(*) FROM results.metric_scores") == [(5,)]
    database.execute("INSERT INTO results.metric_scores VALUES (99, 's1', 'A', 'bleu', .7)")
    assert only(database).preset == "keep"


# All


@pytest.mark.nightly
def test_questions_about_a_million_records_fit_into_little_memory(tmp_path):
    """With a limit of 150 MB and nothing written to disk, none of them runs out of memory."""
    options: Any = {"threads": 1, "memory_limit": "150MB", "temp_directory": ""}
    with duckdb.connect(str(tmp_path / "tables.duckdb"), config=options) as database:
        database.execute("CREATE SCHEMA results; CREATE SCHEMA files")
        unit = "'segment-' || i // 10 AS segment, 'system-' || i % 10 AS system"
        output = "'A text of some length, as outputs are, with the number ' || i AS output"
        shape(database, "outputs", f"SELECT i AS _row, {unit}, {output} FROM range(300000) t(i)")
        rated = "'rater-' || (i + j) % 40 || '-' || j AS rater, 'fluency' AS aspect"
        score = "replace(((i * 7919 + j) % 99991 / 1000.0)::VARCHAR, '.', ',') AS score"
        rows = "FROM range(300000) t(i), range(3) u(j)"
        shape(database, "ratings", f"SELECT 3 * i + j AS _row, {unit}, {rated}, {score} {rows}")
        database.execute("CHECKPOINT")
        found = questions(database, {"ratings": ["r.csv"], "outputs": ["o.csv"]})
    assert [question.name for question in found] == ["other-numbers:ratings:fluency"]


def ordinary():
    """Put tables of ordinary shapes, one after the other."""
    yield "ratings", RATINGS, scores(systems=("1", "2", "3"))
    yield "ratings", RATINGS, [[*row[:4], 1e6 * row[4] + 0.25] for row in scores()]
    missing = ["yes", "no", "unsure", "n/a"]
    categories = [[*row[:3], "error", missing[n % 4]] for n, row in enumerate(scores())]
    yield "ratings", [*RATINGS[:4], "judgement"], categories
    labels = ["3 - good", "20%", "4/5", "B 2"]
    categories = [[*row[:3], "error", labels[n % 4]] for n, row in enumerate(scores())]
    yield "ratings", [*RATINGS[:4], "judgement"], categories
    yield "ratings", RATINGS, scores()
    yield "ratings", RATINGS, [[*row[:4], 20 * row[4]] for row in scores(raters=("a1", "a2"))]
    yield "ratings", RATINGS, [[*row[:4], (row[4] - 3) / 1.7] for row in scores()]
    yield "ratings", RATINGS, [[*row[:4], row[4] % 2] for row in scores()]
    yield "ratings", RATINGS, [[*row[:4], row[4] - 3] for row in scores()]
    yield "ratings", RATINGS, scores(raters=("1", "2", "3", "4"))
    yield "ratings", RATINGS[:2] + RATINGS[3:], [[*row[:2], *row[3:]] for row in scores(["x"])]
    yield (
        "ratings",
        [*RATINGS[:4], "judgement"],
        [[*row[:3], "formality", ["formal", "informal", "2"][row[4] % 3]] for row in scores()],
    )
    words = ["A", "B", "tie", "Alpha", "both bad"]
    votes = [[f"s{n}", "Alpha", "Beta", words[n % 5], "anna"] for n in range(30)]
    yield "ratings", VOTES, votes
    yield (
        "outputs",
        ["segment", "system", "output"],
        [
            [f"s{n}", system, f"text {n}"]
            for n in range(20)
            for system in ("bart-1", "bart-2", "t5")
        ],
    )
    yield (
        "segments",
        ["segment", "source", "target_style"],
        [[f"s{n}", f"text {n // 2}", ["formal", "informal"][n % 2]] for n in range(20)],
    )
    yield (
        "metric_scores",
        ["segment", "system", "metric", "score"],
        [[f"s{n % 5}", "A", metric, n / 7] for n in range(5) for metric in ("ROUGE-1", "ROUGE-2")],
    )


def test_ordinary_tables_are_not_asked_about(database):
    for table, columns, rows in ordinary():
        put(database, f"results.{table}", columns, rows)
        assert [question.text for question in questions(database)] == [], (table, rows[:2])
        database.execute(f"DROP TABLE results.{table}")


def test_released_studies_are_asked_about_their_human_system_only(database, studies):
    lai = studies / "lai2022"
    for name in ("segments", "outputs", "ratings", "metric_scores"):
        read(database, lai / f"{name}.csv", f"{name}.csv")
        columns = "* RENAME (segment_id AS segment)"
        shape(database, name, f'SELECT {columns} FROM files."{name}.csv"')
        if name in ("ratings", "metric_scores"):
            number = "TYPE DOUBLE USING TRY_CAST(score AS DOUBLE)"
            database.execute(f"ALTER TABLE results.{name} ALTER score {number}")
    settled = settle(database, {}, {"ratings": ["ratings.csv"]}, accept=True)
    assert settled.roles == {"REF": "human"}
    assert len(settled.answered) == 1


def test_outputs_of_stored_segments_are_not_row_numbers(database):
    put(database, "results.segments", ["segment", "source"], [["new", "a text"]])
    outputs = [[f"s{n}", ["A", "B"][n % 2], f"text {n}"] for n in range(10)]
    put(database, "results.outputs", ["segment", "system", "output"], outputs)
    assert questions(database) == []


def test_an_answer_is_carried_out_again_where_another_makes_new_repeats(database):
    rows = scores()
    again = [rows[0], [rows[1][0], "ALPHA", *rows[1][2:]]]
    put(database, "results.ratings", RATINGS, [*rows, *again])
    settle(database, {}, accept=True)
    assert kept(database, "SELECT count(*) FROM results.ratings") == [(54,)]


def test_an_answer_raises_the_next_question_and_wrong_answers_are_refused(database):
    rows = scores()
    rows.append([rows[0][0], "alpha ", *rows[0][2:4], 6 - rows[0][4]])
    put(database, "results.ratings", RATINGS, rows)
    [question] = settle(database, {}).left
    shown = json.loads(json.dumps(question.to_dict()))
    assert Question.from_dict(shown).to_dict() == question.to_dict()
    with pytest.raises(AnswerError, match=r"systems:alpha: 'two' is no answer\..*one, keep"):
        settle(database, {question.name: "two"})
    settled = settle(database, {question.name: "one"})
    assert [question.name for question in settled.left] == ["changed-repeats:ratings"]
    assert settle(database, {}, accept=True).left == ()
