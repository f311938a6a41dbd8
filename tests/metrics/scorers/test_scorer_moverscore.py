"""MoverScore: n-grams of vectors read from transformers, moved by linear programming."""

import numpy as np
import pytest

from metrics.scorers.comparing import EMPTY_COMPARED, EMPTY_OUTPUT
from metrics.scorers.encoders import MoverScore
from metrics.scorers.scorer import Resources, Texts
from metrics.weights import minilm

PAIRS = [
    ("The staff was kind.", "the staff was rude"),
    ("fish", "A bridge in Prague, over the river."),
    ("I do n't eat fish", "Fish is not for me"),
    ("kind kind kind staff", "staff kind"),
]
REFERENCES = ("the staff was rude", "the fish is here", "a bridge over the river")


class Documents:
    """References of a study, without a study."""

    sha256 = "of these texts"
    texts = REFERENCES


@pytest.fixture(scope="module")
def encoder():
    from transformers import AutoModel, AutoTokenizer

    folder = str(minilm.folder())
    return AutoTokenizer.from_pretrained(folder), AutoModel.from_pretrained(folder).eval()


def pieces(encoder, text, layer):
    """Return ids and vectors of a text's pieces, without those at its ends."""
    import torch

    tokenizer, model = encoder
    found = tokenizer([text], return_tensors="pt")
    with torch.inference_mode():
        states = model(**found, output_hidden_states=True).hidden_states[layer][0]
    vectors = states.numpy().astype(float)[1:-1]
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return found["input_ids"][0].tolist()[1:-1], vectors


def expected(encoder, first, second, *, n, layer, idf):
    """Return MoverScore by loops over n-grams and a linear programme."""
    from scipy.optimize import linprog

    documents = [set(pieces(encoder, text, 1)[0]) for text in REFERENCES]
    sides = []
    for text in (first, second):
        ids, vectors = pieces(encoder, text, layer)
        weights = [
            np.log((len(documents) + 1) / (sum(each in d for d in documents) + 1)) if idf else 1.0
            for each in ids
        ]
        size = min(n, len(ids))
        masses, means = [], []
        for start in range(len(ids) - size + 1):
            inside = range(start, start + size)
            mass = sum(weights[place] for place in inside)
            if mass > 0:
                mean = sum(weights[place] * vectors[place] for place in inside) / mass
                masses.append(mass)
                means.append(mean / np.linalg.norm(mean))
        sides.append((np.array(masses) / sum(masses), np.array(means)))
    (a, at_a), (b, at_b) = sides
    costs = np.array([[np.sqrt(((x - y) ** 2).sum()) for y in at_b] for x in at_a])
    leaves = np.kron(np.eye(len(a)), np.ones(len(b)))
    arrives = np.kron(np.ones(len(a)), np.eye(len(b)))
    solved = linprog(costs.ravel(), A_eq=np.vstack([leaves, arrives]), b_eq=np.concatenate([a, b]))
    return 1 / (1 + float(solved.fun))


def scored(outputs, against, **parameters):
    return MoverScore(parameters, Resources(documents=Documents())).score(
        Texts.of(outputs, against)
    )


@pytest.mark.parametrize(("n", "layer", "idf"), [(1, 6, False), (2, 6, True), (3, 4, True)])
def test_scores_are_those_of_linear_programming_over_n_grams(encoder, n, layer, idf):
    outputs, compared = [list(side) for side in zip(*PAIRS, strict=True)]
    found = scored(outputs, compared, n=n, layer=layer, idf=idf).values[:, 0]
    wanted = [expected(encoder, *pair, n=n, layer=layer, idf=idf) for pair in PAIRS]
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-6)


def test_texts_with_nothing_to_move_are_undefined_with_their_reason():
    found = scored(["", "fish", "the staff"], ["fish", " ", "fish"], idf=True)
    assert found.undefined == {0: EMPTY_OUTPUT, 1: EMPTY_COMPARED}
    everywhere = type("Alike", (), {"sha256": "", "texts": ("the fish", "the staff")})()
    alike = MoverScore({"idf": True}, Resources(documents=everywhere)).score(
        Texts.of(["the"], ["fish"])
    )
    assert alike.undefined == {0: "the output has only word pieces that every reference has"}
