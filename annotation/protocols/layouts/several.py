"""Several outputs of one source that are judged together: what is shared, and putting in order."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from annotation.designs.preview import Answers as Kind
from annotation.protocols.language import translated
from annotation.protocols.layouts.exercises import Finder, PracticeError, read_expected
from annotation.protocols.layouts.layout import Layout, Sides
from annotation.protocols.layouts.texts import (
    OUTPUT,
    Candidate,
    Group,
    Shown,
    Texts,
    dealt,
    read_text,
    read_texts,
    shown_beside,
)
from annotation.protocols.questions import AnswerError, Answers, Question

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


MOST = 5


class Order(Several):
    """Up to five outputs with a rank each."""

    outputs = MOST
    place = "Place of output"
    verb = "rank"
    lower_is_better = True
    score_scale = (0.0, 1.0)
    score_words = "on the scaled rank, from 0 (always last) to 1 (always first)"

    def answers(self, questions: Sequence[Question]) -> Kind:
        """Return that answers are ranks."""
        return "ranks"

    def scores(
        self, answers: NDArray[np.float64], outputs: NDArray[np.intp]
    ) -> NDArray[np.float64]:
        """Return scaled ranks: 1 for the first place and 0 for the last, however many there are.

        Examples
        --------
        >>> ORDER.scores(np.array([1.0, 2.0, 3.0, 1.0]), np.array([3, 3, 3, 1]))
        array([1. , 0.5, 0. , nan])
        """
        others = np.where(outputs > 1, outputs - 1.0, np.nan)
        return np.asarray((outputs - answers) / others, float)

    def fields(
        self, questions: Sequence[Question], number: int, count: int
    ) -> list[dict[str, Any]]:
        """Return as many places as there are outputs."""
        fields = super().fields(questions, number, count)
        return [field | {"options": field["options"][:count]} for field in fields]

    def read(
        self,
        rules: "Protocol",
        config: "Config",
        given: Sequence[Mapping[str, str]],
        swapped: Sequence[bool],
    ) -> list[Answers]:
        """Read the ranks, which have to be an order."""
        result = super().read(rules, config, given, swapped)
        ranks = [float(each[rules.aspect]) for each in result]
        if problem := check_order(ranks, bool(rules.setting(config, "tie"))):
            raise AnswerError({f"0-{rules.aspect}": problem})
        return result

    def expected(
        self,
        questions: Sequence[Question],
        entry: Mapping[str, Any],
        count: int,
        sides: Sides,
        where: str,
    ) -> tuple[Mapping[str, Any], ...]:
        """Read which places are expected, no more than there are outputs."""
        expected = super().expected(questions, entry, count, sides, where)
        for each in expected:
            for low, _ in each.values():
                if low > count:
                    raise PracticeError(f"{where}: there are {count} outputs, no place {low:g}")
        return expected

    def takes_controls(self, config: "Config") -> bool:
        """Return that nothing is expected of a text that stands among others in an order."""
        return False


def check_order(ranks: Sequence[float], tie: bool) -> str:
    """Say what is wrong with the ranks of the outputs of one screen; nothing if they are fine.

    Examples
    --------
    >>> check_order([1, 1, 3], tie=False)
    'two outputs have place 1; ties are not allowed here'
    """
    for rank in sorted(ranks):
        if rank > len(ranks):
            return translated(
                "there are {count} outputs, so no place {place}",
                count=len(ranks),
                place=f"{rank:g}",
            )
    doubled = [rank for rank in sorted(ranks) if ranks.count(rank) > 1]
    if doubled and not tie:
        return translated(
            "two outputs have place {place}; ties are not allowed here", place=f"{doubled[0]:g}"
        )
    return ""


ORDER = Order()
