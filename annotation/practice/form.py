"""The form in which an owner writes down what is practised, and who qualifies by it."""

import re
from dataclasses import dataclass
from typing import Any

from django import forms

from annotation.campaigns.edits import facts, last_change_of
from annotation.models import Campaign
from annotation.practice.fields import START, PracticeFields, segment_keys
from annotation.practice.reading import MOST, read_practice
from annotation.protocols.layouts.exercises import Exercise, PracticeError
from corpus.models import Output
from corpus.pages.versioned_form import Change, VersionedForm

MOST_KEYS = 500
_PLACE = re.compile(r"practice item (\d+)(?:, ([^:]+))?: (.*)", re.DOTALL)


@dataclass(frozen=True)
class ShownItem:
    """The fields of one practice item in groups, and the texts of the study that they name."""

    title: str
    groups: list[tuple[str, list[forms.BoundField]]]
    texts: list[tuple[str, str]]


class PracticeForm(VersionedForm):
    """Practice items, an empty one behind them, and the share of them that must fit.

    A valid form has written its values into `campaign`, which is not stored yet.
    """

    share = forms.FloatField(
        label="Share of answers that must fit",
        required=False,
        min_value=0,
        max_value=1,
        help_text="0.8: annotators whose answers fit in four of five items go on. Empty: "
        "everybody goes on.",
    )

    def __init__(self, campaign: Campaign, data: Any = None) -> None:
        self.campaign, self.loaded = campaign, facts(campaign)
        self.exercises: list[Exercise] = []
        self.segment_keys = segment_keys(campaign, MOST_KEYS)
        self.parts = PracticeFields(campaign)
        entries = list(campaign.selection.get("practice") or [])
        self.count = len(entries) + 1
        if data is not None:
            # What somebody added meanwhile is in the form too, or saving would drop it.
            self.count = max(_whole(data.get("count"), self.count), len(entries))
        share = (campaign.selection.get("qualification") or {}).get("pass")
        super().__init__(data, initial={"share": share})
        self.names: list[list[str]] = []
        for number in range(self.count):
            fields = self.parts.of(number, entries[number] if number < len(entries) else {})
            self.fields.update(fields)
            self.names.append(list(fields))

    def last_change(self, name: str) -> Change | None:
        """Return who last changed a field."""
        return last_change_of(self.campaign, name)

    def items(self) -> list[ShownItem]:
        """Return the fields item by item, each with its texts where they are known."""
        texts = self._texts()
        shown = []
        for number, names in enumerate(self.names):
            new = number == self.count - 1 and number >= len(texts)
            title = "One more practice item" if new else f"Practice item {number + 1}"
            found = texts[number] if number < len(texts) else []
            shown.append(ShownItem(title, self._groups(names), found))
        return shown

    def _groups(self, names: list[str]) -> list[tuple[str, list[forms.BoundField]]]:
        """Return fields in groups; of texts, where both a study's and the owner's are possible."""
        groups: dict[str, list[forms.BoundField]] = {"study": [], "own": [], "rest": []}
        for name in names:
            field = name.split("-", 2)[2]
            is_of_study = field.startswith(("segment", "system", "against"))
            group = "own" if field.startswith(START) else "study" if is_of_study else "rest"
            groups[group].append(self[name])
        titles = {"study": "", "own": "", "rest": ""}
        if groups["study"] and groups["own"]:
            titles = {
                "study": "Either: a text of this study",
                "own": "Or: your own texts",
                "rest": "What is expected",
            }
        return [(titles[name], fields) for name, fields in groups.items() if fields]

    def clean(self) -> dict[str, Any]:
        """Write the values into the campaign and read the items as its start will."""
        values = self.cleaned_data
        if self.errors:
            return values
        entries, places = [], []
        for number in range(self.count):
            start = f"item-{number}-"
            given = {n.removeprefix(start): v for n, v in values.items() if n.startswith(start)}
            entry = self.parts.kept(given)
            if entry is not None:
                entries.append(entry)
                places.append(number)
        share = values["share"]
        self.campaign.selection = {
            **self.campaign.selection,
            "practice": entries,
            "qualification": {} if share is None else {"pass": share},
        }
        try:
            self.exercises = read_practice(self.campaign)
        except PracticeError as error:
            self._say(str(error), places, entries)
        return values

    def _say(self, problem: str, places: list[int], entries: list[dict[str, Any]]) -> None:
        """Put a problem beside the field that it is about."""
        found = _PLACE.fullmatch(problem)
        if found is None:
            name = "share" if problem.startswith("qualification") else None
        else:
            number, part, problem = found.groups()
            item = int(number) - 1
            name = f"item-{places[item]}-{self.parts.field_of(part or '', entries[item])}"
        self.add_error(name, f"{problem[:1].upper()}{problem[1:]}.")

    def _texts(self) -> list[list[tuple[str, str]]]:
        """Return the texts of the items as they are stored, each under its system."""
        if self.is_bound:
            return []
        try:
            exercises = read_practice(self.campaign)
        except PracticeError:
            return []
        pks = [
            text.pk
            for each in exercises
            for item in each.items
            for text in item
            if text is not None
        ]
        outputs = Output.objects.select_related("system").in_bulk(pks)
        return [
            [
                (outputs[text.pk].system.name, outputs[text.pk].text)
                for item in each.items
                for text in item
                if text is not None
            ]
            for each in exercises
        ]


def _whole(text: Any, otherwise: int) -> int:
    """Return a number of items as a browser sends it back."""
    if isinstance(text, str) and text.isascii() and text.isdecimal() and len(text) < 4:
        return min(max(int(text), 1), MOST + 1)
    return otherwise
