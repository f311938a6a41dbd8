"""No metric reads a file of the server that the administrator has not listed under a name."""

import json
import os
import re
import sys

import pytest

from corpus.imports.uploads import upload_path
from corpus.jobs.worker import run_next
from corpus.models import Job
from metrics.models import MetricRun
from metrics.scorers.registry import own_scorers
from metrics.styles.kinds import KINDS
from tests.fixtures.api_clients import API, client_of, is_error
from tests.fixtures.listed_places import MODELS, VECTORS, listed
from tests.fixtures.study_files import TABLES

pytestmark = pytest.mark.django_db
RUNS = f"{API}studies/small/runs/"
SECRET = "WO0N6Z-never-to-be-shown-outside-this-machine"
TEXT_PARAMETERS = sorted(
    {
        # Parameters of one name and list are read alike: one metric stands for all that have it.
        (parameter.name, parameter.listed and parameter.listed.variable): scorer.spec.key
        for scorer in reversed(own_scorers())
        for parameter in scorer.spec.parameters
        if isinstance(parameter.default, str) and not scorer.spec.key.startswith("local-judge")
    }.items(),
    key=str,
)
TEXT_SETTINGS = [
    (kind.kind, parameter.name)
    for kind in KINDS.values()
    for parameter in kind.parameters
    if isinstance(parameter.default, str)
]


class Opened:
    """What this process has opened or listed below a folder, while it is watched."""

    def __init__(self):
        self.folder, self.paths = "", list[str]()
        sys.addaudithook(self._hear)

    def _hear(self, event, arguments):
        if self.folder and event in ("open", "os.listdir", "os.scandir"):
            path = arguments[0]
            if isinstance(path, str | bytes | os.PathLike):
                text = os.fsdecode(path)
                if text.startswith(self.folder):
                    self.paths.append(text)


_OPENED = Opened()


@pytest.fixture
def closed(tmp_path):
    """A folder with a secret, as a file and as a model's files, that nobody has listed."""
    folder = tmp_path / "closed"
    folder.mkdir()
    for name in ("secret_key", "config.json", "tokenizer.json", "model.safetensors"):
        (folder / name).write_text(SECRET)
    _OPENED.folder, _OPENED.paths = str(folder), []
    yield folder
    _OPENED.folder = ""


FILES = {name: TABLES[name] for name in ("segments.csv", "outputs.csv")}


@pytest.fixture
def owner(study):
    return client_of("owner", study, "owner")


def ask(client, metric, **parameters):
    wanted = {"runs": [{"metric": metric, "parameters": parameters}]}
    return client.post(RUNS, wanted, format="json")


def answered(client, metric, parameter, value):
    """Return the status of an answer, and all that is shown afterwards, the value left out."""
    answer = ask(client, metric, **{parameter: value})
    while run_next():
        pass
    shown = [answer.json(), client.get(RUNS).json()]
    errors = [*Job.objects.values_list("error", "result"), *MetricRun.objects.values_list("error")]
    return answer.status_code, (json.dumps(shown) + str(errors)).replace(value, "…")


@pytest.mark.parametrize(("parameter", "metric"), TEXT_PARAMETERS)
def test_no_parameter_of_a_metric_opens_a_file(owner, closed, metric, parameter):
    parameter, _ = parameter
    for path in (closed / "secret_key", closed):
        status, shown = answered(owner, metric, parameter, str(path))
        assert (status, shown) == answered(owner, metric, parameter, f"{path}-absent")
        assert SECRET[:6] not in shown
        assert str(closed.parent) not in shown
    assert _OPENED.paths == []


@pytest.mark.parametrize(("kind", "setting"), TEXT_SETTINGS)
def test_no_setting_of_a_trained_model_opens_a_file(client, owner, study, closed, kind, setting):
    client.force_login(study.memberships.get().user)
    address = "/studies/small/styles/models/train/"
    sent = {"name": "mine", "kind": kind, "held_out": "0.1", "folds": "5", "seed": "0"}
    shown = []
    for path in (closed, closed / "absent"):
        page = client.post(address, sent | {f"{kind}:{setting}": str(path)}).text
        shown.append(re.sub(r'"[\w-]{64}"', "token", page.replace(str(path), "…")))
    assert shown[0] == shown[1]
    refusal = "choose a classifier" if setting == "classes" else "Select a valid choice"
    assert refusal in shown[0]
    assert _OPENED.paths == []
    assert not Job.objects.filter(kind="train-style").exists()


