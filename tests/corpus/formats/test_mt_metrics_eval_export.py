"""A study with direct scores leaves as mt-metrics-eval v2, and comes back with the same numbers."""

import json
import zipfile

import pytest
from django.core.management import CommandError, call_command

from corpus.exports.named import write_named
from corpus.exports.run import export_path
from corpus.formats.format import CannotWriteError
from corpus.formats.mt_metrics_eval import named_as
from corpus.jobs.worker import run_next
from corpus.models import Study
from tests.fixtures.api_clients import API
from tests.fixtures.mt_metrics_eval_tree import tree
from tests.fixtures.study_files import (
    TABLES,
    import_path,
    stored_content,
    write_files,
)

pytestmark = pytest.mark.django_db


def exported(tmp_path, slug="small", chosen=""):
    """Export a study; return the notes and the files."""
    written = write_named(
        Study.objects.get(slug=slug),
        "mt-metrics-eval-v2",
        tmp_path / f"{slug}-out.zip",
        chosen=chosen,
    )
    with zipfile.ZipFile(tmp_path / f"{slug}-out.zip") as archive:
        return written.notes, {name: archive.read(name).decode() for name in archive.namelist()}


def read(text):
    """Return the scores of a file, system by system, as numbers."""
    found = {}
    for line in text.splitlines():
        system, score = line.split()
        found.setdefault(system, []).append(None if score == "None" else float(score))
    return found


def test_a_pair_leaves_with_the_scores_that_it_came_with(tmp_path):
    import_path(write_files(tmp_path / "wmt", tree()))
    notes, files = exported(tmp_path)
    released = {name.removeprefix("wmt99/"): text for name, text in tree().items()}
    written = {name.removeprefix("small/"): text for name, text in files.items()}
    left_out = {name for name in released if "domain" in name or "rating" in name}
    # Of a metric without released scores of systems, means stand in for them.
    means = "metric-scores/en-de/x-QE.v2-src.sys.score"
    assert set(written) == set(released) - left_out | {means}
    for name, text in written.items():
        if name.endswith(".seg.score"):
            assert read(text) == read(released[name])
        elif not name.endswith(".score"):
            assert text == released[name].replace("doc 1", "doc_1").replace("doc 2", "doc_2")
    system_scores = "metric-scores/en-de/BLEU-refA.sys.score"
    assert read(written[system_scores]) == read(released[system_scores])
    assert read(written["human-scores/en-de.mqm.sys.score"])["refB"] == [-3.0]
    assert not [note for note in notes if "BLEU" in note]
    [said] = [note for note in notes if ".sys.score" in note]
    assert said.startswith("1 files ")
    assert said.endswith("by these metrics: x-QE.v2-src.")


def test_exported_and_imported_again_the_study_is_the_same(tmp_path):
    import_path(write_files(tmp_path / "wmt", tree()))
    exported(tmp_path)
    job = import_path(tmp_path / "small-out.zip", "again")
    assert job.state == "done", job.result
    one, other = stored_content("small"), stored_content("again")
    for name in ("outputs.csv", "ratings.csv", "metric_scores.csv", "systems.csv"):
        assert sorted(one[name].splitlines()) == sorted(other[name].splitlines())


def test_any_study_with_direct_scores_can_leave(tmp_path):
    study = {**TABLES["study.json"], "metrics": {"wmd": {"orientation": "lower"}}}
    outputs = [*TABLES["outputs.csv"][:-1], ["s4", "T5", "two\nlines"]]
    import_path(
        write_files(tmp_path / "a", {**TABLES, "study.json": study, "outputs.csv": outputs})
    )
    notes, files = exported(tmp_path)
    assert files["small/sources/en-en.txt"].splitlines()[1] == "dunno"
    assert "two lines\n" in files["small/system-outputs/en-en/T5.txt"]
    wmd = read(files["small/metric-scores/en-en/wmd-all.seg.score"])
    assert min(wmd["BART"]) == -0.47
    assert len([note for note in notes if "wmd is written with its sign turned" in note]) == 1
    assert "1 texts had line breaks, which are written as spaces." in notes
    content = {(row[0], row[1]): [] for row in TABLES["ratings.csv"][1:] if row[3] == "content"}
    for segment, system, _, aspect, score in TABLES["ratings.csv"][1:]:
        if aspect == "content":
            content[segment, system].append(float(score))
    human = read(files["small/human-scores/en-en.ratings-content.seg.score"])
    assert human["T5"] == [
        sum(content[f"s{n}", "T5"]) / len(content[f"s{n}", "T5"]) for n in range(1, 5)
    ]
    assert import_path(tmp_path / "small-out.zip", "again").state == "done"


