"""The documentation page of the filter, made from what its fields and the kinds of reports say."""

from collections.abc import Iterator

from analysis.filter.fields_of_kinds import kinds_with
from analysis.filter.question import DEFAULTS, FILTER_FIELDS, number_text
from analysis.reports.catalogue import KINDS

FEW = 6
INTRODUCTION = """\
# The filter

Made by `manage.py filter_docs` from what the fields and reports declare; edit those.

Pages, the API and the command `report` take the same fields: `humans=in` in an address is
`--humans in` of the command. Every field that a report accepts changes what it says; any other is
refused. [Reports](reports.md#the-filter) says how to read and share an address.

"""


def filter_page() -> str:
    """Return the page as Markdown."""
    return INTRODUCTION + "\n".join((*_fields(), ""))


def _fields() -> Iterator[str]:
    yield "| field | meaning | values, default first | reports |"
    yield "| --- | --- | --- | --- |"
    for name, declared in FILTER_FIELDS.items():
        yield f"| `{name}` | {declared.help} | {_values(name)} | {_reports(kinds_with(name))} |"


def _reports(kinds: tuple[str, ...]) -> str:
    """Return the kinds, or those that are missing where these are few."""
    missing = [kind for kind in KINDS if kind not in kinds]
    if len(missing) <= FEW:
        return f"all but {', '.join(missing)}" if missing else "all"
    return ", ".join(kinds)


def _values(name: str) -> str:
    declared, default = FILTER_FIELDS[name], DEFAULTS[name]
    if declared.words:
        return ", ".join(
            f"`{value}`" if value else words for value, words in declared.words.items()
        )
    if isinstance(default, int | float):
        text = number_text(default) if isinstance(default, float) else str(default)
        return f"`{text}`; {declared.expected}"
    if isinstance(default, tuple):
        return "none; a list"
    return f"none; {declared.expected}" if declared.expected else "none"
