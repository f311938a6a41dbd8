"""A question as a causal language model reads it: wrapped as the model's chat template says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

MARK = "\x00"


class Wrapping(NamedTuple):
    """The tokens around a question."""

    before: Sequence[int]
    after: Sequence[int]


def wrapping(tokenizer: Any, otherwise: str = "") -> Wrapping:
    """Return the tokens around a question, up to where the answer begins.

    Parameters
    ----------
    tokenizer
        Of transformers.
    otherwise
        What stands behind a question to a model without a chat template.
    """
    if not tokenizer.chat_template:
        return Wrapping([], tokens_of(tokenizer, otherwise) if otherwise else [])
    whole = tokenizer.apply_chat_template(
        [{"role": "user", "content": MARK}], add_generation_prompt=True, tokenize=False
    )
    before, _, after = str(whole).partition(MARK)
    parts = [tokenizer(part, add_special_tokens=False) for part in (before, after)]
    return Wrapping(parts[0]["input_ids"], parts[1]["input_ids"])


def tokens_of(tokenizer: Any, text: str) -> list[int]:
    """Return the tokens of a text; special tokens written out in it are ordinary letters."""
    found: list[int] = tokenizer(
        text.encode("utf-8", "replace").decode("utf-8"),
        add_special_tokens=False,
        split_special_tokens=True,
        verbose=False,
    )["input_ids"]
    return found
