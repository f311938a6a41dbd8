"""Fields for one practice item, and what a campaign keeps of them.

A text is chosen by the key of its segment and its system, or written by the owner; what is expected
of an answer is a number with a tolerance, or a choice. What was kept by a script, as a range or a
primary key, is shown in the same fields.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from django import forms

from annotation.masks.masking import is_masked
from annotation.models import Campaign
from annotation.protocols.layouts.exercises import LONGEST_FEEDBACK
from annotation.protocols.layouts.texts import OwnText
from annotation.protocols.questions import Question, Scale
from corpus.models import Output

START = "own-"
"""What the names of these fields begin with."""


def text_fields(campaign: Campaign, texts: Mapping[str, Any]) -> dict[str, forms.Field]:
    """Return a field for each text that a practice item may have, filled with those it has."""
    fields: dict[str, forms.Field] = {}
    rules = campaign.rules
    count = rules.layout.outputs
    for text in rules.layout.own_texts(rules, campaign.config):
        if text.name == "output" and count > 1:
            given = [*texts.get("outputs", ()), *[""] * count]
            for place in range(count):
                field = _field(campaign, text, given[place], f"Text of output {place + 1}")
                fields[f"{START}output-{place}"] = field
        else:
            fields[f"{START}{text.name}"] = _field(campaign, text, texts.get(text.name, ""))
    return fields


def written_texts(campaign: Campaign, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the texts that were written into the fields of one item; empty where none was."""
    texts = {
        name.removeprefix(START): value for name, value in given.items() if name.startswith(START)
    }
    count = campaign.rules.layout.outputs
    if count == 1 or not texts:
        return texts
    outputs = [texts.pop(f"output-{place}", "") for place in range(count)]
    return texts | {"outputs": [text for text in outputs if text]}


def _field(campaign: Campaign, text: OwnText, initial: str, label: str = "") -> forms.Field:
    if text.name == "target_style":
        return forms.CharField(
            label=text.label, required=False, max_length=text.longest, initial=initial
        )
    words = "Shown as it is written: put the placeholder where a style word would stand."
    return forms.CharField(
        label=label or text.label,
        required=False,
        max_length=text.longest,
        initial=initial,
        strip=False,
        help_text=words if is_masked(campaign) else "",
        widget=forms.Textarea(attrs={"rows": 2}),
    )


Entry = Mapping[str, Any]
Named = tuple[str, str]
_WORDS = {
    "output": "the output",
    "source": "the source",
    "against": "the other output",
    "tie": "no difference",
}


