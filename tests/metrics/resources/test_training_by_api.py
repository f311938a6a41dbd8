"""Style models and writers are trained over HTTP by the same job as by page and command."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command

from corpus.jobs.worker import run_next
from corpus.models import Job
from metrics.models import WRITER, TrainedModel
from metrics.resources.training import training_key
from metrics.resources.writer_training import WriterTraining
from tests.fixtures.api_clients import API, client_of, is_error
from tests.fixtures.style_texts import reviews
from tests.fixtures.writing_studies import Place, make_writing_study

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("own_files")]
MODELS = f"{API}studies/small/style-models/"
WRITERS = f"{API}studies/small/writer-models/"
LABELLED = reviews(40)
FILE = "text,said\n" + "".join(
    f"{text},{LABELLED.label(row)}\n" for row, text in enumerate(LABELLED.texts)
)


@pytest.fixture
def study():
    splits = ["train"] * 8 + ["validation"] * 2 + ["test"] * 2
    return make_writing_study(
        [
            Place(f"s{n}", f"gonna ask {n}", f"I shall ask {n}.", split)
            for n, split in enumerate(splits)
        ]
    )


@pytest.fixture
def owner(study):
    return client_of("ada", study, "owner")


def post(client, address, body):
    return client.post(address, body, format="json")


def labelled(**fields):
    return {"file": SimpleUploadedFile("labelled.csv", FILE.encode()), **fields}


def test_a_model_of_the_studys_labels_is_the_one_that_the_command_trains(study, owner, capsys):
    body = {"name": "own", "settings": {"fewest": 1}, "folds": 2, "seed": 3}
    answer = post(owner, MODELS, body)
    assert answer.status_code == 202, answer.content
    assert answer["Location"] == answer.json()["url"]
    run_next()
    job = owner.get(answer["Location"]).json()
    assert job["state"] == "done", job
    [model] = owner.get(MODELS).json()
    stored = TrainedModel.objects.get()
    assert (model["name"], model["kind"], model["styles"]) == (
        *("own", "bag-of-words"),
        ["formal", "informal"],
    )
    assert (model["sha256"], model["is_shared"]) == (stored.sha256, False)
    assert model["quality"] in job["result"]["notes"][0]
    call_command(
        "train_style", study="small", name="by-command", setting=["fewest=1"], folds=2, seed=3
    )
    assert "nothing was trained" in capsys.readouterr().out
    assert TrainedModel.objects.get() == stored


def test_a_form_brings_a_file_of_labelled_texts(study, owner):
    fields = {"name": "reviews", "label_column": "said", "settings": '{"fewest": 1}'}
    answer = owner.post(MODELS, labelled(**fields, texts=36), format="multipart")
    assert answer.status_code == 202, answer.content
    run_next()
    model = TrainedModel.objects.get(name="reviews")
    assert model.styles == ["negative", "positive"]
    assert (model.settings["texts"], model.settings["fewest"]) == (36, 1)


def test_a_writer_is_trained_by_the_job_of_page_and_command(study, owner):
    body = {"name": "tuned", "settings": {"epochs": 2, "base": "smollm2"}, "seed": 5}
    answer = post(owner, WRITERS, body)
    assert answer.status_code == 202, answer.content
    job = Job.objects.get()
    wanted = WriterTraining("tuned", {"epochs": 2, "base": "smollm2"}, seed=5)
    assert (job.kind, job.key) == ("train-writer", training_key(study, wanted))
    assert job.parameters == json.loads(json.dumps(wanted.to_dict()))
    assert is_error(post(owner, WRITERS, body), 409)["job"] == answer.json()["url"]
    TrainedModel.objects.create(
        study=study, name="before", kind=WRITER, styles=[], settings={}, sha256="1" * 64, path="",
        data_sha256="0" * 64,
        report={"texts": 9, "best": 1, "epochs": [{"valid_loss": 3}, {"valid_loss": 1}]},
    )  # fmt: skip
    [listed] = owner.get(WRITERS).json()
    assert (listed["name"], listed["styles"]) == ("before", [])
    assert listed["quality"].startswith("validation loss 1.000 after epoch 1 of 1")
    assert owner.get(MODELS).json() == []


@pytest.mark.parametrize("address", [MODELS, WRITERS])
def test_only_owners_train_and_members_read(study, owner, address):
    reader, stranger = client_of("reader", study, "researcher"), client_of("stranger")
    assert reader.get(address).json() == []
    is_error(post(reader, address, {"name": "x"}), 403)
    is_error(stranger.get(address), 404)
    is_error(post(stranger, address, {"name": "x"}), 404)
    assert not Job.objects.exists()
