"""The study bundle: the same bytes wherever a study is, safe in spreadsheets, checked on import."""

import csv
import hashlib
import io
import json
import zipfile

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from annotation.models import Rating
from corpus.exports.bundle import StudyChanging, write_bundle
from corpus.models import Output, Segment, Study, System
from tests.fixtures.study_files import (
    OUTPUTS,
    RATINGS,
    SEGMENTS,
    TABLES,
    import_path,
    write_files,
    write_zip,
)

pytestmark = pytest.mark.django_db


def bundle(slug, path, **options):
    write_bundle(Study.objects.get(slug=slug), path, **options)
    return members(path)


def members(path):
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.fixture
def round_trip(tmp_path):
    """Import files, export, import that into another study, export again; compare the bytes."""

    def travel(files, **options):
        job = import_path(write_files(tmp_path / "first", files), **options)
        assert job.state == "done", job.error
        first = bundle("small", tmp_path / "first.zip")
        Study.objects.filter(slug="small").update(slug="elsewhere")
        job = import_path(tmp_path / "first.zip")
        assert job.state == "done", job.error
        assert job.result["unrecognised"] == []
        second = bundle("small", tmp_path / "second.zip")
        assert second == first
        assert (tmp_path / "second.zip").read_bytes() == (tmp_path / "first.zip").read_bytes()
        return first

    return travel


def rows(content):
    return list(csv.DictReader(io.StringIO(content.decode(), newline="")))


def test_a_study_exported_imported_and_exported_again_is_the_same_to_the_byte(round_trip):
    content = round_trip(TABLES)
    assert list(content) == [
        "segments.csv",
        "systems.csv",
        "outputs.csv",
        "ratings.csv",
        "metric_scores.csv",
        "study.json",
        "manifest.json",
    ]


@pytest.mark.nightly
@pytest.mark.parametrize("study", ["mir2019", "lai2022"])
def test_a_published_study_travels_to_the_byte(round_trip, studies, tmp_path, study):
    files = {path.name: path.read_bytes() for path in (studies / study).iterdir()}
    files.pop("expected.json")
    round_trip(files)


def test_texts_that_csv_makes_hard_travel_unchanged(round_trip):
    texts = [
        "",
        " x ",
        "a\rb",
        "a\nb",
        "a\r\nb",
        '"',
        '""a',
        ",;\t",
        "=1+1",
        "-2",
        "\u2028",
        "'",
        "NA",
        "\\N",
        "\\.",
        "a\\tb",
    ]
    outputs = [OUTPUTS[0], *(["s1", f"m{n}", text] for n, text in enumerate(texts))]
    round_trip({"segments.csv": SEGMENTS, "outputs.csv": outputs})
    stored = Output.objects.filter(study__slug="small", system__kind="system").order_by("ordinal")
    assert list(stored.values_list("text", flat=True)) == texts


NAMED_LIKE_FIELDS = """
-- table: segments
SELECT _row, key AS segment, text AS source, better AS reference, source AS "attribute.source",
    segment AS "attribute.segment", source_, reference_1,
    target_style AS "attribute.target_style"
FROM files."segments.csv";
-- table: systems
SELECT _row, name AS system, system AS "attribute.system", human AS "attribute.human"
FROM files."systems.csv";
"""


def test_attributes_named_like_fields_travel(round_trip):
    segments = [
        ["key", "text", "better", "source", "segment", "source_", "reference_1", "target_style"],
        ["s1", "gonna", "going to", "forum", "17", "web", "yes", "odd"],
        ["s2", "dunno", "", "mail", "", "", "no", ""],
    ]
    systems = [["name", "system", "human"], ["A", "first", "true"]]
    declared = {"query": NAMED_LIKE_FIELDS}
    files = {"segments.csv": segments, "systems.csv": systems, "study.json": declared}
    content = round_trip(files)
    assert Segment.objects.get(study__slug="small", key="s1").attributes == {
        "source": "forum",
        "segment": "17",
        "source_": "web",
        "reference_1": "yes",
        "target_style": "odd",
    }
    assert System.objects.get(study__slug="small", name="A").attributes["system"] == "first"
    header = content["segments.csv"].split(b"\r\n")[0]
    assert header == (
        b"segment_,source__,source_style,target_style_,reference_1_,"
        b"source,segment,source_,reference_1,target_style"
    )


