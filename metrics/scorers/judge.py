"""A language model as judge of an aspect, or of which of two outputs is better."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import ClassVar, Literal

from metrics.language_models import causal
from metrics.language_models.chatting import LocalVoice
from metrics.scorers.asking import (
    PRICES,
    SHOWN,
    AskingScorer,
    Question,
    expected_number,
    facts_of,
    filled,
    one_number,
    refuses,
    why_not_asked,
)
from metrics.scorers.chat_completions import AddressVoice, ChatCompletions, NoReply
from metrics.scorers.scorer import Answer, Scorer, Texts, Unavailable, Voice
from metrics.scorers.spec import Aspect, Library, MetricSpec, Need, Parameter, ParameterError
from metrics.weights.files import fingerprint

WEIGHTED = "weighted"
MOST_POINTS = 101
"""A scale of 0 to 100 takes eleven passes of the model, one of 1 to 5 takes one."""

_SCALE = "Answer with one number from {lowest} to {highest} and nothing else."
LIBRARIES = (Library("torch", "neural"), Library("transformers", "neural"))
JUDGED: tuple[Aspect, ...] = ("style", "content", "fluency", "naturalness", "overall")
PROMPTS: dict[str, str] = {
    "style": "The text below should be {target_style}.\n\nText: {output}\n\n"
    "How {target_style} is it, from {lowest} (not at all) to {highest} (completely)? " + _SCALE,
    "content": "A sentence was rewritten from {source_style} to {target_style}.\n\n"
    "Original: {source}\nRewritten: {output}\n\nHow much of the original's meaning is kept, "
    "leaving aside the change of style, from {lowest} (nothing) to {highest} (everything)? "
    + _SCALE,
    "fluency": "Text: {output}\n\nHow fluent and grammatical is this text, from {lowest} (not at "
    "all) to {highest} (perfectly)? " + _SCALE,
    "naturalness": "Text: {output}\n\nHow natural is this text, as if a person had written it of "
    "their own accord, from {lowest} (not at all) to {highest} (completely)? " + _SCALE,
    "overall": "A sentence was rewritten from {source_style} to {target_style}.\n\n"
    "Original: {source}\nRewritten: {output}\n\nHow good is the rewriting on the whole (its style, "
    "what it keeps of the meaning, and its language), from {lowest} (useless) to {highest} "
    "(perfect)? " + _SCALE,
}
WORDS: dict[str, str] = {name: name for name in PROMPTS} | {"overall": "overall quality"}


ADDRESS = (
    Parameter("base_url", "", "OpenAI-compatible address, such as http://localhost:8000/v1."),
    Parameter("model", "", "Name of the model at that address."),
)
PATIENCE = (
    Parameter("most_tokens", 16, "Longest reply, in tokens.", minimum=1, maximum=100_000),
    Parameter("timeout", 60.0, "Seconds to wait for one reply.", minimum=0.1, maximum=600),
    Parameter("retries", 3, "How often a failed request is repeated.", minimum=0, maximum=10),
)


def scale(lowest: float, highest: float) -> tuple[Parameter, Parameter]:
    """Return the parameters that name the ends of a scale."""
    return (
        Parameter("lowest", lowest, "Lowest number of the scale."),
        Parameter("highest", highest, "Highest number of the scale."),
    )


class Judge(AskingScorer):
    """A number that a language model behind an address answers with.

    Formula
    -------
    The number that a language model answers with when it is shown the prompt, at temperature 0.
    Prompt, scale, address and model are in the signature; the key is read from TOUCHSTONE_JUDGE_KEY
    and stored nowhere. Only addresses in TOUCHSTONE_JUDGE_URLS are asked.

    Distrust
    --------
    A provider may change the model behind a name, and answers vary even at temperature 0. Language
    models prefer long texts and texts of their own. Texts leave this machine.

    Citation
    --------
    Lai, Toral and Nissim 2023, Multidimensional Evaluation for Text Style Transfer Using ChatGPT.
    """

    needs: ClassVar[frozenset[Need]] = frozenset({"source", "styles"})

    def set_up(self) -> None:
        """Check the prompt."""
        # Browsers send lines of a form with both signs, and the prompt is part of the signature.
        self.parameters["prompt"] = str(self.parameters["prompt"]).replace("\r\n", "\n")
        if "{output}" not in str(self.parameters["prompt"]):
            raise ParameterError(
                "prompt: put {output} where the output belongs; without it all outputs of a "
                "source would be asked about alike"
            )

    @property
    def ends(self) -> tuple[float, float]:
        """Lowest and highest number of the scale."""
        return float(self.parameters["lowest"]), float(self.parameters["highest"])

    def voice(self) -> Voice:
        """Return who is asked; `Unavailable` if it may not be."""
        if not self.parameters["model"]:
            raise Unavailable(f"{self.spec.key}: set the parameter model to the judge's name")
        connection = ChatCompletions(
            str(self.parameters["base_url"]),
            str(self.parameters["model"]),
            timeout=float(self.parameters["timeout"]),
            retries=int(self.parameters["retries"]),
        )
        return AddressVoice(connection, int(self.parameters["most_tokens"]))

    def questions(self, texts: Texts) -> tuple[list[Question], dict[int, str]]:
        """Return what is asked about each output; see `AskingScorer.questions`."""
        template, voice = str(self.parameters["prompt"]), self.voice()
        questions, undefined = list[Question](), dict[int, str]()
        for row in range(len(texts)):
            facts = facts_of(texts, row, self.ends)
            if reason := why_not_asked(template, facts):
                undefined[row] = reason
            else:
                questions += self.about(row, template, facts, voice)
        return questions, undefined

    def about(
        self, row: int, template: str, facts: Mapping[str, str], voice: Voice
    ) -> list[Question]:
        """Return the questions about one output."""
        return [Question(row, 0, voice, filled(template, facts))]

    def number(self, question: Question, answer: Answer) -> float:
        """Return the one number of the answer; see `AskingScorer.number`."""
        return one_number(answer.text, *self.ends)

    def fingerprint(self) -> dict[str, str]:
        """Return nothing, for the model is elsewhere; `Unavailable` if it may not be asked."""
        self.voice()
        return {}


class LocalJudge(Judge):
    """A number that a causal language model of this machine answers with.

    Formula
    -------
    Weighted: Σ x P(x) / Σ P(x) over the whole numbers x of the scale, P(x) being the probability
    with which the model answers x. Greedy: the one number of what it writes, the likeliest token at
    every place. Each question is computed by itself, in float32, in the model's chat template.
    Prompt, scale and the model's files are in the signature.

    Distrust
    --------
    Small models hardly follow a scale: look at the report Stand-in before you use one. Language
    models prefer long texts and texts of their own.

    Citation
    --------
    Liu, Iter, Xu, Wang, Xu and Zhu 2023, G-Eval, for the weighted mean.
    """

    def set_up(self) -> None:
        """Check the scale."""
        super().set_up()
        if self._is_weighted:
            scale_points(*self.ends)

    def voice(self) -> Voice:
        """Return who is asked."""
        offered = scale_points(*self.ends) if self._is_weighted else ()
        most_tokens = int(self.parameters.get("most_tokens", 8))
        model, cache = str(self.parameters["model"]), self.resources.cache
        return LocalVoice(model, cache, offered, most_tokens=most_tokens)

    def number(self, question: Question, answer: Answer) -> float:
        """Return the weighted mean, or the one number that was written."""
        if self._is_weighted:
            return expected_number(answer.text)
        return super().number(question, answer)

    def fingerprint(self) -> dict[str, str]:
        """Return the hashes of the model's files."""
        return fingerprint(causal.files(str(self.parameters["model"])))

    @property
    def _is_weighted(self) -> bool:
        return self.parameters.get("answer", WEIGHTED) == WEIGHTED


