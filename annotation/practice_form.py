"""The form in which an owner writes down what is practised, and who qualifies by it."""

import json
from typing import Any

from django import forms

from annotation.models import Campaign
from annotation.practice_reading import Exercise, PracticeError, read_practice
from annotation.protocols.questions import Scale

LONGEST = 200_000


class PracticeForm(forms.Form):
    """Practice items as JSON, and the share of them that must fit.

    A valid form has written its values into `campaign`, which is not stored yet.
    """

    practice = forms.CharField(
        label="Practice items",
        required=False,
        max_length=LONGEST,
        widget=forms.Textarea(attrs={"rows": 16, "spellcheck": "false"}),
        help_text="A list in JSON; each with output, expected and feedback. Nothing is practised "
        "where it is empty.",
    )
    share = forms.FloatField(
        label="Share that must fit",
        required=False,
        min_value=0,
        max_value=1,
        help_text="0.8: whose answers are as expected in four of five items goes on. Everybody "
        "does where it is empty.",
    )

    def __init__(self, campaign: Campaign, data: Any = None) -> None:
        self.campaign = campaign
        self.exercises: list[Exercise] = []
        selection = campaign.selection
        entries = selection.get("practice") or []
        super().__init__(
            data,
            initial={
                "practice": _written(entries) if entries else "",
                "share": (selection.get("qualification") or {}).get("pass"),
            },
        )
        self.fields["practice"].widget.attrs["placeholder"] = _example(campaign)

    def clean_practice(self) -> Any:
        """Read the JSON, without characters that no database keeps."""
        try:
            entries = json.loads(self.cleaned_data["practice"] or "[]")
        except (ValueError, RecursionError) as error:
            raise forms.ValidationError(f"This is not JSON: {error}.") from None
        try:
            written = _written(entries).encode()
        except UnicodeEncodeError:
            raise forms.ValidationError("A text has half of a character in it.") from None
        if b"\\u0000" in written:
            raise forms.ValidationError("A text has a NUL character in it.")
        return entries

    def clean(self) -> dict[str, Any]:
        """Write the values into the campaign and read the items as its start will."""
        values = self.cleaned_data
        if not self.errors:
            share = values["share"]
            self.campaign.selection = {
                **self.campaign.selection,
                "practice": values["practice"],
                "qualification": {} if share is None else {"pass": share},
            }
            try:
                self.exercises = read_practice(self.campaign)
            except PracticeError as error:
                field = "share" if str(error).startswith("qualification") else "practice"
                self.add_error(field, f"{str(error)[:1].upper()}{str(error)[1:]}.")
        return values


def _written(entries: Any) -> str:
    """Return items as people write them, one below the other."""
    return json.dumps(entries, indent=2, ensure_ascii=False)


def _example(campaign: Campaign) -> str:
    """Return an item that fits the campaign's questions, but for its texts."""
    expected: dict[str, Any] = {}
    for question in campaign.rules.questions(campaign.config):
        fits = [question.low, question.high] if isinstance(question, Scale) else "output"
        expected[question.aspect] = fits
    entry = {"output": ["segment", "system"], "expected": expected, "feedback": "Because …"}
    if campaign.rules.compares == "outputs":
        entry["against"] = ["segment", "other system"]
    return _written([entry])
