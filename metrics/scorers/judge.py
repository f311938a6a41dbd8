"""A language model as judge of style, content and fluency."""

from __future__ import annotations

import re
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import ClassVar

import numpy as np

from metrics.scorers.chat_completions import ChatCompletions, NoReply
from metrics.scorers.scorer import Resources, Scorer, Scores, Texts, Unavailable
from metrics.scorers.spec import Aspect, MetricSpec, Need, Parameter

EMPTY = "the text is empty"
EMPTY_SOURCE = "there is no source to show to the judge"
NO_STYLE = "the study does not say the styles that the prompt names"
AT_A_TIME = 4
"""Questions under way at once."""
_SCALE = "Answer with one number from {lowest} to {highest} and nothing else."
_PLACE = re.compile(r"\{(source|output|source_style|target_style|lowest|highest)\}")
_NUMBER = re.compile(r"(?<![\w./])[-−]?\d+(?:\.\d+)?(?![\w]|\.\d|/)")
_PROMPTS: dict[str, str] = {
    "style": "The text below should be {target_style}.\n\nText: {output}\n\n"
    "How {target_style} is it, from {lowest} (not at all) to {highest} (completely)? " + _SCALE,
    "content": "A sentence was rewritten from {source_style} to {target_style}.\n\n"
    "Original: {source}\nRewritten: {output}\n\nHow much of the original's meaning is kept, "
    "leaving aside the change of style, from {lowest} (nothing) to {highest} (everything)? "
    + _SCALE,
    "fluency": "Text: {output}\n\nHow fluent and grammatical is this text, from {lowest} (not at "
    "all) to {highest} (perfectly)? " + _SCALE,
}


class Judge(Scorer):
    """A number that a language model answers with."""

    needs: ClassVar[frozenset[Need]] = frozenset({"source", "styles"})

    def __init__(
        self, parameters: Mapping[str, object] | None = None, resources: Resources | None = None
    ) -> None:
        super().__init__(parameters, resources)
        # Browsers send lines of a form with both signs, and the prompt is part of the signature.
        self.parameters["prompt"] = str(self.parameters["prompt"]).replace("\r\n", "\n")

    def score(self, texts: Texts) -> Scores:
        """Ask about each output; see `Scorer.score`.

        What got no reply or no number is undefined with the reason.
        """
        connection, most_tokens = self._connection(), int(self.parameters["most_tokens"])
        values, undefined = np.full((len(texts), 1), np.nan), dict[int, str]()
        prompts: dict[int, str] = {}
        for row in range(len(texts)):
            prompt, reason = self._prompt(texts, row)
            if reason:
                undefined[row] = reason
            else:
                prompts[row] = prompt

        def answered(prompt: str) -> float | str:
            try:
                return self._number(connection.ask(prompt, most_tokens=most_tokens))
            except NoReply as error:
                return str(error)

        with ThreadPoolExecutor(AT_A_TIME) as pool:
            different = list(dict.fromkeys(prompts.values()))
            answers = dict(zip(different, pool.map(answered, different), strict=True))
        for row, prompt in prompts.items():
            answer = answers[prompt]
            if isinstance(answer, str):
                undefined[row] = answer
            else:
                values[row, 0] = answer
        return Scores(values, undefined)

    def fingerprint(self) -> dict[str, str]:
        """Return nothing, for the model is elsewhere; `Unavailable` if it may not be asked."""
        self._connection()
        return {}

    def _connection(self) -> ChatCompletions:
        if not self.parameters["model"]:
            raise Unavailable(f"{self.spec.key}: set the parameter model to the judge's name")
        return ChatCompletions(
            str(self.parameters["base_url"]),
            str(self.parameters["model"]),
            timeout=float(self.parameters["timeout"]),
            retries=int(self.parameters["retries"]),
        )

    def _prompt(self, texts: Texts, row: int) -> tuple[str, str]:
        """Return the question about a text, or why there is none."""
        facts = {
            "source": texts.sources[row],
            "output": texts.outputs[row],
            "source_style": texts.source_styles[row],
            "target_style": texts.target_styles[row],
            "lowest": f"{self.parameters['lowest']:g}",
            "highest": f"{self.parameters['highest']:g}",
        }
        template = str(self.parameters["prompt"])
        named = set(_PLACE.findall(template))
        if not texts.outputs[row].strip():
            return "", EMPTY
        if "source" in named and not texts.sources[row].strip():
            return "", EMPTY_SOURCE
        if any(not facts[name] for name in named & {"source_style", "target_style"}):
            return "", NO_STYLE
        return _filled(template, facts), ""

    def _number(self, reply: str) -> float:
        found = _NUMBER.findall(reply)
        shown = reply.strip().replace("\n", " ")[:60]
        if len(found) != 1:
            raise NoReply(f"the judge answered {shown!r}, and not with one number")
        number = float(found[0].replace("−", "-"))
        if not float(self.parameters["lowest"]) <= number <= float(self.parameters["highest"]):
            raise NoReply(f"the judge answered {shown!r}, which is outside the scale")
        return number


def _filled(template: str, facts: Mapping[str, str]) -> str:
    """Fill in once, so that braces inside a text are left alone."""
    return _PLACE.sub(lambda place: facts[place[1]], template)


def _spec(aspect: Aspect) -> MetricSpec:
    return MetricSpec(
        key=f"judge-{aspect}",
        title=f"A language model's judgement of {aspect}",
        summary=f"The rating of {aspect} that a language model gives to the output when it is "
        "asked like a human rater.",
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
                _PROMPTS[aspect],
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


SCORERS = (StyleJudge, ContentJudge, FluencyJudge)
