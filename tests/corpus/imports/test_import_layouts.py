"""Five layouts that are not Touchstone's own, through guessed and through written mappings."""

import json

import pytest

from corpus.imports.options import ImportOptions
from corpus.imports.recognise import recognise
from corpus.models import Output, Segment
from corpus.tabular.confined.session import ConfinedReading
from metrics.models import Metric
from tests.fixtures.foreign_layouts import BATCH, NESTED, TEXTS, WIDE_METRICS, WIDE_RATERS, ratings
from tests.fixtures.study_files import import_path, write_files

pytestmark = pytest.mark.django_db


def done(job):
    assert job.state == "done", job.error
    assert job.result["unrecognised"] == []
    return job


def guessed_mappings(path, tmp_path):
    """What the mapping page would propose, as JSON that went through a browser."""
    (tmp_path / "work").mkdir()
    with ConfinedReading() as reading:
        found = recognise(reading, path, tmp_path / "work", ImportOptions())
    proposed = {file.source.name: [m.to_dict() for m in file.mappings] for file in found.files}
    return json.loads(json.dumps(proposed))


WIDE_RATERS_MAPPING = {
    "table": "ratings",
    "columns": {"segment": "segment", "system": "system"},
    "constants": {"aspect": "fluency"},
    "wide": {
        "name": "rater",
        "value": "score",
        "columns": ["rater1", "rater2", "rater3"],
        "skip_empty": True,
    },
}


def test_one_column_per_rater_needs_the_aspect_as_a_constant(tmp_path):
    path = write_files(tmp_path / "study", TEXTS | {"human.csv": WIDE_RATERS})
    refused = import_path(path)
    assert refused.result["problems_total"] == 5
    assert "as a constant" in refused.result["problems"][0]["message"]
    done(import_path(path, mappings={"human.csv": [WIDE_RATERS_MAPPING]}))
    assert ratings() == [
        ("BART", "rater1", "fluency", 4),
        ("BART", "rater2", "fluency", 5),
        ("T5", "rater1", "fluency", 2),
        ("T5", "rater2", "fluency", 1),
        ("T5", "rater3", "fluency", 3),
    ]


def test_a_score_off_the_scale_in_a_wide_table_is_shown_in_its_own_column(tmp_path):
    rows = [*WIDE_RATERS, ["s2", "BART", "1", "6", "1"]]
    path = write_files(tmp_path / "study", TEXTS | {"human.csv": rows})
    job = import_path(path, mappings={"human.csv": [WIDE_RATERS_MAPPING]})
    [problem] = job.result["problems"]
    shown = [problem[name] for name in ("file", "line", "column", "found", "expected")]
    assert shown == ["human.csv", 4, "rater2", "6", "1 to 5"]


def test_one_column_per_metric(tmp_path):
    path = write_files(tmp_path / "study", TEXTS | {"automatic.csv": WIDE_METRICS})
    done(import_path(path))
    assert list(Metric.objects.values_list("name", flat=True)) == ["bleu", "chrf", "bertscore"]


def test_a_number_in_a_wide_table_that_is_none_is_shown_in_its_own_column(tmp_path):
    rows = [*WIDE_METRICS, ["s2", "BART", "0.1", "n/a", "0.2"]]
    job = import_path(write_files(tmp_path / "study", TEXTS | {"automatic.csv": rows}))
    # The guess takes a column that holds words for no metric; what it is must then be said.
    wide = {"name": "metric", "value": "score", "columns": ["bleu", "chrf", "bertscore"]}
    mapping = {
        "table": "metric_scores",
        "columns": {"segment": "segment", "system": "system"},
        "wide": wide,
    }
    job = import_path(tmp_path / "study", slug="b", mappings={"automatic.csv": [mapping]})
    [problem] = job.result["problems"]
    assert [problem[name] for name in ("line", "column")] == [4, "chrf"]
    assert "missing" in problem["message"]
    done(
        import_path(
            tmp_path / "study",
            slug="b",
            mappings={"automatic.csv": [mapping | {"missing": ["n/a"]}]},
        )
    )


def test_one_file_per_system(tmp_path):
    files = {
        "segments.csv": TEXTS["segments.csv"],
        "BART.csv": [["id", "text"], ["s1", "It depends."], ["s2", ""]],
        "T5.csv": [["id", "text"], ["s1", "That depends."]],
    }
    done(import_path(write_files(tmp_path / "study", files)))
    texts = Output.objects.exclude(system__name="(source)").order_by("ordinal")
    assert list(texts.values_list("system__name", "segment__key", "text")) == [
        ("BART", "s1", "It depends."),
        ("BART", "s2", ""),
        ("T5", "s1", "That depends."),
    ]


def test_nested_json_lines_hold_segments_outputs_and_ratings(tmp_path):
    lines = "".join(json.dumps(entry) + "\n" for entry in NESTED)
    files = {"everything.jsonl": lines, "study.json": {"protocol": "likert"}}
    job = done(import_path(write_files(tmp_path / "study", files)))
    assert {name: t["added"] for name, t in job.result["tables"].items()} == {
        "segments": 2,
        "outputs": 3,
        "ratings": 2,
    }
    assert ratings() == [("BART", "r1", "style", 4), ("BART", "r1", "content", 5)]


def test_a_crowd_platforms_batch_makes_keys_from_sources(tmp_path):
    files = {"Batch_1_results.csv": BATCH, "study.json": {"protocol": "likert"}}
    path = write_files(tmp_path / "study", files)
    done(import_path(path, mappings=guessed_mappings(path, tmp_path)))
    # printf 'it depends' | sha256sum | cut -c 1-12
    assert Segment.objects.get().key == "3801aec8d5e9"
    assert ratings() == [
        ("BART", "w1", "content", 5),
        ("BART", "w1", "style", 4),
        ("BART", "w2", "content", 4),
        ("BART", "w2", "style", 4),
        ("T5", "w1", "content", 3),
        ("T5", "w1", "style", 5),
    ]


def test_a_worker_who_rated_twice_is_noticed(tmp_path):
    files = {"Batch_1_results.csv": [*BATCH, BATCH[1]], "study.json": {"protocol": "likert"}}
    job = import_path(write_files(tmp_path / "study", files))
    assert [(p["line"], p["code"]) for p in job.result["problems"]] == [(5, "duplicate")] * 2


def test_mappings_that_stand_in_the_study_file_are_followed(tmp_path):
    declared = TEXTS["study.json"] | {"mappings": {"human.csv": [WIDE_RATERS_MAPPING]}}
    files = TEXTS | {"human.csv": WIDE_RATERS, "study.json": declared}
    done(import_path(write_files(tmp_path / "study", files)))
    assert len(ratings()) == 5
