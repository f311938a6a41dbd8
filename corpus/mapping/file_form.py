"""What is said of a whole file on the mapping page."""

from dataclasses import replace
from typing import Any

from django import forms

from corpus.imports.options import OptionsError, check_encoding
from corpus.pages.choices import offer
from corpus.tables.register import handlers
from corpus.tabular.opening.files import WHITESPACE, Dialect

_CHOICES: dict[str, dict[str, Any]] = {
    "delimiter": {
        "": None,
        "comma": ",",
        "semicolon": ";",
        "tab": "\t",
        "vertical bar": "|",
        "one space": " ",
        "runs of white space": WHITESPACE,
    },
    "header": {"": None, "names of columns": True, "data": False},
}
"""Labels of what a file may be written with, and what a dialect has for them."""
QUOTES = [('"', "double"), ("'", "single"), ("", "none")]


class FileForm(forms.Form):
    """What is said of a whole file; whatever is odder, a line of the query says.

    Parameters
    ----------
    dialect, found
        How the file is written, as far as somebody has said; and as it was read.
    prefix
        Of the names of all inputs.
    data
        What was sent.
    """

    leave_out = forms.BooleanField(label="Leave this file out", required=False)
    add = forms.ChoiceField(label="Read a further table from it", required=False)
    encoding = forms.CharField(
        required=False,
        max_length=40,
        help_text="Needed if the file is not UTF-8, such as windows-1252.",
    )
    delimiter = forms.ChoiceField(label="Between fields", required=False)
    quote = forms.ChoiceField(label="Quotes", choices=QUOTES, required=False)
    header = forms.ChoiceField(label="First line", required=False)
    names = forms.CharField(
        label="Names of the columns",
        required=False,
        help_text="For a file without a header line: all names, separated by commas.",
    )

    def __init__(self, dialect: Dialect, found: Dialect, prefix: str, data: Any = None) -> None:
        self._said = dialect
        shown = {name: _label(name, dialect) for name in _CHOICES}
        if isinstance(dialect.header, tuple):
            shown["names"] = ", ".join(dialect.header)
        super().__init__(data, prefix=prefix, initial=vars(dialect) | shown)
        tables = ((each.spec.name, each.spec.title) for each in handlers())
        offer(self, "add", [("", "no"), *tables])
        for name, known in _CHOICES.items():
            read = _label(name, found)
            detected = f"detected: {read}" if read else "detected"
            offer(self, name, [(label, label or detected) for label in known])

    def clean_encoding(self) -> str | None:
        """Refuse encodings that there are not."""
        named: str = self.cleaned_data["encoding"]
        try:
            check_encoding(named or "utf-8")
        except OptionsError as error:
            raise forms.ValidationError(str(error)) from None
        return named or None

    @property
    def dialect(self) -> Dialect:
        """How the file is written, as far as its owner says."""
        changed = set(vars(self._said)).intersection(self.changed_data)
        said = {name: self.cleaned_data[name] for name in changed}
        for name in changed & _CHOICES.keys():
            said[name] = _CHOICES[name][said[name]]
        if "names" in self.changed_data:
            named = (name.strip() for name in self.cleaned_data["names"].split(","))
            said["header"] = tuple(filter(None, named)) or None
        return replace(self._said, **said)


def _label(name: str, dialect: Dialect) -> str:
    value = getattr(dialect, name)
    return next((label for label, held in _CHOICES[name].items() if held == value), "")
