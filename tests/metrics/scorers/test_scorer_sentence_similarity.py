"""The content preservation score is the cosine of the library's sentence embeddings."""

from typing import Any

import numpy as np
import pytest

from metrics.scorers.comparing import EMPTY_COMPARED, NOTHING_TO_COMPARE
from metrics.scorers.encoders import ContentPreservationScore
from metrics.scorers.scorer import Texts
from metrics.weights import minilm
from tests.fixtures.listed_places import listed
from tests.fixtures.tiny_encoders import save_encoder

OUTPUTS = ["The staff was kind.", "the staff was rude", "I do not eat fish", "ok", "the end"]
SOURCES = ["the staff was rude", "the staff was rude", "A bridge in Prague.", "😀", "the end "]
REFERENCES = ["They were kind to us.", "It was rude.", "Fish is not for me."]


def scored(outputs, against, **parameters):
    return ContentPreservationScore(parameters).score(Texts.of(outputs, against))


def test_scores_are_cosines_of_the_librarys_embeddings():
    from sentence_transformers import SentenceTransformer, util

    library = SentenceTransformer(str(minilm.folder()), device="cpu")
    first, second = (library.encode(texts) for texts in (OUTPUTS, SOURCES))
    expected = util.pairwise_cos_sim(first, second).numpy()
    np.testing.assert_allclose(scored(OUTPUTS, SOURCES).values[:, 0], expected, atol=1e-6)


def test_of_several_references_the_best_or_the_mean_counts():
    alone = [scored(["He was rude."], [each]).values[0, 0] for each in REFERENCES]
    several = [tuple(REFERENCES)]
    assert scored(["He was rude."], several).values[0, 0] == pytest.approx(max(alone))
    mean = scored(["He was rude."], several, references="mean").values[0, 0]
    assert mean == pytest.approx(np.mean(alone))


def test_what_has_nothing_to_compare_says_why_and_stops_no_other():
    against: list[Any] = ["a", "a", "", (), ("", " "), ("", "a")]
    scores = scored(["", "\u200b\n", "a", "a", "a", "a"], against)
    assert scores.undefined == {2: EMPTY_COMPARED, 3: NOTHING_TO_COMPARE, 4: EMPTY_COMPARED}
    assert scores.values[5, 0] == pytest.approx(1)


def test_a_model_is_named_in_the_fingerprint_by_the_hashes_of_its_files(tmp_path):
    default = ContentPreservationScore().fingerprint()
    own = ContentPreservationScore({"model": listed(save_encoder(tmp_path))}).fingerprint()
    assert default["model.safetensors"] != own["model.safetensors"]
    assert all(len(value) == 64 for value in [*default.values(), *own.values()])
