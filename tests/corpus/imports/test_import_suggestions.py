"""What a file's contents suggest is shown, and imported only when somebody has confirmed it."""

import json

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from annotation.models import Rating
from corpus.imports.options import read_mappings
from corpus.models import Job, Study
from tests.fixtures.import_pages import done, first_mappings, of_table, place_of
from tests.fixtures.import_shapes import TEXTS, UNNAMED, WIDE_ASPECTS
from tests.fixtures.study_files import import_path, write_files

pytestmark = pytest.mark.django_db


def test_a_suggestion_is_marked_and_not_imported_before_it_is_confirmed(pages):
    address, page = pages.upload(UNNAMED)
    assert "Please confirm how this file is read." in page.text
    assert [each["table"] for each in first_mappings(page)] == ["segments", "outputs", "ratings"]
    assert "6 segments, 18 outputs, 54 ratings" in page.text, "its records are shown"
    aspect = of_table(2, constant_aspect="style")
    refused = pages.press(address, page)
    assert refused.status_code == 400
    assert "recognised only by their contents" in refused.text
    assert not Job.objects.exists()
    done(pages.press(address, page, aspect | {"file-0-confirm": "on"}))
    assert Rating.objects.count() == 54


def test_a_suggestion_stays_one_over_reload_until_somebody_says_more(client, pages):
    address, page = pages.upload(UNNAMED)
    page = pages.look(address, page, {})
    assert "please confirm" in page.text
    assert "please confirm" in client.get(address).text
    page = pages.look(address, page, of_table(2, constant_aspect="style"))
    assert "please confirm" not in page.text, "who corrects it has looked at it"
    done(pages.press(address, page))


def test_a_suggestion_may_be_left_out(pages):
    address, page = pages.upload(WIDE_ASPECTS)
    place = place_of(page, "judged.csv")
    job = done(pages.press(address, page, {f"file-{place}-leave_out": "on"}))
    assert "ratings" not in job.result["tables"]


def test_names_that_say_enough_are_no_suggestion(pages):
    _, page = pages.upload(TEXTS)
    assert "please confirm" not in page.text


def test_the_command_refuses_and_prints_a_mapping_that_it_takes(tmp_path, capsys):
    path = write_files(tmp_path / "odd", UNNAMED)
    with pytest.raises(CommandError, match="nothing was imported"):
        call_command("import_study", str(path))
    said = capsys.readouterr()
    assert "import again with it as --mapping: data.csv" in said.err
    assert not Study.objects.exists()
    mapping = tmp_path / "mapping.json"
    proposed = json.loads(said.out)
    proposed["data.csv"][2]["constants"] = {"aspect": "style"}
    mapping.write_text(json.dumps(proposed), encoding="utf-8")
    call_command("import_study", str(path), mapping=mapping)
    assert Rating.objects.count() == 54


def test_files_with_names_are_imported_and_the_others_proposed(client, tmp_path):
    job = import_path(write_files(tmp_path / "both", WIDE_ASPECTS))
    assert job.state == "done"
    assert set(job.result["tables"]) == {"segments", "outputs"}
    assert not Rating.objects.exists()
    [(name, reason)] = job.result["unrecognised"]
    assert name == "judged.csv"
    assert "its columns look like ratings: confirm the proposed mapping" in reason
    [mapping] = read_mappings(job.result["proposed_mappings"])["judged.csv"]
    assert mapping.wide.pattern == "q_{name}"


def test_the_page_of_the_job_shows_the_proposed_mapping(client, study, tmp_path):
    job = import_path(write_files(tmp_path / "both", WIDE_ASPECTS))
    text = client.get(reverse("job", args=[job.pk])).text
    assert "Files to be confirmed" in text
    assert "&quot;pattern&quot;: &quot;q_{name}&quot;" in text
