"""Systems whose names suggest people are asked about: on the page, by the command, by the API."""

import json

import pytest
from django.core.management import call_command

from corpus.models import Output, System
from corpus.vocabulary.names import seems_human
from tests.fixtures.html_forms import fields_of
from tests.fixtures.import_pages import done, finished
from tests.fixtures.study_files import (
    OUTPUTS,
    RATINGS,
    SEGMENTS,
    import_path,
    write_files,
)

pytestmark = pytest.mark.django_db
HUMAN = [["s1", "Human-A.0", "I shall be late."], ["s2", "Human-A.0", "I have no idea."]]
ANSWER = "answer-human-written:systems:human-a.0"
FILES = {"segments.csv": SEGMENTS, "outputs.csv": [*OUTPUTS, *HUMAN]}


def attributes(name="Human-A.0", study="small"):
    return System.objects.get(study__slug=study, name=name).attributes


def references(segment, study="small"):
    found = Output.objects.filter(segment__key=segment, study__slug=study)
    found = found.filter(system__name="(reference)").order_by("variant")
    return list(found.values_list("variant", "text"))


def notes(job):
    assert job.state == "done", job.error
    return [note for note in job.result["notes"] if "human-written" in note]


def test_names_that_speak_of_people_are_known_and_others_are_not():
    human = (
        *("Human-A.0", "ref", "refA", "REF-B", "gold", "reference", "human", "reference_2"),
        *("Human 1 Writing", "Gold summary", "ground truth", "human-authored", "GroundTruth"),
        *("crowd", "annotator_3", "human_written", "crowdworkers", "Reference Translation B"),
    )
    others = (
        *("BART", "T5-ref-tuned", "Humanizer", "RefNet", "marigold", "a", "summary", "expert"),
        *("GoldenGate-7B", "reference-free", "crowdllama", "human_eval_tuned"),
    )
    assert [name for name in human if not seems_human(name)] == []
    assert [name for name in others if seems_human(name)] == []


def test_outputs_of_a_reference_stand_behind_the_references_of_their_segments(tmp_path):
    folder = write_files(tmp_path / "1", FILES)
    job = import_path(folder, system_roles={"Human-A.0": "reference"})
    assert notes(job) == []
    assert not System.objects.filter(name="Human-A.0").exists()
    # The text of s1 is its second reference already.
    assert references("s1") == [(1, "I will be late."), (2, "I shall be late.")]
    assert references("s2") == [(1, "I do not know."), (2, "I have no idea.")]
    assert job.result["tables"]["outputs"] == {"added": 8, "unchanged": 0}
    assert job.result["tables"]["segments"] == {"added": 4, "unchanged": 0}
    again = import_path(folder, system_roles={"Human-A.0": "reference"})
    assert again.result["changed"] is False
    assert references("s2") == [(1, "I do not know."), (2, "I have no idea.")]


def test_the_command_and_the_api_take_the_answer(tmp_path, client, owner, study):
    write_files(tmp_path / "1", FILES)
    call_command("import_study", str(tmp_path / "1"), system_role=["Human-A.0=system"])
    assert attributes(study="1") == {"human": False}
    from corpus.jobs.worker import run_next
    from tests.fixtures.import_pages import sent_files

    sent = {"files": sent_files(FILES), "options": json.dumps({"system_roles": {"Human-A.0": "x"}})}
    assert client.post("/api/v1/studies/small/imports/", sent).status_code == 400
    roles = {"system_roles": {"Human-A.0": "reference"}}
    sent = {"files": sent_files(FILES), "options": json.dumps(roles)}
    assert client.post("/api/v1/studies/small/imports/", sent).status_code == 202
    assert run_next().state == "done"
    assert references("s2") == [(1, "I do not know."), (2, "I have no idea.")]


# The page asks


@pytest.mark.parametrize("role", ["reference", pytest.param("system", marks=pytest.mark.nightly)])
def test_the_answer_on_the_page_counts_and_is_remembered(pages, role):
    address, page = pages.upload(FILES | {"ratings.csv": [*RATINGS, ["s9", "T5", "r1", "x", "4"]]})
    assert finished(pages.press(address, page, {ANSWER: role})).state == "failed"
    page = pages.client.get(address)
    assert fields_of(page.text, "layout")[ANSWER] == [role]
    address, page = pages.upload(FILES)
    done(pages.press(address, pages.look(address, page, {ANSWER: role})))
    if role == "system":
        assert attributes() == {"human": False}
    else:
        assert references("s2") == [(1, "I do not know."), (2, "I have no idea.")]
