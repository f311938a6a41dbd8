"""What guidelines are written for: a protocol as a campaign asks it, in the styles of its texts."""

from collections.abc import Sequence
from dataclasses import dataclass

from annotation.protocols.guidelines.examples import Case, Examples, Family, family, masked, plain
from annotation.protocols.language import example, translated
from annotation.protocols.protocol import Config, Protocol
from annotation.protocols.questions import Question
from corpus.texts.masking import PLACEHOLDER

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