def scale_points(lowest: float, highest: float) -> tuple[str, ...]:
    """Return the whole numbers of a scale, as a model writes them.

    Raises
    ------
    ParameterError
        If the ends are no whole numbers, or there are too many.
    """
    if lowest != int(lowest) or highest != int(highest) or not 0 < highest - lowest < MOST_POINTS:
        raise ParameterError(
            f"answer: {WEIGHTED} takes a scale of 2 to {MOST_POINTS} whole numbers, found "
            f"{lowest:g} to {highest:g}; choose greedy, or another scale"
        )
    return tuple(str(point) for point in range(int(lowest), int(highest) + 1))


_judging = partial(
    MetricSpec,
    orientation="higher",
    range="from the lowest to the highest number of the scale",
    needs=Judge.needs,
    takes_masked=False,
)


def _prompt(aspect: Aspect) -> Parameter:
    return Parameter(
        "prompt",
        PROMPTS[aspect],
        "What is asked; {source}, {output}, {source_style}, {target_style}, {lowest} and "
        "{highest} are filled in.",
    )


def _by_address(aspect: Aspect) -> type[Scorer]:
    described = _judging(
        key=f"judge-{aspect}",
        title=f"A language model's judgement of {WORDS[aspect]}",
        summary=f"The rating of {WORDS[aspect]} that a language model gives to the output when "
        "it is asked like a human rater.",
        aspect=aspect,
        parameters=(*ADDRESS, _prompt(aspect), *scale(0.0, 100.0), *PATIENCE, *PRICES),
    )

    class OfAspect(Judge):
        spec = described

    return OfAspect


