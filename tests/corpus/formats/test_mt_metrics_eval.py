"""A language pair of mt-metrics-eval v2 becomes a study, every cell as it was released."""

import pytest
from django.core.management import call_command

from annotation.models import Rating
from corpus.models import Output, Segment, Study
from metrics.models import Metric, MetricRun
from tests.fixtures.mt_metrics_eval_tree import SYSTEMS, TEXTS, blocks, scores_of, tree
from tests.fixtures.study_files import import_path, write_files, write_zip

pytestmark = pytest.mark.django_db


@pytest.fixture
def imported(tmp_path):
    job = import_path(write_files(tmp_path / "wmt", tree()))
    assert job.state == "done", job.result
    return job


def test_texts_become_segments_references_and_outputs(imported):
    study = Study.objects.get(slug="small")
    assert (study.title, study.language) == ("wmt99 en-de", "de")
    segments = list(Segment.objects.values_list("key", "attributes"))
    assert segments == [
        ("1", {"domain": "news", "document": "doc 1"}),
        ("2", {"domain": "news", "document": "doc 1"}),
        ("3", {"domain": "chat", "document": "doc 2"}),
    ]
    references = Output.objects.filter(system__kind="reference", segment__key="3")
    assert list(references.order_by("variant").values_list("text", flat=True)) == [
        "Wie geht's?",
        "Na?",
    ]
    for name in SYSTEMS:
        texts = Output.objects.filter(system__name=name).order_by("segment__ordinal")
        assert list(texts.values_list("text", flat=True)) == TEXTS
    assert "References: refA is reference 1, refB is reference 2." in imported.result["notes"]


def test_scores_of_people_are_ratings_and_none_is_no_rating(imported):
    rated = Rating.objects.values_list(
        "submission__item__campaign__slug",
        "aspect",
        "submission__item__first__system__name",
        "submission__item__first__segment__key",
        "value",
    )
    assert set(rated) == {
        ("mqm", "overall", "ONLINE-A", "1", -1.0),
        ("mqm", "overall", "ONLINE-A", "3", -25.200000000000003),
        ("mqm", "overall", "GPT4_5shot", "1", 0.0),
        ("mqm", "overall", "GPT4_5shot", "3", -0.1),
        ("mqm", "overall", "refB", "1", -5.0),
        ("mqm", "overall", "refB", "3", -1.0),
    }
    assert "mqm: 3 of 9 scores are None, so not rated." in imported.result["notes"]
    different = [note for note in imported.result["notes"] if "not the means" in note]
    assert len(different) == 1
    assert "1 of 3 systems" in different[0]
    assert "refB" in different[0]


def test_a_metric_is_stored_by_base_name_and_what_it_was_compared_to(imported):
    runs = {(run.metric.name, run.compared_to): run for run in MetricRun.objects.all()}
    assert set(runs) == {("BLEU", "refA"), ("x-QE.v2", "src"), ("of_systems", "refA")}
    bleu = scores_of(runs["BLEU", "refA"])
    assert len(bleu) == 9
    assert (bleu["refB", "2"], bleu["GPT4_5shot", "3"]) == (2.0, 0.9)
    assert len(scores_of(runs["x-QE.v2", "src"])) == 12
    assert set(Metric.objects.values_list("orientation", flat=True)) == {"higher"}


def test_of_several_pairs_one_has_to_be_chosen(tmp_path):
    path = write_zip(tmp_path / "two.zip", {**tree(), **tree("zh-en")})
    refused = import_path(path)
    [problem] = refused.result["problems"]
    assert (problem["code"], problem["found"]) == ("select", "en-de, zh-en")
    job = import_path(path, select="zh-en")
    assert job.result["read_as"].endswith("language pair zh-en")
    assert "not of zh-en" in {reason for _, reason in job.result["unrecognised"]}
    assert import_path(path, select="zh-de").result["problems"][0]["code"] == "select"


@pytest.mark.parametrize(
    ("changes", "place", "code"),
    [
        (
            {"BLEU-refA.seg.score": "ONLINE-A 1\nONLINE-A 2\nONLINE-A 1,5\n"},
            ("metric-scores/en-de/BLEU-refA.seg.score", 3),
            "number",
        ),
        (
            {"BLEU-refA.seg.score": "ONLINE-A 1\nONLINE-A 2\nrefB 1\nrefB 2\nrefB 3\n"},
            ("metric-scores/en-de/BLEU-refA.seg.score", 3),
            "line-count",
        ),
        (
            {"BLEU-refA.seg.score": blocks({"ONLINE-A": ["1", "2", "3", "4"]})},
            ("metric-scores/en-de/BLEU-refA.seg.score", 4),
            "fields",
        ),
        (
            {"mqm.seg.score": "ONLINE-B -1\nONLINE-B -1\nONLINE-B -1\n"},
            ("human-scores/en-de.mqm.seg.score", 1),
            "unknown-system",
        ),
        (
            {"BLEU-refA.sys.score": "refA nan\n"},
            ("metric-scores/en-de/BLEU-refA.sys.score", 1),
            "number",
        ),
        (
            {"BLEU-refA.seg.score": "refB 1\nrefB 1 2\nrefB 3\n"},
            ("metric-scores/en-de/BLEU-refA.seg.score", 2),
            "fields",
        ),
        (
            {"BLEU-refA.seg.score": "refB 1\nrefB 2\nrefB 3\nrefA 1\nrefA 2\nrefA 3\n" * 2},
            ("metric-scores/en-de/BLEU-refA.seg.score", 7),
            "duplicate",
        ),
        (
            {"BLEU-refA.seg.score": "refB 1\nrefB 2\n"},
            ("metric-scores/en-de/BLEU-refA.seg.score", 3),
            "line-count",
        ),
        ({"ONLINE-A.txt": ""}, ("system-outputs/en-de/ONLINE-A.txt", 1), "line-count"),
        ({"refA.txt": "only one\n"}, ("references/en-de.refA.txt", 2), "line-count"),
        ({"ONLINE-A.txt": "a\nb\nc\nd\n"}, ("system-outputs/en-de/ONLINE-A.txt", 4), "line-count"),
        ({"en-de.docs": "news\nnews a\nnews a\n"}, ("documents/en-de.docs", 1), "fields"),
        ({"sources__en-de.txt": b"a\n\xff\nc\n"}, ("sources/en-de.txt", 2), "encoding"),
    ],
)
def test_what_is_wrong_is_shown_in_the_released_file(tmp_path, changes, place, code):
    files = tree()
    for end, content in changes.items():
        names = [each for each in files if each.endswith(end.replace("__", "/"))]
        files[names[0]] = content
    job = import_path(write_files(tmp_path / "wmt", files))
    assert job.state == "failed"
    first = job.result["problems"][0]
    assert (first["file"], first["line"], first["code"]) == (f"wmt99/{place[0]}", place[1], code)
    assert not Segment.objects.exists()


def test_the_command_imports_every_pair_into_a_study_of_its_own(tmp_path, capsys):
    folder = write_files(tmp_path / "wmt99", {**tree(root=""), **tree("zh-en", root="")})
    call_command("import_study", folder, select="all")
    assert set(Study.objects.values_list("slug", "title")) == {
        ("wmt99-en-de", "wmt99 en-de"),
        ("wmt99-zh-en", "wmt99 zh-en"),
    }
    assert "read as: WMT metrics task" in capsys.readouterr().out
