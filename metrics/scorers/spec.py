"""What a metric declares of itself, for its docs, its form, its signature and its reports."""

import math
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from inspect import getdoc
from typing import Any, ClassVar, Literal, TypeAlias

from corpus.extras import Extra
from metrics.weights.registered import Registered

Aspect = Literal["style", "content", "fluency", "naturalness", "overall", "description"]
Orientation = Literal["higher", "lower", "target", "descriptive"]
Comparison = Literal["", "source", "reference", "references"]
"""With what an output is compared: nothing, its source, one reference, or all of them at once."""
Need = Literal[
    "source",
    "styles",
    "classifier",
    "regressor",
    "language_model",
    "lstm_language_model",
    "naturalness",
    "scores",
]
"""What a metric needs besides the texts it compares; trained things come as `Resources`, and
`scores` are those of other runs."""
Value: TypeAlias = bool | int | float | str
WordsBy = Literal["", "spaces", "a-z", "English"]
"""What the words of a metric rest on: nothing, white space between words, the letters a to z, or
lists of English words. Texts of other languages have no such words."""
EDGE_CASES = ("empty output", "blank output", "empty compared text", "one word", "identical")
"""Texts of which every metric declares what it gives them; see `MetricSpec.edge_cases`."""
_TWO_LETTERS = {
    **dict.fromkeys(("zho", "chi", "cmn", "yue"), "zh"),
    **{"jpn": "ja", "kor": "ko", "tha": "th", "lao": "lo", "khm": "km", "eng": "en"},
    **dict.fromkeys(("mya", "bur"), "my"),
    **dict.fromkeys(("bod", "tib"), "bo"),
}


def main_language(tag: str) -> str:
    """Return the language of a tag without script and region, in two letters where it has such.

    Examples
    --------
    >>> main_language("zh-Hant_TW"), main_language("jpn"), main_language("de")
    ('zh', 'ja', 'de')
    """
    first = re.split("[-_]", tag.strip().lower())[0]
    return _TWO_LETTERS.get(first, first)


def need_words(need: Need) -> str:
    """Return what a metric needs as readers call it.

    Examples
    --------
    >>> need_words("lstm_language_model")
    'LSTM language model'
    """
    return need.replace("_", " ").replace("lstm", "LSTM")


_HEADING = re.compile(r"^(\w+)\n-+\n", re.MULTILINE)
_SHARED = re.compile(r"\{(\w+)(?::[^{}]*)?\}")
_KEY = re.compile(r"[a-z0-9]+(?:[-+][a-z0-9]+)*\+*")


class ParameterError(ValueError):
    """A parameter that a metric does not take; the message says which, and what it takes."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One setting of a metric.

    Parameters
    ----------
    name
        As it stands in forms, commands and signatures.
    default
        Its type is the parameter's: bool, int, float or str.
    help
        One sentence for the form and the docs.
    minimum, maximum
        Ends of the range of a number, inclusive.
    choices
        The only values of a text, where they are limited.
    listed
        The administrator's list, where a text names something of this machine. What is read from
        the machine's files is never asked for by a path.
    decides
        Whether it decides the numbers; what does not, such as a price, is in no signature.
    by_language
        Languages with the value that is the default there.
    """

    name: str
    default: Value
    help: str
    minimum: float | None = None
    maximum: float | None = None
    choices: tuple[str, ...] = ()
    listed: Registered | None = None
    decides: bool = True
    by_language: tuple[tuple[str, Value], ...] = ()

    def usual(self, language: str = "") -> Value:
        """Return the default for texts of a language."""
        return dict(self.by_language).get(main_language(language), self.default)

    @property
    def offered(self) -> tuple[str, ...]:
        """The values of a text from which one is chosen; none where any text is taken."""
        if self.listed is None:
            return self.choices
        return (str(self.default), *self.listed.names())

    def read(self, found: object) -> Value:
        """Return a value of this parameter's type.

        Raises
        ------
        ParameterError
            If it is of another type or outside its range.
        """
        value = self._typed(found)
        offered = self.offered
        if offered and value not in offered:
            expected = f"one of {', '.join(filter(None, offered))}" if any(offered) else "no name"
            if self.listed:
                expected += f"; the administrator lists names in {self.listed.variable}"
            raise self._wrong(found, expected)
        if isinstance(value, str | bool):
            return value
        low = -math.inf if self.minimum is None else self.minimum
        high = math.inf if self.maximum is None else self.maximum
        if not low <= value <= high:
            raise self._wrong(found, f"a number from {low:g} to {high:g}")
        return value

    def _typed(self, found: object) -> Value:
        kind = type(self.default)
        if kind is bool:
            words = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
            if isinstance(found, bool):
                return found
            if str(found).lower() in words:
                return words[str(found).lower()]
            raise self._wrong(found, "yes or no")
        if kind is str:
            return str(found)
        try:
            number = float(str(found))
            whole = int(number) if kind is int and number == int(number) else None
        except (ValueError, OverflowError):
            raise self._wrong(found, "a number") from None
        if kind is int:
            if whole is None or isinstance(found, bool):
                raise self._wrong(found, "a whole number")
            return whole
        if not math.isfinite(number) or isinstance(found, bool):
            raise self._wrong(found, "a finite number")
        return number

    def _wrong(self, found: object, expected: str) -> ParameterError:
        return ParameterError(f"{self.name}: found {str(found)[:100]!r}, expected {expected}")


