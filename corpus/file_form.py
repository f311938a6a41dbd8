"""What is said of a whole file on the mapping page: how it is written, or that it is left out."""

import json
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
    "": None,
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

    confirm = forms.BooleanField(label="Yes, read it like this", required=False)
    leave_out = forms.BooleanField(label="Leave this file out", required=False)
    add = forms.ChoiceField(label="Read a further table from it", required=False)
    encoding = forms.CharField(
        required=False,
        max_length=40,
        help_text="Needed if the file is not UTF-8, such as windows-1252.",
    )
    delimiter = forms.ChoiceField(
        label="Between fields",
        choices=[(name, name or "detected") for name in DELIMITERS],
        required=False,
    )
    separator = forms.CharField(
        label="Another character between fields",
        required=False,
        max_length=1,
        strip=False,
        help_text="Overrides the choice above.",
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
    text = forms.CharField(
        label="The same as JSON",
        required=False,
        widget=forms.Textarea(attrs={"rows": 10, "spellcheck": "false"}),
        help_text="A list of mappings, as the help page on import formats describes them. A "
        "change here overrides the fields above.",
    )

    def __init__(
        self,
        dialect: Dialect,
        mappings: list[Mapping],
        prefix: str,
        data: Any = None,
        found: Dialect | None = None,
    ) -> None:
        self._said = dialect
        found = found or dialect
        self._shown = json.dumps(
            [mapping.to_dict() for mapping in mappings], indent=2, ensure_ascii=False
        )
        initial = {
            "encoding": dialect.encoding or "",
            "delimiter": (usual := _key(DELIMITERS, dialect.delimiter)),
            "separator": "" if usual else dialect.delimiter or "",
            "quote": _key(QUOTES, dialect.quote),
            "header": _key(HEADERS, False if isinstance(dialect.header, tuple) else dialect.header),
            "names": ", ".join(dialect.header) if isinstance(dialect.header, tuple) else "",
            "comment": found.comment or "",
            "text": self._shown,
        }
        super().__init__(data, prefix=prefix, initial=initial)
        tables = ((each.spec.name, each.spec.title) for each in handlers())
        offer(self, "add", [("", "no"), *tables])
        for name, names, value in (
            ("delimiter", DELIMITERS, found.delimiter),
            ("header", HEADERS, found.header),
        ):
            if what := _key(names, value):
                choices = [(each, each or f"detected: {what}") for each in names]
                offer(self, name, choices)
        self.mappings: list[Mapping] | None = None
        """Those written as JSON, where something was changed there."""

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
            delimiter=values["separator"] or DELIMITERS.get(values["delimiter"]),
            quote=QUOTES.get(values["quote"], '"'),
            header=header,
            comment=values["comment"] if "comment" in self.changed_data else self._said.comment,
        )

    def clean_encoding(self) -> str:
        """Refuse encodings that there are not."""
        encoding: str = self.cleaned_data["encoding"]
        if encoding:
            try:
                check_encoding(encoding)
            except OptionsError as error:
                raise forms.ValidationError(str(error)) from None
        return encoding

    def clean_text(self) -> str:
        """Read the mappings, if they were changed; browsers send other line ends."""
        text: str = self.cleaned_data["text"].replace("\r\n", "\n")
        if text and text != self._shown:
            try:
                read = read_mappings({"this file": bounded_json(text)})["this file"]
                for mapping in read:
                    handler_for(mapping.table)
            except json.JSONDecodeError as error:
                raise forms.ValidationError(
                    f"Line {error.lineno}, character {error.colno}: {error.msg}; expected JSON."
                ) from None
            except (OptionsError, LookupError, ValueError) as error:
                raise forms.ValidationError(str(error)) from None
            self.mappings = read
        return text


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
