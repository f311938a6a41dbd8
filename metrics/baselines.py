"""Baselines: pseudo-systems that no metric should like, or that every metric should.

They are stored as systems with the attribute `baseline`, so that they are scored like any other,
and a metric that rewards copying is seen at once.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from typing import Any, NamedTuple

from corpus.imports.service import import_key
from corpus.jobs.progress import Progress, holding
from corpus.jobs.worker import JobError
from corpus.models import Job, Output, Segment, Study, System
from corpus.studies.texts_needed import TextsNeeded, check_texts
from metrics.runs.text_settings import StyledText, TextSettingError, parse
from metrics.writing.storing import add_outputs

JOB_KIND = "baselines"
KINDS = {
    "copy-source": "the source, unchanged",
    "reference": "the first reference",
    "shuffled": "the words of the source in random order",
    "other-segment": "a system's output for another segment of the same direction",
    "style-deleted": "the source without its style words",
}
SEEDED = ("shuffled", "other-segment")
ATTRIBUTE = "baseline"
SEGMENTS_AT_A_TIME = 5000

key_of_job = import_key
"""Like an import it adds texts, so that the two may not meet."""


class BaselineError(ValueError):
    """A baseline that cannot be made; the message says why."""


@dataclass(frozen=True)
class Baseline:
    """A pseudo-system that is wanted.

    Parameters
    ----------
    kind
        One of `KINDS`.
    seed
        Of those that draw; the same seed gives every segment the same text again.
    lexicon
        Style lexicon of ``style-deleted``; the study's only one if empty.
    """

    kind: str
    seed: int = 0
    lexicon: str = ""

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise BaselineError(f"no baseline {self.kind!r}; there are {', '.join(KINDS)}")

    @property
    def system(self) -> str:
        """Name of the system."""
        parts = ["baseline", self.kind]
        if self.kind in SEEDED and self.seed:
            parts.append(f"seed-{self.seed}")
        if self.kind == "style-deleted" and self.lexicon:
            parts.append(self.lexicon)
        return "-".join(parts)

    @property
    def attributes(self) -> dict[str, str]:
        """What is declared of the system; texts, as attributes from tables are."""
        facts = {ATTRIBUTE: self.kind}
        if self.kind in SEEDED:
            facts["seed"] = str(self.seed)
        if self.kind == "style-deleted":
            facts["lexicon"] = self.lexicon
        return facts

    def random(self, segment: str) -> random.Random:
        """Return a source of chance for a segment, whatever other segments there are."""
        seed = sha256(f"{self.kind}:{self.seed}:{segment}".encode()).digest()
        return random.Random(seed)  # noqa: S311


class _Place(NamedTuple):
    """A segment that lacks a baseline's text."""

    pk: int
    key: str
    direction: tuple[str, str]


Texts = Iterator[tuple[int, str]]


def checked(study: Study, wanted: Sequence[Baseline]) -> list[Baseline]:
    """Return baselines with their lexicon named.

    Raises
    ------
    BaselineError
        If the study has not what one is made of.
    """
    found = []
    try:
        check_texts(study, "a baseline")
    except TextsNeeded as error:
        raise BaselineError(str(error)) from None
    for baseline in wanted:
        each = baseline
        if baseline.kind == "style-deleted":
            try:
                setting = parse(study, {"kind": "style_removed", "lexicon": baseline.lexicon})
            except TextSettingError as error:
                raise BaselineError(f"{baseline.kind}: {error}") from None
            each = Baseline(baseline.kind, baseline.seed, setting.to_dict()["lexicon"])
        known = study.systems.filter(name=each.system).first()
        if known is not None and known.attributes.get(ATTRIBUTE) != each.kind:
            raise BaselineError(f"there is a system {each.system!r} that is no such baseline")
        found.append(each)
    return found


def job_parameters(wanted: Sequence[Baseline]) -> dict[str, Any]:
    """Return the parameters of the job that makes baselines."""
    facts = ("kind", "seed", "lexicon")
    return {"baselines": [{name: getattr(each, name) for name in facts} for each in wanted]}


