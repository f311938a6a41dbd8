"""The page of a publication that anybody may open: its address, its files, and what it shows."""

import secrets
import zipfile
from pathlib import Path
from typing import IO, Any

from django import forms
from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction

from analysis.models import Publication
from analysis.publishing.card import shown
from analysis.publishing.content import SUMS
from analysis.publishing.reports import FOLDER
from corpus.access.log import Action, log_access
from corpus.access.rate_limits import Steady
from corpus.models import AuditEntry
from corpus.vocabulary.publication_details import Details


def zip_path(publication: Publication) -> Path:
    """Return where the zip of a publication lies."""
    return Path(settings.MEDIA_ROOT) / "publications" / f"{publication.pk}.zip"


def remove_zip(publication: Publication) -> None:
    """Delete the zip of a publication."""
    zip_path(publication).unlink(missing_ok=True)


DOWNLOADS = Steady(at_once=60, seconds_each=5)
"""Of one client: a folder at once, then one file in five seconds."""
SHORTEST = 6
OF_SEGMENTS = ("segment", "source", "source_style", "target_style")


class AddressForm(forms.Form):
    """Where the page is, whether it offers texts, and whether search engines may list it."""

    address = forms.SlugField(
        label="Address",
        required=False,
        min_length=SHORTEST,
        max_length=64,
        help_text="Letters, digits and hyphens. Others may guess such a name; leave it empty for "
        "an address that nobody can guess.",
    )
    with_texts = forms.BooleanField(
        label="Offer the texts too",
        required=False,
        help_text="Without them, the page offers ratings, scores, datasheets and reports. It does "
        "not offer the zip, the tables of texts and the guidelines, nor files of reports if "
        "segments have attributes, because the files hold these.",
    )
    may_be_indexed = forms.BooleanField(label="Search engines may list the page", required=False)

    def __init__(self, data: Any = None, *, publication: Publication, **options: Any) -> None:
        self.publication = publication
        super().__init__(data, **options)

    @classmethod
    def of(cls, publication: Publication) -> "AddressForm":
        """Return the form with what holds of a publication."""
        values = ("address", "with_texts", "may_be_indexed")
        initial = {name: getattr(publication, name) for name in values}
        return cls(publication=publication, initial=initial)

    def clean_address(self) -> str:
        """Refuse an address that another publication has."""
        address: str = self.cleaned_data["address"]
        others = Publication.objects.exclude(pk=self.publication.pk)
        if address and others.filter(address=address).exists():
            raise forms.ValidationError("Another publication has this address; choose another.")
        return address


def change_page(publication: Publication, form: AddressForm | None, user: User) -> None:
    """Give a publication a page, change it, or take it away where there is no form."""
    with transaction.atomic():
        made = Publication.objects.select_for_update().get(pk=publication.pk)
        if form is None:
            made.address = None
        else:
            values = form.cleaned_data
            made.address = values["address"] or secrets.token_urlsafe(24)
            made.with_texts = values["with_texts"]
            made.may_be_indexed = values["may_be_indexed"]
        made.save(update_fields=["address", "with_texts", "may_be_indexed"])
        recorded = {
            "sha256": made.sha256,
            "with_texts": made.with_texts,
            "may_be_indexed": made.may_be_indexed,
        }
        action = "open page of publication" if made.address else "close page of publication"
        name = f"publication {made.pk}"
        AuditEntry.record(made.study, user, action, name, after=recorded)
        if made.address:
            log_access(Action.PUBLISHED, f"page of {name}", person=user, study=made.study)


def files_offered(publication: Publication) -> dict[str, str]:
    """Return the files that the page offers with their sums; without texts, none that holds one."""
    sums: dict[str, str] = publication.record["sums"] | {SUMS: publication.sha256}
    if publication.with_texts:
        return sums
    content = publication.record["content"]
    of_texts = {file["path"] for file in content["data"] if file["has_texts"]}
    # Guidelines may quote what is rated. Inputs of reports hold the attributes of segments, which
    # may be texts too.
    withheld = ["guidelines/", *([f"{FOLDER}/"] if _has_attributes(content) else [])]
    return {
        name: digest
        for name, digest in sums.items()
        if name not in of_texts and not name.startswith(tuple(withheld))
    }


def _has_attributes(content: dict[str, Any]) -> bool:
    """Return whether the segments of a publication have columns other than texts and styles."""
    names = [
        column["name"]
        for file in content["data"]
        if file["table"] == "segments"
        for column in file["columns"]
    ]
    return any(name not in OF_SEGMENTS and not name.startswith("reference_") for name in names)


def page_context(publication: Publication) -> dict[str, Any]:
    """Return what the page shows: nothing that the publication itself does not hold."""
    content = publication.record["content"]
    details = Details.from_declared(content["details"])
    offered = files_offered(publication)
    return {
        "publication": publication,
        "content": content,
        "details": details,
        "authors": details.authors,
        "tables": [file for file in content["data"] if file["path"] in offered],
        "left_out": [file for file in content["data"] if file["path"] not in offered],
        "reports": [_report(each) for each in content["reports"]],
        "others": [
            name for name in offered if name not in {file["path"] for file in content["data"]}
        ],
        "offers_zip": publication.with_texts and zip_path(publication).is_file(),
    }


def _report(report: dict[str, Any]) -> dict[str, Any]:
    tables = [
        table | {"rows": [[shown(cell) for cell in row] for row in table["rows"]]}
        for table in report["tables"]
    ]
    return report | {"tables": tables}


def file_of(publication: Publication, name: str) -> IO[bytes] | None:
    """Open a file of a publication; None if its page does not offer it."""
    if name not in files_offered(publication):
        return None
    slug = publication.record["content"]["slug"]
    try:
        # The file stays open until the member is closed.
        with zipfile.ZipFile(zip_path(publication)) as archive:
            return archive.open(f"{slug}/{name}")
    except (FileNotFoundError, KeyError, zipfile.BadZipFile):
        return None
