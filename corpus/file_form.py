"""What is said of a whole file on the mapping page: how it is written, or that it is left out."""

from dataclasses import replace
from typing import Any

from django import forms

from corpus.choices import offer
from corpus.imports.options import OptionsError, check_encoding, read_mappings
from corpus.tables import handler_for, handlers
from corpus.tabular.json_levels import bounded_json
from corpus.tabular.mapping import Mapping
from corpus.tabular.readers import WHITESPACE, Dialect

DELIMITERS = {
    "comma": ",",
    "semicolon": ";",
    "tab": "\t",
    "vertical bar": "|",
    "one space": " ",
    "runs of white space": WHITESPACE,
}
HEADERS = {"": None, "names of columns": True, "data": False}
QUOTES = {"double": '"', "single": "'", "none": ""}


class FileForm(forms.Form):
    """What is said of a whole file."""

    leave_out = forms.BooleanField(label="Leave this file out", required=False)
    add = forms.ChoiceField(label="Read a further table from it", required=False)
    encoding = forms.CharField(
        required=False,
        max_length=40,
        help_text="Needed if the file is not UTF-8, such as windows-1252.",
    )
    delimiter = forms.CharField(
        label="Between fields",
        required=False,
        max_length=20,
        strip=False,
        help_text=f"One character, or a word: {', '.join(DELIMITERS)}.",
    )
    quote = forms.ChoiceField(
        label="Quotes", choices=[(name, name) for name in QUOTES], required=False
    )
    header = forms.ChoiceField(
        label="First line",
        choices=[(name, name or "detected") for name in HEADERS],
        required=False,
    )
    names = forms.CharField(
        label="Names of the columns",
        required=False,
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
        initial = {
            "encoding": dialect.encoding or "",
            "delimiter": _key(DELIMITERS, dialect.delimiter) or dialect.delimiter or "",
            "quote": _key(QUOTES, dialect.quote),
            "header": "" if isinstance(header, tuple) else _key(HEADERS, header),
            "names": ", ".join(header) if isinstance(header, tuple) else "",
            "comment": found.comment or "",
        }
        super().__init__(data, prefix=prefix, initial=initial)
        tables = ((each.spec.name, each.spec.title) for each in handlers())
        offer(self, "add", [("", "no"), *tables])
        if what := _key(HEADERS, found.header):
            offer(self, "header", [(each, each or f"detected: {what}") for each in HEADERS])
        if between := _key(DELIMITERS, found.delimiter) or found.delimiter:
            self.fields["delimiter"].widget.attrs["placeholder"] = f"detected: {between}"

    @property
    def dialect(self) -> Dialect:
        """How the file is written, as far as its owner says."""
        values = self.cleaned_data
        names = tuple(name.strip() for name in values["names"].split(",") if name.strip())
        header = names or HEADERS.get(values["header"])
        if "names" not in self.changed_data and "header" not in self.changed_data:
            header = self._said.header
        return replace(
            self._said,
            encoding=values["encoding"] or None,
            delimiter=values["delimiter"] or None,
            quote=QUOTES.get(values["quote"], '"'),
            header=header,
            comment=values["comment"] if "comment" in self.changed_data else self._said.comment,
        )

    def clean_delimiter(self) -> str:
        """Return the character that was named."""
        text: str = self.cleaned_data["delimiter"]
        if found := DELIMITERS.get(text.strip()):
            return found
        if len(text) > 1:
            raise forms.ValidationError(f"State one character, or one of {', '.join(DELIMITERS)}.")
        return text

    def clean_encoding(self) -> str:
        """Refuse encodings that there are not."""
        encoding: str = self.cleaned_data["encoding"]
        if encoding:
            try:
                check_encoding(encoding)
            except OptionsError as error:
                raise forms.ValidationError(str(error)) from None
        return encoding


def drawn_from(data: Any, prefix: str, name: str) -> tuple[Dialect, list[Mapping]] | None:
    """Return what the forms that were sent had been drawn from; None if not for this file."""
    if data.get(f"{prefix}-name") != name:
        return None
    try:
        dialect = Dialect.from_plain(bounded_json(data[f"{prefix}-dialect"]))
        count = int(data[f"{prefix}-tables"])
        plain = [bounded_json(data[f"{prefix}-{place}-was"]) for place in range(count)]
        mappings = read_mappings({"": plain})[""]
        for mapping in mappings:
            handler_for(mapping.table)
    except (KeyError, ValueError, TypeError, LookupError):
        return None
    return dialect, mappings


def _key(names: dict[str, Any], value: Any) -> str:
    return next((name for name, known in names.items() if known == value), "")