def run_baselines(job: Job, progress: Progress) -> dict[str, Any]:
    """Add the texts that baselines lack, each baseline at once; the same job may run again.

    Raises
    ------
    JobError
        If one cannot be made.
    """
    study = job.study
    if study is None:
        raise JobError("the study of these baselines no longer exists")
    tables = {}
    try:
        for baseline in checked(study, [Baseline(**each) for each in job.parameters["baselines"]]):
            progress.report(f"making {baseline.system}")
            lacking = _lacking(study, baseline)
            texts = list(_TEXTS[baseline.kind](study, baseline, lacking))
            if texts:
                with holding(job):
                    add_outputs(
                        job,
                        study,
                        baseline.system,
                        baseline.attributes,
                        texts,
                        action="add baseline",
                    )
            system = study.systems.filter(name=baseline.system).first()
            stored = system.outputs.count() if system else 0
            tables[baseline.system] = {"added": len(texts), "unchanged": stored - len(texts)}
    except BaselineError as error:
        raise JobError(str(error)) from None
    notes = [
        f"{name} has no text: the study lacks what it is made of."
        for name, counts in tables.items()
        if not sum(counts.values())
    ]
    return {"tables": tables, "notes": notes}


def _lacking(study: Study, baseline: Baseline) -> list[_Place]:
    made = Output.objects.filter(study=study, system__name=baseline.system).values("segment")
    segments = Segment.objects.filter(study=study).exclude(pk__in=made).order_by("ordinal")
    return [
        _Place(pk, key, (source, target))
        for pk, key, source, target in segments.values_list(
            "pk", "key", "source_style", "target_style"
        )
    ]


def _parts(places: Sequence[_Place]) -> Iterator[Sequence[_Place]]:
    for start in range(0, len(places), SEGMENTS_AT_A_TIME):
        yield places[start : start + SEGMENTS_AT_A_TIME]


def _copied(kind: str, study: Study, baseline: Baseline, places: Sequence[_Place]) -> Texts:
    """Yield the first source or reference of segments."""
    for part in _parts(places):
        segments = [place.pk for place in part]
        found = Output.objects.filter(segment__in=segments, system__kind=kind, variant=1)
        texts = dict(found.values_list("segment_id", "text"))
        yield from ((segment, texts[segment]) for segment in segments if segment in texts)


_sources = partial(_copied, System.Kind.SOURCE)


def _shuffled(study: Study, baseline: Baseline, places: Sequence[_Place]) -> Texts:
    keys = {place.pk: place.key for place in places}
    for segment, text in _sources(study, baseline, places):
        words = text.split()
        baseline.random(keys[segment]).shuffle(words)
        yield segment, " ".join(words)


def _style_deleted(study: Study, baseline: Baseline, places: Sequence[_Place]) -> Texts:
    setting = parse(study, {"kind": "style_removed", "lexicon": baseline.lexicon})
    for part in _parts(places):
        pairs = list(_sources(study, baseline, part))
        changed = setting.apply([StyledText(text) for _, text in pairs])
        yield from ((pk, each.text) for (pk, _), each in zip(pairs, changed, strict=True))


def _of_other_segments(study: Study, baseline: Baseline, places: Sequence[_Place]) -> Texts:
    """Draw a segment of the same direction, then one of the systems' outputs for it."""
    systems = study.systems.filter(kind=System.Kind.SYSTEM)
    real = [each.pk for each in systems if ATTRIBUTE not in each.attributes]
    outputs = Output.objects.filter(study=study, system__in=real, variant=1)
    having = Segment.objects.filter(pk__in=outputs.values("segment")).order_by("ordinal")
    by_direction: dict[tuple[str, str], list[int]] = {}
    for pk, source, target in having.values_list("pk", "source_style", "target_style"):
        by_direction.setdefault((source, target), []).append(pk)
    for part in _parts(places):
        drawn: dict[int, int] = {}
        for place in part:
            others = by_direction.get(place.direction, [])
            if len(others) > (place.pk in others):
                chance = baseline.random(place.key)
                while (other := chance.choice(others)) == place.pk:
                    pass
                drawn[place.pk] = other
        texts: dict[int, list[str]] = {}
        found = outputs.filter(segment__in=set(drawn.values())).order_by("system__ordinal")
        for segment, text in found.values_list("segment_id", "text"):
            texts.setdefault(segment, []).append(text)
        for place in part:
            if place.pk in drawn:
                chosen = baseline.random(f"{place.key}\0system").choice(texts[drawn[place.pk]])
                yield place.pk, chosen


_TEXTS: dict[str, Callable[[Study, Baseline, Sequence[_Place]], Texts]] = {
    "copy-source": _sources,
    "reference": partial(_copied, System.Kind.REFERENCE),
    "shuffled": _shuffled,
    "other-segment": _of_other_segments,
    "style-deleted": _style_deleted,
}
