"""Reports and other pages of a study found by what they are for, and pages of the help."""

from collections.abc import Iterator, Mapping

from django.urls import reverse

from analysis.study_sections import SECTIONS, SETTINGS, Page
from config.help.search import find_help
from config.help.shelf import SEARCH, the_library
from config.search.found import Group, Hit, Scope
from config.search.query import Query
from corpus.models import Study

MOST_STUDIES = 3
"""Of so many studies pages are offered to who searches from no study's page."""
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
"""Names of statistics by which a report is found, as the filter or the help has them."""


def find_pages(query: Query, scope: Scope, most: int) -> Group:
    """Return pages whose title, question or statistics have every word, or their study's name."""
    studies = [scope.current] if scope.current else _likely_studies(query, scope)
    ranked = [
        (-rank, _place(page), study, page)
        for study in studies
        for page in _pages(owned=study.pk in scope.owned)
        if (rank := _rank(query, page, study))
    ]
    ranked.sort(key=lambda row: row[:2])
    hits = [
        Hit(page.title, reverse(page.name, args=[study.slug]), str(study), page.asks)
        for _, _, study, page in ranked
    ]
    return Group("Reports and pages", hits[:most], max(0, len(hits) - most))


def find_in_help(query: Query, most: int) -> Group:
    """Return parts of the help that have every word."""
    found = find_help(the_library().pages.values(), query.phrase, limit=most + 1)
    first = reverse("help")
    hits = [
        Hit(
            part.title,
            first + part.address,
            "" if part.page == part.title else part.page,
            part.excerpt,
        )
        for part in found[:most]
    ]
    everything = [("parts of the help", f"{first}{SEARCH}?{query.encoded}")]
    return Group("Help", hits, links=everything if len(found) > most else ())


def _likely_studies(query: Query, scope: Scope) -> list[Study]:
    """Return the studies that the query names, then the newest."""
    by_name = sorted(scope.studies, key=lambda study: -query.found_in(_name(study)))
    return by_name[:MOST_STUDIES]


def _pages(*, owned: bool) -> Iterator[Page]:
    for section in (*SECTIONS, SETTINGS):
        for page in section.pages:
            if owned or not page.for_owners:
                yield page


def _place(page: Page) -> int:
    """Return the place of a report among those that fit equally well, pages after all reports."""
    kind = page.name.removeprefix("study-")
    return [*NAMES].index(kind) if kind in NAMES else len(NAMES)


def _rank(query: Query, page: Page, study: Study) -> int:
    """Return how well a page fits, 0 if a word is missing or only the study has them."""
    statistics = NAMES.get(page.name.removeprefix("study-"), "")
    own = " ".join((page.title, page.asks, page.when, statistics))
    if not query.found_in(own) or query.missing_in(f"{own} {_name(study)}"):
        return 0
    return 4 * query.found_in(page.title) + 2 * query.found_in(statistics) + query.found_in(own)


def _name(study: Study) -> str:
    return f"{study.title} {study.slug}"
