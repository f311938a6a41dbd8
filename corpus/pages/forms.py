"""Forms of studies, uploads and members."""

import dataclasses
from typing import Any

from django import forms
from django.contrib.auth.models import User
from django.core.files.uploadedfile import UploadedFile
from django.utils.text import slugify

from corpus.access.invitations import DAYS_VALID, MOST_DAYS
from corpus.formats.catalogue import AUTO, NONE, formats
from corpus.imports.options import ImportOptions, OptionsError, option_type
from corpus.models import Membership


class _SeveralFilesInput(forms.ClearableFileInput):
    allow_multiple_selected = True


class SeveralFilesField(forms.FileField):
    """A field for any number of files; cleaned to a list."""

    widget = _SeveralFilesInput

    def clean(self, data: Any, initial: Any = None) -> Any:
        """Return the files; empty files are kept, because the import says what is wrong."""
        files: list[UploadedFile[Any]] = [file for file in (data or []) if file]
        if self.required and not files:
            raise forms.ValidationError(self.error_messages["required"], code="required")
        return files


FILES_HELP = (
    "Several files at once, or one archive (zip, tar.gz): segments, outputs, ratings, metric "
    "scores, in CSV, TSV, JSON, JSON Lines, Parquet, XML or workbooks (xlsx, ods), each also "
    "gzipped; an exported study; or one text per line."
)


class UploadForm(forms.Form):
    """Files of a study."""

    files = SeveralFilesField(  # type: ignore[assignment]
        label="Files",
        help_text=FILES_HELP,
        error_messages={"required": "Choose the files of a study, or one archive."},
    )


def _formats() -> list[tuple[str, str]]:
    """List the named formats; those of other packages are looked for when somebody asks."""
    named = [(name, each.title) for name, each in formats().items()]
    return [(AUTO, "recognised from the files"), *named, (NONE, "none: plain tables or lines")]


def _form_field(option: dataclasses.Field[Any]) -> forms.Field:
    """Return the form field of an option of imports."""
    facts, kind = option.metadata, option_type(option)
    shared: Any = {"label": facts["label"], "help_text": facts["help"], "required": False}
    if "choices" in facts or option.name == "format":
        choices: Any = list(facts["choices"].items()) if "choices" in facts else _formats
        return forms.ChoiceField(choices=choices, initial=option.default, **shared)
    if kind is bool:
        return forms.BooleanField(**shared)
    if kind is str:
        return forms.CharField(max_length=facts.get("longest", 200), **shared)
    number = forms.FloatField if kind is float else forms.IntegerField
    return number(min_value=facts.get("least"), max_value=facts.get("most"), **shared)


class OptionsForm(forms.Form):
    """What an import is asked to do beyond reading; the defaults leave texts as they are."""

    def __init__(self, *sent: Any) -> None:
        super().__init__(*sent)
        self.fields |= {
            option.name: _form_field(option)
            for option in dataclasses.fields(ImportOptions)
            if option.metadata.get("label")
        }

    def clean(self) -> dict[str, Any]:
        """Build the options, which check what a field alone cannot."""
        values = {name: value for name, value in self.cleaned_data.items() if value or value == 0}
        try:
            self.options = ImportOptions.from_dict(values)
        except OptionsError as error:
            name = next((name for name in self.fields if str(error).startswith(name)), None)
            self.add_error(name, str(error))
        return self.cleaned_data

    def offer_parts(self, part: str, choices: tuple[str, ...]) -> None:
        """Let the part be chosen of those that the files hold."""
        named = [("", "choose"), *((name, name) for name in choices)]
        self.fields["select"].widget = forms.Select(choices=named)
        shown = self["select"]
        shown.label, shown.help_text = part.capitalize(), ""


class NewStudyForm(forms.Form):
    """A new study with the first files, which may also come later."""

    title = forms.CharField(
        max_length=200,
        help_text="Shown to readers of its reports.",
        widget=forms.TextInput(attrs={"autofocus": True}),
    )
    files = SeveralFilesField(  # type: ignore[assignment]
        label="Files", required=False, help_text=FILES_HELP
    )
    slug = forms.SlugField(
        label="Short name",
        required=False,
        max_length=100,
        help_text="Letters, digits and hyphens. It is part of addresses and cannot be changed. "
        "If empty, it is made from the title.",
    )
    language = forms.CharField(
        max_length=35,
        initial="en",
        help_text="Language of the texts, as a tag such as en or pt-BR.",
    )

    def clean(self) -> dict[str, Any]:
        """Make a short name where none is given."""
        values = self.cleaned_data
        given: str | None = values.get("slug")
        if given is None or "title" not in values:
            return values
        slug = given or slugify(values["title"])[:90].strip("-")
        if not slug:
            self.add_error("slug", "No short name can be made from this title: enter one.")
        values["slug"] = slug
        return values


class MemberForm(forms.Form):
    """A person to be added to a study."""

    username = forms.CharField(label="User name", max_length=150)
    role = forms.ChoiceField(
        choices=Membership.Role.choices, initial=Membership.Role.RESEARCHER, label="Role"
    )

    def clean_username(self) -> str:
        """Find the person."""
        name: str = self.cleaned_data["username"]
        self.person = User.objects.filter(username=name, is_active=True).first()
        if self.person is None:
            raise forms.ValidationError(
                f"Nobody here is called {name!r}. Invite them by a link: it makes an account."
            )
        return name


class InvitationForm(forms.Form):
    """Who is to be invited by a link."""

    role = forms.ChoiceField(
        choices=Membership.Role.choices, initial=Membership.Role.RESEARCHER, label="Role"
    )
    note = forms.CharField(
        label="For whom",
        required=False,
        max_length=200,
        help_text="A name or e-mail address, so that you know whose link it is. Only owners see "
        "it; no e-mail is sent.",
    )
    days = forms.IntegerField(
        label="Days that the link works", min_value=1, max_value=MOST_DAYS, initial=DAYS_VALID
    )


class RoleForm(forms.Form):
    """Another role of a member."""

    role = forms.ChoiceField(choices=Membership.Role.choices)
