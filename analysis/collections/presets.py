"""Collections as the field makes them: the WMT23 metrics task, a benchmark of directions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from analysis.collections.changing import CollectionError
from analysis.models import CollectionTask
from corpus.models import Segment, Study, System
from corpus.studies.overview import direction_name

WMT23, DIRECTIONS = "wmt23-metrics", "directions"


@dataclass(frozen=True)
class Preset:
    """A way to make tasks of studies.

    Parameters
    ----------
    title
    about
        In two sentences, for the form.
    settings
        Of the collection.
    """

    title: str
    about: str
    settings: Mapping[str, Any]


PRESETS: Mapping[str, Preset] = {
    WMT23: Preset(
        "WMT23 metrics task",
        "Pairwise accuracy of systems, pooled over all language pairs, weighted by their number. "
        "For each language pair: system-level r, segment-level r and accuracy with calibrated "
        "ties, with weight 1. Each study is one language pair.",
        {"unit_range": True, "correction": "none"},
    ),
    DIRECTIONS: Preset(
        "Benchmark of directions",
        "For each study and direction of transfer: segment-level r, Kendall’s τ-b within segments "
        "and system-level Spearman’s ρ. All have the same weight; tests are corrected for the "
        "number of comparisons.",
        {"unit_range": False, "correction": "holm"},
    ),
}
STANDARD_REFERENCES = {"en-de": "refA", "he-en": "refB", "zh-en": "refA"}
"""What metrics were given in WMT23, by language pair."""
SEVERAL_REFERENCES = ("he-en", "en-he")
"""Language pairs in which a reference that metrics were not given counts as a system."""
OUTLIERS = ("synthetic_ref",)
POOL = "All language pairs"
OF_DIRECTIONS = ("segment-pearson", "grouped-kendall", "system-spearman")


def tasks_of_preset(
    preset: str, studies: Sequence[Study], *, aspect: str = ""
) -> list[CollectionTask]:
    """Return the tasks that a preset makes of studies.

    Raises
    ------
    CollectionError
        If there is no such preset, or a study does not fit it.
    """
    if not studies:
        raise CollectionError("choose at least one study")
    if preset == WMT23:
        return [task for study in studies for task in _of_pair(study, aspect)]
    if preset == DIRECTIONS:
        return [task for study in studies for task in _of_directions(study, aspect)]
    raise CollectionError(f"no preset {preset!r}; there are: {', '.join(PRESETS)}")


def language_pair(study: Study) -> str:
    """Return the language pair that a study's slug ends with; empty if it names none known."""
    return next((pair for pair in STANDARD_REFERENCES if study.slug.endswith(pair)), "")


def _of_pair(study: Study, aspect: str) -> list[CollectionTask]:
    pair = language_pair(study)
    if not pair:
        known = ", ".join(STANDARD_REFERENCES)
        raise CollectionError(
            f"{study.slug}: the slug ends with no language pair of WMT23 ({known}); choose other "
            "studies, or no preset"
        )
    question: dict[str, Any] = {"candidates": "all", "raters": "all"}
    if aspect:
        question["aspect"] = aspect
    if study.campaigns.filter(slug="mqm").exists():
        question["campaign"] = "mqm"
    if pair in SEVERAL_REFERENCES:
        question["humans"] = "in"
    there = System.objects.filter(study=study, name__in=OUTLIERS).values_list("name", flat=True)
    if outliers := sorted(there):
        question["leave_out"] = outliers
    common: dict[str, Any] = {
        "study": study,
        "name": pair,
        "question": question,
        "standard_reference": STANDARD_REFERENCES[pair],
    }
    return [
        CollectionTask(statistic="system-pairs", pool=POOL, **common),
        CollectionTask(statistic="system-pearson", **common),
        CollectionTask(statistic="segment-pearson", **common),
        CollectionTask(statistic="acc-eq", **common),
    ]


def _of_directions(study: Study, aspect: str) -> list[CollectionTask]:
    rows = (
        Segment.objects.filter(study=study)
        .order_by("source_style", "target_style")
        .values_list("source_style", "target_style")
        .distinct()
    )
    directions = [(source, target) for source, target in rows if source or target]
    tasks = []
    for source, target in directions or [("", "")]:
        question: dict[str, Any] = {"aspect": aspect} if aspect else {}
        name = study.slug
        if len(directions) > 1:
            question["direction"] = f"{source}-to-{target}"
            name = f"{study.slug}, {direction_name(source, target)}"
        tasks += [
            CollectionTask(study=study, name=name, statistic=statistic, question=question)
            for statistic in OF_DIRECTIONS
        ]
    return tasks
