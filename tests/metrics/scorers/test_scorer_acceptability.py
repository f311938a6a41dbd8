"""Acceptability by a sequence classifier from a folder, against transformers' own pipeline."""

import numpy as np
import pytest

from metrics.scorers.acceptability import Acceptability
from metrics.scorers.scorer import Texts, Unavailable
from tests.fixtures.listed_places import listed
from tests.fixtures.tiny_models import save_causal_model, save_sequence_classifier

OUTPUTS = ["the food was good", "good", "was food the good kind", "😀", "שלום", "good"]


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    folder = tmp_path_factory.mktemp("classifier")
    return save_sequence_classifier(folder, ["unacceptable", "acceptable"])


def test_the_class_is_chosen_by_name_or_number(tiny):
    texts = Texts.of(OUTPUTS)
    by_label = {
        label: Acceptability({"model": listed(tiny), "label": label}).score(texts).values
        for label in ("acceptable", "1", "unacceptable", "0")
    }
    assert by_label["acceptable"].tolist() == by_label["1"].tolist()
    assert by_label["0"] + by_label["1"] == pytest.approx(1)
    with pytest.raises(Unavailable, match="no class 'fine'; it has unacceptable, acceptable"):
        Acceptability({"model": listed(tiny), "label": "fine"}).score(texts)


def test_an_empty_or_overlong_text_is_undefined_and_stops_no_other(tiny):
    texts = Texts.of(["", "good", "good " * 10_000])
    scores = Acceptability({"model": listed(tiny)}).score(texts)
    assert scores.undefined == {
        0: "the text is empty",
        2: "the text is longer than the 32 tokens that the model takes",
    }
    assert np.isfinite(scores.values[1, 0])


def test_a_model_of_another_kind_gets_no_random_classifier(tmp_path):
    save_causal_model(tmp_path)
    with pytest.raises(Unavailable, match=r"is no classifier: it has no weights for score"):
        Acceptability({"model": listed(tmp_path)}).score(Texts.of(["good"]))
