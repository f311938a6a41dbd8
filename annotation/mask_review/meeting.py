"""Corrections of masked texts that somebody made while another owner had the page open."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from annotation.campaigns.edits import last_correction_of
from annotation.mask_review.review import ReviewedSegment, ReviewedText, hash_of, lines
from annotation.models import Campaign

START = "was-"


def meet(
    campaign: Campaign, segments: Sequence[ReviewedSegment], sent: Mapping[str, str]
) -> tuple[dict[int, str], list[ReviewedSegment] | None]:
    """Return the texts that were written, and the page again where others were corrected too.

    A text that its owner left alone is left out. Where both wrote one, the page that comes back
    holds both; sent again, it is stored.
    """
    given: dict[int, str] = {}
    met: dict[int, ReviewedText] = {}
    for text in (text for segment in segments for text in segment.texts):
        if (mine := sent.get(f"text-{text.pk}")) is None:
            continue
        was, now = sent.get(f"{START}{text.pk}", text.version), text.version
        if hash_of(mine) == was != now:
            continue
        given[text.pk] = mine
        if now not in (was, hash_of(mine)):
            change = last_correction_of(campaign, text.pk)
            met[text.pk] = replace(text, mine=lines(mine), change=change)
    if not met:
        return given, None
    again = [
        replace(
            segment,
            texts=tuple(
                met.get(text.pk) or replace(text, mine=given.get(text.pk)) for text in segment.texts
            ),
        )
        for segment in segments
    ]
    return given, again
