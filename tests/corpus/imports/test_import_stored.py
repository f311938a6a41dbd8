"""What an import stores, what a second one adds, and what it says of itself."""

import pytest

from annotation.models import Annotator, Campaign, Item, Rating, Submission
from corpus.models import AuditEntry, Output, Segment, Study, System
from metrics.models import Metric, MetricRun, Undefined
from metrics.runs.packed_scores import load_scores
from tests.fixtures.harmful_files import KINDS, written
from tests.fixtures.study_files import (
    OUTPUTS,
    RATINGS,
    SCORES,
    SEGMENTS,
    STUDY,
    TABLES,
    import_path,
    row_counts,
    stored_content,
    write_files,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def small(tmp_path):
    """The small study, imported from a folder."""
    job = import_path(write_files(tmp_path / "small", TABLES))
    assert job.state == "done", job.error
    return job


def tables(job):
    return {name: (t["added"], t["unchanged"]) for name, t in job.result["tables"].items()}


def score(metric, segment, system):
    run = MetricRun.objects.get(metric__name=metric)
    outputs = Output.objects.count()
    ordinal = Output.objects.get(segment__key=segment, system__name=system).ordinal
    return load_scores(run.pk, outputs=outputs, fields=1)[ordinal, 0]


@pytest.mark.dialect
def test_a_study_arrives_whole(small):
    assert tables(small) == {
        "segments": (4, 0),
        "systems": (2, 0),
        "outputs": (8, 0),
        "ratings": (32, 0),
        "metric_scores": (16, 0),
    }
    segment = Segment.objects.get(key="s1")
    assert (segment.source_style, segment.target_style) == ("informal", "formal")
    assert segment.attributes == {"domain": "mail"}
    texts = segment.outputs.order_by("ordinal").values_list("system__name", "variant", "text")
    assert list(texts) == [
        ("(source)", 1, "gonna be late"),
        ("(reference)", 1, "I will be late."),
        ("(reference)", 2, "I shall be late."),
        ("BART", 1, "BART writes 1"),
        ("T5", 1, "T5 writes 1"),
    ]
    assert not Output.objects.filter(segment__key="s4", system__name="(reference)").exists()
    assert list(Output.objects.values_list("ordinal", flat=True)) == list(range(16))
    assert System.objects.get(name="BART").attributes == {"model": "bart", "human": False}
    assert System.objects.get(name="(source)").kind == "source"


def test_ratings_and_scores_arrive_with_protocol_scale_and_orientation(small):
    campaign = Campaign.objects.get()
    assert (campaign.slug, campaign.protocol, campaign.origin) == (
        "ratings", "direct_assessment", "imported",
    )  # fmt: skip
    assert campaign.config == {"scales": {"content": [0.0, 100.0], "style": [0.0, 100.0]}}
    assert Item.objects.count() == 8
    assert Submission.objects.count() == 16
    rating = Rating.objects.get(
        aspect="style",
        submission__annotator__pseudonym="r2",
        submission__item__first__system__name="T5",
        submission__item__first__segment__key="s3",
    )
    assert rating.value == 39
    assert Metric.objects.get(name="wmd").orientation == "lower"
    assert Metric.objects.get(name="bleu").orientation == "higher"
    assert score("wmd", "s2", "T5") == 0.25
    run = MetricRun.objects.get(metric__name="bleu")
    assert (run.compared_to, run.origin) == ("reference", "imported")


@pytest.mark.dialect
def test_the_same_files_again_add_nothing_and_say_so(small, tmp_path):
    before, study = row_counts(), Study.objects.get()
    again = import_path(tmp_path / "small")
    assert again.result["changed"] is False
    assert tables(again) == {name: (0, sum(counts)) for name, counts in tables(small).items()}
    assert row_counts() == before
    assert Study.objects.get().revision == study.revision
    assert AuditEntry.objects.filter(action="import").count() == 1


def test_new_keys_and_new_tables_are_added_to_a_stored_study(tmp_path):
    import_path(write_files(tmp_path / "1", {"segments.csv": SEGMENTS[:3]}))
    import_path(
        write_files(
            tmp_path / "2", {"outputs.csv": [row for row in OUTPUTS if row[0] not in ("s3", "s4")]}
        )
    )
    job = import_path(write_files(tmp_path / "3", TABLES))
    assert tables(job)["segments"] == (2, 2)
    assert tables(job)["outputs"] == (4, 4)
    whole = import_path(write_files(tmp_path / "4", TABLES), slug="whole")
    assert whole.state == "done"
    assert stored_content("small") == stored_content("whole")


@pytest.mark.dialect
def test_a_stored_segment_gains_references_attributes_and_an_unstated_direction(tmp_path):
    import_path(
        write_files(
            tmp_path / "1", {"segments.csv": [["segment", "source"], ["s1", "a"], ["s2", "b"]]}
        )
    )
    more = [
        ["segment", "source", "source_style", "target_style", "reference", "domain"],
        ["s1", "a", "informal", "formal", "A", "mail"],
        ["s2", "b", "", "", "", ""],
    ]
    job = import_path(write_files(tmp_path / "2", {"segments.csv": more}))
    assert tables(job)["segments"] == (1, 1)
    segment = Segment.objects.get(key="s1")
    assert (segment.source_style, segment.target_style) == ("informal", "formal")
    assert segment.attributes == {"domain": "mail"}
    assert segment.outputs.filter(system__name="(reference)").get().text == "A"
    plain = import_path(
        write_files(tmp_path / "3", {"segments.csv": [["segment", "source"], ["s1", "a"]]})
    )
    assert plain.result["changed"] is False
    assert Segment.objects.get(key="s1").attributes == {"domain": "mail"}


@pytest.mark.dialect
def test_a_missing_score_is_stored_as_missing_and_may_come_later(tmp_path):
    rows = [
        ["segment", "system", "metric", "score"],
        ["s1", "BART", "bleu", ""],
        ["s2", "BART", "bleu", "0.5"],
    ]
    mapping = {
        "table": "metric_scores",
        "columns": {name: name for name in rows[0]} | {"score": "= missing(score, [''])"},
    }
    files = {"segments.csv": SEGMENTS, "outputs.csv": OUTPUTS, "metric_scores.csv": rows}
    job = import_path(write_files(tmp_path / "1", files), mappings={"metric_scores.csv": [mapping]})
    assert job.state == "done", job.error
    assert str(score("bleu", "s1", "BART")) == "nan"
    assert Undefined.objects.get().reason == "missing in the imported table"
    later = [rows[0], ["s1", "BART", "bleu", "0.25"]]
    job = import_path(write_files(tmp_path / "2", {"metric_scores.csv": later}))
    assert tables(job)["metric_scores"] == (1, 0)
    assert (score("bleu", "s1", "BART"), score("bleu", "s2", "BART")) == (0.25, 0.5)
    assert not Undefined.objects.exists()
    job = import_path(tmp_path / "1", mappings={"metric_scores.csv": [mapping]})
    assert job.result["problems"][0]["found"] == "no score"
    assert score("bleu", "s1", "BART") == 0.25


@pytest.mark.parametrize(
    "ending",
    [
        ending
        if ending in ("jsonl", "parquet", "xlsx")
        else pytest.param(ending, marks=pytest.mark.nightly)
        for ending in [*KINDS[1:], "csv.gz"]
    ],
)
def test_every_format_gives_the_same_study(small, tmp_path, ending):
    tables = {"segments": SEGMENTS, "outputs": OUTPUTS, "ratings": RATINGS, "metric_scores": SCORES}
    files = {
        (path := f"{name}.{ending}"): written(
            path, [dict(zip(head, row, strict=True)) for row in rows]
        )
        for name, (head, *rows) in tables.items()
    }
    declared = STUDY | {"campaigns": {"ratings": {"protocol": "direct_assessment"}}}
    job = import_path(
        write_files(tmp_path / "other", files | {"study.json": declared}), slug="other"
    )
    assert job.state == "done", job.error
    other, own = stored_content("other"), stored_content("small")
    del other["study.json"], own["study.json"]
    assert other == own


def test_one_text_per_line_gives_segments_references_and_systems(tmp_path):
    files = {
        "source.txt": "gonna be late\ndunno\n",
        "reference1.txt": "I will be late.\nI do not know.\n",
        "BART.txt": "I am late.\n\n",
        "T5.out": "Late.\nNo idea.",
    }
    job = import_path(
        write_files(tmp_path / "1", files),
        layout="lines",
        source_style="informal",
        target_style="formal",
    )
    assert tables(job) == {"segments": (2, 0), "outputs": (4, 0)}
    assert Segment.objects.filter(source_style="informal", target_style="formal").count() == 2
    texts = Output.objects.filter(segment__key="2").order_by("system__name")
    assert list(texts.values_list("system__name", "text")) == [
        ("(reference)", "I do not know."),
        ("(source)", "dunno"),
        ("BART", ""),
        ("T5", "No idea."),
    ]


def test_files_that_hold_no_table_are_listed_with_the_reason(tmp_path):
    files = TABLES | {
        "readme.md": "# Hi",
        "expected.json": {},
        "book.numbers": b"PK",
        "words.csv": "a,b\n1,2\n",
        "results.json": {
            "note": "Means of the n best systems.",
            "best": {f"{s} vs all": {f"best-{n}": {"pairs": n} for n in (1, 2, 3)} for s in "AB"},
        },
        "figures.json": {
            "table_1": {"computed": {"BART": {"style": 0.41}}, "note": "as printed"},
            "table_2": {"order": ["BLEU", "chrF"], "published": {"BART": [0.2, 0.3]}},
            "table_3": {"BART": {"BLEU": {"pearson": 0.2}}},
            "table_4": {"BERT": {"BLEU": {"pearson": 0.4}}},
        },
    }
    job = import_path(write_files(tmp_path / "1", files))
    assert job.state == "done"
    reasons = dict(job.result["unrecognised"])
    assert set(reasons) == files.keys() - TABLES.keys()
    assert reasons["book.numbers"] == "not a format that holds tables"
    for name in ("words.csv", "results.json", "figures.json"):
        assert "no table has columns like these" in reasons[name]
    assert "questions" not in job.result


# Judgements as what they are


def judged(tmp_path, rows, **declared):
    files = {
        "segments.csv": SEGMENTS,
        "outputs.csv": OUTPUTS,
        "ratings.csv": rows,
        "study.json": declared,
    }
    job = import_path(write_files(tmp_path / "judged", files))
    assert job.state == "done", job.error
    return job


def test_averaged_and_majority_ratings_say_of_how_many(tmp_path):
    rows = [RATINGS[0]] + [
        ["s1", "BART", rater, "style", "3.5"]
        for rater in ("mean of 3 raters", "majority of 5", "Average of 2 judges", "rater 7", "")
    ]
    job = judged(tmp_path, rows)
    kinds = Annotator.objects.order_by("id").values_list("pseudonym", "kind", "raters")
    assert list(kinds) == [
        ("mean of 3 raters", "mean", 3),
        ("majority of 5", "majority", 5),
        ("Average of 2 judges", "mean", 2),
        ("rater 7", "person", None),
        ("(unstated)", "unstated", None),
    ]
    assert any("no agreement is computed" in note for note in job.result["notes"])
