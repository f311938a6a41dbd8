"""The map of texts: similar ones close together, made once by a job, with links to segments."""

import csv
from typing import Any

import numpy as np
import pytest
from django.test import override_settings
from sklearn.manifold import trustworthiness

from analysis.models import Result
from analysis.text_map import service
from analysis.text_map.asked import MapAsked
from analysis.text_map.layout import laid_out
from corpus.jobs.progress import Cancelled
from corpus.jobs.worker import run_next
from corpus.models import Job, Output, Study
from metrics.encoders.sentence import SentenceEncoder, sentence_encoder
from metrics.resources.attributors import loaded_classifier
from metrics.resources.trained_models import folder_of
from tests.fixtures.rated_reviews import rated_reviews
from tests.fixtures.report_pages import open_page, reader, words
from tests.fixtures.style_training import train, transformer

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


def test_equal_texts_share_a_place_and_a_seed_gives_the_same_picture_again():
    encode = sentence_encoder().encode
    places = laid_out([*TEXTS, TEXTS[7]], encode, perplexity=8, seed=3)
    assert (places[-1] == places[7]).all()
    again = laid_out(TEXTS, encode, perplexity=8, seed=3)
    np.testing.assert_allclose(again, places[:-1], atol=1e-3)


def test_too_few_different_texts_are_refused_in_words():
    with pytest.raises(ValueError, match="2 different texts: a map needs 10"):
        laid_out(["One.", "Two."] * 20, sentence_encoder().encode, perplexity=5, seed=1)


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


@pytest.fixture
def drawn(client):
    open_page(client, f"{ADDRESS}?direction=informal-to-formal", status=202)
    assert run_next().state == "done"
    return client


def test_styles_are_those_that_texts_have_or_should_have(drawn):
    values = values_of(drawn, "direction=informal-to-formal")
    styles = {(v["kind"], v["style"]) for v in values}
    assert ("source", "informal") in styles
    assert {style for kind, style in styles if kind != "source"} == {"formal"}


def test_the_map_comes_as_pictures_and_as_tables(drawn):
    query = "direction=informal-to-formal"
    values = values_of(drawn, query)
    lines = drawn.get(f"{ADDRESS}texts.csv?{query}").text.splitlines(keepends=True)
    rows = list(csv.DictReader(line for line in lines if not line.startswith("# ")))
    assert [float(row["x"]) for row in rows] == [value["x"] for value in values]
    assert drawn.get(f"{ADDRESS}texts.svg?{query}&theme=dark")["Content-Type"] == "image/svg+xml"
    assert drawn.get(f"{ADDRESS}texts.pdf?{query}").content.startswith(b"%PDF")
    assert drawn.get(f"{ADDRESS}texts.png?{query}").status_code == 404


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


def drawn_again(monkeypatch, seed: int, segments: int) -> None:
    """Draw a map of another seed while the encoder has forgotten all that it embedded."""
    monkeypatch.setattr(service, "MOST_TEXTS", segments)
    monkeypatch.setattr(service, "sentence_encoder", lambda: SentenceEncoder())
    study = Study.objects.get(slug="formality-demo")
    service.text_map(study, MapAsked(seed=seed), None)
    job = run_next()
    assert job.state == "done", job.error


def test_no_text_is_embedded_twice_for_maps_of_a_study(client, monkeypatch, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    embedded: list[str] = []
    computed = SentenceEncoder._computed

    def counted(encoder, texts):
        embedded.extend(texts)
        return computed(encoder, texts)

    monkeypatch.setattr(SentenceEncoder, "_computed", counted)
    for seed in (1, 2, 1):
        Result.objects.filter(kind="text-map").delete()
        drawn_again(monkeypatch, seed, 200)
    drawn_again(monkeypatch, 3, 60)
    assert len(embedded) == len(set(embedded)) > 200


def test_only_texts_of_drawn_segments_are_read(client, monkeypatch):
    study = Study.objects.get(slug="formality-demo")
    monkeypatch.setattr(service, "MOST_TEXTS", 60)
    read: list[str] = []
    yielded = service._texts

    def watched(wanted, data, rows):
        read.extend(wanted.values_list("text", flat=True))
        return yielded(wanted, data, rows)

    monkeypatch.setattr(service, "_texts", watched)
    drawn_again(monkeypatch, 1, 60)
    assert len(read) <= 60 < Output.objects.filter(study=study).count()


def test_a_cancelled_map_stops_between_portions_of_texts(client, monkeypatch, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    monkeypatch.setattr(service, "EMBEDDED_TOGETHER", 16)
    reports: list[tuple[str, int, int]] = []

    class Stopping:
        def report(self, message: str, done: int = 0, total: int = 0) -> None:
            reports.append((message, done, total))
            if done >= 32:
                raise Cancelled("enough")

    study = Study.objects.get(slug="formality-demo")
    job = service.text_map(study, MapAsked(), None)
    with pytest.raises(Cancelled):
        service.run_text_map(job, Stopping())
    assert [done for _, done, _ in reports] == [0, 16, 32]
    assert {message for message, _, _ in reports} == {"embedding texts"}


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


@pytest.mark.django_db
def test_a_small_network_may_say_what_is_alike_too(tmp_path, one_thread):
    with override_settings(MEDIA_ROOT=tmp_path / "files", DATA_DIR=tmp_path):
        study = rated_reviews(tmp_path / "small")
        client = reader("ada", "small")
        for kind in ("text-cnn", "lstm"):
            trained = train(study, tmp_path / kind, kind, kind, size=4, epochs=1)
            address = f"/studies/small/map/?represented_by={trained.name}"
            open_page(client, address, status=202)
            job = run_next()
            assert job.state == "done", job.error
            title = client.get(address.replace("?", "texts.vl.json?")).json()["title"]
            assert f"t-SNE of the classifier {trained.name}" in str(title)


def pooled_by_transformers(folder, text: str) -> np.ndarray:
    """Return BERT's pooled state of the first piece."""
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    model = AutoModelForSequenceClassification.from_pretrained(folder).eval()
    read = AutoTokenizer.from_pretrained(folder)(text, return_tensors="pt")
    with torch.inference_mode():
        return model.bert(**read).pooler_output[0].numpy()
