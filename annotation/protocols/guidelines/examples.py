"""Example sentences of known quality, for guidelines and practice.

In a text, braces stand around the words that carry its style: ``"The waiter was {rude}."``
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

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
