"""What a trial reading of a table found, in words and as rows of the mapping page."""

from collections.abc import Collection
from typing import Any

from corpus.imports.trial import MOST_RECORDS, Trial
from corpus.tabular.problems import Problem, shorten

LONGEST_VALUE = 160
KEYS_NAMED = 5
_UNCOUNTED = frozenset({"against", "compared_to", "text_setting", "signature", "recipe"})


class TrialWords:
    """A trial as the page shows it."""

    def __init__(self, trial: Trial) -> None:
        self.trial = trial

    @property
    def title(self) -> str:
        """What the table is called."""
        return self.trial.spec.name.replace("_", " ")

    @property
    def count(self) -> str:
        """How many records there are, such as "54 ratings"."""
        trial = self.trial
        at_least = "" if trial.is_whole else "more than "
        number = trial.records if trial.is_whole else MOST_RECORDS
        if not self.title.endswith("s"):
            return f"{at_least}{_counted(number, 'rows')} of a {self.title}"
        return f"{at_least}{_counted(number, self.title)}"

    @property
    def summary(self) -> str:
        """What the records are about: which keys there are, and between which numbers they lie."""
        trial = self.trial
        parts = [
            _named(name, values)
            for name, values in trial.names.items()
            if values and name not in _UNCOUNTED and f"{name}s" != trial.spec.name
        ]
        if trial.lowest is not None and trial.highest is not None:
            # Adding 0 turns -0.0 into 0.0.
            parts.append(f"scores from {trial.lowest + 0:g} to {trial.highest + 0:g}")
        return ", ".join(parts)

    @property
    def remarks(self) -> list[str]:
        """What is passed over, stored already, or cut off."""
        trial = self.trial
        said = [f"{words}." for words in trial.passed_over]
        if trial.stored:
            said.append(
                f"{trial.stored:,} of these segments are already stored: their texts stay as "
                "they are, and they may gain references and attributes."
            )
        if trial.is_left_to_import:
            said.append("The import checks that all their segments and outputs exist.")
        if not trial.is_whole:
            said.append(
                f"This holds for the first {MOST_RECORDS:,} records; the import reads the rest."
            )
        return said

    @property
    def refused(self) -> str:
        """Why an import would be refused; nothing if it would not, as far as was read."""
        trial = self.trial
        said = []
        if trial.refused:
            said.append(f"{_counted(trial.refused, 'problems')} while reading {self.title}.")
        for unknown, what in (
            (trial.unknown_segments, "segments"),
            ([f"{system} of {key}" for key, system in trial.unknown_outputs], "outputs"),
        ):
            if unknown:
                more = ", …" if len(unknown) > KEYS_NAMED else ""
                named = ", ".join(shorten(each, 40) for each in unknown[:KEYS_NAMED])
                said.append(
                    f"{_counted(len(unknown), what)} that {self.title} name "
                    f"{'is' if len(unknown) == 1 else 'are'} neither in these files nor in the "
                    f"study: {named}{more}."
                )
        return " ".join(said)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """The first problems."""
        return self.trial.problems

    @property
    def columns(self) -> list[str]:
        """The fields that any of the first records has."""
        return list(dict.fromkeys(name for _, each in self.trial.shown for name in each))

    @property
    def rows(self) -> list[tuple[int, list[str]]]:
        """Line and values of the first records."""
        return [
            (line, [_shown(each.get(name)) for name in self.columns])
            for line, each in self.trial.shown
        ]


def _named(name: str, values: Collection[str]) -> str:
    words = name.replace("_", " ")
    if len(values) == 1:
        return f"{words} “{shorten(next(iter(values)), 40)}”"
    return _counted(len(values), f"{words}s")


def _counted(number: int, plural: str) -> str:
    return f"{number:,} {plural.removesuffix('s') if number == 1 else plural}"


def _shown(value: Any) -> str:
    if isinstance(value, tuple | list):
        return shorten(" | ".join(map(str, value)), LONGEST_VALUE)
    if isinstance(value, dict):
        return shorten(", ".join(f"{k}: {v}" for k, v in value.items()), LONGEST_VALUE)
    return (
        ""
        if value is None
        else shorten(f"{value:g}" if isinstance(value, float) else value, LONGEST_VALUE)
    )
