"""Outputs of a writer: written once, kept when interrupted, published together, missing aloud."""

from typing import ClassVar

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from corpus.imports.service import import_key
from corpus.jobs import worker
from corpus.jobs.queue import ask_for_job, cancel, resume
from corpus.models import AuditEntry, Output, System
from metrics.models import WrittenText
from metrics.scorers.spec import Parameter
from metrics.writers import registry
from metrics.writers.writer import Writer, WriterError, WriterSpec, Written
from metrics.writing.asking import ask_for_writing
from metrics.writing.requests import Planner, WritingRequest
from metrics.writing.storing import ImportRunning, no_import_begins
from tests.fixtures.running_jobs import run_by_id
from tests.fixtures.writing_studies import Place, make_writing_study, texts_of

pytestmark = pytest.mark.django_db


class Shouting(Writer):
    """Writes in capitals and counts what it is asked; fails where the test says so."""

    spec = WriterSpec(
        key="shouting",
        title="Shouting",
        group="tests",
        summary="",
        method="",
        parameters=(Parameter("end", "", "Put behind every text."),),
        together=2,
    )
    asked: ClassVar[list[str]] = []
    stops_at: ClassVar[str] = ""
    fails_at: ClassVar[tuple[str, ...]] = ()

    def write(self, sources, report=lambda done: None):
        """Write in capitals."""
        for source in sources:
            if source.key in self.fails_at:
                raise ArithmeticError("odd text")
            if source.key == self.stops_at:
                raise WriterError("the model went away")
        self.asked.extend(source.key for source in sources)
        end = str(self.parameters["end"])
        return [
            Written({"-": "", "null": "\0"}.get(source.text, source.text.upper() + end))
            for source in sources
        ]


@pytest.fixture(autouse=True)
def shouting(monkeypatch):
    known = dict(registry.writers())
    monkeypatch.setattr(registry, "writers", lambda: {**known, "shouting": Shouting})
    monkeypatch.setattr(Shouting, "asked", [])
    return Shouting


@pytest.fixture
def study():
    return make_writing_study([Place(f"s{n}", f"text {n}") for n in range(6)])


def write(study, **values):
    job = ask_for_writing(
        study, Planner(study).plan(WritingRequest(**{"writer": "shouting"} | values)), None
    )
    run_by_id(job.pk)
    job.refresh_from_db()
    return job


def test_outputs_become_a_system_with_attributes_and_signature(study):
    before = Output.objects.count()
    job = write(study, parameters={"end": "!"})
    assert (job.state, job.error) == ("done", "")
    name = job.result["system"]
    assert texts_of(name) == {f"s{n}": f"TEXT {n}!" for n in range(6)}
    system = System.objects.get(name=name)
    assert system.attributes == {
        "writer": "shouting",
        "model": "shouting",
        "group": "tests",
        "parameters": "end=!",
        "signature": job.result["signature"],
    }
    assert job.result["signature"].startswith("shouting|end:!|revision:1|touchstone:")
    ordinals = Output.objects.order_by("ordinal").values_list("ordinal", flat=True)
    assert list(ordinals) == list(range(before + 6))
    assert AuditEntry.objects.get(action="write outputs").after["texts"] == 6
    assert not WrittenText.objects.exists()


def test_the_same_again_writes_nothing_and_other_parameters_are_another_system(study):
    first = write(study)
    again = write(study)
    assert again.result["tables"] == {"shouting": {"added": 0, "unchanged": 6}}
    assert len(Shouting.asked) == 6
    other = write(study, parameters={"end": "?"})
    assert other.result["system"] != first.result["system"]
    assert set(texts_of("shouting").values()) == {f"TEXT {n}" for n in range(6)}


