"""Choosing among very many columns by writing their names, with a list that completes them."""

from collections.abc import Sequence
from typing import Any

from django import forms

MANY_COLUMNS = 60
"""Of more columns a list for each field would make a page of megabytes."""


class ColumnName(forms.CharField):
    """One column by its name, or ``digest:`` and the name of a text; cleaned like a choice.

    Parameters
    ----------
    columns
        What there is.
    listed
        The page's list of names.
    """

    def __init__(self, columns: Sequence[str], listed: str) -> None:
        super().__init__(required=False, strip=False, widget=forms.TextInput({"list": listed}))
        self._columns = set(columns)

    def prepare_value(self, value: Any) -> Any:
        """Show a column by its name alone."""
        return value.removeprefix("column:") if isinstance(value, str) else value

    def clean(self, value: Any) -> str:
        """Return ``column:`` or ``digest:`` with the name, or nothing."""
        text = str(value or "")
        kind, _, name = text.partition(":")
        if not text.strip() or text in self._columns:
            return f"column:{text}" if text in self._columns else ""
        if kind in ("digest", "column") and name in self._columns:
            return text
        raise forms.ValidationError(f"There is no column {text[:100]!r}.")

    def has_changed(self, initial: Any, data: Any) -> bool:
        """Compare what is shown."""
        return str(self.prepare_value(initial) or "") != str(self.prepare_value(data) or "")


class ColumnNames(forms.CharField):
    """Several columns, one name a line; cleaned to a list."""

    def __init__(self, columns: Sequence[str], **options: Any) -> None:
        widget = forms.Textarea({"rows": 4, "spellcheck": "false"})
        super().__init__(widget=widget, strip=False, **options)
        self._columns = set(columns)
        self.help_text = " ".join(filter(None, [str(self.help_text), "One name per line."]))

    def prepare_value(self, value: Any) -> Any:
        """Show the names one below the other."""
        return "\n".join(value) if isinstance(value, list | tuple) else value

    def to_python(self, value: Any) -> Any:
        """Return the names."""
        return [line for line in str(value or "").splitlines() if line.strip()]

    def validate(self, value: Any) -> None:
        """Refuse names that there are not."""
        super().validate(value)
        if unknown := [name for name in value if name not in self._columns]:
            raise forms.ValidationError(f"There is no column {unknown[0][:100]!r}.")

    def run_validators(self, value: Any) -> None:
        """Leave out the checks of a text."""

    def has_changed(self, initial: Any, data: Any) -> bool:
        """Compare the names."""
        return bool(list(initial or []) != self.to_python(data))
