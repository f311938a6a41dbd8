"""What is known of some outputs: their texts, and what each annotator answered about them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from analysis.data.judgements import Judgements
from analysis.data.study_data import StudyData
from corpus.models import Output, Study, System


@dataclass(frozen=True)
class Texts:
    """A segment's source and references, and the text of each system."""

    source: str
    references: tuple[str, ...]
    outputs: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class RatingsOfOne:
    """What one annotator of a campaign, by pseudonym, answered about an output."""

    campaign: str
    rater: str
    answers: Mapping[str, str]


def texts_of(study: Study, keys: Sequence[str]) -> dict[str, Texts]:
    """Return the texts of some segments by key, first variants only, by one query."""
    rows = (
        Output.objects.filter(segment__study=study)
        .order_by("ordinal")
        .values_list("segment__key", "system__kind", "system__name", "variant", "text")
    )
    if len(keys) < 500:
        rows = rows.filter(segment__key__in=keys)
    sources: dict[str, str] = {}
    references: dict[str, list[str]] = {key: [] for key in keys}
    outputs: dict[str, dict[str, str]] = {key: {} for key in keys}
    for key, kind, name, variant, text in rows.iterator(chunk_size=20_000):
        if key not in outputs:
            continue
        if kind == System.Kind.SOURCE:
            sources.setdefault(key, text)
        elif kind == System.Kind.REFERENCE:
            references[key].append(text)
        elif variant == 1:
            outputs[key][name] = text
    return {key: Texts(sources.get(key, ""), tuple(references[key]), outputs[key]) for key in keys}


def ratings_of(
    data: StudyData, outputs: Sequence[tuple[int, int]]
) -> dict[tuple[int, int], list[RatingsOfOne]]:
    """Return everybody who judged some outputs, each with the answers by measure."""
    judged = data.judgements
    output_of = data.outputs_at(outputs)
    found: dict[int, dict[int, dict[str, str]]] = {}
    about_these = np.isin(judged.first, list(output_of.values())) & np.isfinite(judged.value)
    for rating in np.flatnonzero(about_these):
        answers = found.setdefault(int(judged.first[rating]), {})
        aspect = judged.aspects[judged.aspect[rating]]
        by_measure = answers.setdefault(int(judged.annotator[rating]), {})
        by_measure[aspect] = f"{judged.value[rating]:g}"
    return {
        place: [_of_one(judged, *each) for each in found.get(output_of.get(place, -1), {}).items()]
        for place in outputs
    }


def _of_one(judged: Judgements, index: int, answers: Mapping[str, str]) -> RatingsOfOne:
    annotator = judged.annotators[index]
    slug = judged.campaigns[annotator.campaign].slug
    return RatingsOfOne(slug, annotator.pseudonym, answers)
