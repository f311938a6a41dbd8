"""Which tables each kind of report has, and what they are called."""

from collections.abc import Iterable, Sequence

from analysis.flat_table import FlatTable, Row

TABLES: dict[str, dict[str, tuple[str, str]]] = {
    "agreement": {
        "agreement": ("Agreement between raters", "numbers"),
        "scales": ("Scales of the aspects", "scales"),
        "choices": ("Agreement on choices between two texts", "choices"),
        "protocols": ("Agreement under two protocols over the same outputs", "protocols"),
        "consistency": ("Circular triads of preferences between outputs", "consistency"),
        "raters": ("Raters", "raters"),
        "relative": ("Outputs against their sources", "relative"),
    },
    "raters": {
        "raters": ("Raters, each beside the others", "rows"),
        "rater-pairs": ("Correlation of every two raters", "matrices"),
    },
    "scores": {
        "metric-matrix": ("Correlations of metrics with metrics", "columns"),
        "distributions": ("Distributions of scores", "distributions"),
        "extremes": ("Segments where people's and systems' scores are furthest apart", "extremes"),
    },
    "correlation": {
        "headline": ("Metrics beside people: headline statistics and the one asked for", "rows"),
        "correlations": ("Correlation of metrics with people, one number a row", "rows"),
        "human-scores": ("Correlation by raw, z-scored and ranked human scores", "kinds"),
        "top-last": ("Correlation over the top N and the last N systems", "curves"),
        "beside-imported": (
            "Scores computed here beside imported ones of the same metric",
            "beside_imported",
        ),
        "ceilings": ("Ceilings of correlations and human baselines", "ceilings"),
        "system-means": ("Mean metric and human scores of systems", "points"),
    },
    "planning": {
        "components": ("Variance components of ratings", "components"),
        "plans": ("Fewest segments for each number of raters", "plan"),
        "sizes": ("What each size of a study reaches", "plan"),
    },
    "subgroups": {
        "strata": ("Correlation of metrics with people in each stratum", "metrics"),
        "differences": ("Differences between strata of each metric", "differences"),
        "top-last": ("Correlation over the top N and last N systems, by stratum", "curves"),
    },
    "accuracy": {"accuracy": ("Accuracy of metrics, one number a row", "rows")},
    "comparison": {
        "metrics": ("Metrics by correlation with people, with rank ranges", "metrics"),
        "pairs": ("Differences between every two metrics, one test a row", "pairs"),
    },
    "ranking": {"ranking": ("Mean human scores of systems, raw and z", "tables")},
    "system-comparison": {
        "systems": ("Mean human scores of systems, with rank ranges", "systems"),
        "pairs": ("Differences between every two systems, one test a row", "pairs"),
        "strengths": ("Log strengths of systems judged against each other", "strengths"),
        "strength-pairs": ("Differences between every two log strengths", "strengths"),
    },
    "metric-means": {
        "metric-means": ("Systems by metrics, one number a row", "rows"),
        "systems": ("Systems by the metric tested, with rank ranges", "tested"),
        "pairs": ("Differences between every two systems by that metric, one test a row", "tested"),
    },
    "replication": {"replication": ("Published values beside the recomputed ones", "rows")},
}
"""Tables of each kind of report: name to title and to the part of the content it shows."""
METRIC_COLUMNS = ("metric", "metric_aspect", "compared_to", "text_setting")
PRINTED = ("value", "low", "high", "p_value", "n")


def make_table(
    kind: str, name: str, columns: Sequence[str], rows: Iterable[Row], printed: Sequence[str] = ()
) -> FlatTable:
    """Return a table under the title that its kind of report gives it."""
    title, _ = TABLES[kind][name]
    return FlatTable(name, title, tuple(columns), tuple(rows), tuple(printed))