def _local(aspect: Aspect) -> type[Scorer]:
    described = _judging(
        key=f"local-judge-{aspect}",
        title=f"A local language model's judgement of {WORDS[aspect]}",
        summary=f"The rating of {WORDS[aspect]} that a language model of this machine gives to the "
        "output when it is asked like a human rater. No text leaves the machine.",
        aspect=aspect,
        parameters=(
            causal.MODEL,
            _prompt(aspect),
            *scale(1.0, 5.0),
            Parameter(
                "answer",
                WEIGHTED,
                "The mean of the scale's numbers weighted by their probabilities, or the number "
                "that the model writes.",
                choices=(WEIGHTED, "greedy"),
            ),
            Parameter(
                "most_tokens",
                8,
                "Longest answer that is written, in tokens.",
                minimum=1,
                maximum=1000,
            ),
        ),
        libraries=LIBRARIES,
        weights=("smollm2",),
    )

    class OfAspect(LocalJudge):
        spec = described

    return OfAspect


SCORERS = (*map(_by_address, JUDGED), *map(_local, JUDGED))


Preferred = Literal["A", "B", "tie"]
TIE_LETTER = "C"
LETTERS = "Answer with one letter and nothing else: A if text A is better, B if text B is better"
NEITHER = ", C if neither is better"
PROMPT = """Source ({source_style}): {source}

Text A: {a}

Text B: {b}

Both texts should say what the source says and be {target_style}. {question}"""
_LETTER = re.compile(r"\b([ABC])\b")


@dataclass(frozen=True, slots=True)
class Pair:
    """Two outputs of one source.

    Attributes
    ----------
    first, second
        The texts, in an order that means nothing.
    source, source_style, target_style
        Empty where the study does not say.
    """

    first: str
    second: str
    source: str = ""
    source_style: str = ""
    target_style: str = ""

    @property
    def second_is_a(self) -> bool:
        """Whether the second text is A in the first of both orders: a coin that the texts throw."""
        texts = "\x00".join((self.source, self.first, self.second))
        return bool(sha256(texts.encode("utf-8", "surrogatepass")).digest()[0] % 2)

    def prompt(self, template: str, *, second_is_a: bool) -> str:
        """Fill a template in once, so that braces inside a text are left alone."""
        a, b = (self.second, self.first) if second_is_a else (self.first, self.second)
        facts: Mapping[str, str] = {
            "source": self.source,
            "a": a,
            "b": b,
            "source_style": self.source_style or "its style",
            "target_style": self.target_style or "in the target style",
        }
        return filled(template, facts)


def pair_voice(model: str, base_url: str, cache: Path | None, *, ties: bool) -> Voice:
    """Return who is asked: a model at an address, or one of this machine.

    Raises
    ------
    Unavailable
        If the address may not be asked.
    """
    if base_url:
        return AddressVoice(ChatCompletions(base_url, model))
    return LocalVoice(model, cache, offered=("A", "B", *([TIE_LETTER] if ties else [])))


def preferred(answer: Answer, *, weighed: bool, ties: bool) -> Preferred:
    """Return which text an answer prefers.

    Parameters
    ----------
    answer
    weighed
        Whether it lists probabilities of the letters, as `LocalVoice` does.
    ties
        Whether neither may be better.

    Raises
    ------
    NoReply
        If it prefers none, or one that there is not.

    Examples
    --------
    >>> preferred(Answer("", "**B**"), weighed=False, ties=True)
    'B'
    """
    if answer.reason:
        raise NoReply(answer.reason)
    if weighed:
        shares = [line.split("\t") for line in answer.text.splitlines()]
        letter = max(shares, key=lambda each: float(each[1]))[0]
    else:
        found = set(_LETTER.findall(answer.text))
        shown = answer.text.strip().replace("\n", " ")[:SHOWN]
        if len(found) != 1 or (found == {TIE_LETTER} and not ties):
            if refuses(answer.text):
                raise NoReply(f"the judge refused: {shown!r}")
            raise NoReply(f"the judge answered {shown!r}, and not with one letter")
        letter = found.pop()
    return "A" if letter == "A" else "B" if letter == "B" else "tie"
