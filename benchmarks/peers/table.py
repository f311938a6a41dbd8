"""Tables of measured figures, with why some are missing."""

from collections.abc import Iterable, Mapping, Sequence
from statistics import median
from typing import Any

OURS = "Touchstone"
KILLED = ("start.after_kill", "killed.dead", "killed.acknowledged", "lost")
COUNTED = ("over_rated", "race", "killed", "lost")
SUMMED = KILLED[1:]
UNKNOWN = "not measured"
NOTHING = "Nothing was measured"


class Table:
    """Figures by tool and database, from records.

    Parameters
    ----------
    records
        As they were kept.
    """

    def __init__(self, records: Sequence[Mapping[str, Any]]) -> None:
        self.absent = [each for each in records if "all" in each["reasons"] and not each["figures"]]
        self.records = [each for each in records if each not in self.absent]
        self.ours = {each["database"]: each for each in records if each["tool"] == OURS}

    def value(self, record: Mapping[str, Any], figure: str) -> float | None:
        """Return the median of a figure, of what a kill left the sum, if it was measured."""
        values = record["figures"].get(figure)
        if not values:
            return None
        return float(sum(values)) if figure in SUMMED else median(values)

    def own(self, record: Mapping[str, Any], figure: str) -> float | None:
        """Return Touchstone's value that belongs beside another tool's."""
        database = "PostgreSQL" if record["database"] == "PostgreSQL" else "SQLite"
        ours = self.ours.get(database)
        return self.value(ours, figure) if ours else None

    def reason(self, record: Mapping[str, Any], figure: str) -> str:
        """Return why a figure was not measured: of its own step, or of one before."""
        kind, _, rest = figure.partition(".")
        items = rest.partition(".")[0]
        steps = (figure, kind, f"rate.{rest}", f"{kind}.{items}", f"import.{items}")
        steps += ("start.after_kill", "lost") if figure in KILLED else ()
        steps += ("over_rated",) if kind == "race" else ()
        told = record["reasons"]
        steps += ("large projects",)
        return next((told[step] for step in (*steps, "all", "again") if step in told), UNKNOWN)

    def cell(self, record: Mapping[str, Any], figure: str) -> str:
        """Return a figure with its ratio to Touchstone's, or a dash."""
        value, own = self.value(record, figure), self.own(record, figure)
        if value is None:
            return "–"
        if figure == "killed.dead":
            return f"{number(value)} of {len(record['figures'][figure])}"
        ratio = ""
        counted = figure.partition(".")[0] in COUNTED or figure.endswith(".ratings")
        if record["tool"] != OURS and own and value and not counted:
            ratio = f" ({number(value / own)}\u00a0×)"
        return number(value) + ratio

    def rows(self, columns: Mapping[str, str]) -> list[str]:
        """Return a table of figures, and under it why some are missing; no column of dashes."""
        of_nobody = {title: self._of_nobody(figure) for title, figure in columns.items()}
        columns = {title: figure for title, figure in columns.items() if not of_nobody[title]}
        whole = [
            f"- {title}: {why}, so nothing is known of any."
            for title, why in of_nobody.items()
            if why
        ]
        if not columns:
            return [f"{NOTHING}: {', '.join(dict.fromkeys(of_nobody.values()))}.\n"]
        head = ["tool", *columns]
        lines = [row_of(head), row_of(["---"] * len(head))]
        missing: dict[str, list[str]] = {}
        for record in self.records:
            name = f"{record['tool']}, {record['database']}"
            cells = [self.cell(record, figure) for figure in columns.values()]
            for title, figure in columns.items():
                if self.value(record, figure) is None:
                    told = f"{name}: {plain(self.reason(record, figure))}"
                    missing.setdefault(told, []).append(title)
            lines.append(row_of([name, *cells]))
        told_why = [f"- {told} (*{', '.join(titles)}*)." for told, titles in missing.items()]
        return [*lines, "", *whole, *told_why, ""] if whole or told_why else lines

    def _of_nobody(self, figure: str) -> str:
        """Return why a figure was measured of no tool, if that has one reason."""
        reasons = {
            "" if self.value(record, figure) is not None else plain(self.reason(record, figure))
            for record in self.records
        }
        return reasons.pop() if len(reasons) == 1 else ""


def number(value: float) -> str:
    """Return a number with about three digits."""
    if abs(value) >= 100 or value == int(value):
        return f"{value:,.0f}".replace("-", "−")
    digits = 1 if abs(value) >= 10 else 2
    return f"{value:.{digits}f}".replace("-", "−")


def counted(value: int, what: str) -> str:
    """Return a number with its noun."""
    return f"{value:,} {what}{'' if value == 1 else 's'}"


def row_of(cells: Iterable[str]) -> str:
    """Return a row of a table in Markdown."""
    return f"| {' | '.join(cells)} |"


def plain(text: str) -> str:
    """Return a text without what Markdown and HTML would take for theirs."""
    return str(text).replace("|", "/").replace("<", "‹").replace(">", "›").strip().rstrip(".")
