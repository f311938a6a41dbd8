"""A benchmark as a recipe file says it: read, checked, and compared with what it was."""

import math
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

_WHOLE, _NUMBER = (int,), (int, float)
WRITER_KEYS = {
    **dict.fromkeys(("writer", "name", "split", "source_style", "target_style"), (str,)),
    **dict.fromkeys(("learn_from", "lexicon"), (str,)),
    **{"parameters": (dict,), "limit": _WHOLE},
}
METRIC_KEYS = {
    **dict.fromkeys(("metric", "against"), (str,)),
    **dict.fromkeys(("parameters", "text", "models"), (dict,)),
}
BASELINE_KEYS = {"baseline": (str,), "seed": _WHOLE, "lexicon": (str,)}
CAMPAIGN_KEYS = dict.fromkeys(("preset", "protocol", "name", "title"), (str,))
JUDGE_KEYS = {
    **dict.fromkeys(("campaign", "aspect", "model", "base_url", "answer"), (str,)),
    **{"guidelines": (bool,), "segments": _WHOLE},
    **dict.fromkeys(("price_in", "price_out", "budget"), _NUMBER),
}
REPORT_KEYS = {
    **dict.fromkeys(("kind", "table", "format", "by"), (str,)),
    **{"filter": (dict,)},
}
Keys: TypeAlias = Mapping[str, tuple[type, ...]]
"""Keys that a table of the recipe takes, with the types of their values."""
_TYPES = {
    str: "a text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    dict: "a table, as in { name = value }",
}
_SMALLEST = {"limit": 1, "segments": 1, "seed": 0, "price_in": 0, "price_out": 0, "budget": 0}
FORMATS = ("json", "csv", "latex")
COLLECTION = "collection"
"""Kind of the report that compares the studies of a collection."""
_TABLES: Mapping[str, tuple[Keys, str]] = {
    "writers": (WRITER_KEYS, "writer"),
    "baselines": (BASELINE_KEYS, "baseline"),
    "metrics": (METRIC_KEYS, "metric"),
    "campaigns": (CAMPAIGN_KEYS, ""),
    "judges": (JUDGE_KEYS, ""),
    "reports": (REPORT_KEYS, "kind"),
}
_TOP = dict.fromkeys(("studies", "collection", "owner", "folder", *_TABLES), (object,))


class RecipeError(ValueError):
    """A recipe that makes no sense; the message says where and what to write."""


@dataclass(frozen=True)
class Recipe:
    """What a benchmark is made of.

    Attributes
    ----------
    studies
        Slugs of the studies; of the tasks of `collection` if none are named.
    collection
        Slug of a collection, for its studies and its comparison.
    owner
        Name of the person in whose name campaigns are prepared.
    folder
        Where reports are written.
    writers, baselines, metrics, campaigns, judges, reports
        The tables of the file, each a mapping.
    """

    studies: Sequence[str] = ()
    collection: str = ""
    owner: str = ""
    folder: Path = Path("reports")
    writers: Sequence[Mapping[str, Any]] = ()
    baselines: Sequence[Mapping[str, Any]] = ()
    metrics: Sequence[Mapping[str, Any]] = ()
    campaigns: Sequence[Mapping[str, Any]] = ()
    judges: Sequence[Mapping[str, Any]] = ()
    reports: Sequence[Mapping[str, Any]] = ()
    content: Mapping[str, Any] = field(default_factory=dict, repr=False)
    """The file as it was read, to be compared with a later one."""


def read_recipe(path: Path) -> Recipe:
    """Return the recipe of a file.

    Raises
    ------
    RecipeError
        If there is none, it is no TOML, or a part makes no sense.
    """
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise RecipeError(f"{path}: {error.strerror}") from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise RecipeError(f"{path} is no TOML: {error}") from None
    recipe = recipe_of(content)
    folder = path.parent / recipe.folder
    return Recipe(**{**vars(recipe), "folder": folder})


