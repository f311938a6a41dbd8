"""Small labelled texts, and models made of them in a moment."""

import random
from pathlib import Path
from typing import Any

from metrics.styles.kinds import kind_of
from metrics.styles.labelled import LabelledTexts
from metrics.styles.model import StyleModel

GOOD = ["great", "lovely", "delicious", "friendly", "wonderful"]
BAD = ["awful", "rude", "bland", "dirty", "terrible"]
THINGS = ["food", "service", "place", "staff", "soup", "room", "waiter", "menu"]


def reviews(count: int = 60, seed: int = 1) -> LabelledTexts:
    """Sentences that one word makes negative or positive."""
    draw = random.Random(seed)
    texts, labels = [], []
    for number in range(count):
        style, words = (("negative", BAD), ("positive", GOOD))[number % 2]
        thing, other = draw.sample(THINGS, 2)
        texts.append(f"the {thing} was {draw.choice(words)} with the {other} {number} .")
        labels.append(style)
    return LabelledTexts.of(texts, labels)


def graded_reviews(count: int = 60) -> LabelledTexts:
    """The same with grades from −3 to 3."""
    found = reviews(count)
    return LabelledTexts.graded(found.texts, found.targets * 4 - 2, "positive")


def silent(message: str, done: int, total: int) -> None:
    """Hear progress and say nothing."""


def trained(kind: str, labelled: LabelledTexts, **settings: Any) -> StyleModel:
    """Train a model of a kind with its default settings but for those given."""
    made = kind_of(kind)
    return made.train(labelled, made.read_settings(settings), 0, silent)


def tiny_transformer(folder: Path) -> Path:
    """Write an untrained encoder of two small layers with a vocabulary of the reviews' words."""
    import torch
    from transformers import BertConfig, BertModel, BertTokenizerFast

    words = [
        "the",
        "was",
        "with",
        ".",
        *THINGS,
        *GOOD,
        *BAD,
        *"0123456789",
        *map("##{}".format, range(10)),
    ]
    folder.mkdir(parents=True, exist_ok=True)
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *words]
    (folder / "vocab.txt").write_text("\n".join(vocabulary), encoding="utf-8")
    with torch.random.fork_rng():
        torch.manual_seed(3)
        config = BertConfig(
            vocab_size=len(vocabulary),
            hidden_size=32,
            num_hidden_layers=2,
            num_attention_heads=2,
            intermediate_size=64,
            max_position_embeddings=64,
        )
        BertModel(config).save_pretrained(folder)
    BertTokenizerFast(vocab=str(folder / "vocab.txt")).save_pretrained(folder)
    return folder
