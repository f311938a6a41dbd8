"""What is said of a whole file on the mapping page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from django import forms

from corpus.imports.options import OptionsError, check_encoding
from corpus.pages.choices import offer
from corpus.tables.register import handlers
from corpus.tabular.opening.files import WHITESPACE, Dialect


class Written(forms.CharField):
    """A part of a dialect, shown as people write it and read back as the dialect has it.

    Parameters
    ----------
    show, read
        From the part to its text and back; `ValidationError` says what is odd.
    """

    def __init__(
        self, show: Callable[[Any], str], read: Callable[[str], Any], **options: Any
    ) -> None:
        super().__init__(required=False, **options)
        self.show, self.read = show, read

    def prepare_value(self, value: Any) -> Any:
        """Show what the dialect has; what was sent is shown as it was sent."""
        return "" if value is None else value if isinstance(value, str) else self.show(value)

    def to_python(self, value: Any) -> Any:
        """Read what was sent."""
        return self.read(super().to_python(value) or "")


def read_words(text: str) -> tuple[str, ...]:
    """Return words that commas separate."""
    return tuple(filter(None, map(str.strip, text.split(","))))


DELIMITERS = {
    "comma": ",",
    "semicolon": ";",
    "tab": "\t",
    "vertical bar": "|",
    "one space": " ",
    "runs of white space": WHITESPACE,
}
HEADERS = {"": None, "names of columns": True, "data": False}
QUOTES = [('"', "double"), ("'", "single"), ("", "none")]


def _delimiter(text: str) -> str | None:
    """Return the character that was named."""
    if len(found := DELIMITERS.get(text.strip(), text)) > 1 and found != WHITESPACE:
        raise forms.ValidationError(f"State one character, or one of {', '.join(DELIMITERS)}.")
    return found or None


def _encoding(text: str) -> str | None:
    """Refuse encodings that there are not."""
    try:
        check_encoding(text or "utf-8")
    except OptionsError as error:
        raise forms.ValidationError(str(error)) from None
    return text or None


class FileForm(forms.Form):
    """What is said of a whole file."""

    leave_out = forms.BooleanField(label="Leave this file out", required=False)
    add = forms.ChoiceField(label="Read a further table from it", required=False)
    encoding = Written(
        str,
        _encoding,
        max_length=40,
        help_text="Needed if the file is not UTF-8, such as windows-1252.",
    )
    delimiter = Written(
        lambda held: _key(DELIMITERS, held) or held,
        _delimiter,
        label="Between fields",
        max_length=20,
        strip=False,
        help_text=f"One character, or a word: {', '.join(DELIMITERS)}.",
    )
    quote = forms.ChoiceField(label="Quotes", choices=QUOTES, required=False)
    header = forms.ChoiceField(
        label="First line",
        choices=[(name, name or "detected") for name in HEADERS],
        required=False,
    )
    names = Written(
        ", ".join,
        read_words,
        label="Names of the columns",
        help_text="For a file without a header line: all names, separated by commas.",
    )
    comment = forms.CharField(
        label="Comments begin with",
        required=False,
        max_length=20,
        help_text="Lines that begin with this sign, such as #, are skipped.",
    )

    def __init__(
        self,
        dialect: Dialect,
        prefix: str,
        data: Any = None,
        found: Dialect | None = None,
    ) -> None:
        self._said = dialect
        found = found or dialect
        header = dialect.header
        is_named = isinstance(header, tuple)
        shown: dict[str, Any] = {"header": "" if is_named else _key(HEADERS, header)}
        shown |= {"names": header if is_named else (), "comment": found.comment or ""}
        super().__init__(data, prefix=prefix, initial=vars(dialect) | shown)
        tables = ((each.spec.name, each.spec.title) for each in handlers())
        offer(self, "add", [("", "no"), *tables])
        if what := _key(HEADERS, found.header):
            offer(self, "header", [(each, each or f"detected: {what}") for each in HEADERS])
        if between := _key(DELIMITERS, found.delimiter) or found.delimiter:
            self.fields["delimiter"].widget.attrs["placeholder"] = f"detected: {between}"

    @property
    def dialect(self) -> Dialect:
        """How the file is written, as far as its owner says."""
        values, changed = self.cleaned_data, set(self.changed_data)
        said = {name: values[name] for name in changed & set(vars(self._said))}
        if changed & {"names", "header"}:
            said["header"] = values["names"] or HEADERS[values["header"]]
        return replace(self._said, **said)


def _key(names: dict[str, Any], value: Any) -> str:
    return next((name for name, known in names.items() if known == value), "")
