"""Groups of systems by their attributes, as reports hold, show and list them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from analysis.data.arrays import Floats
from analysis.data.study_data import SystemColumn
from analysis.reports.table import Table
from analysis.stats.resampling.bootstrap import Bootstrap
from analysis.stats.signature import NO_VARIANT, Variant
from analysis.stats.systems.system_groups import GroupDifference, GroupMean, compare_groups
from analysis.tables.flat_table import RESULT_COLUMNS
from analysis.wording import p_words
from metrics.baselines import ATTRIBUTE as BASELINE

MOST_GROUPS = 6


@dataclass(frozen=True)
class ComparedGroups:
    """Systems by the values of an attribute."""

    attribute: str
    means: tuple[GroupMean, ...]
    differences: tuple[GroupDifference, ...]


class HasGroups(Protocol):
    """A report that compares groups of systems."""

    @property
    def groups(self) -> tuple[ComparedGroups, ...]: ...


def compared_groups(
    systems: Sequence[SystemColumn],
    scores: Floats,
    bootstrap: Bootstrap,
    variant: Variant = NO_VARIANT,
) -> tuple[ComparedGroups, ...]:
    """Compare systems by each attribute that puts some of them together, and not all.

    Attributes that divide the systems alike are compared once, under the first name.

    Parameters
    ----------
    systems
        One for each column of the scores.
    scores
        Segments × systems.
    bootstrap, variant
        As of `compare_groups`.
    """
    found = []
    met: set[tuple[int, ...]] = set()
    # By name: an archive of the study, and some databases, keep attributes in another order.
    for attribute in sorted({name for system in systems for name in system.attributes}):
        groups = [str(system.attributes.get(attribute, "")) for system in systems]
        names = [name for name in dict.fromkeys(groups) if name]
        division = tuple(names.index(group) if group else -1 for group in groups)
        grouped = sum(map(bool, groups))
        if attribute == BASELINE or division in met or not 2 <= len(names) <= MOST_GROUPS:
            continue
        if grouped > len(names):
            met.add(division)
            means, differences = compare_groups(scores, groups, bootstrap, variant)
            found.append(ComparedGroups(attribute, tuple(means), tuple(differences)))
    return tuple(found)


def shown_groups(content: HasGroups) -> list[dict[str, Any]]:
    """Return what `analysis/system_groups.html` shows."""
    return [
        {
            "attribute": each.attribute,
            "means": [(mean.group, mean.systems, mean.result) for mean in each.means],
            "differences": [
                (pair.first, pair.second, pair.result, p_words(pair.holm))
                for pair in each.differences
            ],
        }
        for each in content.groups
    ]


def group_tables(of: str) -> tuple[Table[Any], ...]:
    """Return the tables of groups; `of` says whose means they are."""
    means = ("attribute", "group", "systems")
    differences = ("attribute", "group", "other_group", "holm")
    return (
        Table(
            "system-groups",
            f"Groups of systems: means of {of}",
            "groups.means",
            (*means, *RESULT_COLUMNS),
        ),
        Table(
            "group-differences",
            f"Differences between groups of systems: means of {of}",
            "groups",
            (*differences, *RESULT_COLUMNS),
            lambda content: (
                (each, {"group": pair.first, "other_group": pair.second}, pair)
                for each in content.groups
                for pair in each.differences
            ),
        ),
    )
