"""What an import stores, what a second one adds, and what it says of itself."""

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Annotator, Campaign, Item, Rating, Submission
from attack.harmful_files import KINDS, written
from corpus.models import AuditEntry, Output, Segment, Study, System
from metrics.models import Metric, MetricRun, Undefined
from metrics.runs.packed_scores import load_scores
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
    text_of,
    write_files,
    write_zip,
)

pytestmark = pytest.mark.django_db
STAGING = (
    "StagedSegment",
    "StagedSystem",
    "StagedText",
    "StagedRating",
    "StagedScore",
    "StagedBlock",
)


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


def test_an_import_is_recorded_with_its_files(small):
    entry = AuditEntry.objects.get(action="import")
    assert entry.object == "metric_scores.csv, outputs.csv, ratings.csv, segments.csv"
    assert entry.after["tables"]["outputs"] == {"added": 8, "unchanged": 0}
    assert Study.objects.get().revision == 1
    assert Study.objects.get().title == "A small study"


def test_staging_is_empty_afterwards(small):
    counts = row_counts()
    assert [counts[name] for name in STAGING] == [0] * len(STAGING)


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


def test_a_missing_score_is_stored_as_missing_and_may_come_later(tmp_path):
    rows = [
        ["segment", "system", "metric", "score"],
        ["s1", "BART", "bleu", ""],
        ["s2", "BART", "bleu", "0.5"],
    ]
    mapping = {
        "table": "metric_scores",
        "columns": {name: name for name in rows[0]},
        "missing": [""],
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


def test_texts_are_stored_exactly_as_they_are(tmp_path):
    texts = [
        "",
        " ",
        "\t\tx",
        'say "hi"',
        "a\r\nb\rc\nd",
        "=1+1",
        "NA",
        "null",
        "\u2028é😀\ufeff",
        "x" * 90_000,
    ]
    rows = [["segment", "source"], ["s", "x"]]
    outputs = [
        ["segment", "system", "output"],
        *(["s", f"m{n}", text] for n, text in enumerate(texts)),
    ]
    job = import_path(write_files(tmp_path / "1", {"segments.csv": rows, "outputs.csv": outputs}))
    assert job.state == "done", job.error
    stored = Output.objects.exclude(system__name="(source)").order_by("ordinal")
    assert list(stored.values_list("text", flat=True)) == texts


@pytest.mark.parametrize("ending", [kind + packed for kind in KINDS for packed in ("", ".gz")][1:])
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


def test_a_folder_a_zip_and_a_zip_of_a_folder_give_the_same_study(small, tmp_path):
    import_path(write_zip(tmp_path / "z.zip", TABLES), slug="zip")
    nested = {f"my study/{name}": content for name, content in TABLES.items()}
    import_path(write_zip(tmp_path / "n.zip", nested), slug="nested")
    assert stored_content("zip") == stored_content("nested") == stored_content("small")


def test_a_single_file_is_a_study_too(tmp_path):
    job = import_path(write_files(tmp_path, {"segments.csv": SEGMENTS}) / "segments.csv")
    assert tables(job) == {"segments": (4, 0)}


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


def test_a_file_that_is_not_as_long_as_the_source_file_is_refused(tmp_path):
    files = {"source.txt": "a\nb\nc\n", "BART.txt": "a\nb\n"}
    job = import_path(write_files(tmp_path / "1", files), layout="lines")
    [problem] = job.result["problems"]
    assert (problem["file"], problem["line"]) == ("BART.txt", 3)
    assert (problem["found"], problem["expected"]) == ("2 lines", "3 lines, as in source.txt")


def test_files_that_hold_no_table_are_listed_with_the_reason(tmp_path):
    files = TABLES | {
        "readme.md": "# Hi",
        "expected.json": {},
        "book.xls": b"PK",
        "words.csv": "a,b\n1,2\n",
    }
    job = import_path(write_files(tmp_path / "1", files))
    assert job.state == "done"
    reasons = dict(job.result["unrecognised"])
    assert set(reasons) == {"readme.md", "expected.json", "book.xls", "words.csv"}
    assert "save it as .xlsx" in reasons["book.xls"]
    assert "no table has columns like these" in reasons["words.csv"]


def test_another_encoding_is_read_when_it_is_named(tmp_path):
    files = {"segments.csv": "segment,source\ns1,café €\n".encode("windows-1252")}
    job = import_path(write_files(tmp_path / "1", files), encoding="windows-1252")
    assert job.state == "done", job.error
    assert Output.objects.get().text == "café €"
    mapping = {"table": "segments", "columns": {"segment": "segment", "source": "source"}}
    job = import_path(
        tmp_path / "1", slug="mapped", encoding="windows-1252", mappings={"segments.csv": [mapping]}
    )
    assert job.state == "done", job.error


@pytest.mark.parametrize("codec", ["utf-8-sig", "utf-16"])
def test_a_byte_order_mark_is_no_part_of_the_first_column(tmp_path, codec):
    content = text_of(SEGMENTS).decode().encode(codec)
    job = import_path(write_files(tmp_path / "1", {"segments.csv": content}))
    assert tables(job) == {"segments": (4, 0)}


def test_an_unknown_metric_is_noted_and_not_guessed(tmp_path):
    rows = [SCORES[0], ["s1", "BART", "my-own", "reference", "1"]]
    files = {"segments.csv": SEGMENTS, "outputs.csv": OUTPUTS, "metric_scores.csv": rows}
    job = import_path(write_files(tmp_path / "1", files))
    assert Metric.objects.get().orientation == "unknown"
    assert any("whether higher or lower my-own is better" in note for note in job.result["notes"])
    declared = {"metrics": {"my-own": {"orientation": "lower"}}}
    job = import_path(write_files(tmp_path / "2", {"study.json": declared}))
    assert job.result["changed"] is True
    assert Metric.objects.get().orientation == "lower"
    job = import_path(
        write_files(
            tmp_path / "3", {"study.json": {"metrics": {"my-own": {"orientation": "higher"}}}}
        )
    )
    assert Metric.objects.get().orientation == "lower"
    assert any("the stored one stays" in note for note in job.result["notes"])


def test_an_undeclared_scale_is_noted_with_the_range(tmp_path):
    job = import_path(write_files(tmp_path / "1", TABLES | {"study.json": {}}))
    assert (
        "The scale of content in ratings is not declared, so its scores were not checked against "
        "it; they go from 21 to 53." in job.result["notes"]
    )


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


def test_judgements_of_output_against_source_are_choices(tmp_path):
    rows = [["segment_id", "system", "rater", "task", "judgement"]]
    answers = ["source", "output", "tie", "BART", "Original"]
    rows += [["s1", "BART", f"r{n}", "relative", word] for n, word in enumerate(answers)]
    judged(tmp_path, rows)
    campaign = Campaign.objects.get()
    assert (campaign.slug, campaign.protocol) == ("ratings-relative", "relative_naturalness")
    item = Item.objects.get()
    assert (item.first.system.name, item.second.system.name) == ("(source)", "BART")
    ratings = Rating.objects.order_by("id").values_list("aspect", "value", "choice")
    assert list(ratings) == [
        ("naturalness", None, choice) for choice in ("first", "second", "tie", "second", "first")
    ]


def test_judgements_of_two_systems_meet_in_one_item_whichever_is_named_first(tmp_path):
    rows = [["segment_id", "system", "against", "rater", "aspect", "judgement"]]
    rows += [
        ["s1", "BART", "T5", "r1", "fluency", "T5"],
        ["s1", "T5", "BART", "r2", "fluency", "T5"],
    ]
    judged(tmp_path, rows)
    item = Item.objects.get()
    assert (item.first.system.name, item.second.system.name) == ("BART", "T5")
    assert list(Rating.objects.values_list("choice", flat=True)) == ["second", "second"]


def test_numbers_and_choices_of_one_column_are_told_apart(tmp_path):
    rows = [["segment_id", "system", "task", "judgement"]]
    rows += [
        ["s1", "BART", "absolute", "4.5"],
        ["s1", "(source)", "absolute", "2"],
        ["s1", "BART", "relative", "tie"],
    ]
    judged(tmp_path, rows)
    stored = Rating.objects.order_by("id").values_list(
        "submission__item__campaign__protocol", "value", "choice"
    )
    assert list(stored) == [
        ("absolute_naturalness", 4.5, ""),
        ("absolute_naturalness", 2.0, ""),
        ("relative_naturalness", None, "tie"),
    ]


def test_style_distributions_are_several_numbers_of_one_output(tmp_path):
    rows = [["segment_id", "system", "classifier", "p_formal", "p_informal"]]
    rows += [["s1", "BART", "cnn", "0.25", "0.75"], ["s1", "(source)", "cnn", "0.1", "0.9"]]
    files = {"segments.csv": SEGMENTS, "outputs.csv": OUTPUTS, "style_distributions.csv": rows}
    job = import_path(write_files(tmp_path / "1", files))
    assert tables(job)["style_distributions"] == (2, 0)
    run = MetricRun.objects.get()
    assert (run.fields, run.is_distribution) == (["formal", "informal"], True)
    ordinal = Output.objects.get(segment__key="s1", system__name="BART").ordinal
    scores = load_scores(run.pk, outputs=Output.objects.count(), fields=2)
    assert list(scores[ordinal]) == [0.25, 0.75]
    other = [
        ["segment_id", "system", "classifier", "p_formal", "p_rude"],
        ["s2", "BART", "cnn", "0.5", "0.5"],
    ]
    job = import_path(write_files(tmp_path / "2", {"style_distributions.csv": other}))
    [problem] = job.result["problems"]
    assert (problem["file"], problem["line"], problem["column"]) == (
        "style_distributions.csv", 2, "p_rude",
    )  # fmt: skip
    assert problem["expected"] == "formal, informal, as stored"


def test_different_comments_on_one_submission_are_all_kept(tmp_path):
    rows = [[*RATINGS[0], "comment"]]
    rows += [
        ["s1", "BART", "r1", "style", "5", "too stiff"],
        ["s1", "BART", "r1", "content", "5", "all there"],
    ]
    rows += [["s2", "BART", "r1", "style", "5", ""], ["s2", "BART", "r1", "content", "5", "ok"]]
    judged(tmp_path, rows)
    assert list(Submission.objects.order_by("id").values_list("comment", flat=True)) == [
        "too stiff\nall there",
        "ok",
    ]


def test_a_correction_is_a_further_revision(tmp_path):
    judged(tmp_path, [RATINGS[0], ["s1", "BART", "r1", "style", "5"]])
    more = [[*RATINGS[0], "revision"], ["s1", "BART", "r1", "style", "7", "2"]]
    job = import_path(write_files(tmp_path / "more", {"ratings.csv": more}))
    assert tables(job)["ratings"] == (1, 0)
    current = Rating.objects.counted(Study.objects.get())
    assert [rating.value for rating in current] == [7]
    assert Rating.objects.count() == 2


def test_a_study_cannot_have_the_name_of_a_page(tmp_path):
    folder = write_files(tmp_path / "new", TABLES)
    with pytest.raises(CommandError, match="the name 'new' is not available"):
        call_command("import_study", folder, verbosity=0)
    assert not Study.objects.exists()
