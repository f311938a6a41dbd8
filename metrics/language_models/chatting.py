"""Asking a causal language model of this machine: what it writes, or how likely each answer is."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

from metrics.language_models import causal
from metrics.language_models.batching import generated
from metrics.language_models.causal import CausalLanguageModel
from metrics.scorers.chat_completions import EMPTY
from metrics.scorers.scorer import Answer
from metrics.weights.files import fingerprint

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


WINDOW = 8192
"""Most tokens of a question that the model sees; the model's own limit where that is lower."""
TOO_LONG = "the question has {found} tokens, and the model reads {limit}"


class ChatModel:
    """A causal language model that is asked one question at a time.

    A question is wrapped as the model's chat template says; special tokens that are written out in
    it are read as ordinary letters. Each is computed by itself, so that its answer is the same, to
    the last bit, beside whatever others.

    Parameters
    ----------
    model
        As `causal.load` gives it.
    """

    def __init__(self, model: CausalLanguageModel) -> None:
        self.model = model.model
        self.tokenizer = model.tokenizer
        self.limit = model.window
        # A model without a template gets a line for the question and one for the answer.
        self._before, self._after = wrapping(self.tokenizer, otherwise="\n\nAnswer: ")

    def tokens(self, prompt: str) -> list[int]:
        """Return the tokens of a question, up to where the answer begins."""
        return [*self._before, *self._split(prompt), *self._after]

    def written(self, prompt: str, most_tokens: int) -> Answer:
        """Return what the model writes, the likeliest token at every place."""
        started = monotonic()
        tokens = self.tokens(prompt)
        if problem := self._too_long(tokens, most_tokens):
            return Answer(prompt, "", problem)
        end = self.tokenizer.eos_token_id
        written = generated(self.model, tokens, most_tokens, end, do_sample=False)
        found = written[len(tokens) :]
        text = str(self.tokenizer.decode(found, skip_special_tokens=True))
        reason = "" if text.strip() else EMPTY
        return Answer(prompt, text, reason, len(tokens), len(found), monotonic() - started)

    def weighed(self, prompt: str, offered: Sequence[str]) -> Answer:
        """Return how likely each of some answers is, one in a line with its probability.

        An answer that another one begins with, as 1 and 10, has what is left of its probability.
        Probabilities are shares of all that may follow; those of other answers are missing.
        """
        started = monotonic()
        tokens = self.tokens(prompt)
        answers = [self._split(each) for each in offered]
        longest = max(map(len, answers))
        if problem := self._too_long(tokens, longest):
            return Answer(prompt, "", problem)
        beginnings = {tuple(each[:end]) for each in answers for end in range(len(each))}
        following = {each: self._following(tokens, each) for each in sorted(beginnings)}

        def probability(answer: Sequence[int]) -> float:
            return math.prod(
                following[tuple(answer[:end])][answer[end]] for end in range(len(answer))
            )

        whole = [probability(each) for each in answers]
        for place, each in enumerate(answers):
            longer = [
                probability(other)
                for other in answers
                if len(other) > len(each) and other[: len(each)] == each
            ]
            whole[place] = max(0.0, whole[place] - sum(longer))
        lines = [f"{each}\t{share!r}" for each, share in zip(offered, whole, strict=True)]
        return Answer(prompt, "\n".join(lines), "", len(tokens), longest, monotonic() - started)

    def _following(self, tokens: list[int], begun: tuple[int, ...]) -> list[float]:
        """Return the probability of every token after a question and the beginning of an answer."""
        import torch

        ids = torch.tensor([[*tokens, *begun]])
        with torch.inference_mode():
            logits = self.model(input_ids=ids, use_cache=False).logits[0, -1].double()
            found: list[float] = torch.softmax(logits, dim=-1).tolist()
        return found

    def _too_long(self, tokens: Sequence[int], more: int) -> str:
        limit = min(self.limit, WINDOW) - more
        return TOO_LONG.format(found=len(tokens), limit=limit) if len(tokens) > limit else ""

    def _split(self, text: str) -> list[int]:
        return tokens_of(self.tokenizer, text)


@dataclass(frozen=True, slots=True)
class LocalVoice:
    """A model of this machine, asked in one way.

    Parameters
    ----------
    model
        ``smollm2``, or a name that the administrator lists.
    cache
        Folder of converted weights; see `causal.load`.
    offered
        Answers of which the probabilities are wanted; none: what the model writes is.
    most_tokens
        Of what it writes.
    """

    model: str
    cache: Path | None = None
    offered: tuple[str, ...] = ()
    most_tokens: int = 8

    @property
    def at_a_time(self) -> int:
        """One: the model takes all processors."""
        return 1

    @property
    def asked_as(self) -> str:
        """Model with its files, and how it is asked."""
        files = fingerprint(causal.files(self.model))
        hashes = ",".join(f"{name}:{digest[:16]}" for name, digest in sorted(files.items()))
        how = f"at most {self.most_tokens} tokens, temperature 0"
        if self.offered:
            how = f"probabilities of {','.join(self.offered)}"
        return f"local {self.model} ({hashes}): {how}"

    def answer(self, prompt: str) -> Answer:
        """Return the answer; see `metrics.scorers.scorer.Voice`."""
        chat = ChatModel(causal.load(self.model, WINDOW, self.cache))
        if self.offered:
            return chat.weighed(prompt, self.offered)
        return chat.written(prompt, self.most_tokens)


def first_line(model: CausalLanguageModel, prompt: str, most_tokens: int) -> Answer:
    """Return the likeliest answer, token by token, up to its end or the end of its first line.

    The prompt is wrapped as the model's chat template says, if it has one. Special tokens that are
    written out in it are read as ordinary letters. Each prompt is computed by itself, so that its
    answer is the same whatever others are asked. There is none where the model reads fewer tokens
    than prompt and answer may have, or the answer does not end.
    """
    import torch
    from transformers import StoppingCriteriaList

    tokenizer = model.tokenizer
    before, after = wrapping(tokenizer)
    tokens = [*before, *tokens_of(tokenizer, prompt), *after]
    if len(tokens) + most_tokens > model.window:
        reason = (
            f"the prompt has {len(tokens):,} tokens and its answer up to {most_tokens:,}, but the "
            f"model reads {model.window:,}"
        )
        return Answer(prompt, "", reason)
    ended = False

    def is_line(ids: Any, scores: Any, **_: Any) -> Any:
        nonlocal ended
        text = tokenizer.decode(ids[0, len(tokens) :], skip_special_tokens=True)
        ended = "\n" in text.lstrip()
        return torch.tensor([ended])

    written = generated(
        *(model.model, tokens, most_tokens, tokenizer.eos_token_id),
        do_sample=False,
        stopping_criteria=StoppingCriteriaList([is_line]),
    )[len(tokens) :]
    ends = model.model.generation_config.eos_token_id
    ends = ends if isinstance(ends, list) else [ends]
    is_ended = ended or bool(written and written[-1] in (*ends, tokenizer.eos_token_id))
    reason = "" if is_ended else f"the answer did not end within {most_tokens} tokens"
    text = str(tokenizer.decode(written, skip_special_tokens=True))
    return Answer(prompt, text, reason, len(tokens), len(written))
