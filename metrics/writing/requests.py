"""What is asked of a writer, and what it then comes to: segments, material, signature, system."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

from django.conf import settings

from corpus.models import Output, Segment, Study, System
from corpus.studies.texts_needed import TextsNeeded, check_texts
from corpus.texts.splits import Splits, study_splits
from corpus.vocabulary.split_names import SPLITS, TEST, TRAIN
from metrics.resources.loaders import WEIGHTS
from metrics.resources.writer_training import fine_tuned_writers
from metrics.scorers.scorer import library_versions
from metrics.scorers.spec import ParameterError, Value
from metrics.signatures import HASH_DIGITS, run_signature, shortened
from metrics.writers.registry import writer_class
from metrics.writers.writer import Direction, Material, Source, Writer, WriterError, WriterSpec
from metrics.writing.material import digest_of, material_of

ALL = "all"
SEGMENTS = ("", ALL, *SPLITS)
LEARN_FROM = (TRAIN, "others")
LONGEST_NAME = 200
SIGNATURE, WRITER = "signature", "writer"
"""Attributes of systems that were written here."""
LONGEST_ATTRIBUTE = 200
"""Characters that the page of systems takes."""
AT_A_TIME = 500
_LONGEST_READABLE = 80
_SHORT_VALUE = re.compile(r"[\w.+-]{1,24}")


@dataclass(frozen=True)
class WritingRequest:
    """Outputs that are wanted of a writer.

    Parameters
    ----------
    writer
        Key of the writer.
    parameters
        Those that differ from the defaults.
    name
        Of the system; made from writer and parameters if empty.
    split
        ``train``, ``validation``, ``test`` or ``all``; empty: the test segments, or all segments
        if the study has no splits.
    source_style, target_style
        Only segments of this direction; empty: of any.
    limit
        Only so many segments, the first of each direction in turn; 0: all.
    learn_from
        ``train``: a writer learns from training segments. ``others``: from all segments that it
        does not write, for studies without splits.
    lexicon
        Style lexicon of writers that need one; the study's only one if empty.
    """

    writer: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    name: str = ""
    split: Literal["", "all", "train", "validation", "test"] = ""
    source_style: str = ""
    target_style: str = ""
    limit: int = 0
    learn_from: Literal["train", "others"] = "train"
    lexicon: str = ""

    def __post_init__(self) -> None:
        if self.split not in SEGMENTS:
            known = ", ".join(filter(None, SEGMENTS))
            raise WriterError(f"segments: found {self.split!r}, expected one of {known}")
        if self.learn_from not in LEARN_FROM:
            raise WriterError(
                f"learn from: found {self.learn_from!r}, expected one of {', '.join(LEARN_FROM)}"
            )
        if len(self.name) > LONGEST_NAME or self.name.startswith("("):
            raise WriterError(
                f"system: at most {LONGEST_NAME} characters, and no parenthesis at the beginning"
            )

    def to_dict(self) -> dict[str, Any]:
        """Return what can be stored."""
        return asdict(self)


@dataclass(frozen=True)
class PlannedWriting:
    """A request that can be met.

    Attributes
    ----------
    request
        With every parameter and the name of the system.
    writer
        Ready to write.
    signature
        All that decides its outputs.
    segments
        Primary keys of the segments to be written, in the order of the study.
    notes
        What was decided, in sentences.
    """

    request: WritingRequest
    writer: Writer
    signature: str
    segments: Sequence[int]
    notes: Sequence[str]

    @property
    def spec(self) -> WriterSpec:
        """What the writer declares."""
        return self.writer.spec

    @property
    def attributes(self) -> dict[str, str]:
        """What is declared of the system; texts, as attributes from tables are."""
        usual = {each.name: each.default for each in self.spec.parameters}
        changed = {n: v for n, v in self.writer.parameters.items() if v != usual[n]}
        facts = {
            WRITER: self.spec.key,
            "model": self.writer.model or self.spec.key,
            "group": self.spec.group,
            "parameters": "; ".join(f"{name}={_shown(value)}" for name, value in changed.items()),
            SIGNATURE: self.signature,
        }
        return {name: as_attribute(value) for name, value in facts.items() if value}


class Planner:
    """Turns requests about one study into what is to be written; reads its splits once."""

    def __init__(self, study: Study) -> None:
        self.study = study

    @cached_property
    def splits(self) -> Splits:
        """Which segments are for training, validation and test."""
        return study_splits(self.study)

    def plan(self, request: WritingRequest) -> PlannedWriting:
        """Say what a request comes to.

        Raises
        ------
        WriterError
            If it cannot be met as it is.
        metrics.scorers.scorer.Unavailable
            If a model or a library is missing.
        metrics.writers.registry.UnknownWriter
            If there is no such writer.
        """
        kind = writer_class(request.writer)
        try:
            check_texts(self.study, "a writer")
            parameters = kind.spec.read(request.parameters)
        except (ParameterError, TextsNeeded) as error:
            raise WriterError(str(error)) from None
        libraries = library_versions(kind.spec.libraries)
        needs = kind.needs_with(parameters)
        segments, notes = self._segments(request)
        learns = bool(needs & {"pairs", "texts"})
        material = Material()
        if needs:
            from_which, words = self._learnt_from(request, segments) if learns else ((), [])
            notes += words
            unlike = self._hashes(segments) if learns else ()
            material = material_of(
                self.study, from_which, needs, lexicon=request.lexicon, unlike=unlike
            )
            if learns and not (material.pairs or material.texts):
                raise WriterError(
                    "it has nothing to learn from: no training segment has "
                    + ("a reference" if "pairs" in needs else "a text")
                )
        known = replace(
            material, cache=settings.DATA_DIR / WEIGHTS, trained=fine_tuned_writers(self.study)
        )
        writer = kind(parameters, known)
        writer.check(self._directions(segments))
        origin = f"{request.learn_from}-" if learns else ""
        signature = run_signature(
            kind.spec,
            writer.parameters,
            material=f"{origin}{digest_of(material)[:HASH_DIGITS]}" if needs else "",
            files=writer.fingerprint(),
            libraries=libraries,
            version=settings.VERSION,
        )
        full = replace(request, parameters=writer.parameters)
        planned = PlannedWriting(full, writer, signature, segments, notes)
        return replace(planned, request=replace(full, name=self._name(planned)))

    def _segments(self, request: WritingRequest) -> tuple[list[int], list[str]]:
        """Return the segments to be written, and what was decided about them."""
        chosen = Segment.objects.filter(study=self.study).order_by("ordinal")
        if request.source_style:
            chosen = chosen.filter(source_style=request.source_style)
        if request.target_style:
            chosen = chosen.filter(target_style=request.target_style)
        rows = list(chosen.values_list("pk", "source_style", "target_style"))
        segments, notes = [pk for pk, *_ in rows], self.splits.notes()
        split = request.split or (TEST if self.splits else ALL)
        if split != ALL:
            if not self.splits:
                raise WriterError(
                    f"no segment has a split: an attribute such as `split` with {', '.join(SPLITS)}"
                )
            segments = [pk for pk in segments if self.splits.of.get(pk) == split]
            notes.append(f"it writes the segments whose {self.splits.attribute} is {split}")
        elif not self.splits:
            notes.append("it writes all segments chosen: the study has no splits")
        if request.limit:
            directions = {pk: tuple(direction) for pk, *direction in rows}
            segments = _in_turn(segments, directions, request.limit)
        if not segments:
            raise WriterError("no segment is chosen: check split and direction")
        return segments, notes

    def _learnt_from(
        self, request: WritingRequest, written: Sequence[int]
    ) -> tuple[list[int], list[str]]:
        """Return the segments to learn from, and what was decided about them."""
        segments = list(
            Segment.objects.filter(study=self.study)
            .order_by("ordinal")
            .values_list("pk", flat=True)
        )
        its_own = set(written)
        if request.learn_from == "others":
            others = [pk for pk in segments if pk not in its_own]
            return others, [
                f"it learns from the {len(others):,} segments that it does not write, whatever "
                "their split"
            ]
        if not self.splits:
            raise WriterError(
                "it learns from segments with the split train, and no segment of this study has a "
                "split: import an attribute `split`, or let it learn from the segments that it "
                "does not write (learn from: others)"
            )
        training = [pk for pk in segments if self.splits.of.get(pk) == TRAIN]
        if its_own.intersection(training):
            raise WriterError(
                "it learns from training segments, so it cannot write them: choose validation or "
                "test segments"
            )
        return training, [f"it learns from {len(training):,} training segments only"]

    def _hashes(self, segments: Sequence[int]) -> set[str]:
        found: set[str] = set()
        for start in range(0, len(segments), AT_A_TIME):
            texts = Output.objects.filter(
                segment__in=segments[start : start + AT_A_TIME], system__kind=System.Kind.SOURCE
            )
            found.update(texts.values_list("sha256", flat=True))
        return found

    def _directions(self, segments: Sequence[int]) -> set[Direction]:
        rows = Segment.objects.filter(study=self.study).order_by()
        if len(segments) < AT_A_TIME:
            rows = rows.filter(pk__in=segments)
        return set(rows.values_list("source_style", "target_style").distinct())

    def _name(self, planned: PlannedWriting) -> str:
        """Return the system that has this signature, or a name that is free."""
        systems = dict(self.study.systems.values_list("name", "attributes"))
        for name, attributes in systems.items():
            if attributes.get(SIGNATURE) == as_attribute(planned.signature):
                return name
        wanted = planned.request.name
        if wanted and wanted in systems:
            raise WriterError(
                f"there is a system {wanted!r} under another signature, and its outputs stay as "
                "they are: choose another name"
            )
        return wanted or next(name for name in _names(planned) if name not in systems)


def sources_of(study: Study, segments: Sequence[int]) -> dict[int, Source]:
    """Return the sources of some segments by primary key, in their order; none where unknown."""
    texts = dict(
        Output.objects.filter(
            study=study, segment__in=segments, system__kind=System.Kind.SOURCE, variant=1
        )
        .exclude(sha256="")
        .values_list("segment_id", "text")
    )
    rows = Segment.objects.in_bulk(list(segments))
    return {
        pk: Source(rows[pk].key, texts[pk], rows[pk].source_style, rows[pk].target_style)
        for pk in segments
        if pk in texts and pk in rows
    }


def as_attribute(value: str) -> str:
    """Return a value as an attribute of a system holds it: a long one ends in its hash."""
    return shortened(value, LONGEST_ATTRIBUTE, HASH_DIGITS)


def _in_turn(segments: Sequence[int], directions: Mapping[int, Any], most: int) -> list[int]:
    """Return the first segments of each direction in turn, in the order of the study."""
    turns: dict[Any, int] = {}
    ranked = []
    for place, pk in enumerate(segments):
        turn = turns.setdefault(directions[pk], 0)
        turns[directions[pk]] += 1
        ranked.append((turn, place, pk))
    return [pk for _, pk in sorted((place, pk) for _, place, pk in sorted(ranked)[:most])]


def _names(planned: PlannedWriting) -> Iterator[str]:
    """Yield the writer with what differs from its defaults, then the same with a number."""
    usual = {each.name: each.default for each in planned.spec.parameters}
    name = planned.spec.key
    for parameter, value in planned.writer.parameters.items():
        shown = _shown(value)
        part = f"-{parameter}-{shown}"
        fits = _SHORT_VALUE.fullmatch(shown) and len(name) + len(part) <= _LONGEST_READABLE
        if value != usual[parameter] and fits:
            name += part
    yield name
    number = 2
    while True:
        yield f"{name}-{number}"
        number += 1


def _shown(value: Value) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)
