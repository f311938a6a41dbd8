"""What is said of a whole file on the mapping page, and parts of a mapping as people write them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from dataclasses import replace
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from corpus.imports.options import OptionsError, check_encoding
from corpus.pages.choices import offer
from corpus.tables.register import handlers
from corpus.tabular.opening.files import WHITESPACE, Dialect
from corpus.tabular.shaping.mapping import MOST_CONDITIONS, Condition

ROW_NUMBER = "row number"
EMPTY_CELL = "(empty)"
Keys = tuple[dict[str, tuple[str, ...]], tuple[str, ...]]


class Written(forms.CharField):
    """A part of a mapping, shown as people write it and read back as the mapping has it.

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
        """Show what the mapping has; what was sent is shown as it was sent."""
        return "" if value is None else value if isinstance(value, str) else self.show(value)

    def to_python(self, value: Any) -> Any:
        """Read what was sent."""
        return self.read(super().to_python(value) or "")


def lines_of_keys(keys: Keys) -> str:
    """Return keys of several columns, and those that are numbers of rows: ``segment = a + b``."""
    joined, numbered = keys
    lines = [f"{name} = {' + '.join(columns)}" for name, columns in joined.items()]
    return "\n".join([*lines, *(f"{name} = {ROW_NUMBER}" for name in numbered)])


def read_keys(text: str) -> Keys:
    """Return joined columns by field, and numbered fields; `ValidationError` says what is odd."""
    joined: dict[str, tuple[str, ...]] = {}
    numbered = []
    for line in filter(None, map(str.strip, text.splitlines())):
        name, _, said = (part.strip() for part in line.partition(" = "))
        columns = tuple(column.strip() for column in said.split(" + "))
        if said == ROW_NUMBER:
            numbered.append(name)
        elif len(columns) < 2 or not all(columns):
            raise ValidationError(
                f"{line!r}: expected a field, = and two columns or more, such as "
                f"segment = doc + line; or segment = {ROW_NUMBER}."
            )
        else:
            joined[name] = columns
    return joined, tuple(numbered)


def listed_words(words: Iterable[str]) -> str:
    """Return words with commas between them, the empty cell by its name."""
    return ", ".join(word or EMPTY_CELL for word in words)


def read_words(text: str) -> tuple[str, ...]:
    """Return words that commas separate."""
    words = (word.strip() for word in text.split(","))
    return tuple("" if word == EMPTY_CELL else word for word in words if word)


def lines_of_conditions(conditions: Iterable[Condition]) -> str:
    """Return conditions: ``split is test | dev``, ``score at least 3``."""
    lines = []
    for each in conditions:
        if each.empty is not None:
            lines.append(f"{each.column} {'is' if each.empty else 'is not'} empty")
        for words, (name, show, _) in _WORDS.items():
            if (value := getattr(each, name)) is not None:
                lines.append(f"{each.column} {words} {show(value)}")
    return "\n".join(lines)


def read_conditions_in(text: str, columns: Collection[str]) -> tuple[Condition, ...]:
    """Return the conditions in lines; the longest name of a column at the beginning counts."""
    found = []
    by_length = sorted(columns, key=len, reverse=True)
    for line in filter(None, map(str.strip, text.splitlines())):
        column = next((name for name in by_length if line.startswith(f"{name} ")), None)
        condition = _condition(column, line[len(column) :].strip()) if column else None
        if condition is None:
            raise ValidationError(
                f"{line!r}: expected a column and what its cells must be, such as split is test, "
                "score at least 3 or comment is not empty."
            )
        found.append(condition)
    if len(found) > MOST_CONDITIONS:
        raise ValidationError(f"There are {len(found):,} conditions; expected {MOST_CONDITIONS}.")
    return tuple(found)


def _condition(column: str, said: str) -> Condition | None:
    if said in ("is empty", "is not empty"):
        return Condition(column, empty=said == "is empty")
    for words, (name, _, read) in _WORDS.items():
        if said.startswith(f"{words} "):
            with suppress(ValueError):
                return Condition(column, **{name: read(said[len(words) :].strip())})
            return None
    return None


def _alternatives(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split("|"))


_WORDS: dict[str, tuple[str, Callable[[Any], str], Callable[[str], Any]]] = {
    "is not": ("refused", " | ".join, _alternatives),
    "is": ("allowed", " | ".join, _alternatives),
    "at least": ("at_least", "{:.15g}".format, float),
    "at most": ("at_most", "{:.15g}".format, float),
}
"""Words before a value, with the part of a condition that they say, to its text and back."""


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
