"""What is wrong in a file, where exactly, and what to do about it."""

import re
import tomllib
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

LONGEST_FOUND = 80
REPEATED = "records passed over, because an earlier one is the same"
_PLURAL = re.compile(r"(?<=row|ord|ell|ine)s\b")


def shorten(value: object, longest: int = LONGEST_FOUND) -> str:
    """Return a value as text of at most `longest` characters, marking what was cut off."""
    text = value[: longest + 1] if isinstance(value, str) else str(value)
    return text if len(text) <= longest else text[: longest - 1] + "…"


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong with a file.

    Attributes
    ----------
    file
        Name of the file as the person who sent it knows it.
    line
        Physical line, counted from 1; for Parquet and JSON documents the record. None if the
        whole file is meant.
    column
        Name of the column, if the problem belongs to one.
    found, expected
        What stands there, shortened, and what should stand there instead.
    message
        One or two plain sentences, with what to do.
    code
        A stable word for programs, such as ``number`` or ``encoding``.

    Examples
    --------
    >>> str(Problem("ratings.csv", 12, "score", "1,5", "a number", "Use a decimal point."))
    "ratings.csv:12 score: found '1,5', expected a number. Use a decimal point."
    """

    file: str
    line: int | None = None
    column: str | None = None
    found: str = ""
    expected: str = ""
    message: str = ""
    code: str = "file"

    def to_dict(self) -> dict[str, str | int | None]:
        """Return the attributes as a JSON-ready dictionary."""
        return asdict(self)

    def __str__(self) -> str:
        place = self.file
        if self.line is not None:
            place += f":{self.line}"
        if self.column is not None:
            place += f" {self.column}"
        facts = [f"found '{self.found}'"] if self.found else []
        if self.expected:
            facts.append(f"expected {self.expected}")
        sentences = [part for part in (", ".join(facts), self.message) if part]
        return f"{place}: {'. '.join(sentences)}"


def unstorable_text(file: str, text: str, longest: int, *, line: int, column: str) -> Problem:
    """Return what is wrong with a text that is too long, or else holds a NUL character."""
    is_long = len(text) > longest
    return Problem(
        file,
        line=line,
        column=column,
        found=f"{len(text)} characters" if is_long else "a NUL character",
        expected=f"at most {longest}" if is_long else "text",
        message="Shorten the text." if is_long else "Remove it.",
        code="field-size" if is_long else "nul",
    )


class TableError(Exception):
    """A file, an archive or a mapping that cannot be read at all.

    Parameters
    ----------
    problems
        Why; at least one.
    """

    def __init__(self, *problems: Problem) -> None:
        super().__init__("\n".join(str(problem) for problem in problems))
        self.problems = problems


@cache
def catalogue() -> dict[str, dict[str, Any]]:
    """Return what `problems.toml` says of each kind of problem."""
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def problem(
    kind: str,
    file: str,
    found: str = "",
    *,
    line: int | None = None,
    column: str | None = None,
    expected: str = "",
    **words: object,
) -> Problem:
    """Return a problem of a kind in `problems.toml`.

    Parameters
    ----------
    kind
        Its word there.
    file, found, line, column, expected
        As of a `Problem`; what is given here comes before what the kind says.
    words
        What stands for the names in braces.
    """
    said = catalogue()[kind]
    texts = {part: said.get(part, "").format(**words) for part in ("found", "expected", "message")}
    return Problem(
        file,
        line or said.get("line"),
        column,
        found or texts["found"],
        expected or texts["expected"],
        texts["message"],
        said.get("code", "file"),
    )


def refused(kind: str, file: str, found: str = "", **facts: Any) -> TableError:
    """Return the error of a file for one reason, as of `problem`."""
    return TableError(problem(kind, file, found, **facts))


class ProblemLog:
    """The first problems of an import, the number of all, and what was passed over on purpose.

    Parameters
    ----------
    limit
        How many problems are kept; the others are only counted.

    Attributes
    ----------
    count
        How many problems there are.
    counts
        What is no problem, but to be known: how many rows, records or cells were passed over,
        under words that begin with what was counted, in the plural ("rows left out, because …").
    """

    def __init__(self, limit: int = 100) -> None:
        self.limit = limit
        self.count = 0
        self.counts: Counter[str] = Counter()
        self._problems: list[Problem] = []

    @property
    def problems(self) -> tuple[Problem, ...]:
        """The problems kept, in the order in which they were found."""
        return tuple(self._problems)

    @property
    def is_full(self) -> bool:
        """Whether further problems are only counted, so that placing them is wasted work."""
        return len(self._problems) >= self.limit

    def add(self, problem: Problem) -> None:
        """Keep a problem, or count it if there are enough."""
        self.count += 1
        if not self.is_full:
            self._problems.append(problem)

    def extend(self, problems: Iterable[Problem]) -> None:
        """Keep several problems, also beyond the limit: they say why reading ended."""
        before = len(self._problems)
        self._problems.extend(problems)
        self.count += len(self._problems) - before

    def count_only(self) -> None:
        """Count a problem that nobody will describe, because the log is full."""
        self.count += 1

    def raise_if_any(self) -> None:
        """Raise a `TableError` with the problems kept, if there are any."""
        if self._problems:
            raise TableError(*self._problems)

    def to_dict(self) -> dict[str, object]:
        """Return count, problems and counts as a JSON-ready dictionary."""
        problems = [problem.to_dict() for problem in self._problems]
        return {"count": self.count, "problems": problems, "counts": self.counts}

    def counted(self) -> list[str]:
        """Return the counts in words, such as "1 row left out, because …".

        Examples
        --------
        >>> log = ProblemLog()
        >>> log.counts["rows left out, because split is not test"] += 1200
        >>> log.counts["empty cells passed over"] += 1
        >>> log.counted()
        ['1,200 rows left out, because split is not test', '1 empty cell passed over']
        """
        return [
            f"{count:,} {what if count != 1 else _PLURAL.sub('', what, 1)}"
            for what, count in self.counts.items()
            if count
        ]

    def __bool__(self) -> bool:
        return self.count > 0


def too_many_rows(file: str, most: int) -> TableError:
    """Return the error of a file with more rows than an import may have."""
    return too_much(file, f"{most:,} rows", "IMPORT_ROWS")


def too_much(file: str, found: str, setting: str) -> TableError:
    """Return the error of a file that holds more than a setting allows an import to have."""
    return refused("too-much", file, amount=found, setting=setting)
