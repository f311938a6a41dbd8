"""What every writer is: sources in, one output for each out.

A new writer is one module with a subclass of `Writer`, its `spec`, and `WRITERS = (…,)` at the
end; its name goes into `MODULES` of `metrics.writers.registry`. Another package brings one as an
entry point of the group ``touchstone.writers``. Form, command, API, job, signature and the stored
system follow from the spec.
"""

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import ClassVar, Literal, NamedTuple, TypeAlias

from metrics.scorers.spec import Documented, Library, Parameter, Value, read_parameters

Need = Literal["pairs", "texts", "lexicon"]
"""What a writer learns from: pairs of source and reference, texts by style, a style lexicon."""


@dataclass(frozen=True, slots=True)
class WriterSpec:
    """A writer as forms, docs, commands and signatures need to know it.

    The docstring of the writer's class has the summary, and sections Method, Citation and Distrust.

    Parameters
    ----------
    key
        Its name in commands, pages and signatures, such as ``formality-rules``.
    title
        Its name in prose.
    group
        What kind of system it is: the attribute `group` of what it writes.
    summary
        What it does and when to use it, in a sentence or two.
    method
        How it works, for the docs.
    citation
        The paper it follows.
    distrust
        What to keep in mind when its outputs are compared.
    needs
        What it learns from under any of its settings; see `Writer.needs_with`.
    parameters, libraries
        Settings, and distributions whose versions go into the signature.
    together
        Sources that it is given at once; each batch is stored before the next one begins.
    is_slow
        Whether several workers should share the segments.
    revision
        Grows whenever the same input would give another output.
    """

    key: str
    title: str
    group: str
    summary: str = ""
    method: str = ""
    citation: str = ""
    distrust: str = ""
    needs: frozenset[Need] = frozenset()
    parameters: tuple[Parameter, ...] = ()
    libraries: tuple[Library, ...] = ()
    together: int = 1000
    is_slow: bool = False
    revision: int = 1

    def read(self, given: Mapping[str, object]) -> dict[str, Value]:
        """Return every parameter's value, defaults filled in.

        Raises
        ------
        metrics.scorers.spec.ParameterError
            If a name is unknown or a value is not taken.
        """
        return read_parameters(self.key, self.parameters, given)


Direction: TypeAlias = tuple[str, str]
"""Source style and target style."""
Report: TypeAlias = Callable[[int], object]
"""Called with the number of sources of a batch that are done; raises to stop the writer."""


class WriterError(Exception):
    """A writer that cannot write with these settings or this study; says what to do."""


class Source(NamedTuple):
    """A text to be rewritten."""

    key: str
    text: str
    source_style: str = ""
    target_style: str = ""

    @property
    def direction(self) -> Direction:
        """Source style and target style."""
        return self.source_style, self.target_style


class Pair(NamedTuple):
    """A source with a reference, from which a writer learns."""

    key: str
    source: str
    reference: str
    source_style: str = ""
    target_style: str = ""

    @property
    def direction(self) -> Direction:
        """Source style and target style."""
        return self.source_style, self.target_style


class StyleWord(NamedTuple):
    """An entry of a style lexicon; `style` may be empty, and the weight unknown."""

    word: str
    style: str
    weight: float | None


@dataclass(frozen=True)
class Material:
    """What a writer may learn from; never anything of the segments that it writes.

    Attributes
    ----------
    pairs
        Sources with their references, in the order of the study.
    texts
        Texts by their style: sources of that style and references in it.
    lexicon
        Entries of the chosen style lexicon.
    cache
        Folder in which converted weights of models are kept; None: none are.
    trained
        Folders of the writers that were fine-tuned on the study, by their names.
    """

    pairs: Sequence[Pair] = ()
    texts: Mapping[str, Sequence[str]] = field(default_factory=dict)
    lexicon: Sequence[StyleWord] = ()
    cache: Path | None = None
    trained: Mapping[str, Path] = field(default_factory=dict)


class Written(NamedTuple):
    """An output, or why there is none."""

    text: str = ""
    reason: str = ""


class Estimate(NamedTuple):
    """What writing is expected to take; the time is known after a first run."""

    questions: int
    tokens_read: int
    tokens_written: int
    seconds: float | None = None


class Writer(Documented, ABC):
    """Writes one output for each source.

    The same parameters, material and source give the same output, whatever other sources are
    written with it, so that a run can be resumed and divided.

    Parameters
    ----------
    parameters
        Those that differ from the defaults.
    material
        What it may learn from; only what `needs_with` names is filled in.

    Raises
    ------
    metrics.scorers.spec.ParameterError
        If a parameter is unknown or has a value that is not taken.
    WriterError, metrics.scorers.scorer.Unavailable
        If it cannot write with these settings, or something is not installed.
    """

    spec: ClassVar[WriterSpec]

    def __init__(
        self, parameters: Mapping[str, object] | None = None, material: Material | None = None
    ) -> None:
        self.parameters = self.spec.read(parameters or {})
        self.material = material or Material()
        self.set_up()

    def set_up(self) -> None:
        """Do what is left to do with parameters and material; raises as `__init__`."""

    @abstractmethod
    def write(self, sources: Sequence[Source], report: Report = lambda done: None) -> list[Written]:
        """Return an output, or the reason why there is none, for each source.

        Raises
        ------
        WriterError, metrics.scorers.scorer.Unavailable
            If no source can be written.
        """

    def check(self, directions: Collection[Direction]) -> None:
        """Raise `WriterError` if it can write none of these directions."""

    def fingerprint(self) -> Mapping[str, str]:
        """Return names of files that decide its outputs, to their SHA-256."""
        return {}

    @classmethod
    def needs_with(cls, parameters: Mapping[str, Value]) -> frozenset[Need]:
        """Return what it needs with these parameters: without examples, a prompt needs no pairs."""
        return cls.spec.needs

    @property
    def seen(self) -> Collection[str]:
        """SHA-256 of the sources on which its model was trained here; those it does not write."""
        return ()

    @property
    def model(self) -> str:
        """Name of the model that writes: the attribute `model` of what it writes."""
        return ""

    def estimate(self, sources: Sequence[Source]) -> Estimate | None:
        """Return what these sources are expected to take; None if that is not worth a word."""
        return None


def chance(seed: int, *facts: str) -> random.Random:
    """Return a source of chance that depends on a seed and some facts only."""
    return random.Random(sha256("\0".join((str(seed), *facts)).encode()).digest())  # noqa: S311
