"""A mapping that was saved as a file, taken back on the mapping page."""

import json
from collections.abc import Iterable
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile

from corpus.imports.options import OptionsError, read_mappings
from corpus.tables import handler_for
from corpus.tabular.json_levels import bounded_json
from corpus.tabular.mapping import Mapping

MOST_BYTES = 4 << 20
NAMED = 5


class MappingFileForm(forms.Form):
    """A JSON file as the page gives it, and as ``--mapping`` and the API take it."""

    mapping = forms.FileField(
        label="Mapping",
        help_text="A JSON file saved here or written for --mapping: it maps each file name to a "
        "list of mappings. It overrides the choices above for the files that it names.",
    )

    def clean_mapping(self) -> dict[str, list[Mapping]]:
        """Read the file."""
        sent: UploadedFile[Any] = self.cleaned_data["mapping"]
        if (sent.size or 0) > MOST_BYTES:
            raise forms.ValidationError(f"A mapping has at most {MOST_BYTES >> 20} MiB.")
        try:
            plain = bounded_json(sent.read().decode("utf-8-sig"))
            if isinstance(plain, dict) and isinstance(plain.get("mappings"), dict):
                plain = plain["mappings"]
            found = read_mappings(plain)
            for mappings in found.values():
                for mapping in mappings:
                    handler_for(mapping.table)
        except json.JSONDecodeError as error:
            raise forms.ValidationError(
                f"Line {error.lineno}, character {error.colno}: {error.msg}; expected JSON."
            ) from None
        except (OptionsError, LookupError, ValueError) as error:
            raise forms.ValidationError(str(error)) from None
        return found

    def by_file(self, names: Iterable[str]) -> dict[str, list[Mapping]]:
        """Return the mappings of the files that there are, by their whole names.

        A mapping whose file is not there is an error of the form.
        """
        found: dict[str, list[Mapping]] = dict(self.cleaned_data["mapping"])
        result = {}
        for name in names:
            key = name if name in found else name.rsplit("/", 1)[-1]
            if key in found:
                result[name] = found[key]
        named = {*result, *(name.rsplit("/", 1)[-1] for name in result)}
        if unknown := [name for name in found if name not in named]:
            more = f" and {len(unknown) - NAMED:,} more" if len(unknown) > NAMED else ""
            named_first = ", ".join(unknown[:NAMED])
            self.add_error("mapping", f"It names files that are not here: {named_first}{more}.")
        return result