def test_pairs_of_systems_travel_whatever_the_order_of_outputs(round_trip):
    outputs = [OUTPUTS[0], ["s1", "A", "a"], ["s1", "B", "b"], ["s2", "B", "b"], ["s2", "A", "a"]]
    ratings = [["segment", "system", "against", "rater", "aspect", "judgement"]]
    for segment in ("s1", "s2"):
        ratings += [
            [segment, "A", "B", "r1", "fluency", "A"],
            [segment, "A", "B", "r2", "fluency", "B"],
            [segment, "A", "B", "r3", "fluency", "tie"],
            [segment, "B", "(source)", "r1", "fluency", "source"],
            [segment, "B", "(reference)", "r1", "fluency", "output"],
        ]
    segments = [*SEGMENTS]
    segments[2] = ["s2", "dunno", "informal", "formal", "I do not know.", "", "chat"]
    content = round_trip({"segments.csv": segments, "outputs.csv": outputs, "ratings.csv": ratings})
    written = [(r["system"], r["against"], r["judgement"]) for r in rows(content["ratings.csv"])]
    assert written == [
        ("B", "A", "A"),
        ("B", "A", "B"),
        ("B", "A", "tie"),
        ("B", "(source)", "source"),
        ("B", "(reference)", "B"),
    ] * 2  # fmt: skip


def test_two_texts_of_one_system_and_systems_named_like_answers_travel(round_trip):
    outputs = [[*OUTPUTS[0], "variant"], ["s1", "A", "one", "1"], ["s1", "A", "two", "2"]]
    outputs += [["s1", name, "x", "1"] for name in ("source", "tie", "5")]
    ratings = [
        ["segment", "system", "variant", "against", "against_variant", "aspect", "judgement"]
    ]
    ratings[0].append("rater")
    ratings += [
        ["s1", "A", "2", "A", "1", "fluency", "output", "r1"],
        ["s1", "A", "2", "A", "1", "fluency", "(against)", "r2"],
        ["s1", "source", "1", "(source)", "1", "fluency", "output", "r1"],
        ["s1", "tie", "1", "A", "1", "fluency", "output", "r1"],
        ["s1", "5", "1", "tie", "1", "fluency", "(against)", "r1"],
    ]
    round_trip({"segments.csv": SEGMENTS, "outputs.csv": outputs, "ratings.csv": ratings})
    assert [r.choice for r in Rating.objects.order_by("id")[:5]] == [
        "second", "first", "second", "second", "first",
    ]  # fmt: skip


def test_missing_scores_distributions_comments_and_revisions_travel(round_trip):
    scores = [["segment", "system", "metric", "score"], ["s1", "T5", "bleu", ""]]
    scores += [["s2", "T5", "bleu", "0.1"], ["s3", "T5", "bleu", "-1e-300"]]
    mapping = {
        "table": "metric_scores",
        "columns": {n: n for n in scores[0]} | {"score": "= missing(score, [''])"},
    }
    distributions = [["segment", "system", "classifier", "p_b", "p_a"]]
    distributions += [["s1", "T5", "cnn", "0.1", "0.9"], ["s2", "(source)", "cnn", "1", "0"]]
    ratings = [[*RATINGS[0], "revision", "comment"]]
    ratings += [
        ["s1", "T5", "r1", "style", "5", "1", 'first,\n"odd"'],
        ["s1", "T5", "r1", "style", "7", "2", ""],
    ]
    files = {
        "segments.csv": SEGMENTS,
        "outputs.csv": OUTPUTS,
        "metric_scores.csv": scores,
        "style_distributions.csv": distributions,
        "ratings.csv": ratings,
    }
    content = round_trip(files, mappings={"metric_scores.csv": [mapping]})
    assert [row["score"] for row in rows(content["metric_scores.csv"])] == ["", "0.1", "-1e-300"]
    assert b"p_a,p_b" in content["style_distributions.csv"]


# Spreadsheets


