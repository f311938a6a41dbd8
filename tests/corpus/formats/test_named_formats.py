"""Files made to the documented schemas of annotation tools and metrics are read by name."""

import json
import subprocess
import sys

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from annotation.models import Item, Rating
from corpus.models import Output, Study
from metrics.models import SystemScore
from tests.fixtures.stored_rows import compared, outputs, rated
from tests.fixtures.study_files import TABLES, import_path, write_files

pytestmark = pytest.mark.django_db


def done(tmp_path, files, **options):
    """Import files that must be taken; return the job."""
    job = import_path(write_files(tmp_path / "files", files), **options)
    assert job.state == "done", job.result
    return job


def lines(*records: object) -> str:
    return "".join(json.dumps(each) + "\n" for each in records)


def test_wmt_mqm_errors_become_weighted_ratings(tmp_path):
    header = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n"
    rows = [
        ("A", "d1", "1", "7", "r1", "Guten Tag", "Good <v>dai</v>", "Fluency/Spelling", "Minor"),
        ("A", "d1", "1", "7", "r1", "Guten Tag", "<v>Good</v> dai", "Accuracy/Addition", "Major"),
        ("A", "d1", "1", "7", "r2", "Guten Tag", 'Good "dai"', "No-error", "no-error"),
        ("B", "d1", "1", "7", "r1", "Guten Tag", "Hi<v>,</v>", "Fluency/Punctuation", "Minor"),
        ("B", "d1", "2", "8", "r1", "Hm", "x", "Non-translation!", "Major"),
        ("B", "d1", "2", "9", "r1", "Hm", "x", "Other", "HOTW-test"),
        ("B", "d1", "2", "8", "r2", "Hm", "x", "Source issue", "Major"),
        ("B", "d1", "2", "8", "r4", "Hm", "x", "Accuracy/Omission", "critical"),
        ("B", "d1", "2", "8", "r2", "Hm", "x", "Accuracy/Creative Reinterpretation", "Minor"),
        ("B", "d1", "2", "8", "r2", "Hm", "x", "Non-translation!", "Minor"),
        *[("B", "d1", "2", "8", "r3", "Hm", "x", "Fluency/Punctuation", "Minor")] * 3,
    ]
    rows[2] = (*rows[2][:6], "Good dai", *rows[2][7:])
    text = header + "".join("\t".join(row) + "\n" for row in rows)
    job = done(tmp_path, {"mqm.tsv": text})
    assert job.result["read_as"] == "WMT MQM annotations (TSV)"
    errors = {row for row in rated() if row[3] != "overall"}
    assert rated() - errors == {
        ("d1:7", "A", "r1", "overall", -6.0),
        ("d1:7", "A", "r2", "overall", 0.0),
        ("d1:7", "B", "r1", "overall", -0.1),
        ("d1:8", "B", "r1", "overall", -25.0),
        ("d1:8", "B", "r2", "overall", -1.0),
        ("d1:8", "B", "r3", "overall", -0.3),
        ("d1:8", "B", "r4", "overall", -5.0),
    }
    assert {(*row[:3], row[3].removeprefix("errors_"), row[4]) for row in errors if row[4]} == {
        ("d1:7", "A", "r1", "major", -1.0),
        ("d1:7", "A", "r1", "minor", -1.0),
        ("d1:7", "B", "r1", "minor", -1.0),
        ("d1:8", "B", "r1", "major", -1.0),
        ("d1:8", "B", "r2", "minor", -1.0),
        ("d1:8", "B", "r3", "minor", -3.0),
        ("d1:8", "B", "r4", "major", -1.0),
    }
    assert len(errors) == 2 * 7
    assert ("d1:7", "A", "Good dai") in outputs()
    assert any("'HOTW-test'" in note for note in job.result["notes"])


def test_appraise_scores_without_texts_and_with_control_items(tmp_path):
    rows = [
        ["engdeu01", "A", "1", "TGT", "eng", "deu", "81", "doc-1", "False", "1.0", "2.0"],
        ["engdeu01", "B", "1", "TGT", "eng", "deu", "64", "doc-1", "False", "1.0", "2.0"],
        ["engdeu01", "B", "1", "BAD", "eng", "deu", "3", "doc-1", "False", "1.0", "2.0"],
        ["engdeu01", "A", "2", "TGT", "eng", "deu", "70", "doc-1", "True", "1.0", "2.0"],
    ]
    job = done(tmp_path, {"scores.csv": rows})
    assert job.result["read_as"] == "Appraise scores (CSV)"
    assert rated() == {
        ("doc-1:1", "A", "engdeu01", "overall", 81.0),
        ("doc-1:1", "B", "engdeu01", "overall", 64.0),
        ("doc-1:1", "B", "engdeu01", "overall", 3.0),
    }
    control = Rating.objects.get(value=3).submission.item
    assert control.kind == Item.Kind.DEGRADED
    assert control.original == Rating.objects.get(value=64).submission.item
    assert Study.objects.get().without_texts


