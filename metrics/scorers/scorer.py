"""What every scorer is: texts in, arrays out; and what a run gives it to compute with."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, NamedTuple, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from corpus.extras import how_to_install
from metrics.encoders.stored_vectors import StoredVectors
from metrics.scorers.spec import Documented, Library, MetricSpec, Value, WordsBy

SIGNS_A_TOKEN = 4
"""By which tokens are estimated where nobody counts them."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model answered.

    Attributes
    ----------
    prompt, text
        As they were sent and came; no text where no answer came.
    reason
        Why none came.
    tokens_in, tokens_out
        As the model or its address counts them, else estimated.
    seconds
        Until it was there.
    """

    prompt: str
    text: str
    reason: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    seconds: float = 0.0


class Tokens(NamedTuple):
    """Tokens read and written."""

    read: int = 0
    written: int = 0


class Voice(Protocol):
    """A model that is asked in one way."""

    @property
    def asked_as(self) -> str:
        """All that decides an answer besides the prompt: model, address or files, decoding."""

    @property
    def at_a_time(self) -> int:
        """Questions under way at once."""

    @property
    def most_tokens(self) -> int:
        """Longest answer."""

    def answer(self, prompt: str) -> Answer:
        """Return the answer, or the reason why there is none.

        Raises
        ------
        Unavailable
            If nobody is there, or the model is not on this machine.
        """


class AnswerBook(Protocol):
    """Where the answers of a study are kept."""

    def known(self, asked_as: str, prompts: Sequence[str]) -> Mapping[str, Answer]:
        """Return the answers that came to some prompts; not the reasons why none came."""

    def keep(self, asked_as: str, answers: Iterable[Answer]) -> None:
        """Keep answers, and reasons why none came, which may be replaced by an answer."""

    def used(self, asked_as: str) -> Tokens:
        """Return the tokens of all that is kept."""


def tokens_of(text: str) -> int:
    """Estimate how many tokens a text has.

    Examples
    --------
    >>> tokens_of("How fluent is this?")
    5
    """
    return -(-len(text) // SIGNS_A_TOKEN)


Floats: TypeAlias = npt.NDArray[np.float64]


class Unavailable(Exception):
    """Weights or a library that is not installed.

    The message says what is missing and what to do; nothing else is ever taken in its place.
    """


class Classifier(Protocol):
    """A style classifier, or a regressor of one graded style (then `styles` has one name)."""

    @property
    def styles(self) -> tuple[str, ...]:
        """Names of the columns."""

    @property
    def sha256(self) -> str:
        """Hash of all that its predictions depend on."""

    def predict(self, texts: Sequence[str], segments: Sequence[int]) -> Floats:
        """Return texts × styles; `segments` says which fold of a cross-fitted one to ask."""


class LanguageModel(Protocol):
    """A language model that says how likely texts are."""

    @property
    def sha256(self) -> str:
        """Hash of all that its likelihoods depend on."""

    def negative_log_likelihood(
        self, texts: Sequence[str], styles: Sequence[str]
    ) -> tuple[Floats, Floats]:
        """Return total −ln P of each text and its number of predicted units.

        `styles` says which of several models, one per style, to ask.
        """


class AdversarialTexts(NamedTuple):
    """Sources and the outputs of one model, each with the number of its segment."""

    texts: Sequence[str]
    segments: Sequence[int]
    are_sources: Sequence[bool]


class NaturalnessTexts(Protocol):
    """Texts of a study, on which classifiers of naturalness are trained."""

    @property
    def sha256(self) -> str:
        """Hash of all texts with their places, and of which system is of which model."""

    @property
    def models(self) -> Mapping[str, str]:
        """System to its model: systems that are settings of one model share it."""

    def of_model(self, model: str) -> AdversarialTexts:
        """Return all sources, and the outputs of all systems of a model."""


class StudyDocuments(Protocol):
    """The references of a study, or its sources where it has none, as documents to count in."""

    @property
    def sha256(self) -> str:
        """Hash of all the texts in their order."""

    @property
    def texts(self) -> Sequence[str]:
        """All of them, equal ones too."""


@dataclass(frozen=True)
class Resources:
    """Trained things of a study that a run was told to use."""

    classifier: Classifier | None = None
    language_model: LanguageModel | None = None
    naturalness: NaturalnessTexts | None = None
    documents: StudyDocuments | None = None
    """Of the study that is scored; None outside of one."""
    embeddings: StoredVectors | None = None
    """Where sentence embeddings of the study that is scored are stored."""
    answers: AnswerBook | None = None
    """Where answers of language models are kept; None: each is asked for anew."""
    cache: Path | None = None
    """Folder in which what was made from weights is kept; None: made anew in each process."""


@dataclass(frozen=True)
class Texts:
    """Aligned texts to score; one entry an output.

    Attributes
    ----------
    outputs
        In the text setting of the run (plain, style words removed or masked), as all texts here.
    against
        What each is compared with: one text, or all references; empty tuples for metrics that
        compare with nothing.
    sources
        Source of each output.
    source_styles, target_styles
        Names of styles; empty where the study does not say.
    segments
        A number for the segment of each, the same for all its outputs.
    systems
        Name of the system that wrote each.
    keys
        Key of the segment of each; none where nobody asks for them.
    """

    outputs: Sequence[str]
    against: Sequence[tuple[str, ...]]
    sources: Sequence[str]
    source_styles: Sequence[str]
    target_styles: Sequence[str]
    segments: Sequence[int]
    systems: Sequence[str]
    keys: Sequence[str] = ()

    def __post_init__(self) -> None:
        for name in ("against", "sources", "source_styles", "target_styles", "segments", "systems"):
            if len(getattr(self, name)) != len(self.outputs):
                raise ValueError(f"{len(self.outputs)} outputs, but {name} has another length")

    def __len__(self) -> int:
        return len(self.outputs)

    @classmethod
    def of(
        cls,
        outputs: Sequence[str],
        against: Sequence[str | tuple[str, ...]] | None = None,
        *,
        sources: Sequence[str] | None = None,
        source_styles: Sequence[str] | None = None,
        target_styles: Sequence[str] | None = None,
        segments: Sequence[int] | None = None,
        systems: Sequence[str] | None = None,
    ) -> "Texts":
        """Build texts from what is at hand; what is left out is empty.

        Examples
        --------
        >>> Texts.of(["a b"], ["a c"]).against
        (('a c',),)
        """
        n = len(outputs)
        pairs = [()] * n if against is None else against
        return cls(
            outputs=tuple(outputs),
            against=tuple((each,) if isinstance(each, str) else tuple(each) for each in pairs),
            sources=tuple(sources or [""] * n),
            source_styles=tuple(source_styles or [""] * n),
            target_styles=tuple(target_styles or [""] * n),
            segments=tuple(range(n) if segments is None else segments),
            systems=tuple(systems or [""] * n),
        )


@dataclass(frozen=True)
class Scores:
    """Scores of some texts.

    Attributes
    ----------
    values : ndarray, shape (texts, fields)
        NaN where undefined.
    undefined
        Row of every undefined text to the reason, in words. A field that alone is NaN shares it.
    statistics : ndarray, shape (texts, statistics)
        Sufficient statistics, as the spec names them; no columns where it names none.
    """

    values: Floats
    undefined: Mapping[int, str] = field(default_factory=dict)
    statistics: Floats = field(default_factory=lambda: np.empty((0, 0)))

    def __post_init__(self) -> None:
        unexplained = np.flatnonzero(np.isnan(self.values).any(axis=1))
        if set(unexplained.tolist()) - set(self.undefined):
            raise ValueError("every undefined score needs its reason")


class Scorer(Documented, ABC):
    """One metric with one setting. Building one is cheap: heavy things load at the first score."""

    spec: ClassVar[MetricSpec]

    def __init__(
        self, parameters: Mapping[str, object] | None = None, resources: Resources | None = None
    ) -> None:
        self.parameters: dict[str, Value] = self.spec.read(parameters or {})
        self.resources = resources or Resources()
        self.set_up()

    def set_up(self) -> None:
        """Do what is left to do with parameters and resources; raises as `__init__`."""

    @abstractmethod
    def score(self, texts: Texts) -> Scores:
        """Score texts; a text that has no score gets a reason, and never stops the others.

        Raises
        ------
        Unavailable
            If weights or a library are not installed.
        """

    @property
    def fields(self) -> tuple[str, ...]:
        """Names of the columns of the values."""
        return self.spec.fields

    @property
    def libraries(self) -> tuple[Library, ...]:
        """What it computes with under these parameters."""
        return self.spec.libraries

    @property
    def words_by(self) -> WordsBy:
        """What its words rest on under these parameters."""
        return self.spec.words_by

    @property
    def speaks_of(self) -> str:
        """The one style that a score measures; empty if it measures the transfer."""
        return ""

    @property
    def midpoint(self) -> float | None:
        """Where a score that refers to one style is mirrored for another."""
        return None

    def fingerprint(self) -> dict[str, str]:
        """Return what, besides parameters and library versions, decides the numbers.

        Names of model files or trained models to their SHA-256; raises `Unavailable`.
        """
        return {}

    def corpus_score(self, statistics: Floats) -> float:
        """Return the score of a set of texts from the sum of their sufficient statistics.

        Raises
        ------
        NotImplementedError
            If the metric has none.
        """
        raise NotImplementedError(f"{self.spec.key} has no corpus score")

    @property
    def has_corpus_score(self) -> bool:
        """Whether sufficient statistics give the score of a set of texts."""
        own = type(self).corpus_score is not Scorer.corpus_score
        return own and bool(self.spec.statistics)

    def corpus_scores(self, sums: Floats) -> Floats:
        """Return the scores of many sets of texts from the sums of each.

        Parameters
        ----------
        sums : ndarray, shape (…, statistics)

        Returns
        -------
        ndarray, shape (…)
            NaN where there is nothing to score.
        """
        rows = sums.reshape(-1, sums.shape[-1])
        scores = np.array([self.corpus_score(row) for row in rows], dtype=np.float64)
        return scores.reshape(sums.shape[:-1])


def library_versions(libraries: Iterable[Library]) -> dict[str, str]:
    """Return the versions of what a metric computes with; raises `Unavailable`."""
    versions = {}
    for library in libraries:
        found = library.version()
        if found is None:
            raise Unavailable(missing_words(library))
        versions[library.distribution] = found
    return versions


def missing_words(library: Library) -> str:
    """Say that a library is missing, and what to do."""
    name, extra = library.distribution, library.extra
    return f"{name} is not installed: {how_to_install(extra) if extra else f'pip install {name}'}"
