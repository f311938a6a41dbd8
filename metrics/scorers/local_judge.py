"""A language model of this machine as judge of an aspect."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from metrics.language_models import causal
from metrics.language_models.chatting import LocalVoice
from metrics.scorers.answers import Answer, Voice
from metrics.scorers.asking import Question, expected_number, one_number
from metrics.scorers.judge import PROMPTS, WORDS, Judge
from metrics.scorers.scorer import Resources
from metrics.scorers.spec import Aspect, Library, MetricSpec, Parameter, ParameterError
from metrics.weights.hashing import fingerprint
from metrics.weights.registered import MODELS

WEIGHTED = "weighted"
MOST_POINTS = 101
"""A scale of 0 to 100 takes eleven passes of the model, one of 1 to 5 takes one."""
MODEL = Parameter(
    "model",
    "smollm2",
    "smollm2, or a causal language model that the administrator lists.",
    listed=MODELS,
)


class LocalJudge(Judge):
    """A number that a causal language model of this machine answers with."""

    def __init__(
        self, parameters: Mapping[str, object] | None = None, resources: Resources | None = None
    ) -> None:
        super().__init__(parameters, resources)
        if self.parameters["answer"] == WEIGHTED:
            points_of(*self.ends)

    def voice(self) -> Voice:
        """Return who is asked."""
        voice = LocalVoice(
            str(self.parameters["model"]),
            self.resources.cache,
            most_tokens=int(self.parameters["most_tokens"]),
        )
        if self.parameters["answer"] == WEIGHTED:
            return replace(voice, offered=points_of(*self.ends))
        return voice

    def number(self, question: Question, answer: Answer) -> float:
        """Return the weighted mean, or the one number that was written."""
        if self.parameters["answer"] == WEIGHTED:
            return expected_number(answer.text)
        return one_number(answer.text, *self.ends)

    def fingerprint(self) -> dict[str, str]:
        """Return the hashes of the model's files."""
        return fingerprint(causal.files(str(self.parameters["model"])))


def points_of(lowest: float, highest: float) -> tuple[str, ...]:
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


def _spec(aspect: Aspect) -> MetricSpec:
    return MetricSpec(
        key=f"local-judge-{aspect}",
        title=f"A local language model's judgement of {WORDS[aspect]}",
        summary=f"The rating of {WORDS[aspect]} that a language model of this machine gives to the "
        "output when it is asked like a human rater. No text leaves the machine.",
        aspect=aspect,
        orientation="higher",
        formula="Weighted: Σ x P(x) / Σ P(x) over the whole numbers x of the scale, P(x) being the "
        "probability with which the model answers x. Greedy: the one number of what it writes, "
        "the likeliest token at every place. Each question is computed by itself, in float32, in "
        "the model's chat template. Prompt, scale and the model's files are in the signature.",
        range="from the lowest to the highest number of the scale",
        distrust="Small models hardly follow a scale: look at the report Stand-in before you use "
        "one. Language models prefer long texts and texts of their own.",
        citation="Liu, Iter, Xu, Wang, Xu and Zhu 2023, G-Eval, for the weighted mean.",
        needs=LocalJudge.needs,
        parameters=(
            MODEL,
            Parameter(
                "prompt",
                PROMPTS[aspect],
                "What is asked; {source}, {output}, {source_style}, {target_style}, {lowest} and "
                "{highest} are filled in.",
            ),
            Parameter("lowest", 1.0, "Lowest number of the scale."),
            Parameter("highest", 5.0, "Highest number of the scale."),
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
        libraries=(Library("torch", "neural"), Library("transformers", "neural")),
        weights=("smollm2",),
        takes_masked=False,
    )


class LocalStyleJudge(LocalJudge):
    """How much a text has its target style."""

    spec = _spec("style")


class LocalContentJudge(LocalJudge):
    """How much of its source a text keeps."""

    spec = _spec("content")


class LocalFluencyJudge(LocalJudge):
    """How fluent a text is."""

    spec = _spec("fluency")


class LocalNaturalnessJudge(LocalJudge):
    """How natural a text is."""

    spec = _spec("naturalness")


class LocalOverallJudge(LocalJudge):
    """How good a rewriting is on the whole."""

    spec = _spec("overall")


SCORERS = (
    LocalStyleJudge,
    LocalContentJudge,
    LocalFluencyJudge,
    LocalNaturalnessJudge,
    LocalOverallJudge,
)
