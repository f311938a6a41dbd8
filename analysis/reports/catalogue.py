"""The kinds of reports; a new one is a package of this folder and an entry here.

Lists of reports show what is said here: a page that links to a report does not wait until it is
imported.
"""

from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from analysis.reports.kind import ReportKind


@dataclass(frozen=True, slots=True)
class ListedKind:
    """What lists say of a kind of report.

    Parameters
    ----------
    key
        Name in addresses, commands and stored results.
    title
        Its name in lists.
    group
        The question of a study, one of `GROUPS`, that it helps to answer.
    asks
        The question that it answers, in its readers' words.
    answers
        What it answers, in a few words after its title.
    when
        When to read it rather than the others of its group.
    defined
        Page of the help, and heading, that define its statistics.
    """

    key: str
    title: str
    group: str
    asks: str
    answers: str
    when: str
    defined: str

    @property
    def url_name(self) -> str:
        """Name of the address of its page."""
        return f"study-{self.key}"


TRUST = "Can these ratings be trusted?"
SYSTEMS = "Which systems are better?"
METRICS = "Which metric can stand in for human raters?"
FAILURES = "Where and why does it fail?"
KEEP = "Keep"
GROUPS = (TRUST, SYSTEMS, METRICS, FAILURES, KEEP)
"""What the reports of a study are about: its four questions, and what is kept of the answers."""
LISTED = (
    ListedKind(
        "agreement",
        "Agreement",
        TRUST,
        "How far do raters agree?",
        "how far raters agree with each other",
        "Read it first: where raters do not agree, little else can be said.",
        "statistics/agreement.html",
    ),
    ListedKind(
        "raters",
        "Raters",
        TRUST,
        "How does each rater rate?",
        "how each rater rates, compared with the others",
        "When agreement is low: who is stricter, noisier or unlike the others.",
        "statistics/agreement.html",
    ),
    ListedKind(
        "planning",
        "Planning",
        TRUST,
        "How many ratings would be enough?",
        "where the variance of ratings comes from, and how large the next study must be",
        "Before the next campaign: how many raters and segments it needs.",
        "statistics/uncertainty.html#planning",
    ),
    ListedKind(
        "correlation",
        "Correlation",
        METRICS,
        "Which metrics correlate with human scores?",
        "which metrics correlate with human scores",
        "Read it first: how well each metric correlates with human scores, and how sure that is.",
        "statistics/correlation.html",
    ),
    ListedKind(
        "subgroups",
        "Subgroups",
        FAILURES,
        "Where does a metric hold, and where not?",
        "in which parts of a study metrics correlate with human scores",
        "Before a metric is used elsewhere: directions, lengths, batches where it fails.",
        "statistics/correlation.html",
    ),
    ListedKind(
        "accuracy",
        "Accuracy",
        METRICS,
        "How often is a metric right?",
        "how often metrics are right, and what the noise of raters allows",
        "When a metric has to decide between two systems or two outputs.",
        "statistics/comparing.html#accuracy",
    ),
    ListedKind(
        "comparison",
        "Comparison",
        METRICS,
        "Which metrics correlate better than others?",
        "which metrics correlate better with human scores than which others",
        "To claim that one metric is better than another: every pair is tested.",
        "statistics/comparing.html",
    ),
    ListedKind(
        "stand-in",
        "Stand-in",
        METRICS,
        "May a judge or metric take the place of a rater?",
        "which judges and metrics may take the place of a rater",
        "Before a language model or a metric rates in place of people.",
        "statistics/standing-in.html",
    ),
    ListedKind(
        "probes",
        "Probes",
        METRICS,
        "What else moves a judge or metric?",
        "what moves judges and metrics beside what they measure",
        "Before a judge is trusted: length, own family, order, format, and repeated answers.",
        "statistics/standing-in.html#probes",
    ),
    ListedKind(
        "saving",
        "Saving ratings",
        METRICS,
        "How many ratings does a metric save?",
        "what a rating is worth beside a metric, and which segments to rate",
        "Before the next campaign: which metric helps, and which segments say most.",
        "statistics/saving-ratings.html",
    ),
    ListedKind(
        "rater-groups",
        "Groups of raters",
        METRICS,
        "Whom does a metric represent?",
        "which raters a metric or judge agrees with, and how near it is to all answers",
        "When raters differ: a metric may follow some of them and not others.",
        "statistics/divided-raters.html#whom-a-metric-represents",
    ),
    ListedKind(
        "learned-metric",
        "Learned metric",
        METRICS,
        "Does a metric learned from ratings correlate better?",
        "weights of metrics learned from human ratings, and what they are worth on unseen outputs",
        "When several metrics each see a part of the quality and one number is wanted.",
        "statistics/learned-metric.html",
    ),
    ListedKind(
        "ranking",
        "Ranking",
        SYSTEMS,
        "In which order do human raters put the systems?",
        "which systems are better, by human raters",
        "Read it first: mean ratings, intervals and rank ranges.",
        "statistics/human-scores.html",
    ),
    ListedKind(
        "rankings",
        "Human and metric rankings",
        SYSTEMS,
        "Do metrics rank systems as human raters do?",
        "systems in the order of human raters and in that of each metric",
        "When a metric is to rank systems in place of human raters.",
        "statistics/correlation.html",
    ),
    ListedKind(
        "system-comparison",
        "System comparison",
        SYSTEMS,
        "Which systems are rated higher than others?",
        "which systems human raters rate higher than which others",
        "To claim that one system is better than another: every pair is tested.",
        "statistics/comparing.html",
    ),
    ListedKind(
        "metric-means",
        "Metric scores by system",
        SYSTEMS,
        "What does each metric give each system?",
        "what each metric gives each system",
        "For the table of automatic scores in a paper.",
        "statistics/comparing.html",
    ),
    ListedKind(
        "scores",
        "Scores",
        METRICS,
        "Which metrics give similar scores?",
        "which metrics say the same, and what they give sources and references",
        "To leave out metrics that repeat others, and to see what a score means.",
        "statistics/correlation.html",
    ),
    ListedKind(
        "replication",
        "Replication",
        KEEP,
        "Do published values come out again?",
        "published values beside recomputed ones",
        "When numbers of a paper are checked against its own data.",
        "replication.html",
    ),
)
"""The kinds, in the order of pages and documents."""
KINDS = tuple(kind.key for kind in LISTED)


@cache
def report_kind(key: str) -> "ReportKind[Any]":
    """Return the description that the page of a kind ends with: `KIND` in `KEY/page.py`."""
    kind: ReportKind[Any] = import_module(f"analysis.reports.{key.replace('-', '_')}.page").KIND
    return kind
