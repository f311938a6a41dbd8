"""What every protocol says of itself, and the settings a campaign may give it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from annotation.protocols.language import language_of, spoken, translated
from annotation.protocols.layouts.layout import Layout
from annotation.protocols.questions import Question, Scale
from corpus.vocabulary.aspects import Family, find_aspect

Config = Mapping[str, Any]
LONGEST_LABEL = 200
TIE = "tie"
BOTH_BAD = "both_bad"
"""A tie of two bad texts, as pairwise votes that were collected elsewhere may say."""
WITHOUT_STYLE: frozenset[Family] = frozenset({"content", "fluency"})
"""Families of aspects that are judged whatever the style: there the target style is not shown."""


class ConfigError(ValueError):
    """A setting of a campaign that its protocol does not allow; the message names it."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One thing that a campaign may decide about its protocol.

    Parameters
    ----------
    name, label, help
        Key in the campaign's configuration, and the words of the form.
    default
        Its type is the type of the setting: a bool is a yes or no, a number a number, a tuple of
        texts a list of names.
    low, high
        Ends of a number.
    """

    name: str
    label: str
    default: bool | float | tuple[str, ...]
    help: str = ""
    low: float = 0.0
    high: float = 0.0

    def read(self, config: Config) -> Any:
        """Return the setting out of a configuration, or its default.

        Raises
        ------
        ConfigError
            If the value is of another kind, or out of bounds.
        """
        value = config.get(self.name, self.default)
        if isinstance(self.default, bool):
            if not isinstance(value, bool):
                raise ConfigError(f"{self.name}: {value!r} is not true or false")
            return value
        if isinstance(self.default, tuple):
            return self._names(value)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise ConfigError(f"{self.name}: {value!r} is not a number")
        if not self.low <= value <= self.high:
            raise ConfigError(f"{self.name}: {value:g} is not from {self.low:g} to {self.high:g}")
        return value

    def _names(self, value: Any) -> tuple[str, ...]:
        if not isinstance(value, list | tuple) or not value:
            raise ConfigError(f"{self.name}: expected a list of at least one name")
        for name in value:
            if not isinstance(name, str) or not 0 < len(name) <= 100:
                raise ConfigError(f"{self.name}: {name!r} is not a name of up to 100 characters")
        if len(set(value)) < len(value):
            raise ConfigError(f"{self.name}: a name occurs twice")
        return tuple(value)


HIGHLIGHT = Setting(
    "highlight", "Mark the words that differ", False, "Off by default: it draws the eye."
)
TIES = Setting("tie", "Allow “no difference”", False)
SIX_TENTHS = 0.6
NEEDED = object()
"""Stands for a setting that a protocol has to have."""


@dataclass(frozen=True, eq=False)
class Protocol:
    """What one judgement under a protocol may be.

    Parameters
    ----------
    key, title
        Name in data and on pages.
    shown
        In words, which texts the annotator sees.
    layout
        How they are arranged; everything that depends on it is asked of it.
    scale
        Lowest and highest answer, where the protocol itself fixes it.
    aspects
        What is asked by default: aspect and question.
    labels
        Words for the ends of the scale.
    settings
        What a campaign may decide.
    manner
        How an aspect is asked, in a word or two: what tells ratings of one aspect under this
        protocol from those under another.
    degraded_is_worse
        Whether foreign words in an output make it worse, so that it can be a control item.
    """

    key: str
    title: str
    shown: str
    layout: Layout
    scale: tuple[float, float] | None = None
    aspects: Mapping[str, str] = field(default_factory=dict)
    labels: tuple[tuple[float, str], ...] = ()
    settings: tuple[Setting, ...] = ()
    manner: str = ""
    degraded_is_worse: bool = True

    def __post_init__(self) -> None:
        if not self.manner:
            object.__setattr__(self, "manner", self.title.lower())

    @property
    def aspect(self) -> str:
        """The aspect that is asked where the protocol asks for one only."""
        return next(iter(self.aspects)) if len(self.aspects) == 1 else ""

    def setting(self, config: Config, name: str, otherwise: Any = NEEDED) -> Any:
        """Return one of the protocol's settings, or `otherwise` if the protocol does not have it.

        Raises
        ------
        ConfigError
            If its value cannot be used.
        LookupError
            If the protocol has no such setting, and nothing is said otherwise.
        """
        for setting in self.settings:
            if setting.name == name:
                return setting.read(config)
        if otherwise is NEEDED:
            raise LookupError(f"{self.title} has no setting {name!r}")
        return otherwise

    def questions(self, config: Config) -> tuple[Question, ...]:
        """Return what is asked in a campaign with this configuration.

        Raises
        ------
        ConfigError
            If the configuration cannot be used.

        Examples
        --------
        >>> from annotation.protocols.catalogue import protocol
        >>> [q.aspect for q in protocol("direct_assessment").questions({"aspects": ["style"]})]
        ['style']
        """
        return _questions(self, json.dumps(config))

    def question_by_default(self, aspect: str) -> str:
        """Return the words of a question that a campaign does not ask in its own, as spoken now."""
        known = self.aspects.get(aspect)
        return translated(known) if known else _question(aspect, self.layout.chooses)

    def shows_target_style(self, config: Config) -> bool:
        """Whether annotators see which style the output was to have.

        A question about content or naturalness alone is to be answered whatever the style.

        Raises
        ------
        ConfigError
            If the configuration cannot be used.

        Examples
        --------
        >>> from annotation.protocols.catalogue import protocol
        >>> protocol("content_preservation").shows_target_style({})
        False
        """
        asked = {find_aspect(question.aspect).family for question in self.questions(config)}
        return not asked <= WITHOUT_STYLE

    def check(self, config: Config) -> None:
        """Check every setting.

        Raises
        ------
        ConfigError
            Naming the first setting that cannot be used.
        """
        for setting in self.settings:
            setting.read(config)
        for question in self.questions(config):
            if isinstance(question, Scale):
                steps = (question.high - question.low) / question.step
                if abs(steps - round(steps)) > 1e-9:
                    raise ConfigError(
                        f"step: {question.step:g} does not divide the scale "
                        f"from {question.low:g} to {question.high:g}"
                    )

    def words_on_scale(self, config: Config, aspect: str) -> tuple[tuple[float, str], ...]:
        """Return the words of a scale: the campaign's for this aspect, or the protocol's."""
        own = config.get("labels", {})
        if not isinstance(own, Mapping):
            raise ConfigError("labels: expected an object of aspects")
        entries = own.get(aspect)
        if entries is None:
            return tuple((answer, translated(words)) for answer, words in self.labels)
        if not isinstance(entries, Mapping):
            raise ConfigError(f"labels.{aspect}: expected an object of answers and words")
        try:
            labels = [
                (float(answer), str(words)[:LONGEST_LABEL]) for answer, words in entries.items()
            ]
        except ValueError:
            raise ConfigError(f"labels.{aspect}: an answer is not a number") from None
        return tuple(sorted(labels))


def _texts(config: Config, name: str) -> Mapping[str, str]:
    texts = config.get(name, {})
    if not isinstance(texts, Mapping) or not all(isinstance(t, str) for t in texts.values()):
        raise ConfigError(f"{name}: expected an object of aspects and texts")
    return texts


def _question(aspect: str, chooses: bool) -> str:
    plain = aspect.replace("_", " ")
    said = translated(plain.capitalize())
    name = plain if said == plain.capitalize() else said
    if chooses:
        return translated("Which text is better in terms of {aspect}?", aspect=name)
    return translated("How good is the {aspect}?", aspect=name)


@lru_cache(maxsize=1000)
def _questions(rules: Protocol, config: str) -> tuple[Question, ...]:
    """Make the questions of a campaign once: every click of every annotator asks for them."""
    read: Config = json.loads(config)
    texts = _texts(read, "questions")
    with spoken(language_of(read)):
        return tuple(
            rules.layout.question(
                rules, read, name, texts.get(name) or rules.question_by_default(name)
            )
            for name in rules.setting(read, "aspects", tuple(rules.aspects))
        )
