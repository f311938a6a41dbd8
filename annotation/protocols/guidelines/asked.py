"""What guidelines are written for: a protocol as a campaign asks it, with examples in its styles.

In the text of an example, braces stand around the words that carry its style: ``"The waiter was
{rude}."``
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from annotation.protocols.language import example, translated
from annotation.protocols.protocol import Config, Protocol
from annotation.protocols.questions import Question
from corpus.texts.masking import PLACEHOLDER

_STYLED = re.compile(r"\{([^{}]*)\}")


@dataclass(frozen=True, slots=True)
class Rewriting:
    """A rewriting of a source, and in a sentence why it is no better."""

    text: str
    why: str


@dataclass(frozen=True, slots=True)
class Case:
    """A source with rewritings of it.

    Parameters
    ----------
    source
    full
        Has the target style, says the same, and reads well.
    half
        Has the target style in part; says the same, and reads well.
    drifted
        Has the target style and reads well; a detail of the content is lost.
    unrelated
        Has the target style and reads well; says something else.
    clumsy
        Has the target style and says the same; can be understood, but no person writes so.
    broken
        Can hardly be understood.
    """

    source: str
    full: str
    half: Rewriting | None = None
    drifted: Rewriting | None = None
    unrelated: Rewriting | None = None
    clumsy: Rewriting | None = None
    broken: Rewriting | None = None

    def rewriting(self, kind: str) -> Rewriting:
        """Return the rewriting of a kind: ``"full"``, ``"source"`` (unchanged), ``"half"`` …

        Raises
        ------
        LookupError
            If this case has none.
        """
        if kind in ("full", "source"):
            return Rewriting(str(getattr(self, kind)), "")
        found = getattr(self, kind, None)
        if not isinstance(found, Rewriting):
            raise LookupError(f"no {kind} rewriting of {self.source!r}")
        return found


@dataclass(frozen=True, slots=True)
class Examples:
    """The examples of one direction.

    Parameters
    ----------
    guide
        For the guidelines, with every kind of rewriting.
    style
        For practice, with `half`.
    content
        For practice, with `drifted` and `clumsy`.
    fluency
        For practice, with `unrelated`, `clumsy` and `broken`.
    """

    guide: Case
    style: Case
    content: Case
    fluency: Case


@dataclass(frozen=True, slots=True)
class Family:
    """Styles that are opposites of one another.

    Parameters
    ----------
    names
        Each style with all of its names in studies, in small letters.
    style, content
        What style and content mean for these styles.
    examples
        By source and target style.
    """

    names: Mapping[str, tuple[str, ...]]
    style: str
    content: str
    examples: Mapping[tuple[str, str], Examples]

    def known(self, name: str) -> str:
        """Return the style that a study's name stands for; empty if it is none of these."""
        wanted = name.strip().lower()
        return next((style for style, names in self.names.items() if wanted in names), "")


def family(name: str) -> Family:
    """Return a family of the folder `families`."""
    path = Path(__file__).with_name("families") / f"{name}.toml"
    found = tomllib.loads(path.read_text(encoding="utf-8"))
    names = {style: tuple(names) for style, names in found["names"].items()}
    examples = {
        (way.pop("source"), way.pop("target")): Examples(
            **{part: _case(**texts) for part, texts in way.items()}
        )
        for way in found["directions"]
    }
    return Family(names, found["style"], found["content"], examples)


def _case(source: str, full: str, **rewritings: tuple[str, str]) -> Case:
    return Case(source, full, **{kind: Rewriting(*each) for kind, each in rewritings.items()})


def plain(text: str) -> str:
    """Return a text as it reads.

    Examples
    --------
    >>> plain("The waiter was {rude}.")
    'The waiter was rude.'
    """
    return _STYLED.sub(r"\1", text)


def masked(text: str, placeholder: str) -> str:
    """Return a text with its style words replaced.

    Examples
    --------
    >>> masked("The waiter was {rude}.", "[STYLE]")
    'The waiter was [STYLE].'
    """
    return _STYLED.sub(lambda _: placeholder, text)


SENTIMENT, FORMALITY, SUBJECTIVITY = map(family, ("sentiment", "formality", "subjectivity"))
FAMILIES = (SENTIMENT, FORMALITY, SUBJECTIVITY)
OTHERWISE = ("informal", "formal")
"""The direction whose examples are taken where there are none of the study's styles."""


@dataclass(frozen=True, slots=True)
class Direction:
    """A source and a target style as a study names them; empty where it does not."""

    source: str
    target: str


@dataclass(frozen=True)
class Asked:
    """A protocol with the settings of a campaign.

    Parameters
    ----------
    rules, config
    directions
        Of the texts that are rated, the most frequent first.
    placeholder
        What stands for a style word in masked texts.
    """

    rules: Protocol
    config: Config
    directions: Sequence[Direction] = ()
    placeholder: str = PLACEHOLDER

    @property
    def questions(self) -> tuple[Question, ...]:
        """The questions of the campaign."""
        return self.rules.questions(self.config)

    @property
    def is_masked(self) -> bool:
        """Whether annotators see masked texts."""
        return bool(self.rules.setting(self.config, "masked", False))

    @property
    def ties(self) -> bool:
        """Whether neither of two texts may be chosen."""
        return bool(self.rules.setting(self.config, "tie", False))

    @property
    def family(self) -> Family | None:
        """The family that all styles of the texts are of; None where they are of no one."""
        names = {name for each in self.directions for name in (each.source, each.target) if name}
        found = [family for family in FAMILIES if all(map(family.known, names))]
        return found[0] if names and found else None

    @property
    def target(self) -> str:
        """The target style, where all texts have the same."""
        targets = {each.target for each in self.directions}
        return targets.pop() if len(targets) == 1 else ""

    @property
    def example_styles(self) -> Direction:
        """The source and target style of the examples, as the study names them if it does."""
        if not self.family:
            return Direction(*map(translated, OTHERWISE))
        first = self.directions[0]
        source, target = self._of_examples()
        return Direction(first.source or translated(source), first.target or translated(target))

    @property
    def examples(self) -> Examples:
        """Examples of the first direction of the texts."""
        return (self.family or FORMALITY).examples[self._of_examples()]

    def text(self, case: Case, kind: str) -> str:
        """Return a source (``"source"``) or a rewriting as annotators of this campaign see it."""
        text = example(case.rewriting(kind).text)
        return masked(text, self.placeholder) if self.is_masked else plain(text)

    def why(self, case: Case, kind: str) -> str:
        """Return why a rewriting is no better, in the language of the campaign."""
        return translated(case.rewriting(kind).why)

    def _of_examples(self) -> tuple[str, str]:
        family = self.family
        if family is None:
            return OTHERWISE
        first = self.directions[0]
        source, target = family.known(first.source), family.known(first.target)
        ways = family.examples
        fitting = [way for way in ways if source in ("", way[0]) and target in ("", way[1])]
        return fitting[0] if fitting else next(iter(ways))
