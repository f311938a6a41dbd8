"""Embeddings are stored in files that other processes map, and the oldest are pruned."""

import os
from collections import Counter
from functools import cached_property

import numpy as np
import pytest
from django.test import override_settings

from metrics.encoders.sentence import SentenceEncoder, _shared
from metrics.encoders.stored_vectors import StoredVectors, VectorCache
from metrics.resources.stored_embeddings import delete_embeddings, stored_embeddings
from metrics.scorers.encoders import ContentPreservationScore
from metrics.scorers.guarded import GuardedScorer
from metrics.scorers.naturalness import NeuralNaturalness
from metrics.scorers.scorer import Resources, Texts
from tests.fixtures.listed_places import listed
from tests.fixtures.model_texts import ModelTexts
from tests.fixtures.tiny_encoders import save_encoder

MIB = 2**20


def vectors(*texts, size=8):
    rng = np.random.default_rng(1)
    return {text: rng.normal(size=size).astype(np.float32) for text in texts}


@pytest.fixture
def encoder(tmp_path):
    return SentenceEncoder(listed(save_encoder(tmp_path / "encoder")), kept=VectorCache(0))


def test_what_is_kept_is_found_as_it_was(tmp_path):
    first, second = vectors("a", "b", "\ud800 half", ""), vectors("c")
    StoredVectors(tmp_path).keep("one", first)
    StoredVectors(tmp_path).keep("one", second)
    found = StoredVectors(tmp_path).found("one", ["a", "absent", "", "\ud800 half", "c"])
    assert set(found) == {"a", "", "\ud800 half", "c"}
    assert all((found[text] == (first | second)[text]).all() for text in found)


def test_files_used_longest_ago_go_first(tmp_path):
    stored = StoredVectors(tmp_path, most_bytes=3 * MIB)
    for text in "abc":
        stored.keep("one", vectors(text, size=MIB // 5))
    for path in tmp_path.glob("*.npy"):
        os.utime(path, (1000, 1000))
    stored.found("one", ["a"])
    stored.keep("one", vectors("d", size=MIB // 5))
    stored.keep("one", vectors("e", size=MIB // 5))
    assert sum(path.stat().st_size for path in tmp_path.glob("*")) <= 3 * MIB
    assert set(stored.found("one", "abcde")) == {"a", "d", "e"}


def test_metrics_load_one_encoder_and_embed_each_text_once(tmp_path, monkeypatch):
    # Another test of this process may have left one loaded.
    _shared.cache_clear()
    loads: list[str] = []
    embedded: Counter[str] = Counter()
    load, compute = SentenceEncoder._library.func, SentenceEncoder._computed

    def loading(encoder):
        loads.append(encoder.model)
        return load(encoder)

    def computing(encoder, new):
        embedded.update(new)
        return compute(encoder, new)

    library = cached_property(loading)
    library.__set_name__(SentenceEncoder, "_library")
    monkeypatch.setattr(SentenceEncoder, "_library", library)
    monkeypatch.setattr(SentenceEncoder, "_computed", computing)
    sources = {segment: f"the soup was number {segment}" for segment in range(30)}
    outputs = [(segment, f"{text} unk unk") for segment, text in sources.items()]
    study = ModelTexts({"stutter": "stutter"}, sources, {"stutter": outputs})
    resources = Resources(naturalness=study, embeddings=StoredVectors(tmp_path))
    texts = Texts.of(
        [text for _, text in outputs],
        against=[(text,) for text in sources.values()],
        sources=list(sources.values()),
        segments=list(sources),
        systems=["stutter"] * len(sources),
    )
    for metrics in ((ContentPreservationScore, NeuralNaturalness),) * 2:
        for metric in metrics:
            assert not GuardedScorer(metric({}, resources)).score(texts).undefined
        # Another process finds all of it.
        _shared.cache_clear()
    assert loads == ["minilm"]
    assert set(embedded.values()) == {1}
    assert len(embedded) == 60


def test_a_study_is_deleted_with_its_embeddings_alone(tmp_path):
    with override_settings(MEDIA_ROOT=tmp_path):
        for study in (1, 2):
            stored_embeddings(study).keep("one", vectors("a"))
        delete_embeddings(1)
        assert not stored_embeddings(1).found("one", ["a"])
        assert stored_embeddings(2).found("one", ["a"])
