"""Forms of studies, uploads and members."""

from typing import Any

from django import forms
from django.contrib.auth.models import User
from django.core.files.uploadedfile import UploadedFile
from django.utils.text import slugify

from corpus.formats.catalogue import AUTO, NONE, formats
from corpus.imports.options import LAYOUTS, ImportOptions, OptionsError
from corpus.invitations import DAYS_VALID, MOST_DAYS
from corpus.models import Membership

LAYOUT_NAMES = {
    "auto": "detected from the files",
    "tables": "tables (CSV, TSV, JSON, JSON Lines, Parquet)",
    "lines": "one text per line, one file per system",
}


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


class OptionsForm(forms.Form):
    """What an import is asked to do beyond reading; the defaults leave texts as they are."""

    layout = forms.ChoiceField(
        choices=[(layout, LAYOUT_NAMES[layout]) for layout in LAYOUTS],
        initial="auto",
        required=False,
    )
    format = forms.ChoiceField(
        label="Named format",
        choices=_formats,
        initial=AUTO,
        required=False,
        help_text="The tool that wrote the files.",
    )
    select = forms.CharField(
        label="Which part",
        required=False,
        max_length=200,
        help_text="Needed if the files hold several studies, such as language pairs: en-de.",
    )
    encoding = forms.CharField(
        required=False,
        max_length=40,
        help_text="Needed if files are not UTF-8, such as windows-1252.",
    )
    sample = forms.IntegerField(
        label="Sample of segments",
        required=False,
        min_value=1,
        help_text="Keeps this many segments of each direction, the same for every system.",
    )
    sample_seed = forms.IntegerField(
        label="Seed of the sample",
        required=False,
        help_text="The same seed samples the same segments.",
    )
    min_length_percentile = forms.FloatField(
        label="Shortest sources, as a percentile",
        required=False,
        min_value=0,
        max_value=100,
        help_text="Segments are left out whose source is shorter, in words, than this percentile "
        "of the sources of its direction.",
    )
    max_length_percentile = forms.FloatField(
        label="Longest sources, as a percentile",
        required=False,
        min_value=0,
        max_value=100,
        help_text="Such as 99: longer sources are left out.",
    )
    max_changed_words = forms.IntegerField(
        label="Most changed words",
        required=False,
        min_value=0,
        help_text="Segments are left out in which more words were removed or added between the "
        "source and the texts named below.",
    )
    max_changed_share = forms.FloatField(
        label="Largest share of changed words",
        required=False,
        min_value=0,
        max_value=1,
        help_text="Words removed or added, divided by the words of both texts: 0 to 1.",
    )
    changed_in = forms.ChoiceField(
        label="Changed between the source and",
        choices=[("reference", "every reference"), ("output", "every output")],
        initial="reference",
        required=False,
    )
    collapse_whitespace = forms.BooleanField(
        label="Collapse white space in texts",
        required=False,
        help_text="Runs of white space become one space; white space at both ends is removed.",
    )
    attach_punctuation = forms.BooleanField(
        label="Attach punctuation to words",
        required=False,
        help_text="For tokenised English: “word .” becomes “word.”, “do n't” becomes “don't”.",
    )
    truncate_words = forms.IntegerField(
        label="Cut texts after this many words", required=False, min_value=1
    )
    skip_unknown_scores = forms.BooleanField(
        label="Leave out scores of unknown outputs",
        required=False,
        help_text="Metric scores of outputs that the study lacks are left out, and a note says how "
        "many. Otherwise they are errors, and nothing is imported.",
    )
    system_pattern = forms.CharField(
        label="Pattern of system names",
        required=False,
        max_length=200,
        help_text="Attributes in the order in which names hold them, such as "
        "{model}-{parameter}-{value}.",
    )
    source_style = forms.CharField(
        label="Source style",
        required=False,
        max_length=100,
        help_text="For one text per line: such files do not state it.",
    )
    target_style = forms.CharField(
        label="Target style",
        required=False,
        max_length=100,
        help_text="For one text per line: such files do not state it.",
    )
    source_file = forms.CharField(
        label="Name of the source file",
        required=False,
        max_length=200,
        help_text="For one text per line, if it is not source.txt, src.txt or input.txt.",
    )

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
