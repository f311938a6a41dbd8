"""Answers and other numbers of a result, counted by the forms in which they are written."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from corpus.tabular.questions.question import Results

TIES = ("tie", "equal", "same", "both")


class Found(NamedTuple):
    """Answers of one form: what equal ones are called, an example, its number, and how many."""

    token: str
    example: str
    number: float | None
    n: int


@dataclass
class Answers:
    """The numbers of a column, or the answers on one aspect, of pairs or of single texts."""

    table: str
    column: str
    about: str
    is_pair: bool
    numbers: dict[float, int] = field(default_factory=dict)
    fractions: int = 0
    """Answers between halves."""
    known: dict[str, int] = field(default_factory=dict)
    forms: dict[str, list[Found]] = field(default_factory=dict)
    """Numbers in other forms, words in place of numbers, texts in place of votes, and what means
    that nobody answered, or what a spreadsheet made dates."""

    @property
    def plain(self) -> int:
        """How many are plain numbers."""
        return sum(self.numbers.values()) + self.fractions

    @property
    def title(self) -> str:
        """What questions call them."""
        return self.about or ("Ratings" if self.column == "answer" else self.column)

    def found(self, *forms: str) -> list[Found]:
        """Return those of some forms."""
        return [each for name in forms for each in self.forms.get(name, ())]

    def count(self, *forms: str) -> int:
        """Return how many are numbers in other forms or words."""
        names = forms or [name for name in self.forms if name != "missing"]
        return sum(each.n for each in self.found(*names))


def counted(results: Results) -> list[Answers]:
    """Return the answers of all aspects, and other columns of numbers with anything else."""
    groups: dict[tuple[Any, ...], Answers] = {}
    for *key, kind, token, example, number, count in results.rows("FROM counted_answers"):
        group = groups.setdefault(tuple(key), Answers(*key))
        if kind == "plain" and number is not None:
            group.numbers[number] = count
        elif kind == "plain":
            group.fractions += count
        elif kind == "known":
            group.known[token] = count
        else:
            form = "missing" if kind == "date" and group.column == "answer" else kind
            group.forms.setdefault(form, []).append(Found(token, example, number, count))
    return list(groups.values())
