"""A judge asked about changed copies of an output, and several times: what moves its answers."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from hashlib import sha256

from metrics.language_models import causal
from metrics.scorers.asking import (
    PRICES,
    Question,
    expected_number,
    filled,
)
from metrics.scorers.chat_completions import AddressVoice
from metrics.scorers.judge import (
    ADDRESS,
    LIBRARIES,
    PATIENCE,
    PROMPTS,
    Judge,
    LocalJudge,
    scale,
    scale_points,
)
from metrics.scorers.scorer import Answer, Voice
from metrics.scorers.spec import MetricSpec, Parameter

PLAIN, PADDED, FORMATTED, TURNED, SAMPLE = "plain", "padded", "formatted", "turned", "sample"
"""Fields of a run: the output as it is, changed copies, the options turned round, samples."""
_OWN = (
    Parameter(
        "prompt",
        PROMPTS["fluency"],
        "What is asked, as of a judge; the options of the scale are listed after it.",
    ),
    *scale(1.0, 5.0),
    Parameter("samples", 3, "Answers to the same question.", minimum=2, maximum=20),
    Parameter(
        "padding",
        "That is what is meant here, and there is nothing more to be said about it.",
        "What a padded copy says after the output: in the language of the outputs, and empty of "
        "content.",
    ),
)
_probing = partial(
    MetricSpec,
    aspect="description",
    orientation="descriptive",
    fields=(PLAIN, PADDED, FORMATTED, TURNED),
    needs=Judge.needs,
    takes_masked=False,
)
_FORMULA = (
    "The judge's number for the output as it is (plain), for the output followed by a sentence "
    "without content (padded), for the output in bold under a heading (formatted), with the "
    "options listed from the highest (turned), and for the output as it is again, {sampled}."
)


class JudgeProbes(Judge):
    """How a judge's numbers change for padded and formatted copies, for options in the other order,
    and between samples of one answer. Read it in the report Probes.

    Range
    -----
    from the lowest to the highest number of the scale

    Distrust
    --------
    A shift is one of this prompt and scale. Copies say nothing new by design only.

    Citation
    --------
    Zheng et al. 2023, Judging LLM-as-a-Judge with MT-Bench and Chatbot Arena.
    """

    spec = _probing(
        key="judge-probes",
        title="Probes of a judge",
        formula=_FORMULA.format(sampled="at the given temperature"),
        parameters=(
            *ADDRESS,
            *_OWN,
            Parameter("temperature", 1.0, "Of the samples.", minimum=0.01, maximum=2),
            *PATIENCE,
            *PRICES,
        ),
    )

    def set_up(self) -> None:
        """Check the scale."""
        super().set_up()
        scale_points(*self.ends)

    @property
    def fields(self) -> tuple[str, ...]:
        """Names of the columns: one for each sample too."""
        samples = (f"{SAMPLE}-{number}" for number in range(1, self._samples + 1))
        return (*self.spec.fields, *samples)

    @property
    def _samples(self) -> int:
        return int(self.parameters["samples"])

    def about(
        self, row: int, template: str, facts: Mapping[str, str], voice: Voice
    ) -> list[Question]:
        """Return the questions about one output and its copies."""
        points, questions = scale_points(*self.ends), list[Question]()
        copies = {
            PLAIN: facts["output"],
            PADDED: f"{facts['output']} {self.parameters['padding']}",
            FORMATTED: f"## Text\n\n**{facts['output']}**",
            TURNED: facts["output"],
        }
        for place, (name, output) in enumerate(copies.items()):
            listed = points[::-1] if name == TURNED else points
            prompt = filled(template, {**facts, "output": output})
            prompt = f"{prompt}\n\nOptions: {', '.join(listed)}"
            questions.append(Question(row, place, voice, prompt))
        samples = range(self._samples)
        return questions + [self._sampled(questions[0], len(copies) + n, n) for n in samples]

    def _sampled(self, plain: Question, place: int, sample: int) -> Question:
        voice = plain.voice
        if isinstance(voice, AddressVoice):
            temperature = float(self.parameters["temperature"])
            voice = replace(voice, temperature=temperature, sample=sample + 1)
        return plain._replace(field=place, voice=voice)


class LocalJudgeProbes(JudgeProbes, LocalJudge):
    # The samples of a judge of this machine are drawn by its probabilities.
    spec = _probing(
        key="local-judge-probes",
        title="Probes of a local judge",
        formula=_FORMULA.format(
            sampled="drawn among the scale's numbers with the model's probabilities; all else is "
            "the probability-weighted mean"
        ),
        parameters=(causal.MODEL, *_OWN),
        libraries=LIBRARIES,
        weights=("smollm2",),
    )

    def number(self, question: Question, answer: Answer) -> float:
        """Return the weighted mean, or what a sample draws."""
        sample = question.field - len(self.spec.fields)
        return expected_number(answer.text) if sample < 0 else drawn_number(answer, sample)


def drawn_number(answer: Answer, sample: int) -> float:
    """Return a number of a list with its probability: the same for the same question and sample.

    Raises
    ------
    NoReply
        If none of the numbers has any.
    """
    expected_number(answer.text)
    pairs = [tuple(map(float, line.split("\t"))) for line in answer.text.splitlines()]
    seed = sha256(f"{sample}\x00{answer.prompt}".encode("utf-8", "surrogatepass")).digest()
    left = int.from_bytes(seed[:7]) / 2**56 * sum(share for _, share in pairs)
    for number, share in pairs:
        left -= share
        if left < 0:
            return number
    return pairs[-1][0]


SCORERS = (JudgeProbes, LocalJudgeProbes)
