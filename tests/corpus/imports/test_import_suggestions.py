"""What a file's contents suggest is shown, and imported as it was seen or corrected."""

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Rating
from corpus.models import Study
from tests.fixtures.import_pages import done, first_mappings, of_table, place_of
from tests.fixtures.import_shapes import TEXTS, UNNAMED, WIDE_ASPECTS
from tests.fixtures.study_files import import_path, write_files

pytestmark = pytest.mark.django_db


def test_a_suggestion_is_marked_with_its_records_and_can_be_imported(pages):
    address, page = pages.upload(UNNAMED)
    assert "Please check how this file is read." in page.text
    assert page.text.count('name="start"') == 1, "the page does not begin with the import"
    assert [each["table"] for each in first_mappings(page)] == ["segments", "outputs", "ratings"]
    assert "6 segments, 18 outputs, 54 ratings" in page.text, "its records are shown"
    done(pages.press(address, page, of_table(2, constant_aspect="style")))
    assert Rating.objects.count() == 54


def test_a_suggestion_stays_one_over_reload_until_somebody_says_more(client, pages):
    address, page = pages.upload(UNNAMED)
    page = pages.look(address, page, {})
    assert "please check" in page.text
    assert "please check" in client.get(address).text
    page = pages.look(address, page, of_table(2, constant_aspect="style"))
    assert "please check" not in page.text, "who corrects it has looked at it"
    done(pages.press(address, page))


def test_a_suggestion_may_be_left_out(pages):
    address, page = pages.upload(WIDE_ASPECTS)
    place = place_of(page, "judged.csv")
    job = done(pages.press(address, page, {f"file-{place}-leave_out": "on"}))
    assert "ratings" not in job.result["tables"]


def test_names_that_say_enough_are_no_suggestion(pages):
    _, page = pages.upload(TEXTS)
    assert "please check" not in page.text


def test_the_command_asks_whether_a_suggestion_is_right(tmp_path, capsys):
    path = write_files(tmp_path / "odd", UNNAMED | {"study.json": {"protocol": "likert"}})
    with pytest.raises(CommandError, match="1 question to answer"):
        call_command("import_study", str(path))
    said = capsys.readouterr().out
    assert "--answer read-as:data.csv=yes (proposed)" in said
    assert "segments: segment ← c1; source ← c2" in said
    assert not Study.objects.exists()
    call_command("import_study", str(path), answer=["read-as:data.csv=yes"])
    assert Rating.objects.count() == 54


def test_nothing_is_imported_before_a_suggestion_is_answered(tmp_path):
    path = write_files(tmp_path / "both", WIDE_ASPECTS)
    job = import_path(path, accept=False)
    assert job.state == "failed"
    [question] = job.result["questions"]
    assert (question["name"], question["preset"]) == ("read-as:judged.csv", "yes")
    assert "4 columns: q_{name}" in question["detail"][0]
    job = import_path(path, accept=False, answers={question["name"]: "leave-out"})
    assert job.state == "done"
    assert set(job.result["tables"]) == {"segments", "outputs"}
    [(name, reason)] = job.result["unrecognised"]
    assert (name, "look like ratings" in reason) == ("judged.csv", True)
