"""What `study.json` says about a study, checked before anything is read."""

from typing import Any

from corpus.tabular.problems import Problem, TableError

FILE = "study.json"
_TYPES: dict[str, tuple[type, ...]] = {
    "slug": (str,),
    "title": (str,),
    "description": (str,),
    "language": (str,),
    "simulated": (bool,),
    "scales": (dict,),
    "protocol": (str, dict),
    "campaigns": (dict,),
    "metrics": (dict,),
    "systems": (dict, list),
    "published": (list,),
    "system_pattern": (str,),
    "mappings": (dict,),
    "provenance": (list,),
    "format": (str,),
}
STORED = ("scales", "protocol", "campaigns", "metrics")
_WORDS = {str: "text", bool: "true or false", dict: "an object", list: "a list"}


def check_declarations(declared: dict[str, Any]) -> list[str]:
    """Check types and scales; return the names that are not known, to be reported.

    Raises
    ------
    TableError
        With one problem for each value of the wrong kind.
    """
    problems = []
    for name, types in _TYPES.items():
        if name in declared and not isinstance(declared[name], types):
            expected = " or ".join(_WORDS[kind] for kind in types)
            problems.append(_problem(name, declared[name], expected))
    scales = declared.get("scales", {})
    campaigns = declared.get("campaigns", {})
    groups = [("scales", scales)] if isinstance(scales, dict) else []
    if isinstance(campaigns, dict):
        for slug, campaign in campaigns.items():
            if isinstance(campaign, dict) and isinstance(campaign.get("scales", {}), dict):
                groups.append((f"campaigns.{slug}.scales", campaign.get("scales", {})))
            else:
                problems.append(_problem(f"campaigns.{slug}", campaign, "an object"))
    for group, entries in groups:
        for aspect, scale in entries.items():
            if not _is_scale(scale):
                problems.append(
                    _problem(f"{group}.{aspect}", scale, "lowest and highest score, as [0, 100]")
                )
    if problems:
        raise TableError(*problems)
    return sorted(set(declared) - set(_TYPES))


def merged(stored: dict[str, Any], declared: dict[str, Any]) -> dict[str, Any]:
    """Return stored declarations with those of an import beside them."""
    result = dict(stored)
    for name in STORED:
        if name not in declared:
            continue
        if isinstance(declared[name], dict) and isinstance(result.get(name, {}), dict):
            result[name] = {**result.get(name, {}), **declared[name]}
        else:
            result[name] = declared[name]
    return result


def _is_scale(scale: Any) -> bool:
    return (
        isinstance(scale, list)
        and len(scale) == 2
        and all(isinstance(end, int | float) and not isinstance(end, bool) for end in scale)
        and scale[0] < scale[1]
    )


def _problem(name: str, found: Any, expected: str) -> Problem:
    return Problem(
        FILE,
        column=name,
        found=str(found)[:80],
        expected=expected,
        message="Correct the value, or leave it out.",
        code="declaration",
    )
