"""A language model behind an address as judge of an aspect."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from metrics.scorers.answers import Answer, Voice
from metrics.scorers.asking import (
    PRICES,
    AskingScorer,
    Question,
    facts_of,
    filled,
    one_number,
    why_not_asked,
)
from metrics.scorers.chat_completions import AddressVoice, ChatCompletions
from metrics.scorers.scorer import Resources, Texts, Unavailable
from metrics.scorers.spec import Aspect, MetricSpec, Need, Parameter, ParameterError

_SCALE = "Answer with one number from {lowest} to {highest} and nothing else."
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


class Judge(AskingScorer):
    """A number that a language model answers with."""

    needs: ClassVar[frozenset[Need]] = frozenset({"source", "styles"})

    def __init__(
        self, parameters: Mapping[str, object] | None = None, resources: Resources | None = None
    ) -> None:
        super().__init__(parameters, resources)
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
        """Return one question about each output; see `AskingScorer.questions`."""
        template, voice = str(self.parameters["prompt"]), self.voice()
        questions, undefined = [], dict[int, str]()
        for row in range(len(texts)):
            facts = facts_of(texts, row, self.ends)
            if reason := why_not_asked(template, facts):
                undefined[row] = reason
            else:
                questions.append(Question(row, 0, voice, filled(template, facts)))
        return questions, undefined

    def number(self, question: Question, answer: Answer) -> float:
        """Return the one number of the answer; see `AskingScorer.number`."""
        return one_number(answer.text, *self.ends)

    def fingerprint(self) -> dict[str, str]:
        """Return nothing, for the model is elsewhere; `Unavailable` if it may not be asked."""
        self.voice()
        return {}


def _spec(aspect: Aspect) -> MetricSpec:
    return MetricSpec(
        key=f"judge-{aspect}",
        title=f"A language model's judgement of {WORDS[aspect]}",
        summary=f"The rating of {WORDS[aspect]} that a language model gives to the output when "
        "it is asked like a human rater.",
        aspect=aspect,
        orientation="higher",
        formula="The number that a language model answers with when it is shown the prompt, at "
        "temperature 0. Prompt, scale, address and model are in the signature; the key is read "
        "from TOUCHSTONE_JUDGE_KEY and stored nowhere. Only addresses in TOUCHSTONE_JUDGE_URLS "
        "are asked.",
        range="from the lowest to the highest number of the scale",
        distrust="A provider may change the model behind a name, and answers vary even at "
        "temperature 0. Language models prefer long texts and texts of their own. Texts leave "
        "this machine.",
        citation="Lai, Toral and Nissim 2023, Multidimensional Evaluation for Text Style Transfer "
        "Using ChatGPT.",
        needs=Judge.needs,
        parameters=(
            Parameter(
                "base_url", "", "OpenAI-compatible address, such as http://localhost:8000/v1."
            ),
            Parameter("model", "", "Name of the model at that address."),
            Parameter(
                "prompt",
                PROMPTS[aspect],
                "What is asked; {source}, {output}, {source_style}, {target_style}, {lowest} and "
                "{highest} are filled in.",
            ),
            Parameter("lowest", 0.0, "Lowest number of the scale."),
            Parameter("highest", 100.0, "Highest number of the scale."),
            Parameter("most_tokens", 16, "Longest reply, in tokens.", minimum=1, maximum=100_000),
            Parameter("timeout", 60.0, "Seconds to wait for one reply.", minimum=0.1, maximum=600),
            Parameter(
                "retries", 3, "How often a failed request is repeated.", minimum=0, maximum=10
            ),
            *PRICES,
        ),
        takes_masked=False,
    )


class StyleJudge(Judge):
    """How much a text has its target style."""

    spec = _spec("style")


class ContentJudge(Judge):
    """How much of its source a text keeps."""

    spec = _spec("content")


class FluencyJudge(Judge):
    """How fluent a text is."""

    spec = _spec("fluency")


class NaturalnessJudge(Judge):
    """How natural a text is."""

    spec = _spec("naturalness")


class OverallJudge(Judge):
    """How good a rewriting is on the whole."""

    spec = _spec("overall")


SCORERS = (StyleJudge, ContentJudge, FluencyJudge, NaturalnessJudge, OverallJudge)
