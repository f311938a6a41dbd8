"""What a causal language model of this machine writes as the answer to a prompt."""

from __future__ import annotations

from typing import Any, NamedTuple

from metrics.language_models.causal import CausalLanguageModel
from metrics.language_models.chat_template import tokens_of, wrapping
from metrics.weights.quiet import quiet


class Answered(NamedTuple):
    """An answer, and whether it ended before it was cut off."""

    text: str
    is_ended: bool


class PromptTooLong(Exception):
    """A prompt with more tokens than the model reads; the message has both numbers."""


def answer(model: CausalLanguageModel, prompt: str, most_tokens: int) -> Answered:
    """Return the likeliest answer, token by token, up to its end or the end of its first line.

    The prompt is wrapped as the model's chat template says, if it has one. Special tokens that are
    written out in it are read as ordinary letters. Each prompt is computed by itself, so that its
    answer is the same whatever others are asked.

    Raises
    ------
    PromptTooLong
        If the model reads fewer tokens than prompt and answer may have.
    """
    import torch
    from transformers import StoppingCriteriaList

    tokens = prompt_tokens(model, prompt)
    if len(tokens) + most_tokens > model.window:
        raise PromptTooLong(
            f"the prompt has {len(tokens):,} tokens and its answer up to {most_tokens:,}, but the "
            f"model reads {model.window:,}"
        )
    tokenizer = model.tokenizer
    ended = False

    def is_line(ids: Any, scores: Any, **_: Any) -> Any:
        nonlocal ended
        text = tokenizer.decode(ids[0, len(tokens) :], skip_special_tokens=True)
        ended = "\n" in text.lstrip()
        return torch.tensor([ended])

    ids = torch.tensor([tokens])
    with torch.inference_mode(), quiet():
        written = model.model.generate(
            input_ids=ids,
            attention_mask=torch.ones_like(ids),
            max_new_tokens=most_tokens,
            do_sample=False,
            pad_token_id=tokenizer.eos_token_id,
            stopping_criteria=StoppingCriteriaList([is_line]),
        )[0, len(tokens) :].tolist()
    ends = model.model.generation_config.eos_token_id
    ends = ends if isinstance(ends, list) else [ends]
    is_ended = ended or bool(written and written[-1] in (*ends, tokenizer.eos_token_id))
    return Answered(str(tokenizer.decode(written, skip_special_tokens=True)), is_ended)


def prompt_tokens(model: CausalLanguageModel, prompt: str) -> list[int]:
    """Return the tokens of a prompt, up to where the answer begins."""
    before, after = wrapping(model.tokenizer)
    return [*before, *tokens_of(model.tokenizer, prompt), *after]
