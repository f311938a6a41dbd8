"""BERTScore equals the bert-score library with the same model and layer."""

from typing import Any

import numpy as np
import pytest

from metrics.scorers.encoders import BertScore
from metrics.scorers.scorer import Resources, Texts, Unavailable
from metrics.scorers.spec import ParameterError
from metrics.weights import minilm
from tests.fixtures.by_night import by_night

OUTPUTS = [
    "The staff was kind.",
    "ok",
    "I do n't eat fish :-(",
    "مرحبا بالعالم 😀",
    "[MASK] and [PAD] are words here",
    "a long text " * 300,
    "the staff was rude",
    " blanks outside ",
]
COMPARED = [
    "the staff was rude",
    "A bridge in Prague, over the river.",
    "Fish is not for me",
    "hello world",
    "[SEP] is no word",
    "short",
    "the staff was rude",
    "blanks outside",
]


@pytest.fixture(scope="module")
def library():
    from bert_score import BERTScorer

    def scores(layer, outputs, compared):
        scorer = BERTScorer(
            model_type=str(minilm.folder()), num_layers=layer, device="cpu", batch_size=3
        )
        return np.column_stack([each.numpy() for each in scorer.score(outputs, compared)])

    return scores


def scored(outputs, against, **parameters):
    return BertScore(parameters).score(Texts.of(outputs, against))


@pytest.mark.parametrize("layer", by_night([1, 4, 6], 4))
def test_values_are_those_of_the_library(library, layer):
    ours = scored(OUTPUTS, COMPARED, layer=layer).values
    np.testing.assert_allclose(ours, library(layer, OUTPUTS, COMPARED), rtol=0, atol=1e-5)


def test_of_several_references_each_field_takes_the_best_as_the_library_does(library):
    references = [tuple(COMPARED[:3]), tuple(COMPARED[1:4])]
    expected = library(6, OUTPUTS[:2], [list(each) for each in references])
    ours = scored(OUTPUTS[:2], references).values
    np.testing.assert_allclose(ours, expected, rtol=0, atol=1e-5)


class Documents:
    """References of a study, without a study."""

    sha256 = "of these texts"
    texts = (*COMPARED, "the staff was rude", "the fish", "the end", "the bridge")


@pytest.mark.parametrize("several", by_night([False, True], True))
def test_weighted_by_document_frequency_values_are_those_of_the_library(several):
    from bert_score import BERTScorer

    scorer = BERTScorer(
        model_type=str(minilm.folder()),
        num_layers=6,
        device="cpu",
        batch_size=3,
        idf=True,
        idf_sents=list(Documents.texts),
        nthreads=0,
    )
    against: Any = [tuple(COMPARED[:3]), tuple(COMPARED[1:4])] if several else COMPARED
    outputs = OUTPUTS[: len(against)]
    given = [list(each) for each in against] if several else against
    expected = np.column_stack([each.numpy() for each in scorer.score(outputs, given)])
    ours = BertScore({"idf": True}, Resources(documents=Documents())).score(
        Texts.of(outputs, against)
    )
    np.testing.assert_allclose(ours.values, expected, rtol=0, atol=1e-5)
    assert np.abs(ours.values - scored(outputs, against).values).max() > 0.01


def test_a_text_of_nothing_but_what_every_reference_has_is_undefined():
    class Alike:
        sha256 = ""
        texts = ("the staff was rude", "the staff was kind")

    scores = BertScore({"idf": True}, Resources(documents=Alike())).score(
        Texts.of(["The staff was", "was kind", ""], ["the staff was rude"] * 3)
    )
    assert scores.undefined == {0: "the output has only word pieces that every reference has"}
    assert scores.values[2].tolist() == [0, 0, 0]


def test_the_references_that_are_counted_in_are_signed_where_they_count():
    counted = BertScore({"idf": True}, Resources(documents=Documents())).fingerprint()
    plain = BertScore({}, Resources(documents=Documents())).fingerprint()
    assert counted == plain | {"idf": "of these texts"}
    with pytest.raises(Unavailable, match="idf counts in the references of a study"):
        BertScore({"idf": True}).fingerprint()


def test_a_layer_that_the_model_lacks_is_said():
    with pytest.raises(Unavailable, match="has 6 layers: choose layer 6 or a lower one"):
        scored(["a"], ["b"], layer=7)
    with pytest.raises(ParameterError, match="expected a number from 1 to 200"):
        BertScore({"layer": 0})
