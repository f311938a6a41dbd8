"""A judge asked about changed copies of an output, and several times: what moves its answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from hashlib import sha256

from metrics.language_models.chatting import LocalVoice
from metrics.scorers.answers import Answer, Voice
from metrics.scorers.asking import (
    PRICES,
    Question,
    expected_number,
    facts_of,
    filled,
    why_not_asked,
)
from metrics.scorers.chat_completions import AddressVoice
from metrics.scorers.judge import PROMPTS, Judge
from metrics.scorers.local_judge import MODEL, LocalJudge, points_of
from metrics.scorers.scorer import Resources, Texts
from metrics.scorers.spec import Library, MetricSpec, Parameter

PLAIN, PADDED, FORMATTED, TURNED, SAMPLE = "plain", "padded", "formatted", "turned", "sample"
"""Fields of a run: the output as it is, changed copies, the options turned round, samples."""
_OWN = (
    Parameter(
        "prompt",
        PROMPTS["fluency"],
        "What is asked, as of a judge; the options of the scale are listed after it.",
    ),
    Parameter("lowest", 1.0, "Lowest number of the scale."),
    Parameter("highest", 5.0, "Highest number of the scale."),
    Parameter("samples", 3, "Answers to the same question.", minimum=2, maximum=20),
    Parameter(
        "padding",
        "That is what is meant here, and there is nothing more to be said about it.",
        "What a padded copy says after the output: in the language of the outputs, and empty of "
        "content.",
    ),
)
_SUMMARY = (
    "How a judge's numbers change for padded and formatted copies, for options in the other order, "
    "and between samples of one answer. Read it in the report Probes."
)
_FORMULA = (
    "The judge's number for the output as it is (plain), for the output followed by a sentence "
    "without content (padded), for the output in bold under a heading (formatted), with the "
    "options listed from the highest (turned), and for the output as it is again, {sampled}."
)


class JudgeProbes(Judge):
    """Numbers of a judge at an address."""

    spec = MetricSpec(
        key="judge-probes",
        title="Probes of a judge",
        summary=_SUMMARY,
        aspect="description",
        orientation="descriptive",
        formula=_FORMULA.format(sampled="at the given temperature"),
        range="from the lowest to the highest number of the scale",
        distrust="A shift is one of this prompt and scale. Copies say nothing new by design only.",
        citation="Zheng et al. 2023, Judging LLM-as-a-Judge with MT-Bench and Chatbot Arena.",
        fields=(PLAIN, PADDED, FORMATTED, TURNED),
        needs=Judge.needs,
        parameters=(
            Parameter(
                "base_url", "", "OpenAI-compatible address, such as http://localhost:8000/v1."
            ),
            Parameter("model", "", "Name of the model at that address."),
            *_OWN,
            Parameter("temperature", 1.0, "Of the samples.", minimum=0.01, maximum=2),
            Parameter("most_tokens", 16, "Longest reply, in tokens.", minimum=1, maximum=100_000),
            Parameter("timeout", 60.0, "Seconds to wait for one reply.", minimum=0.1, maximum=600),
            Parameter(
                "retries", 3, "How often a failed request is repeated.", minimum=0, maximum=10
            ),
            *PRICES,
        ),
        takes_masked=False,
    )

    def __init__(
        self, parameters: Mapping[str, object] | None = None, resources: Resources | None = None
    ) -> None:
        super().__init__(parameters, resources)
        points_of(*self.ends)

    @property
    def fields(self) -> tuple[str, ...]:
        """Names of the columns: one for each sample too."""
        samples = (f"{SAMPLE}-{number}" for number in range(1, self._samples + 1))
        return (*self.spec.fields, *samples)

    @property
    def _samples(self) -> int:
        return int(self.parameters["samples"])

    def questions(self, texts: Texts) -> tuple[list[Question], dict[int, str]]:
        """Return the questions about each output and its copies."""
        template, voice = str(self.parameters["prompt"]), self.voice()
        points = points_of(*self.ends)
        questions, undefined = [], dict[int, str]()
        for row in range(len(texts)):
            facts = facts_of(texts, row, self.ends)
            if reason := why_not_asked(template, facts):
                undefined[row] = reason
                continue
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
            plain = questions[-len(copies)]
            questions += [
                self._sampled(plain, len(copies) + sample, sample)
                for sample in range(self._samples)
            ]
        return questions, undefined

    def _sampled(self, plain: Question, place: int, sample: int) -> Question:
        voice = plain.voice
        if isinstance(voice, AddressVoice):
            temperature = float(self.parameters["temperature"])
            voice = replace(voice, temperature=temperature, sample=sample + 1)
        return plain._replace(field=place, voice=voice)


class LocalJudgeProbes(JudgeProbes, LocalJudge):
    """Numbers of a judge of this machine; samples are drawn by its probabilities."""

    spec = MetricSpec(
        key="local-judge-probes",
        title="Probes of a local judge",
        summary=_SUMMARY,
        aspect="description",
        orientation="descriptive",
        formula=_FORMULA.format(
            sampled="drawn among the scale's numbers with the model's probabilities; all else is "
            "the probability-weighted mean"
        ),
        range="from the lowest to the highest number of the scale",
        distrust="A shift is one of this prompt and scale. Copies say nothing new by design only.",
        citation="Zheng et al. 2023, Judging LLM-as-a-Judge with MT-Bench and Chatbot Arena.",
        fields=JudgeProbes.spec.fields,
        needs=Judge.needs,
        parameters=(MODEL, *_OWN),
        libraries=(Library("torch", "neural"), Library("transformers", "neural")),
        weights=("smollm2",),
        takes_masked=False,
    )

    def __init__(
        self, parameters: Mapping[str, object] | None = None, resources: Resources | None = None
    ) -> None:
        Judge.__init__(self, parameters, resources)
        points_of(*self.ends)

    def voice(self) -> Voice:
        """Return who is asked."""
        model, cache = str(self.parameters["model"]), self.resources.cache
        return LocalVoice(model, cache, offered=points_of(*self.ends))

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