def test_what_was_written_before_a_failure_is_kept_and_not_written_again(study, monkeypatch):
    monkeypatch.setattr(Shouting, "stops_at", "s4")
    job = write(study)
    assert job.state == "failed"
    assert job.error == "Shouting: the model went away"
    # Nothing is published before all is written.
    assert not System.objects.filter(name="shouting").exists()
    assert WrittenText.objects.count() == 4
    monkeypatch.setattr(Shouting, "stops_at", "")
    resume(job)
    assert run_by_id(job.pk).state == "done"
    assert Shouting.asked == [f"s{n}" for n in range(6)]
    assert len(texts_of("shouting")) == 6


def test_a_cancelled_job_publishes_nothing_and_goes_on_later(study, monkeypatch):
    monkeypatch.setattr("corpus.jobs.progress.SECONDS_BETWEEN_WRITES", 0)
    job = ask_for_writing(study, Planner(study).plan(WritingRequest("shouting")), None)
    write_two = Shouting.write

    def cancelling(self, sources, report=None):
        if sources[0].key == "s2":
            cancel(job)
        return write_two(self, sources)

    monkeypatch.setattr(Shouting, "write", cancelling)
    assert run_by_id(job.pk).state == "cancelled"
    assert not System.objects.filter(name="shouting").exists()
    monkeypatch.setattr(Shouting, "write", write_two)
    resume(job)
    assert run_by_id(job.pk).state == "done"
    assert sorted(Shouting.asked) == [f"s{n}" for n in range(6)]


def test_an_output_that_cannot_be_written_is_missing_with_its_reason(monkeypatch):
    study = make_writing_study(
        [
            Place("a", "good"),
            Place("b", "-"),
            Place("c", ""),
            Place("d", "null"),
            Place("e", "fine"),
        ]
    )
    monkeypatch.setattr(Shouting, "fails_at", ("e",))
    job = write(study)
    assert job.state == "done"
    assert texts_of("shouting") == {"a": "GOOD"}
    reasons = dict(WrittenText.objects.values_list("segment__key", "reason"))
    assert reasons == {
        "b": "the writer wrote nothing",
        "c": "the segment has no source text",
        "d": "the output has a NUL character",
        "e": "the writer failed on this text: ArithmeticError: odd text",
    }
    assert all(any(reason in note for note in job.result["notes"]) for reason in reasons.values())
    # A reason is no output: what is asked for again is tried again.
    monkeypatch.setattr(Shouting, "fails_at", ())
    assert write(study).result["tables"]["shouting"] == {"added": 1, "unchanged": 1}
    assert texts_of("shouting")["e"] == "FINE"


def test_a_publication_waits_for_an_import_that_runs_but_not_for_one_that_waits(study):
    job = ask_for_writing(study, Planner(study).plan(WritingRequest("shouting")), None)
    other = ask_for_job("import", import_key(study), study=study, user=None, parameters={})
    # Nothing is counted yet: with one worker the import could never begin otherwise.
    no_import_begins(job, study)
    worker.claim(other.pk)
    with pytest.raises(ImportRunning):
        no_import_begins(job, study)


def test_the_command_writes_estimates_and_refuses_in_words(study, capsys):
    call_command("write_outputs", "small", "shouting", "--estimate")
    assert "Shouting: 6 segments, as the system “shouting”." in capsys.readouterr().out
    assert not System.objects.filter(name="shouting").exists()
    call_command("write_outputs", "small", "shouting", "--parameter", "end=.")
    assert "6 outputs added, 0 already there" in capsys.readouterr().out
    call_command("write_outputs", "--list")
    assert "formality-rules" in capsys.readouterr().out
    with pytest.raises(CommandError, match="no writer 'no'"):
        call_command("write_outputs", "small", "no")
    with pytest.raises(CommandError, match="shouting has no parameter 'x'; it takes end"):
        call_command("write_outputs", "small", "shouting", "--parameter", "x=1")
    with pytest.raises(CommandError, match="no study 'none'; there are: small"):
        call_command("write_outputs", "none", "shouting")