def test_summeval_by_mappings_alone(tmp_path):
    judged = {"coherence": 2, "fluency": 5}
    record = {
        "id": "dm-1",
        "model_id": "M11",
        "decoded": "A summary.",
        "text": "An article.",
        "references": ["One.", "Two."],
        "expert_annotations": [judged, {"coherence": 1, "fluency": 4}],
        "turker_annotations": [{"coherence": 3, "fluency": 3}],
    }
    other = {**record, "model_id": "M8", "decoded": "Another.", "turker_annotations": []}
    job = done(tmp_path, {"model_annotations.aligned.paired.jsonl": lines(record, other)})
    assert job.result["read_as"] == "SummEval (JSON Lines)"
    assert outputs() == {("dm-1", "M11", "A summary."), ("dm-1", "M8", "Another.")}
    assert Output.objects.filter(system__kind="reference").count() == 2
    experts = Rating.objects.filter(submission__item__campaign__slug="experts")
    assert experts.count() == 8
    assert ("dm-1", "M11", "2", "coherence", 1.0) in rated()
    assert Rating.objects.filter(submission__item__campaign__slug="crowd").count() == 2


@pytest.mark.parametrize("systems", [["BART"], ["BART", "T5"]])
def test_what_sacrebleu_prints_becomes_scores_of_systems(tmp_path, systems):
    texts = tmp_path / "texts"
    texts.mkdir()
    for name in ("ref", *systems):
        (texts / f"{name}.txt").write_text(f"the cat sat on the mat with {name}\na b c d e\n")
    command = [sys.executable, "-m", "sacrebleu", "ref.txt", "-i"]
    command += [f"{name}.txt" for name in systems]
    command += ["-m", "bleu", "chrf", "--format", "json"]
    printed = subprocess.run(command, cwd=texts, capture_output=True, text=True, check=True).stdout
    import_path(write_files(tmp_path / "study", TABLES))
    job = import_path(write_files(tmp_path / "scores", {f"{systems[0]}.json": printed}))
    assert job.state == "done", job.result
    assert job.result["read_as"] == "sacreBLEU scores (JSON)"
    found = SystemScore.objects.values_list("system__name", "run__metric__name")
    assert set(found) == {(name, metric) for name in systems for metric in ("BLEU", "chrF2")}


MT_SET = """<?xml version='1.0' encoding='utf-8'?>
<dataset id="newstest"><collection id="news">
<doc id="d1" origlang="en">
<src lang="en"><p><seg id="1">It depends.</seg><seg id="2">No.</seg></p></src>
<ref lang="de" translator="A"><p><seg id="1">Kommt darauf an.</seg><seg id="2">Nein.</seg></p></ref>
<hyp system="X" lang="de"><p><seg id="1">Je nachdem.</seg><seg id="2"/></p></hyp>
</doc>
<doc id="d2" origlang="en">
<src lang="en"><p><seg id="1">Yes.</seg></p></src>
<ref lang="de" translator="A"><p><seg id="1">Ja.</seg></p></ref>
<ref lang="de" translator="B"><p><seg id="1">Doch.</seg></p></ref>
<hyp system="X" lang="de"><p><seg id="1">Jawohl.</seg></p></hyp>
</doc>
</collection></dataset>
"""


def references():
    found = Output.objects.filter(system__kind="reference").order_by("segment__key", "variant")
    return list(found.values_list("segment__key", "variant", "text"))


def test_a_test_set_in_xml_is_read_with_its_references(tmp_path):
    job = done(tmp_path, {"newstest.xml": MT_SET})
    assert job.result["read_as"] == "Test sets of machine translation (XML, SGML)"
    expected = {("d1:1", "X", "Je nachdem."), ("d1:2", "X", ""), ("d2:1", "X", "Jawohl.")}
    assert outputs() == expected
    assert references() == [
        ("d1:1", 1, "Kommt darauf an."),
        ("d1:2", 1, "Nein."),
        ("d2:1", 1, "Ja."),
        ("d2:1", 2, "Doch."),
    ]
    segment = Study.objects.get().segments.get(key="d2:1")
    assert segment.attributes == {"document": "d2", "domain": "news"}
    assert "References are in the order A, B." in job.result["notes"]


def test_a_test_set_in_sgml_is_put_together_from_its_files(tmp_path):
    def file(kind, system, *texts):
        segs = "".join(f"<seg id={n}>{text}</seg>\n" for n, text in enumerate(texts, 1))
        by = f" sysid={system}" if system else ""
        return f'<{kind}set setid="a">\n<DOC docid="d"{by}>\n{segs}</DOC>\n</{kind}set>\n'

    files = {
        "a-src.sgm": file("src", "", "Hallo", "Tom & Jerry"),
        "a-ref.sgm": file("ref", "ref", "Hello", "Tom and Jerry"),
        "x.sgm": file("tst", "X", "Hi", "Tom + Jerry"),
        "y.sgm": file("tst", "Y", "Ho", "T & J"),
    }
    job = done(tmp_path, files)
    assert job.result["tables"]["outputs"]["added"] == 4
    assert ("d:2", "Y", "T & J") in outputs()
    assert references() == [("d:1", 1, "Hello"), ("d:2", 1, "Tom and Jerry")]