@dataclass(frozen=True, slots=True)
class Library:
    """A Python distribution that a metric computes with; its version goes into the signature."""

    distribution: str
    extra: Extra | None = None
    """The extra of an installed Touchstone that brings it; None if it always comes along."""

    def version(self) -> str | None:
        """Return the installed version; None if it is not installed."""
        try:
            return version(self.distribution)
        except PackageNotFoundError:
            return None


class Documented:
    """A class with a spec, to which its docstring gives a summary, and sections by their names.

    What the spec has already stays. A name in braces stands for a constant of the class's module,
    which several docstrings share.
    """

    spec: ClassVar[Any]

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "spec" not in vars(cls):
            return
        shared = vars(sys.modules[cls.__module__])
        text = _SHARED.sub(
            lambda found: found[0].format_map(shared) if found[1] in shared else found[0],
            getdoc(cls) or "",
        )
        summary, *sections = _HEADING.split(text)
        texts = {"summary": summary} | dict(zip(sections[::2], sections[1::2], strict=True))
        for heading, text in texts.items():
            if not getattr(cls.spec, heading.lower()):
                object.__setattr__(cls.spec, heading.lower(), " ".join(text.split()))


@dataclass(frozen=True, slots=True)
class MetricSpec:
    """A metric as forms, docs, commands, signatures and reports need to know it.

    The docstring of the metric's class begins with the summary; its sections Formula, Range,
    Distrust and Citation are what is not given otherwise.

    Parameters
    ----------
    key
        Its name in commands, pages, tables and signatures, such as ``rouge-l``.
    title
        Its name in prose.
    aspect
        What it is meant to measure.
    orientation, target
        Which way is better; the best value where the orientation is ``target``.
    formula, range, distrust
        For the docs: how it is computed, which values it can take, when not to trust it.
    citation
        The paper or standard it follows.
    summary
        What it measures and when to use it, in a sentence or two without symbols.
    fields
        Names of the numbers each output gets; one number has the field ``score``. None for a
        metric of systems.
    comparisons
        With what outputs may be compared, the default first.
    needs
        What is needed besides.
    parameters, libraries
        Settings, and distributions whose versions go into the signature.
    weights
        Names of `metrics.weights` whose files go into the signature.
    statistics
        Names of the sufficient statistics kept for corpus scores and bootstraps.
    words_by
        What its words rest on, unless its parameters say otherwise.
    takes_masked
        Whether it makes sense on texts whose style words were masked or removed.
    is_distribution
        Whether its fields are the styles of its classifier, known only with the classifier.
    is_default
        Whether it is among those scored when none is named.
    edge_cases
        Its first number for each of `EDGE_CASES`: *scored* where it depends on a model, a dash
        where there is none.
    revision
        Grows whenever the same input would give another number.
    """

    key: str
    title: str
    aspect: Aspect
    orientation: Orientation
    formula: str = ""
    range: str = ""
    distrust: str = ""
    citation: str = ""
    summary: str = ""
    target: float | None = None
    fields: tuple[str, ...] = ("score",)
    comparisons: tuple[Comparison, ...] = ("",)
    needs: frozenset[Need] = frozenset()
    parameters: tuple[Parameter, ...] = ()
    libraries: tuple[Library, ...] = ()
    weights: tuple[str, ...] = ()
    statistics: tuple[str, ...] = ()
    words_by: WordsBy = ""
    takes_masked: bool = True
    is_distribution: bool = False
    is_default: bool = False
    edge_cases: tuple[str, str, str, str, str] = ("undefined", "undefined", "–", "scored", "scored")
    revision: int = 1

    def __post_init__(self) -> None:
        if not _KEY.fullmatch(self.key):
            raise ValueError(f"metric key {self.key!r}: small letters, digits, - and + only")
        if (self.orientation == "target") != (self.target is not None):
            raise ValueError(f"metric {self.key}: a target value goes with orientation target")

    def read(self, given: Mapping[str, object], language: str = "") -> dict[str, Value]:
        """Return every parameter's value, the defaults of a language filled in.

        Raises
        ------
        ParameterError
            If a name is unknown or a value is not taken.
        """
        return read_parameters(self.key, self.parameters, given, language)


def read_parameters(
    key: str, parameters: Sequence[Parameter], given: Mapping[str, object], language: str = ""
) -> dict[str, Value]:
    """Return the value of every parameter of what `key` names, defaults filled in.

    Raises
    ------
    ParameterError
        If a name is unknown or a value is not taken.
    """
    names = [parameter.name for parameter in parameters]
    for name in given:
        if name not in names:
            takes = f"it takes {', '.join(names)}" if names else "it takes none"
            raise ParameterError(f"{key} has no parameter {name!r}; {takes}")
    return {each.name: each.read(given.get(each.name, each.usual(language))) for each in parameters}