def recipe_of(content: Mapping[str, Any]) -> Recipe:
    """Return a recipe from what a file holds; raises `RecipeError`."""
    _known(content, _TOP, "the recipe")
    studies = content.get("studies", [])
    if not (isinstance(studies, list) and all(isinstance(each, str) for each in studies)):
        raise RecipeError('studies: expected a list of short names, as in studies = ["reviews"]')
    texts = {name: content.get(name, "") for name in ("collection", "owner", "folder")}
    for name, text in texts.items():
        if not isinstance(text, str):
            raise RecipeError(f"{name}: found {text!r}, expected a text")
        _check_value(name, text, name)
    if not (studies or texts["collection"]):
        raise RecipeError('name studies = ["…"] or a collection = "…"')
    tables = {name: _table(content, name) for name in _TABLES}
    if tables["campaigns"] and not texts["owner"]:
        raise RecipeError('campaigns are prepared in somebody\'s name: add owner = "…"')
    for number, campaign in enumerate(tables["campaigns"], start=1):
        if ("preset" in campaign) == ("protocol" in campaign) or "name" not in campaign:
            raise RecipeError(f"campaigns {number}: needs a name, and a preset or a protocol")
    for number, report in enumerate(tables["reports"], start=1):
        _check_report(report, f"reports {number}", texts["collection"])
    return Recipe(
        studies=tuple(studies),
        collection=texts["collection"],
        owner=texts["owner"],
        folder=Path(texts["folder"] or "reports"),
        content=content,
        **tables,
    )


def _check_report(report: Mapping[str, Any], where: str, collection: str) -> None:
    chosen = report.get("format", "json")
    if chosen not in FORMATS:
        raise RecipeError(f"{where}: format is one of {', '.join(FORMATS)}")
    if report["kind"] != COLLECTION:
        if "by" in report:
            raise RecipeError(f'{where}: by is for kind = "{COLLECTION}"')
    elif not collection:
        raise RecipeError(f'{where}: add collection = "…" to compare its studies')
    elif "filter" in report:
        raise RecipeError(
            f"{where}: a comparison takes no filter; the tasks of the collection say what is "
            "compared"
        )
    if chosen == "json" and not report.get("table"):
        raise RecipeError(
            f'{where}: json holds one table; add table = "…", or format = "csv" for all tables'
        )


def changes(before: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """Say what differs between two recipes.

    Examples
    --------
    >>> changes({"studies": ["a"], "writers": [{"limit": 3}]}, {"studies": ["a"], "owner": "ada"})
    ["added: owner = 'ada'", 'removed: writers 1 limit = 3']
    """
    was, became = dict(leaves(before)), dict(leaves(now))
    found = []
    for place in dict.fromkeys((*became, *was)):
        if place not in was:
            found.append(f"added: {place} = {became[place]!r}")
        elif place not in became:
            found.append(f"removed: {place} = {was[place]!r}")
        elif was[place] != became[place]:
            found.append(f"changed: {place} was {was[place]!r} and is {became[place]!r}")
    return found


def leaves(value: Any, place: str = "") -> Iterator[tuple[str, Any]]:
    """Yield every value of a recipe or a part of it, with its place in words."""
    if isinstance(value, Mapping):
        for name, each in value.items():
            yield from leaves(each, f"{place} {name}".strip())
    elif isinstance(value, list):
        for number, each in enumerate(value, start=1):
            yield from leaves(each, f"{place} {number}")
    else:
        yield place, value


def _table(content: Mapping[str, Any], name: str) -> tuple[Mapping[str, Any], ...]:
    rows = content.get(name, [])
    keys, needed = _TABLES[name]
    if not (isinstance(rows, list) and all(isinstance(row, dict) for row in rows)):
        raise RecipeError(f"{name}: expected tables that begin with [[{name}]]")
    for number, row in enumerate(rows, start=1):
        _known(row, keys, f"{name} {number}")
        if needed and not row.get(needed):
            raise RecipeError(f"{name} {number}: {needed} is missing")
    return tuple(rows)


def _known(row: Mapping[str, Any], keys: Keys, where: str) -> None:
    for name, value in row.items():
        if name not in keys:
            raise RecipeError(f"{where}: no {name!r}; it takes {', '.join(sorted(keys))}")
        # To Python True is a whole number.
        of_type = isinstance(value, keys[name]) and (
            bool in keys[name] or not isinstance(value, bool)
        )
        if not of_type:
            raise RecipeError(
                f"{where}: {name}: found {value!r}, expected {_TYPES[keys[name][-1]]}"
            )
        _check_value(name, value, f"{where}: {name}")


def _check_value(name: str, value: Any, where: str) -> None:
    """Refuse what no step could do, before the first one is done."""
    if isinstance(value, str) and ".." in value.replace("\\", "/").split("/"):
        raise RecipeError(f"{where}: found {value!r}, expected no way out of a folder (..)")
    low = _SMALLEST.get(name)
    if low is not None and not low <= value < math.inf:
        raise RecipeError(f"{where}: found {value!r}, expected {low} or more")