@pytest.mark.parametrize("metric", ["perplexity", "cps", "bertscore", "acceptability"])
def test_a_model_is_taken_by_a_name_only(owner, metric):
    for path in ("/etc", "/proc/self", "..", "~", "owner/model", " ", "minilm/.."):
        refused = is_error(ask(owner, metric, model=path), 400)
        assert "model: found" in refused["detail"]
        assert MODELS in refused["detail"]


def test_an_uploaded_folder_is_no_model(owner, study, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    folder = tmp_path / "uploads" / ("0" * 32)
    folder.mkdir(parents=True)
    for name in ("config.json", "model.safetensors"):
        (folder / name).write_text(SECRET)
    for value in (str(folder), f"uploads/{folder.name}", folder.name, str(upload_path("0" * 32))):
        assert "model: found" in is_error(ask(owner, "perplexity", model=value), 400)["detail"]
    assert not MetricRun.objects.exists()


# What the administrator lists


def test_listed_vectors_are_chosen_by_name_and_signed_by_name_and_hash(owner, tmp_path):
    words = {word for row in TABLES["outputs.csv"][1:] for word in row[2].lower().split()}
    words |= {word for row in TABLES["segments.csv"][1:] for word in row[1].lower().split()}
    file = tmp_path / "elsewhere" / "vectors.txt"
    file.parent.mkdir()
    file.write_text("".join(f"{word} {place} 1\n" for place, word in enumerate(sorted(words))))
    name = listed(file, "reviews-2d", VECTORS)
    listed_metrics = {row["key"]: row for row in owner.get(f"{API}metrics/").json()}
    [vectors] = [row for row in listed_metrics["wmd"]["parameters"] if row["name"] == "vectors"]
    assert vectors["choices"] == ["glove", name]
    assert ask(owner, "wmd", vectors=name).status_code == 202
    assert run_next().state == "done"
    [run] = owner.get(RUNS).json()["results"]
    assert (run["state"], run["request"]["parameters"]["vectors"]) == ("finished", name)
    assert f"|vectors:{name}|" in run["signature"]
    assert "|vectors.txt:" in run["signature"]
    assert str(tmp_path) not in json.dumps(run)


@pytest.mark.parametrize(
    ("ending", "content"),
    [
        (".txt", f"{SECRET} 1 2\n{SECRET} x\n"),
        (".txt", f"{SECRET}\n"),
        (".txt", f"{SECRET} {SECRET}\n"),
        (".txt", f"2 2\n{SECRET} 1 1\n"),
        (".txt", f"{SECRET} 1 2\n\udcff\udcfe\n"),
        (".txt.gz", f"{SECRET}\n"),
    ],
)
def test_a_listed_file_of_another_kind_is_named_and_not_quoted(owner, tmp_path, content, ending):
    file = tmp_path / f"notes{ending}"
    file.write_bytes(content.encode("utf-8", "surrogateescape"))
    assert ask(owner, "wmd", vectors=listed(file, "notes", VECTORS)).status_code == 202
    job = run_next()
    [run] = owner.get(RUNS).json()["results"]
    shown = json.dumps([run, job.error, job.result])
    assert "word vectors 'notes'" in run["error"]
    assert SECRET[:6] not in shown
    assert "0xff" not in shown
    assert str(tmp_path) not in shown


@pytest.mark.parametrize(
    ("metric", "files"),
    [
        ("perplexity", {}),
        ("perplexity", {"config.json": f'{{"model_type": "{SECRET}"}}'}),
        ("acceptability", {"config.json": f'{{"model_type": "{SECRET}"}}'}),
        ("bertscore", {"config.json": SECRET}),
        pytest.param(
            "cps",
            {"config.json": '{"model_type": "bert"}', "modules.json": SECRET},
            marks=pytest.mark.nightly,
        ),
    ],
)
def test_a_listed_folder_that_is_no_model_is_named_without_its_path(owner, tmp_path, metric, files):
    folder = tmp_path / "folder"
    folder.mkdir()
    for name, content in files.items():
        (folder / name).write_text(content)
    answer = ask(owner, metric, model=listed(folder, "broken"))
    job = run_next() if answer.status_code == 202 else None
    shown = json.dumps([answer.json(), owner.get(RUNS).json(), job and [job.error, job.result]])
    assert "model 'broken'" in shown
    assert SECRET[:6] not in shown
    assert str(tmp_path) not in shown
