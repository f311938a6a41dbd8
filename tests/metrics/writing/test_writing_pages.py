"""Writing by pages, commands and the API, and outputs that a study released."""

import re
import subprocess

import pytest

from corpus.jobs.worker import run_next
from corpus.models import Job
from tests.fixtures.campaign_pages import signed_in
from tests.fixtures.machine import ROOT
from tests.fixtures.study_files import import_path
from tests.fixtures.writing_studies import Place, make_writing_study, texts_of

pytestmark = pytest.mark.django_db
PAGE = "/studies/small/write/"
API = "/api/v1/studies/small/writings/"
RULES = {
    f"parameter:{name}": "on" for name in ("contractions", "chat_words", "capitals", "punctuation")
}


@pytest.fixture
def study():
    places = [Place("a", "gonna go", split="train"), Place("b", "u r late", split="test")]
    return make_writing_study([*places, Place("c", "", split="test")])


@pytest.fixture
def clients(study):
    return {role: signed_in(role, study, role) for role in ("owner", "researcher")}


def test_an_owner_sees_every_writer_and_its_parameters(clients):
    page = clients["owner"].get(PAGE).content.decode()
    for title in ("Rules of formality", "Prompt a language model", "Run a command"):
        assert title in page
    page = clients["owner"].get(f"{PAGE}?writer=prompt").content.decode()
    assert 'name="parameter:examples"' in page
    assert "the test segments" in page
    assert 'name="price_read"' in page
    assert 'name="lexicon"' not in page
    assert clients["researcher"].get(PAGE).status_code == 403


def test_what_it_takes_is_shown_before_it_is_started(clients):
    address = f"{PAGE}?writer=formality-rules"
    page = clients["owner"].post(address, RULES | {"action": "estimate"}).content.decode()
    assert "Rules of formality: 2 segments, as the system “formality-rules”." in page
    assert "It writes the segments whose split is test." in page
    assert not Job.objects.exists()
    given = {"action": "estimate", "price_read": "2", "price_written": "8"}
    given |= {"parameter:model": "m", "parameter:base_url": ""}
    refused = clients["owner"].post(f"{PAGE}?writer=prompt", given)
    assert refused.status_code == 400
    assert "is not on the list of this server" in refused.content.decode()


def test_outputs_are_written_and_what_is_missing_is_shown(clients):
    address = f"{PAGE}?writer=formality-rules"
    reply = clients["owner"].post(address, RULES | {"action": "write"})
    job = Job.objects.get()
    assert reply.url == f"/jobs/{job.pk}/"
    run_next()
    assert texts_of("formality-rules") == {"b": "You are late."}
    name = "formality-rules"
    page = clients["owner"].get(reply.url).content.decode()
    assert f"{name} has no output for segment c: the segment has no source text." in page
    page = clients["owner"].get(PAGE).content.decode()
    assert "1 × the segment has no source text (first: segment c)" in page
    assert "formality-rules|contractions:" in page


def test_the_api_lists_estimates_and_starts(clients):
    client = clients["owner"]
    listed = client.get("/api/v1/writers/").json()
    keys = [each["key"] for each in listed]
    assert {"formality-rules", "retrieve", "prompt", "command"} <= set(keys)
    wanted = {"writer": "formality-rules", "name": "rules"}
    found = client.post(API, wanted | {"only_estimate": True}, content_type="application/json")
    assert found.status_code == 200
    assert (found.json()["system"], found.json()["segments"], found.json()["left"]) == (
        "rules",
        2,
        2,
    )
    assert client.get(API).json() == []
    started = client.post(API, wanted, content_type="application/json")
    assert started.status_code == 202
    run_next()
    (row,) = client.get(API).json()
    assert row["signature"] == found.json()["signature"]
    assert (row["system"], row["outputs"]) == ("rules", 1)
    assert row["missing"] == [
        {"reason": "the segment has no source text", "outputs": 1, "first_segment": "c"}
    ]
    assert texts_of("rules") == {"b": "You are late."}


LINES = {
    "dual-rl": ['he said "no", twice', "50 % off, today"],
    "strap": ["a | b \\ c", "don't worry 😀"],
}


def test_a_file_of_lines_for_each_system_is_imported(tmp_path):
    page = (ROOT / "docs" / "writing.md").read_text(encoding="utf-8")
    (shell,) = re.findall(r"```sh\n(\( echo.*?)\n\.venv", page, flags=re.DOTALL)
    folder = tmp_path / "my-study"
    folder.mkdir()
    (folder / "segments.csv").write_text(
        "segment_id,source,source_style,target_style\n1,one,a,b\n2,two,a,b\n", encoding="utf-8"
    )
    for system, lines in LINES.items():
        (tmp_path / f"{system}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    subprocess.run(["bash", "-euc", shell], cwd=tmp_path, check=True)
    import_path(folder, slug="my-study")
    for system, lines in LINES.items():
        assert list(texts_of(system, "my-study").values()) == lines
