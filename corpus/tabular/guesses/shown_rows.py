"""The first rows of a file, and what they say of it; without the database that they come from."""

from dataclasses import dataclass, field

from corpus.tabular.guesses.guessing import Guess
from corpus.tabular.opening.files import PLAIN, Dialect


@dataclass(frozen=True)
class Preview:
    """The beginning of a file, for people.

    Attributes
    ----------
    columns
        Names of the columns; dotted ones of values that lie inside others.
    rows
        The first rows as texts, long ones cut; of a list of objects the first one's values.
    lines
        The physical lines on which they begin.
    dialect
        What a mapping has to say so that the file is read as it is here.
    guess
        What the file seems to hold, where that was asked.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    lines: tuple[int, ...]
    dialect: Dialect = PLAIN
    guess: Guess = field(default_factory=Guess)
