"""Names of statistics by which reports are found: the one list.

Each is a name that the filter of reports uses (`analysis/filter/question.py`), or the page of the
help that defines the statistics of the report (`analysis/reports/catalogue.py`). A test compares
them.
"""

from collections.abc import Mapping

_COEFFICIENTS = "Pearson Spearman Kendall tau τ ρ coefficient"
_TESTS = "permutation bootstrap Holm Benjamini–Hochberg p-value"

NAMES: Mapping[str, str] = {
    "agreement": "Fleiss Cohen kappa κ Krippendorff alpha α Gwet AC1 AC2 ICC intraclass Pearson "
    "percent agreement position bias",
    "raters": "ICC intraclass Pearson annotators",
    "planning": "variance components generalizability raters segments",
    "correlation": f"{_COEFFICIENTS} top-N last-N",
    "subgroups": _COEFFICIENTS,
    "accuracy": "accuracy pairs ties",
    "comparison": f"Williams {_TESTS} metrics",
    "stand-in": "alternative annotator test judge language model winning rate advantage",
    "saving": "prediction-powered inference PPI worth of ratings choosing segments to rate",
    "rater-groups": "Wasserstein Manhattan total variation distribution soft labels",
    "learned-metric": "nested cross-validation non-negative least squares weights",
    "ranking": "z-scores mean rank",
    "rankings": _COEFFICIENTS,
    "system-comparison": f"Wilcoxon {_TESTS} clusters Bradley–Terry",
    "metric-means": "permutation bootstrap clusters",
    "scores": _COEFFICIENTS,
    "replication": "published",
}
"""Words by key of a kind of report; of reports that fit equally well the first comes first."""