def test_a_study_without_texts_of_systems_cannot_leave(tmp_path):
    import_path(write_files(tmp_path / "a", {"segments.csv": TABLES["segments.csv"]}))
    with pytest.raises(CannotWriteError):
        exported(tmp_path)
    with pytest.raises(CommandError, match="nothing to write"):
        call_command(
            "export_study", "small", format="mt-metrics-eval-v2", output=tmp_path / "x.zip"
        )
    assert not (tmp_path / "x.zip.part").exists()


def test_command_page_and_api_write_the_same_files(tmp_path, admin_client, capsys):
    import_path(write_files(tmp_path / "wmt", tree()))
    command = ("export_study", "small", "--as", "mt-metrics-eval-v2", "--pair", "wmt23/zh-en")
    call_command(*command, "--output", str(tmp_path / "c.zip"))
    assert "written" in capsys.readouterr().out
    with zipfile.ZipFile(tmp_path / "c.zip") as archive:
        expected = {name: archive.read(name) for name in archive.namelist()}
    assert "Export as WMT metrics task" in admin_client.get("/studies/small/export/").text
    admin_client.post(
        "/studies/small/export/", {"as": "mt-metrics-eval-v2", "select": "wmt23/zh-en"}
    )
    asked = admin_client.post(
        f"{API}studies/small/exports/", {"format": "nothing"}, content_type="application/json"
    )
    assert asked.status_code == 400
    job = run_next()
    with zipfile.ZipFile(export_path(job)) as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == expected
    assert "wmt23/sources/zh-en.txt" in expected
    assert job.result["file_name"] == "small-mt-metrics-eval-v2.zip"
    asked = admin_client.post(
        f"{API}studies/small/exports/",
        json.dumps({"format": "mt-metrics-eval-v2"}),
        content_type="application/json",
    )
    assert asked.status_code == 202, asked.content
    alone = {"select": "en-de"}
    asked = admin_client.post(
        f"{API}studies/small/exports/", json.dumps(alone), content_type="application/json"
    )
    assert asked.status_code == 400
    with pytest.raises(CommandError, match="--as"):
        call_command("export_study", "small", "--pair", "en-de")


@pytest.mark.parametrize(
    ("study", "chosen", "expected"),
    [
        ({"slug": "a", "title": "WMT23 EN-de"}, "", ("a", "en-de")),
        ({"slug": "wmt25", "title": "wmt25 en-sr_Cyrl_RS"}, "", ("wmt25", "en-sr_Cyrl_RS")),
        ({"slug": "wmt23-en-de", "title": "wmt23 en-de"}, "", ("wmt23", "en-de")),
        ({"slug": "wmt23-he-en", "title": "", "language": "en"}, "", ("wmt23", "he-en")),
        ({"slug": "pre-run", "title": "", "language": "en"}, "", ("pre-run", "en-en")),
        ({"slug": "en-de", "title": "", "language": "de"}, "", ("en-de", "en-de")),
        ({"slug": "a", "title": "", "language": ""}, "", ("a", "und-und")),
        ({"slug": "a", "title": "x en-de"}, "ZH-en", ("a", "zh-en")),
        ({"slug": "wmt23-en-de", "title": ""}, "wmt24/en-de", ("wmt24", "en-de")),
    ],
)
def test_folder_and_files_are_called_after_the_study_or_as_chosen(study, chosen, expected):
    assert named_as(study, chosen) == expected


@pytest.mark.parametrize("chosen", ["german", "x en-de", "en-de.txt", "../en", "en-de/", "/"])
def test_what_is_no_language_pair_is_refused(chosen):
    with pytest.raises(CannotWriteError, match="en-de"):
        named_as({"slug": "a"}, chosen)