class PracticeFields:
    """The fields of practice items of one campaign, whichever their number.

    Names have the number of the item in front: ``item-0-segment``.
    """

    def __init__(self, campaign: Campaign) -> None:
        self.campaign = campaign
        self.questions = campaign.rules.questions(campaign.config)
        self.layout = campaign.rules.layout
        self.several = self.layout.outputs > 1
        names = campaign.study.systems.order_by("ordinal").values_list("name", flat=True)
        self.systems = [("", "–"), *((name, name) for name in names)]

    def of(self, number: int, entry: Entry) -> dict[str, forms.Field]:
        """Return the fields of one item, filled with what is kept of it.

        A new item has fields for texts of the study and for texts of the owner's.
        """
        fields: dict[str, forms.Field] = {}
        if "texts" not in entry:
            fields |= self._of_study(entry)
        if "texts" in entry or not entry:
            fields |= text_fields(self.campaign, entry.get("texts", {}))
        fields |= self._places(entry) if self.several else self._answers(entry)
        fields["feedback"] = forms.CharField(
            label="Comment shown after the answer",
            required=False,
            max_length=LONGEST_FEEDBACK,
            initial=entry.get("feedback", ""),
            widget=forms.Textarea(attrs={"rows": 2}),
        )
        if entry:
            fields["remove"] = forms.BooleanField(label="Remove this item", required=False)
        return {f"item-{number}-{name}": field for name, field in fields.items()}

    def kept(self, given: Mapping[str, Any]) -> dict[str, Any] | None:
        """Return what a campaign keeps of one item; None where nothing was filled in."""
        # Nought is an answer, and no empty field.
        filled = {
            name: v for name, v in given.items() if v is not None and v != "" and v is not False
        }
        if "remove" in filled or not filled.keys() - {"tolerance"}:
            return None
        texts = written_texts(self.campaign, filled)
        entry: dict[str, Any] = {"texts": texts} if texts else {}
        segment = filled.get("segment", "")
        if self.several:
            start = "own-output" if texts else "system"
            places = [n for n in range(self.layout.outputs) if filled.get(f"{start}-{n}")]
            tolerance = filled.get("tolerance", 0)
            if not texts or segment:
                entry["outputs"] = [[segment, filled.get(f"system-{n}", "")] for n in places]
            return entry | {
                "expected": [
                    _kept(question, filled.get(f"answer-{n}"), tolerance)
                    for n in places
                    for question in self.questions
                ],
                "feedback": filled.get("feedback", ""),
            }
        if not texts or segment:
            for name in self.layout.named:
                entry[name] = [segment, filled.get(_field_of(name), "")]
        expected: dict[str, Any] = {}
        for n, question in enumerate(self.questions):
            answer, tolerance = filled.get(f"answer-{n}"), filled.get(f"tolerance-{n}", 0)
            expected |= _kept(question, answer, tolerance)
        return {**entry, "expected": expected, "feedback": filled.get("feedback", "")}

    def field_of(self, part: str, entry: Entry) -> str:
        """Return the field that a message about a part of an item belongs to."""
        if "texts" in entry:
            names = text_fields(self.campaign, {})
            part = f"own-{part}"
            return part if part in names else next(iter(names))
        if part in self.layout.named:
            return _field_of(part)
        for n, question in enumerate(self.questions):
            if question.aspect == part:
                return f"answer-{n}"
        return "segment"

    def _of_study(self, entry: Entry) -> dict[str, forms.Field]:
        """Return fields that name texts of the study."""
        segment, named = self._texts(entry)
        systems = [*named, *[""] * (self.layout.outputs + 1)]
        fields: dict[str, forms.Field] = {
            "segment": forms.CharField(
                label="Segment",
                required=False,
                max_length=200,
                initial=segment,
                help_text="Its key, as on the page “Segments”.",
                widget=forms.TextInput(attrs={"list": "segment-keys", "autocomplete": "off"}),
            )
        }
        if self.several:
            for n in range(self.layout.outputs):
                fields[f"system-{n}"] = self._system(f"Output {n + 1} of", systems[n])
            return fields
        for (name, label), system in zip(self.layout.named.items(), systems, strict=False):
            fields[_field_of(name)] = self._system(label, system)
        return fields

    def _answers(self, entry: Entry) -> dict[str, forms.Field]:
        """Return what is expected of the answer to each question."""
        fields: dict[str, forms.Field] = {}
        kept = entry.get("expected") or {}
        for n, question in enumerate(self.questions):
            answer = kept.get(question.aspect) if isinstance(kept, Mapping) else None
            fields[f"answer-{n}"] = self._answer(question, question.text, answer)
            if not question.offered(self.layout.sides):
                fields[f"tolerance-{n}"] = _tolerance(question, _middle(answer)[1])
        return fields

    def _places(self, entry: Entry) -> dict[str, forms.Field]:
        """Return what is expected of each output."""
        fields: dict[str, forms.Field] = {}
        [question] = self.questions
        kept = [*(entry.get("expected") or []), *[{}] * self.layout.outputs]
        answers = [each.get(question.aspect) for each in kept[: self.layout.outputs]]
        for n, answer in enumerate(answers):
            words = f"{self.layout.place} {n + 1}"
            fields[f"answer-{n}"] = self._answer(question, words, answer)
        if not question.offered(self.layout.sides):
            widest = max(_middle(answer)[1] or 0 for answer in answers)
            fields["tolerance"] = _tolerance(question, widest or None)
        return fields

    def _system(self, label: str, chosen: str) -> forms.ChoiceField:
        return forms.ChoiceField(label=label, required=False, choices=self.systems, initial=chosen)

    def _answer(self, question: Question, words: str, answer: Any) -> forms.Field:
        """Return a field for what is expected: a list of words, or a number."""
        offered = list(question.offered(self.layout.sides))
        if not offered:
            return _number(question, words, _middle(answer)[0])
        if answer and answer not in offered:
            offered.append(str(answer))
        choices = [(name, _WORDS.get(name, name)) for name in offered]
        return forms.ChoiceField(
            label=f"Expected: {words}",
            required=False,
            choices=[("", "nothing is expected"), *choices],
            initial=answer or "",
        )

    def _texts(self, entry: Entry) -> tuple[str, list[str]]:
        """Return the segment's key and the systems of the texts that an entry names."""
        named = entry.get("outputs") or [entry.get("output"), entry.get("against")]
        pairs = [pair for name in named if (pair := self._named(name))]
        return (pairs[0][0] if pairs else ""), [system for _, system in pairs]

    def _named(self, name: Any) -> Named | None:
        if isinstance(name, list | tuple) and len(name) == 2:
            return str(name[0]), str(name[1])
        if isinstance(name, int):
            outputs = Output.objects.filter(study=self.campaign.study, pk=name)
            return outputs.values_list("segment__key", "system__name").first()
        return None


def _field_of(name: str) -> str:
    """Return the field of an output that an item names."""
    return "system" if name == "output" else name


def _kept(question: Question, answer: Any, tolerance: Any) -> dict[str, Any]:
    """Return what a campaign keeps of an expected answer: a word, or a number with a tolerance."""
    if answer is None:
        return {}
    is_word = isinstance(answer, str)
    kept = answer if is_word else {"answer": answer, "tolerance": tolerance}
    return {question.aspect: kept}


def _middle(answer: Any) -> tuple[float | None, float | None]:
    """Return the answer and tolerance of what is kept: both, a number, or the ends of a range."""
    if isinstance(answer, Mapping):
        return answer.get("answer"), answer.get("tolerance")
    if isinstance(answer, list | tuple) and len(answer) == 2:
        low, high = answer
        return (low + high) / 2, (high - low) / 2
    return (answer, 0) if isinstance(answer, int | float) else (None, None)


def _number(question: Question, text: str, initial: float | None) -> forms.FloatField:
    assert isinstance(question, Scale)  # noqa: S101  (choices have fields of their own)
    return forms.FloatField(
        label=f"Expected: {text}",
        required=False,
        min_value=question.low,
        max_value=question.high,
        initial=initial,
        help_text=f"{question.low:g} to {question.high:g}; empty: no answer is expected.",
    )


def _tolerance(question: Question, initial: float | None) -> forms.FloatField:
    assert isinstance(question, Scale)  # noqa: S101  (choices have no distance)
    return forms.FloatField(
        label="Tolerance",
        required=False,
        min_value=0,
        max_value=question.high - question.low,
        initial=initial,
        help_text="Answers fit if they differ by at most this much.",
    )


def segment_keys(campaign: Campaign, most: int) -> Iterable[str]:
    """Return keys of segments to choose from, the first ones."""
    return campaign.study.segments.order_by("ordinal").values_list("key", flat=True)[:most]
