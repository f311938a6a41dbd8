"""Training, validation and test segments, as an attribute of segments says."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from corpus.models import Segment, Study
from corpus.vocabulary.split_names import KNOWN, SPLITS

NAMES = ("split", "subset", "partition", "data_split", "dataset_split")
"""Attributes that name the split of a segment, the first found counts; whatever the case."""


@dataclass(frozen=True)
class Splits:
    """Which segments of a study are for training, validation and test.

    Attributes
    ----------
    attribute
        The attribute that says so; empty if no segment has one.
    of
        Primary key of a segment to its split; a segment without a known split is not there.
    unknown
        Values that are no known split, with their counts.
    """

    attribute: str = ""
    of: Mapping[int, str] = field(default_factory=dict)
    unknown: Mapping[str, int] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.attribute)

    def counts(self) -> dict[str, int]:
        """Return how many segments each split has."""
        found = dict.fromkeys(SPLITS, 0)
        for split in self.of.values():
            found[split] += 1
        return found

    def notes(self) -> list[str]:
        """Say what of the study is in no split."""
        return [
            f"segments whose {self.attribute} is {value!r} ({count:,}) are neither written nor "
            f"learnt from: it is none of {', '.join(SPLITS)}"
            for value, count in self.unknown.items()
        ]


def study_splits(study: Study) -> Splits:
    """Read the splits of a study from the attributes of its segments."""
    rows = Segment.objects.filter(study=study).order_by("ordinal")
    return read_splits(rows.values_list("pk", "attributes").iterator(chunk_size=5000))


def read_splits(segments: Iterable[tuple[int, Mapping[str, Any]]]) -> Splits:
    """Read splits from segments, each a key with its attributes."""
    found: dict[str, dict[int, str]] = {}
    for pk, attributes in segments:
        for name, value in attributes.items():
            if name.lower() in NAMES and value not in (None, ""):
                found.setdefault(name, {})[pk] = str(value).strip()
    # A "subset" may be anything: an attribute counts if it names some split.
    named = [
        name
        for name in sorted(found, key=lambda name: NAMES.index(name.lower()))
        if any(value.lower() in KNOWN for value in found[name].values())
    ]
    if not named:
        return Splits()
    of: dict[int, str] = {}
    unknown: dict[str, int] = {}
    for pk, value in found[named[0]].items():
        if value.lower() in KNOWN:
            of[pk] = KNOWN[value.lower()]
        else:
            unknown[value] = unknown.get(value, 0) + 1
    return Splits(named[0], of, unknown)
