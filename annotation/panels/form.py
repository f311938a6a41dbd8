"""The forms of a panel: what is decided about it, and lists of who returned."""

import re
from typing import Any

from django import forms

from annotation.models import Panel
from annotation.panels.outcomes import DESCRIBED, Outcome, checked, is_address
from annotation.panels.settings import PLAIN, PROLIFIC_NAMES
from annotation.panels.statuses import FREEING, ListError, Stated, read_list

LARGEST_LIST = 5_000_000
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,59}")
_NAMES = {"participant": "Participant", "study": "Study", "session": "Submission or session"}


class PanelForm(forms.Form):
    """Everything that is decided about a panel; a valid form has the fields in `values`."""

    preset = forms.ChoiceField(
        label="Panel", choices=Panel.Preset.choices, widget=forms.RadioSelect
    )
    least_checks = forms.IntegerField(
        label="Control items that decide",
        required=False,
        min_value=2,
        max_value=100,
        help_text="An annotator who finishes and fails a test with at least this many control "
        "items of one kind gets the code for failed checks. Empty: nobody does.",
    )
    work_of_freed = forms.ChoiceField(
        label="When somebody returns, times out or is rejected",
        choices=Panel.Work.choices,
        widget=forms.RadioSelect,
        help_text="Decide before it happens. Their open items are freed in both cases.",
    )
    at_once = forms.BooleanField(
        label="Return annotators without a click",
        required=False,
        help_text="Otherwise they see their code and a link, and can still correct answers.",
    )
    minutes = forms.IntegerField(
        label="Minutes that it takes",
        required=False,
        min_value=1,
        max_value=1440,
        help_text="Your estimate, used in the description for the panel.",
    )
    reward = forms.DecimalField(
        label="Reward for each person", required=False, min_value=0, max_digits=8, decimal_places=2
    )
    currency = forms.RegexField(
        label="Currency",
        regex=r"^[A-Z]{3}$",
        required=False,
        help_text="Three letters, such as GBP.",
        error_messages={"invalid": "Write three capital letters, such as GBP."},
    )

    def __init__(self, panel: Panel, data: Any = None) -> None:
        initial: dict[str, Any] = {name: getattr(panel, name) for name in PLAIN}
        super().__init__(data, initial=initial)
        self.values: dict[str, Any] = {}
        for what, label in _NAMES.items():
            self.fields[f"name-{what}"] = forms.CharField(
                label=label, required=False, max_length=60, initial=panel.names.get(what, "")
            )
        for outcome, described in DESCRIBED.items():
            self.fields[f"ending-{outcome}"] = forms.CharField(
                label=described.title,
                required=False,
                max_length=500,
                initial=panel.endings.get(outcome, ""),
                help_text=described.when,
            )

    def names(self) -> list[forms.BoundField]:
        """Return the fields for names in the address."""
        return [self[f"name-{what}"] for what in _NAMES]

    def outcomes(self) -> list[forms.BoundField]:
        """Return the fields for codes."""
        return [self[f"ending-{outcome}"] for outcome in DESCRIBED]

    def clean(self) -> dict[str, Any]:
        """Refuse what would leave somebody without a code, or with that of another outcome."""
        given = self.cleaned_data
        prolific = given.get("preset") == Panel.Preset.PROLIFIC
        names, endings = self._names(prolific), self._endings(prolific)
        if given.get("reward") is not None and not given.get("currency"):
            self.add_error("currency", "Enter the currency of the reward.")
        if not self.errors:
            self.values = {name: given[name] for name in PLAIN}
            self.values |= {"names": names, "endings": endings}
        return given

    def _names(self, prolific: bool) -> dict[str, str]:
        if prolific:
            return dict(PROLIFIC_NAMES)
        names = {what: self.cleaned_data.get(f"name-{what}", "").strip() for what in _NAMES}
        if not names["participant"]:
            self.add_error(
                "name-participant", "Without this name, participants cannot be distinguished."
            )
        for what, name in names.items():
            if name and not _NAME.fullmatch(name):
                self.add_error(
                    f"name-{what}", "A name has letters, digits, dots, hyphens and underscores."
                )
            elif name and list(names.values()).count(name) > 1:
                self.add_error(f"name-{what}", "Each name can mean one thing only.")
        return names

    def _endings(self, prolific: bool) -> dict[str, str]:
        endings: dict[str, str] = {}
        for outcome in DESCRIBED:
            field = f"ending-{outcome}"
            text = self.cleaned_data.get(field, "").strip()
            if not text:
                if prolific or outcome != Outcome.FINISHED:
                    self.add_error(field, "Everybody who leaves needs a code: enter one.")
                continue
            try:
                text = checked(text)
            except ValueError as error:
                self.add_error(field, f"{str(error).capitalize()}.")
                continue
            if prolific and is_address(text):
                self.add_error(field, "For Prolific, enter only the code.")
            elif text in endings.values() and not is_address(text):
                self.add_error(field, "Each outcome needs its own code.")
            endings[outcome.value] = text
        return endings


class StatusesForm(forms.Form):
    """A list of who has which status at the panel, pasted or as a file."""

    listed = forms.CharField(
        label="List",
        required=False,
        max_length=2_000_000,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 8}),
        help_text="One identifier and status per line, or a table with a header.",
    )
    file = forms.FileField(
        label="Or a file", required=False, help_text="The export of the submissions, as CSV."
    )
    all_are = forms.ChoiceField(
        label="Status",
        required=False,
        choices=[("", "as in the list"), *((each, each.lower()) for each in FREEING)],
        help_text="For a list of identifiers alone.",
    )

    def __init__(self, panel: Panel, data: Any = None, files: Any = None) -> None:
        self.panel = panel
        self.people: list[Stated] = []
        self.unread: list[int] = []
        super().__init__(data, files)

    def clean(self) -> dict[str, Any]:
        """Read the list."""
        given = self.cleaned_data
        try:
            text = _text_of(given.get("file")) or given.get("listed", "")
            name = self.panel.names.get("participant", "")
            read = read_list(text, name=name, all_are=given.get("all_are", ""))
        except ListError as error:
            self.add_error("listed", f"{str(error).capitalize()}.")
        else:
            self.people, self.unread = read.people, read.unread
            # What is confirmed next is what was read, wherever it came from.
            self.text = text
        return given


def _text_of(file: Any) -> str:
    if not file:
        return ""
    if file.size > LARGEST_LIST:
        raise ListError("the file is larger than 5 MB")
    try:
        return str(file.read().decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise ListError("the file is not UTF-8 text; export it as CSV") from None
