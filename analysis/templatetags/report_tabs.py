"""The tabs of a study's reports, in groups by what they speak of."""

from django import template

register = template.Library()

Tabs = tuple[tuple[str, str], ...]
GROUPS: tuple[tuple[str, Tabs], ...] = (
    (
        "People",
        (
            ("study-agreement", "Agreement"),
            ("study-raters", "Raters"),
            ("study-planning", "Planning"),
        ),
    ),
    (
        "Systems",
        (
            ("study-ranking", "Ranking"),
            ("study-system-comparison", "System comparison"),
            ("study-metric-means", "Systems by metrics"),
        ),
    ),
    (
        "Metrics",
        (
            ("study-correlation", "Correlation"),
            ("study-subgroups", "Where it holds"),
            ("study-accuracy", "Accuracy"),
            ("study-comparison", "Comparison"),
            ("study-scores", "Scores"),
            ("study-sweeps", "Sweeps"),
            ("study-references", "References"),
        ),
    ),
    (
        "Texts",
        (
            ("study-disagreement", "Disagreement"),
            ("study-map", "Map"),
        ),
    ),
    (
        "More",
        (
            ("study-replication", "Replication"),
            ("study-frozen", "Frozen"),
        ),
    ),
)
REPORTS: Tabs = tuple(tab for _, tabs in GROUPS for tab in tabs)


@register.filter
def among_reports(active: str) -> bool:
    """Whether a page is one of the reports, by the name of its address."""
    return active in dict(REPORTS)


@register.simple_tag
def reports() -> tuple[tuple[str, Tabs], ...]:
    """Return the groups, each with names of addresses and titles, in the order of the tabs."""
    return GROUPS
