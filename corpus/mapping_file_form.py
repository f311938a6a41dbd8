"""A mapping that was saved as a file of queries, taken back on the mapping page."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile

from corpus.tables import handler_for
from corpus.tabular.mapping import Mapping
from corpus.tabular.problems import TableError
from corpus.tabular.query_files import files_in, read_queries

MOST_BYTES = 4 << 20


class MappingFileForm(forms.Form):
    """A `.sql` file as the page gives it, and as ``--mapping`` and the API take it.

    Parameters
    ----------
    names
        The files of the upload.
    """

    mapping = forms.FileField(
        label="Mapping",
        help_text="A .sql file saved here or written by hand: a SELECT for each table. It "
        "overrides the choices above for all files.",
    )

    def __init__(self, names: Sequence[str] = (), *sent: Any) -> None:
        super().__init__(*sent)
        self._names = names

    def clean_mapping(self) -> dict[str, list[Mapping]]:
        """Return the queries of each file: of the first that one names."""
        sent: UploadedFile[Any] = self.cleaned_data["mapping"]
        if (sent.size or 0) > MOST_BYTES:
            raise forms.ValidationError(f"A mapping has at most {MOST_BYTES >> 20} MiB.")
        found: dict[str, list[Mapping]] = {name: [] for name in self._names}
        try:
            for mapping in read_queries(sent.read().decode("utf-8-sig"), sent.name or "mapping"):
                handler_for(mapping.table)
                files = files_in(mapping.query)
                name = next((name for name in files if name in found), None)
                if name is None:
                    raise ValueError(f"It names a file that is not here: {files[0]}.")
                found[name].append(mapping)
        except (TableError, LookupError, ValueError) as error:
            raise forms.ValidationError(str(error)) from None
        return found
