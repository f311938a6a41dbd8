"""The sentence encoder gives sentence-transformers' embeddings, each text embedded once."""

import numpy as np
import pytest

from metrics.encoders.sentence import SentenceEncoder
from metrics.encoders.tokens import MOST_TOKENS
from metrics.scorers.scorer import Unavailable
from metrics.weights import minilm
from tests.fixtures.by_night import by_night
from tests.fixtures.listed_places import listed
from tests.fixtures.tiny_encoders import save_encoder, save_sentence_encoder

TEXTS = [
    "The food was great!",
    "ok",
    "",
    " \n ",
    "i do n't know :-( 😀👩‍👩‍👧",
    "مرحبا بالعالم",
    "这是一个句子。",
    "a\x00b\u200b",
    "[MASK] and [PAD] are read as the library reads them",
    "many words " * 5_000,
    "A sentence of a usual length, with a comma.",
    "The food was great!",
]


@pytest.fixture(scope="module")
def library():
    from sentence_transformers import SentenceTransformer

    return SentenceTransformer(str(minilm.folder()), device="cpu")


def counted(encoder):
    """Return a list that grows by the number of different embeddings of each batch."""
    seen: list[int] = []
    encoder._library.register_forward_hook(
        lambda module, args, output: seen.append(len(output["sentence_embedding"].unique(dim=0)))
    )
    return seen


def test_embeddings_are_those_of_the_library(library):
    ours = SentenceEncoder().encode(TEXTS)
    assert ours.dtype == np.float32
    np.testing.assert_allclose(ours, library.encode(TEXTS, batch_size=4), rtol=0, atol=1e-6)


def test_a_prompt_that_the_folder_states_is_put_in_front(tmp_path):
    from sentence_transformers import SentenceTransformer

    prompts = {"asked": "query: "}
    pooled = str(save_sentence_encoder(tmp_path, "mean"))
    prompted = SentenceTransformer(pooled, prompts=prompts, default_prompt_name="asked")
    prompted.save(str(tmp_path / "prompted"))
    ours = SentenceEncoder(listed(tmp_path / "prompted")).encode(TEXTS[:5])
    np.testing.assert_allclose(ours, prompted.encode(TEXTS[:5]), atol=2e-6)
    assert not np.allclose(ours, SentenceEncoder(listed(pooled)).encode(TEXTS[:5]), atol=0.01)


def test_batches_are_bounded_and_hardly_padded():
    encoder = SentenceEncoder()
    batches: list[tuple[int, int]] = []
    encoder._library.register_forward_pre_hook(
        lambda module, args: batches.append(
            (args[0]["attention_mask"].numel(), int(args[0]["attention_mask"].sum()))
        )
    )
    # Of as many letters each, but of 4 to 40 word pieces.
    words = ["communication ", "a b c d e f g "]
    encoder.encode(["".join(words[n >> k & 1] for k in range(6)) + str(n) for n in range(64)])
    padded, read = map(sum, zip(*batches, strict=True))
    assert all(size <= MOST_TOKENS["cpu"] for size, _ in batches)
    assert padded < 1.15 * read


@pytest.mark.parametrize("pooling", by_night(["mean", "cls", "max", "weightedmean"], "cls"))
def test_a_folder_of_sentence_transformers_is_pooled_as_it_says(tmp_path, pooling):
    from sentence_transformers import SentenceTransformer

    folder = str(save_sentence_encoder(tmp_path, pooling))
    expected = SentenceTransformer(folder, device="cpu").encode(TEXTS)
    np.testing.assert_allclose(SentenceEncoder(listed(folder)).encode(TEXTS), expected, atol=2e-6)


def test_a_plain_transformer_is_pooled_by_the_mean(tmp_path):
    plain = SentenceEncoder(listed(save_encoder(tmp_path))).encode(TEXTS)
    pooled = SentenceEncoder(listed(save_sentence_encoder(tmp_path, "mean"))).encode(TEXTS)
    short = [row for row, text in enumerate(TEXTS) if len(text) < 100]
    np.testing.assert_allclose(plain[short], pooled[short], atol=2e-6)


def test_equal_texts_are_embedded_once_within_a_call_and_across_calls(tmp_path):
    encoder = SentenceEncoder(listed(save_encoder(tmp_path)))
    seen = counted(encoder)
    first = encoder.encode(["a", "b", "a"])
    second = encoder.encode(["b", "c", "a"])
    assert sum(seen) == 3
    assert (first[[0, 1]] == second[[2, 0]]).all()


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"model": "owner/absent"}, "not on the list of this server"),
        ({"precision": "float16"}, "half precision is for GPUs"),
    ],
)
def test_what_this_machine_lacks_is_said(settings, words):
    with pytest.raises(Unavailable, match=words):
        SentenceEncoder(**settings).encode(["a"])