def test_for_spreadsheets_formulas_are_harmless_and_numbers_stay_numbers(tmp_path):
    texts = ["=1+1", "+x", "-x", "@x", "plain", "\tx"]
    outputs = [OUTPUTS[0], *(["s1", f"={n}", text] for n, text in enumerate(texts))]
    scores = [["segment", "system", "metric", "score"], ["s1", "=1", "bleu", "-0.5"]]
    segments = [["segment", "source", "=cmd"], ["s1", "x", "@y"]]
    files = {"segments.csv": segments, "outputs.csv": outputs, "metric_scores.csv": scores}
    assert import_path(write_files(tmp_path / "1", files)).state == "done"
    plain = bundle("small", tmp_path / "plain.zip")
    safe = bundle("small", tmp_path / "safe.zip", for_spreadsheets=True)
    assert [row["output"] for row in rows(plain["outputs.csv"])] == texts
    assert safe["outputs.csv"].startswith(b"\xef\xbb\xbf")
    written = rows(safe["outputs.csv"].removeprefix(b"\xef\xbb\xbf"))
    assert [row["output"] for row in written] == ["'=1+1", "'+x", "'-x", "'@x", "plain", "'\tx"]
    assert written[0]["system"] == "'=0"
    [score] = rows(safe["metric_scores.csv"].removeprefix(b"\xef\xbb\xbf"))
    assert score["score"] == "-0.5"
    [segment] = rows(safe["segments.csv"].removeprefix(b"\xef\xbb\xbf"))
    assert segment["'=cmd"] == "'@y"


def test_a_zip_for_spreadsheets_is_refused_on_import(tmp_path):
    import_path(write_files(tmp_path / "1", TABLES))
    bundle("small", tmp_path / "safe.zip", for_spreadsheets=True)
    job = import_path(tmp_path / "safe.zip", slug="again")
    [problem] = job.result["problems"]
    assert (problem["file"], problem["code"]) == ("manifest.json", "bundle")
    assert "written for spreadsheets" in problem["message"]
    assert not Output.objects.filter(study__slug="again").exists()


# Checksums


def test_members_that_changed_or_are_absent_are_named(tmp_path):
    import_path(write_files(tmp_path / "1", TABLES))
    content = bundle("small", tmp_path / "first.zip")
    content["outputs.csv"] = content["outputs.csv"].replace(b"BART writes 1", b"BART writes !")
    del content["ratings.csv"]
    for path in (
        write_zip(tmp_path / "bad.zip", content),
        write_zip(tmp_path / "in.zip", {f"folder/{name}": c for name, c in content.items()}),
        write_files(tmp_path / "bad", content),
    ):
        job = import_path(path, slug="again")
        problems = {p["file"]: p for p in job.result["problems"]}
        assert set(problems) == {"outputs.csv", "ratings.csv"}
        stated = json.loads(content["manifest.json"])["members"]["outputs.csv"]["sha256"]
        found = hashlib.sha256(content["outputs.csv"]).hexdigest()
        assert problems["outputs.csv"]["found"] == f"SHA-256 {found}"
        assert stated in problems["outputs.csv"]["expected"]
        assert problems["ratings.csv"]["found"] == "nothing"
        assert "remove manifest.json" in problems["outputs.csv"]["message"]
    del content["manifest.json"]
    assert import_path(write_files(tmp_path / "edited", content), slug="edited").state == "done"


def test_a_bundle_of_a_later_format_is_refused(tmp_path):
    manifest = {"format": "touchstone-study/9", "members": {}}
    job = import_path(write_files(tmp_path / "1", TABLES | {"manifest.json": manifest}))
    assert "another version of Touchstone" in job.error


# Writing


def test_an_export_during_which_something_is_published_starts_again(tmp_path):
    import_path(write_files(tmp_path / "1", {"segments.csv": SEGMENTS}))
    study, done = Study.objects.get(), []

    def publish_meanwhile(member, rows, total):
        if not done:
            done.append(member)
            import_path(write_files(tmp_path / "2", {"outputs.csv": OUTPUTS}))

    write_bundle(study, tmp_path / "x.zip", report=publish_meanwhile)
    assert len(rows(members(tmp_path / "x.zip")["outputs.csv"])) == 8


def test_a_study_that_never_stands_still_is_given_up(tmp_path):
    study = Study.objects.create(slug="restless")
    Segment.objects.create(study=study, ordinal=0, key="s1")

    def change(member, rows, total):
        study.revision += 1
        Study.objects.filter(pk=study.pk).update(revision=study.revision)

    with pytest.raises(StudyChanging, match="restless changed while it was exported"):
        write_bundle(study, tmp_path / "x.zip", report=change)


def test_the_command_writes_the_bundle_and_names_its_members(tmp_path, capsys):
    import_path(write_files(tmp_path / "1", TABLES))
    path = tmp_path / "out.zip"
    call_command("export_study", "small", "--output", str(path))
    assert "outputs.csv: 8 rows" in capsys.readouterr().out
    assert members(path) == bundle("small", tmp_path / "same.zip")
    assert not path.with_name("out.zip.part").exists()
    with pytest.raises(CommandError, match="no study 'large'; there are: small"):
        call_command("export_study", "large")