def pair_task(number, data, *results, rater=3):
    """Return a task of Label Studio in which texts `a` and `b` are shown side by side."""
    keys = ("from_name", "to_name", "type", "value")
    said = [dict(zip(keys, result, strict=True)) for result in results]
    return {"id": number, "data": data, "annotations": [{"completed_by": rater, "result": said}]}


def choice(side):
    return ("better", "a,b", "pairwise", {"selected": side})


def test_choices_between_shuffled_systems_are_comparisons(tmp_path):
    texts = {"source": "Hallo", "text_a": "Hi", "text_b": "Ho"}
    tasks = [
        pair_task(
            1,
            {**texts, "model_a": "X", "model_b": "Y"},
            choice("left"),
            ("fluency", "a", "rating", {"rating": 4}),
            ("clear", "source", "rating", {"rating": 5}),
        ),
        pair_task(2, {**texts, "model_a": "Y", "model_b": "X"}, choice("left"), rater=4),
        pair_task(3, {**texts, "model_a": "Y", "model_b": "X"}, choice("right")),
        pair_task(4, {**texts, "model_a": "X", "model_b": "X"}, choice("right")),
        pair_task(5, {**texts, "model_a": "X", "model_b": "Y"}, choice("none")),
    ]
    notes = done(tmp_path, {"project.json": json.dumps(tasks)}).result["notes"]
    assert {(*row[:4], row[5], row[6]) for row in compared()} == {
        ("1", "X", "Y", "3", "first", False),
        ("2", "Y", "X", "4", "first", False),
        ("3", "Y", "X", "3", "second", False),
    }
    assert ("1", "X", "3", "fluency", 4.0) in rated()
    assert outputs() == {
        *((n, "X", "Hi") for n in "15"),
        *((n, "Y", "Ho") for n in "15"),
        *((n, "Y", "Hi") for n in "23"),
        *((n, "X", "Ho") for n in "23"),
    }
    for what in (
        "1 answers about none of the texts that are compared",
        "1 comparisons without a choice",
        "1 comparisons of texts that the names of their fields do not tell apart",
        "1 tasks whose two texts",
    ):
        assert any(note.startswith(what) for note in notes), (what, notes)


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"a": "1", "b": "2", "text_a": "3", "text_b": "4"}, ("a", "b")),
        (
            {"output_A": "1", "output_B": "2", "note_a": "3", "note_b": "4"},
            ("output_A", "output_B"),
        ),
        ({"said-a": "1", "said-b": "2"}, ("said-a", "said-b")),
        ({"said-a": "1", "said-b": "2", "note_a": "3", "note_b": "4"}, None),
        ({"said-a": "1", "said-c": "2"}, None),
        ({}, None),
    ],
)
def test_texts_side_by_side_are_told_by_the_names_of_their_fields(tmp_path, fields, expected):
    task = pair_task(1, {"id": "s1", "source": "Hallo", **fields}, choice("left"))
    job = import_path(write_files(tmp_path / "files", {"project.json": json.dumps([task])}))
    expected = expected or ()
    assert {row[1:] for row in outputs()} == set(zip(expected, "12", strict=False))
    assert expected or "do not tell apart" in job.result["problems"][0]["message"]


CARD = """---
pretty_name: Small set
language:
- de
license: cc-by-4.0
configs:
- config_name: ratings
  data_files:
  - split: train
    path: data/train-*
- config_name: other
  data_files: other.csv
---
# Small set
"""


def test_a_hugging_face_folder_is_read_by_its_card(tmp_path):
    folder = write_files(tmp_path / "set", {"README.md": CARD, "other.csv": [["a"], ["b"]]})
    table = pa.table(
        {
            "segment_id": ["s1", "s1"],
            "source": ["Hallo", "Hallo"],
            "system": ["A", "B"],
            "output": ["Hi", "Ho"],
            "rater": ["r1", "r1"],
            "fluency": [4, 2],
        }
    )
    (folder / "data").mkdir()
    pq.write_table(table, folder / "data" / "train-00000-of-00001.parquet")
    refused = import_path(folder)
    assert refused.result["problems"][0]["code"] == "select"
    job = import_path(folder, select="ratings")
    assert job.state == "done", job.result
    study = Study.objects.get()
    assert (study.title, study.language) == ("Small set", "de")
    assert outputs() == {("s1", "A", "Hi"), ("s1", "B", "Ho")}
    assert [entry for entry in job.result["unrecognised"] if entry[0] == "other.csv"]
