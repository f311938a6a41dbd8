"""Fine-tuning a writer on a study's pairs: by job, command and page, and what it then writes."""

import json
from pathlib import Path

import pytest
from django.conf import settings

from corpus.jobs.queue import cancel, resume
from corpus.jobs.worker import claim, run, run_next
from corpus.models import AuditEntry, Job
from metrics.models import TrainedModel
from metrics.resources.trained_models import models_of
from metrics.resources.training import ask_for_training
from metrics.resources.writer_training import WriterTraining, fine_tuned_writers
from metrics.writers.fine_tuned import FineTuned
from metrics.writers.writer import Material, Source
from metrics.writing.asking import ask_for_writing
from metrics.writing.requests import Planner, WritingRequest
from tests.fixtures.listed_places import listed
from tests.fixtures.training_pairs import SMALL, pairs, save_small_causal

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("own_files")]
SPLITS = ["train"] * 4 + ["dev"] + ["test"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return save_small_causal(tmp_path_factory.mktemp("bases") / "causal")


@pytest.fixture
def base(folder):
    return listed(folder)


def study_files():
    """Pairs of three splits; segment 1 has a reference that a system wrote for a test segment."""
    segments = [["segment_id", "source", "source_style", "target_style", "reference_1", "split"]]
    outputs = [["segment_id", "system", "output"]]
    found = pairs(30)
    for n, pair in enumerate(found):
        split = SPLITS[n % 6]
        segments.append([f"s{n}", pair.source, "neg", "pos", pair.target, split])
        if split == "test":
            text = found[1].target.upper() if n == 5 else f"written {n}"
            outputs.append([f"s{n}", "other", text])
    return {"segments.csv": segments, "outputs.csv": outputs}


FILES = study_files()


def request(base, name="tuned", **changes):
    given = {**SMALL, "epochs": 1, "base": base, **changes}
    return WriterTraining(name, given)


def trained(study, base, **changes):
    ask_for_training(study, request(base, **changes), None)
    job = run_next()
    assert job.state == "done", job.error
    return TrainedModel.objects.get(pk=job.result["model"])


def test_only_pairs_of_the_training_split_are_trained_on(study, base):
    ask_for_training(study, request(base), None)
    job = run_next()
    assert job.state == "done", job.error
    model = TrainedModel.objects.get()
    assert job.result["notes"][0].startswith("tuned: validation loss ")
    assert "5 pairs of the test split were left out." in job.result["notes"]
    assert (model.kind, model.styles, model.is_graded) == ("writer", ["pos"], True)
    assert (model.report["trained_on"], model.report["texts"]) == (19, 5)
    counts = {name: n for name, n in model.report["left_out"].items() if n}
    assert counts == {"of_test": 5, "like_test": 1}
    manifest = json.loads((Path(settings.MEDIA_ROOT) / model.path / "manifest.json").read_text())
    assert len(manifest["seen"]) == 24
    assert manifest["directions"] == [["neg", "pos"]]
    assert manifest["sha256"] == model.sha256
    assert AuditEntry.objects.get(action="fine-tune writer").after["sha256"] == model.sha256
    # It is no style model.
    assert not models_of(study).exists()


def test_a_training_that_is_cancelled_leaves_nothing_and_can_go_on(study, base, monkeypatch):
    monkeypatch.setattr("corpus.jobs.progress.SECONDS_BETWEEN_WRITES", 0.0)
    asked = ask_for_training(study, request(base), None)

    def cancel_it(message, done, total):
        if message.startswith("epoch 1"):
            cancel(asked)

    assert run(claim(asked.pk), cancel_it).state == "cancelled"
    assert not TrainedModel.objects.exists()
    assert not list(Path(settings.MEDIA_ROOT).rglob("*.safetensors"))
    resume(asked)
    assert run_next().state == "done"


def test_it_writes_a_system_and_nothing_that_it_was_trained_on(study, base):
    model = trained(study, base)
    ask_for_writing(
        study,
        Planner(study).plan(WritingRequest("fine-tuned", {"most_tokens": 4}, split="all")),
        None,
    )
    while (job := run_next()) is not None:
        assert job.state == "done", job.error
    system = study.systems.get(attributes__writer="fine-tuned")
    assert system.attributes["model"] == "tuned"
    assert model.sha256[:12] in system.attributes["signature"]
    written = {output.segment.key: output.text for output in system.outputs.all()}
    of_test = {f"s{n}" for n in range(30) if SPLITS[n % 6] == "test"}
    # Of segment 1, whose reference stands in the test split, nothing was learnt.
    assert set(written) <= of_test | {"s1"}
    writer = FineTuned({"most_tokens": 4}, Material(trained=fine_tuned_writers(study)))
    for n, pair in enumerate(pairs(30)):
        if f"s{n}" in written:
            [found] = writer.write([Source("x", pair.source, "neg", "pos")])
            assert written[f"s{n}"] == found.text
    long = writer.write([Source("x", "food " * 200, "neg", "pos")])
    assert long[0].reason == "the source has more tokens than the model was trained to read"


# The pages


def test_owners_train_by_the_page_and_see_every_epoch(client, owner, study, base):
    address = "/studies/small/writers/train/"
    page = client.get(address).text
    assert "20 segments in train, 5 segments in validation, 5 segments in test" in page
    data = {"name": "tuned", "held_out": "0.1", "seed": "0", "method": "lora", "base": base}
    data |= {name: str(value) for name, value in SMALL.items()}
    for changes, words in (
        ({"name": ""}, "This field is required"),
        ({"base": "/srv/x"}, "Select a valid choice"),
        ({"rank": "0"}, "rank: found"),
    ):
        refused = client.post(address, {**data, **changes})
        assert refused.status_code == 400
        assert words in refused.text
    assert not Job.objects.filter(kind="train-writer").exists()
    assert client.post(address, data).status_code == 302
    job = run_next()
    assert job.state == "done", job.error
    text = client.get(job.result["link"]).text
    for words in ("Validation loss", "<strong>kept</strong>", "of the test split", "low-rank"):
        assert words in text
    listed_page = client.get("/studies/small/styles/").text
    assert job.result["link"] in listed_page
    study.memberships.update(role="researcher")
    assert client.get(address).status_code == 403
    assert client.get(job.result["link"]).status_code == 200
