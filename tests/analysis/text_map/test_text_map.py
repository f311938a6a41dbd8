"""The map of texts: similar ones close together, made once by a job, with links to segments."""

from typing import Any

import numpy as np
import pytest
from django.test import override_settings
from sklearn.manifold import trustworthiness

from analysis.models import Result
from analysis.text_map import service
from analysis.text_map.layout import laid_out
from corpus.jobs.worker import run_next
from corpus.models import Job, Output, Study
from metrics.encoders.sentence import sentence_encoder
from metrics.resources.attributors import loaded_classifier
from metrics.resources.trained_models import folder_of
from tests.fixtures.rated_reviews import rated_reviews
from tests.fixtures.report_pages import open_page, reader, words
from tests.fixtures.style_training import transformer

ADDRESS = "/studies/formality-demo/map/"


@pytest.fixture
def client(demo, db):
    return reader("ada", "formality-demo")


def values_of(client, query: str = "") -> list[dict[str, Any]]:
    return client.get(f"{ADDRESS}texts.vl.json?{query}").json()["data"]["values"]


TEXTS = [
    f"{opening} {thing}{mark}"
    for thing in ("the food at this place", "my broken phone", "a film about war", "your exam")
    for opening in ("I really like", "We talked about", "Nobody believes in", "Please forget")
    for mark in (".", "!", "?")
]


def test_neighbours_in_the_plane_are_neighbours_by_cosine():
    vectors = sentence_encoder().encode(TEXTS)
    places = laid_out(TEXTS, sentence_encoder().encode, perplexity=8, seed=3)
    found = trustworthiness(vectors, places, n_neighbors=5, metric="cosine")
    shuffled = np.random.default_rng(1).permutation(places)
    assert found > 0.9
    assert trustworthiness(vectors, shuffled, n_neighbors=5, metric="cosine") < 0.7


def test_the_page_waits_for_the_job_and_then_shows_every_text_once(client, monkeypatch):
    monkeypatch.setattr(service, "MOST_TEXTS", 10_000)
    page = open_page(client, f"{ADDRESS}?systems=rules", status=202)
    assert "Look again" in words(page)
    assert client.get(f"{ADDRESS}texts.svg?systems=rules").status_code == 202
    assert Job.objects.filter(kind="text-map").count() == 1
    job = run_next()
    assert job.state == "done", job.error

    page = open_page(client, f"{ADDRESS}?systems=rules")
    assert "t-SNE" in words(page)
    study = Study.objects.get(slug="formality-demo")
    wanted = Output.objects.filter(study=study).exclude(text="")
    wanted = wanted.filter(system__kind__in=("source", "reference")) | wanted.filter(
        system__name="rules"
    )
    values = values_of(client, "systems=rules")
    assert len(values) == wanted.count()
    assert {v["system"] for v in values} == {"–", "rules"}
    texts = {text[:50] for text in wanted.values_list("text", flat=True)}
    assert {v["words"][:50] for v in values} == texts
    first = open_page(client, "/studies/formality-demo/disagreement/" + values[0]["link"][16:])
    assert values[0]["segment"] in words(first)


@pytest.mark.django_db
def test_many_texts_are_cut_down_by_whole_segments_and_the_page_says_so(client, monkeypatch):
    monkeypatch.setattr(service, "MOST_TEXTS", 60)
    open_page(client, ADDRESS, status=202)
    assert run_next().state == "done"
    page = words(open_page(client, ADDRESS))
    assert "sampled by the seed" in page
    points = Result.objects.get(kind="text-map").content["points"]
    assert 10 < len(points) <= 60
    counts = np.unique([point[2] for point in points], return_counts=True)[1]
    assert len(set(counts.tolist())) <= 2


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("perplexity=2", "perplexity=2: expected 5 to 100"),
        ("seed=x", "seed=x: expected a number"),
        ("systems=nobody", "systems=nobody: this study has"),
        ("direction=up", "direction=up: this study has"),
        (
            "colour=red",
            "colour: no such filter; known: direction, perplexity, represented_by, seed, systems",
        ),
    ],
)
def test_what_cannot_be_asked_is_refused_in_words(client, query, expected):
    assert expected in words(open_page(client, f"{ADDRESS}?{query}", status=400))
    assert client.get(f"{ADDRESS}texts.svg?{query}").status_code == 400


@pytest.mark.nightly
@pytest.mark.django_db
def test_a_classifier_may_say_what_is_alike(tmp_path, one_thread):
    with override_settings(MEDIA_ROOT=tmp_path / "files", DATA_DIR=tmp_path):
        study = rated_reviews(tmp_path / "small")
        model = transformer(study, tmp_path)
        client = reader("ada", "small")
        address = "/studies/small/map/?represented_by=tiny"
        open_page(client, address, status=202)
        job = run_next()
        assert job.state == "done", job.error
        page = words(open_page(client, address))
        assert "Texts that the classifier tiny sees alike" in page
        title = client.get(address.replace("?", "texts.vl.json?")).json()["title"]
        assert "t-SNE of the classifier tiny, perplexity 30" in str(title)
        assert "sentence embeddings" in page, "offered in the filter"
        own = Result.objects.get(kind="text-map").signature
        refused = client.get("/studies/small/map/?represented_by=other")
        assert refused.status_code == 400
        assert "this study has tiny" in refused.text
        open_page(client, "/studies/small/map/", status=202)
        assert run_next().state == "done"
        assert Result.objects.filter(kind="text-map").exclude(signature=own).count() == 1

        texts = ["the food was lovely", "awful", "a longer text about the food " * 3]
        classifier = loaded_classifier(folder_of(model), model.sha256)
        found = classifier.representations(texts)
        np.testing.assert_array_equal(classifier.representations(texts[1:2])[0], found[1])
        for text, vector in zip(texts, found, strict=True):
            np.testing.assert_allclose(vector, pooled_by_transformers(folder_of(model), text), 1e-4)


def pooled_by_transformers(folder, text: str) -> np.ndarray:
    """Return BERT's pooled state of the first piece."""
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    model = AutoModelForSequenceClassification.from_pretrained(folder).eval()
    read = AutoTokenizer.from_pretrained(folder)(text, return_tensors="pt")
    with torch.inference_mode():
        return model.bert(**read).pooler_output[0].numpy()
