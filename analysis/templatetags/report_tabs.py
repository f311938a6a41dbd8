"""The tabs of a study's reports."""

from django import template

register = template.Library()

REPORTS = (
    ("study-agreement", "Agreement"),
    ("study-raters", "Raters"),
    ("study-ranking", "Ranking"),
    ("study-correlation", "Correlation"),
    ("study-accuracy", "Accuracy"),
    ("study-comparison", "Comparison"),
    ("study-system-comparison", "System comparison"),
    ("study-metric-means", "Systems by metrics"),
    ("study-scores", "Scores"),
    ("study-disagreement", "Disagreement"),
    ("study-map", "Map"),
    ("study-sweeps", "Sweeps"),
    ("study-references", "References"),
    ("study-replication", "Replication"),
    ("study-frozen", "Frozen"),
)


@register.filter
def among_reports(active: str) -> bool:
    """Whether a page is one of the reports, by the name of its address."""
    return active in dict(REPORTS)


@register.simple_tag
def reports() -> tuple[tuple[str, str], ...]:
    """Return names of addresses and titles, in the order of the tabs."""
    return REPORTS
