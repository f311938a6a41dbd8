"""Two texts side by side, A and B: an output and its source, or two outputs; one is chosen.

Which text stands on which side is random and not told.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from annotation.designs.preview import Answers as Kind
from annotation.protocols.layouts.exercises import Finder, PracticeError
from annotation.protocols.layouts.layout import Layout, Side, Sides
from annotation.protocols.layouts.texts import (
    OUTPUT,
    SOURCE,
    Candidate,
    Group,
    OwnText,
    Shown,
    Texts,
    shown_beside,
)
from annotation.protocols.questions import Choice, Question

if TYPE_CHECKING:
    from annotation.protocols.protocol import Config, Protocol


class TwoSides(Layout):
    """What both comparisons share."""

    is_relative = True
    takes_table = False
    degraded_is = "not to be chosen"

    def question(self, rules: "Protocol", config: "Config", aspect: str, text: str) -> Question:
        """Return which text is asked for."""
        return Choice(aspect, text, bool(rules.setting(config, "tie")))

    def answers(self, questions: Sequence[Question]) -> Kind:
        """Return that answers are choices."""
        return "choices"


class AgainstSource(TwoSides):
    """A source and its output."""

    compares = "source"
    sides: ClassVar[Sides] = {"output": "second", "source": "first"}
    rates_sources = False
    reference_is = ""

    def screens(self, group: Group, random: np.random.Generator) -> Iterable[Candidate]:
        """Compare each output with its source."""
        return (
            Candidate(text.segment, text.system, ((source, text),))
            for source in group.sources
            for text in group.judged
        )

    def shows_source(self, rules: "Protocol", config: "Config") -> bool:
        """Return that the source stands nowhere but on its side, untold."""
        return False

    def judged_texts(self) -> list[OwnText]:
        """Return both texts."""
        return [SOURCE, OUTPUT]

    def shown_texts(self, texts: Mapping[str, Any]) -> list[Shown]:
        """Return the source first."""
        return [{"first": str(texts["source"]), "second": str(texts["output"])}]

    def named_texts(
        self, entry: Mapping[str, Any], find: Finder, where: str
    ) -> tuple[tuple[Texts, ...], Sides]:
        """Find the output that an entry names, and its source."""
        judged = find.output(entry.get("output"), f"{where}, output")
        return ((find.source(judged, where), judged),), self.sides

    def spoilt(self, count: int, random: np.random.Generator) -> tuple[int, Side]:
        """Choose the output."""
        return 0, "second"


class TwoOutputs(TwoSides):
    """Two outputs of one source."""

    compares = "outputs"
    named: ClassVar[Mapping[str, str]] = {
        "output": "Output of",
        "against": "Compared with the output of",
    }
    sides: ClassVar[Sides] = {"output": "first", "against": "second"}
    takes_pairs = True
    reference_is = "Compared with an output, to be chosen."

    def screens(self, group: Group, random: np.random.Generator) -> Iterator[Candidate]:
        """Compare every two outputs, or as many pairs as are wanted."""
        pairs = list(combinations(group.judged, 2))
        wanted = group.pairs
        if wanted and wanted < len(pairs):
            rows = sorted(random.choice(len(pairs), wanted, replace=False))
            pairs = [pairs[row] for row in rows]
        for first, second in pairs:
            # One number for each pair of systems; pk stay far below a million.
            system = first.system * 1_000_003 + second.system
            yield Candidate(first.segment, system, ((first, second),))

    def judged_texts(self) -> list[OwnText]:
        """Return both texts."""
        return [OUTPUT, OwnText("against", "The other output")]

    def shown_texts(self, texts: Mapping[str, Any]) -> list[Shown]:
        """Return both outputs."""
        outputs = {"first": str(texts["output"]), "second": str(texts["against"])}
        return [shown_beside(texts) | outputs]

    def named_texts(
        self, entry: Mapping[str, Any], find: Finder, where: str
    ) -> tuple[tuple[Texts, ...], Sides]:
        """Find the two outputs that an entry names; that of the lower ordinal comes first."""
        judged = find.output(entry.get("output"), f"{where}, output")
        other = find.output(entry.get("against"), f"{where}, against")
        if other.segment != judged.segment or other.pk == judged.pk:
            raise PracticeError(f"{where}: compare two outputs of one segment")
        if other.ordinal < judged.ordinal:
            return ((other, judged),), {"output": "second", "against": "first"}
        return ((judged, other),), self.sides

    def spoilt(self, count: int, random: np.random.Generator) -> tuple[int, Side]:
        """Choose either."""
        return 0, "first" if random.choice(["first", "second"]) == "first" else "second"


AGAINST_SOURCE = AgainstSource()
TWO_OUTPUTS = TwoOutputs()
