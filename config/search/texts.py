"""Segments found by their keys and texts, in bounded time however many there are."""

from collections.abc import Iterator, Sequence

from django.db.models import Q
from django.urls import reverse

from config.search.query import Group, Hit, Query, Scope
from corpus.models import Output, Segment, Study, System
from corpus.pages.segments import SEGMENTS_PER_PAGE
from corpus.storage.reading_time import TookTooLong, at_most

MOST_TEXTS = 1_000_000
"""So many texts are read in one search; the segments page of a study reads all of its own."""
MOST_MATCHES = 1_000
"""So many texts are fetched that have the phrase."""
MOST_LINKS = 8
SECONDS = 1.0
_WORDS = {System.Kind.SOURCE: "source", System.Kind.REFERENCE: "reference"}


def find_segments(query: Query, scope: Scope, most: int) -> Group:
    """Return segments whose key, or one of whose texts, has the phrase."""
    notes: list[str] = []
    found: dict[int, dict[int, int]] = {}
    try:
        with at_most(SECONDS):
            for studies, within in _parts(scope, notes):
                found |= _matches(query, studies, within, notes)
    except TookTooLong:
        notes.append(
            f"The search of texts was stopped after {SECONDS:g} s. The segments page of a study "
            "searches all of its texts."
        )
    chosen = [
        (segment, output)
        for study in scope.studies
        for segment, output in found.get(study.pk, {}).items()
    ][:most]
    total = sum(map(len, found.values()))
    return Group(
        "Segments",
        _hits(query, chosen),
        total - len(chosen),
        _links(query, scope, found) if total > len(chosen) else (),
        notes,
    )


def _parts(scope: Scope, notes: list[str]) -> Iterator[tuple[list[Study], Q]]:
    """Yield the current study, then all others, each with the texts of them that are read."""
    left = MOST_TEXTS
    skipped = 0
    for is_current in (True, False):
        studies = [study for study in scope.studies if (study is scope.current) == is_current]
        whole, within = [], Q(pk__in=())
        for study in studies:
            texts = scope.texts[study.pk]
            if texts <= left:
                whole.append(study.pk)
            elif left:
                within |= Q(study=study.pk, ordinal__lt=left)
            skipped += max(0, texts - left)
            left = max(0, left - texts)
        if studies:
            yield studies, (within | Q(study__in=whole)) if whole else within
    if skipped:
        notes.append(
            f"{skipped:,} more texts were not read. The segments page of a study searches all of "
            "its texts."
        )


def _matches(
    query: Query, studies: Sequence[Study], within: Q, notes: list[str]
) -> dict[int, dict[int, int]]:
    """Return for each study its segments that have the phrase, each with the text that has it.

    A segment whose key has it stands with 0.
    """
    phrase = query.phrase
    texts = Output.objects.filter(within, text__has=phrase).order_by("study_id", "ordinal")
    keys = Segment.objects.filter(study__in=[study.pk for study in studies], key__has=phrase)
    in_texts = list(texts.values_list("study_id", "segment_id", "pk")[:MOST_MATCHES])
    in_keys = list(
        keys.order_by("study_id", "ordinal").values_list("study_id", "pk")[:MOST_MATCHES]
    )
    if MOST_MATCHES in (len(in_texts), len(in_keys)):
        notes.append(f"More than {MOST_MATCHES:,} texts fit; more words find fewer.")
    found: dict[int, dict[int, int]] = {}
    for study, segment in in_keys:
        found.setdefault(study, {})[segment] = 0
    for study, segment, output in in_texts:
        of_study = found.setdefault(study, {})
        of_study[segment] = of_study.get(segment) or output
    return found


def _hits(query: Query, chosen: Sequence[tuple[int, int]]) -> list[Hit]:
    """Return the segments with the texts that were found; two queries."""
    segments = Segment.objects.select_related("study").in_bulk([segment for segment, _ in chosen])
    outputs = Output.objects.select_related("system").in_bulk([output for _, output in chosen])
    return [_hit(query, segments[segment], outputs.get(output)) for segment, output in chosen]


def _hit(query: Query, segment: Segment, output: Output | None) -> Hit:
    # Segments are numbered from 0 on without gaps.
    page = segment.ordinal // SEGMENTS_PER_PAGE + 1
    address = reverse("study-segments", args=[segment.study.slug])
    detail = ""
    if output is not None:
        who = _WORDS.get(System.Kind(output.system.kind), output.system.name)
        detail = f"{query.excerpt(output.text)} ({who})"
    where = f"{address}?page={page}#segment-{segment.ordinal}"
    return Hit(segment.key, where, str(segment.study), detail)


def _links(query: Query, scope: Scope, found: dict[int, dict[int, int]]) -> list[tuple[str, str]]:
    """Return a link for each study to its segments page, filtered by the phrase."""
    links = []
    for study in scope.studies:
        if segments := len(found.get(study.pk, ())):
            words = f"{segments:,} segment{'s' * (segments != 1)} of {study}"
            address = reverse("study-segments", args=[study.slug])
            links.append((words, f"{address}?{query.encoded}"))
    return links[:MOST_LINKS]
