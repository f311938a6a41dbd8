"""Forms that several people may have open at once: who saves second sees what was changed."""

import hashlib
import json
from datetime import datetime
from typing import Any, NamedTuple

from django import forms
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html

MADE_FROM = "made_from"
TAKE = "take-"


class Change(NamedTuple):
    """Who changed something, and when."""

    actor: str
    when: datetime


class VersionedForm(forms.Form):
    """A form that knows from which values it was made, by a hash of each.

    Where somebody stored others meanwhile, the form is invalid, and `met` holds the names of
    these fields. Each field that its user had left alone takes what is stored; each that both
    changed keeps its user's value, and shows the stored one with a box to take it. A form that
    is sent again after that is stored: its user has seen what it overwrites.
    """

    made_from = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, data: Any = None, **options: Any) -> None:
        self.met: dict[str, str] = {}
        super().__init__(data, **options)

    def last_change(self, name: str) -> Change | None:
        """Return who last changed what is stored of a field; None where that is not known."""
        return None

    def changed_meanwhile(self) -> list[forms.BoundField]:
        """Return the fields that somebody else changed."""
        return [self[name] for name in self.met]

    def get_initial_for_field(self, field: forms.Field, field_name: str) -> Any:
        """Return what is stored of a field; of all of them together, their hashes."""
        if field_name == MADE_FROM:
            return json.dumps(self._stored())
        return super().get_initial_for_field(field, field_name)

    def full_clean(self) -> None:
        """Compare with what is stored before anything is validated."""
        if self.is_bound and self.data.get(MADE_FROM) and "work_out" not in self.data:
            self._compare()
        super().full_clean()
        for name, words in self.met.items():
            self.add_error(name, words)

    def _compare(self) -> None:
        then, now = _read(self.data[MADE_FROM]), self._stored()
        given: Any = self.data
        self.data = given = given.copy()
        for name, stored in now.items():
            key = self.add_prefix(name)
            field, was = self.fields[name], then.get(name)
            initial = self.get_initial_for_field(field, name)
            mine = _hash(field, field.widget.value_from_datadict(self.data, self.files, key))
            wanted = bool(given.pop(f"{TAKE}{name}", None))
            if stored == was:
                if wanted:
                    _put(given, key, initial)
            elif mine != stored:
                self.met[name] = self._words(name, initial, kept=was is not None and mine != was)
                if was is None or mine == was:
                    _put(given, key, initial)
        given[MADE_FROM] = json.dumps(now)

    def _stored(self) -> dict[str, str]:
        return {
            name: _hash(field, self.get_initial_for_field(field, name))
            for name, field in self.fields.items()
            if name != MADE_FROM
        }

    def _words(self, name: str, value: Any, *, kept: bool) -> str:
        change = self.last_change(name)
        who = change.actor if change else "Somebody"
        when = f" at {date_format(timezone.localtime(change.when), 'H:i')}" if change else ""
        if not kept:
            words = "{} changed this{} while you were editing; it holds their version now."
            return format_html(words, who, when)
        return format_html(
            "{} changed this{} while you were editing. The field holds your version, this is "
            'theirs: <span class="theirs">{}</span> <label><input type="checkbox" name="{}" '
            'value="yes"> Take theirs instead of mine</label>',
            who,
            when,
            _shown(self.fields[name], value),
            f"{TAKE}{name}",
        )


def _hash(field: forms.Field, value: Any) -> str:
    """Return a short hash of a value, the same from the database as from a browser."""
    try:
        value = field.to_python(value)
    except forms.ValidationError:
        value = str(value)
    if isinstance(value, str):
        value = value.replace("\r\n", "\n").strip()
    if value is None or value == "":
        value = ""
    return hashlib.sha256(json.dumps(value, default=str).encode()).hexdigest()[:16]


def _put(given: Any, key: str, value: Any) -> None:
    """Write a stored value where the browser's stood."""
    given.pop(key, None)
    if isinstance(value, list | tuple):
        given.setlist(key, [str(each) for each in value])
    elif value is not None and value is not False:
        given[key] = "on" if value is True else str(value)


def _read(text: str) -> dict[str, str]:
    try:
        read = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return read if isinstance(read, dict) else {}


def _shown(field: forms.Field, value: Any) -> str:
    """Write a stored value as its field would show it."""
    if isinstance(field, forms.BooleanField):
        return "ticked" if value else "not ticked"
    if isinstance(field, forms.ChoiceField):
        choices: Any = field.choices
        labels = {str(key): str(label) for key, label in choices}
        values = value if isinstance(value, list | tuple) else [value]
        return ", ".join(labels.get(str(each), str(each)) for each in values) or "(nothing)"
    return "(empty)" if value is None or value == "" else str(value)
