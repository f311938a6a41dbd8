"""Several outputs of one source that are judged together, each relative to the others."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from annotation.protocols.layouts.exercises import Finder, PracticeError, read_expected
from annotation.protocols.layouts.layout import Layout, Sides
from annotation.protocols.layouts.own_texts import (
    OUTPUT,
    Shown,
    read_text,
    read_texts,
    shown_beside,
)
from annotation.protocols.layouts.texts import Candidate, Group, Texts, dealt
from annotation.protocols.questions import Question

if TYPE_CHECKING:
    from annotation.protocols.protocol import Config, Protocol


class Several(Layout):
    """What layouts share in which each item of a screen is one of several outputs."""

    is_relative = True
    takes_table = False
    verb = "judge"
    expectation = "the place of"
    """What annotators do with the outputs, and what is expected of each, for messages."""

    def screens(self, group: Group, random: np.random.Generator) -> Iterable[Candidate]:
        """Deal outputs out to as few screens as possible, of equal size."""
        return dealt(group.judged, random, self.outputs)

    def read_own_texts(
        self, rules: "Protocol", config: "Config", given: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Check the texts that an owner wrote; `outputs` is a list."""
        texts = dict(given)
        outputs = self._outputs(texts.pop("outputs", None))
        known = [text for text in self.own_texts(rules, config) if text is not OUTPUT]
        return {"outputs": outputs} | read_texts(texts, known)

    def shown_texts(self, texts: Mapping[str, Any]) -> list[Shown]:
        """Return one item for each output."""
        return [{**shown_beside(texts), "first": text} for text in texts["outputs"]]

    def named_texts(
        self, entry: Mapping[str, Any], find: Finder, where: str
    ) -> tuple[tuple[Texts, ...], Sides]:
        """Find the outputs that an entry names."""
        named = entry.get("outputs")
        if not isinstance(named, list | tuple) or not 2 <= len(named) <= self.outputs:
            raise PracticeError(f"{where}, outputs: expected a list of 2 to {self.outputs} outputs")
        texts = [
            find.output(name, f"{where}, output {number}")
            for number, name in enumerate(named, start=1)
        ]
        if len({text.segment for text in texts}) > 1 or len({text.pk for text in texts}) < len(
            texts
        ):
            raise PracticeError(f"{where}: {self.verb} different outputs of one segment")
        return tuple((text, None) for text in texts), {}

    def expected(
        self,
        questions: Sequence[Question],
        entry: Mapping[str, Any],
        count: int,
        sides: Sides,
        where: str,
    ) -> tuple[Mapping[str, Any], ...]:
        """Read what is expected of each output."""
        given = entry.get("expected") or [{}] * count
        if not isinstance(given, list | tuple) or len(given) != count:
            raise PracticeError(f"{where}: expected is a list, with {self.expectation} each output")
        return tuple(read_expected(questions, each, sides, where) for each in given)

    def _outputs(self, given: Any) -> list[str]:
        if not isinstance(given, list | tuple) or not 2 <= len(given) <= self.outputs:
            raise ValueError(f"texts: expected a list of 2 to {self.outputs} outputs")
        outputs = [read_text(text, OUTPUT) for text in given]
        if len(set(outputs)) < len(outputs):
            raise ValueError("texts: two outputs are the same text")
        return outputs
