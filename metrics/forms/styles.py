"""Forms of style resources: training a model, training a lexicon, pruning one."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.http import QueryDict

from corpus.choices import offer
from corpus.imports.uploads import keep_upload, upload_path
from corpus.lexicons import LexiconEntry
from metrics.forms.score import parameter_field
from metrics.resources.lexicon_training import LexiconRequest
from metrics.resources.style_training import TrainingRequest
from metrics.scorers.spec import ParameterError
from metrics.styles.corpus_file import CorpusColumns
from metrics.styles.kinds import KINDS
from metrics.styles.labelled import TrainingError
from metrics.styles.lexicon_training import DEVIATIONS, FEWEST, STRENGTH
from metrics.styles.training import Recipe

LONGEST_WORD = 200


class LabelledTextsForm(forms.Form):
    """Where labelled texts come from: a file, or the study's own labels."""

    file = forms.FileField(
        required=False,
        label="File of labelled texts",
        help_text="CSV, TSV, JSON, JSON Lines or Parquet, also gzipped. Without a file, the "
        "labels of this study are used: sources have their source style, references the target "
        "style.",
    )
    text_column = forms.CharField(initial="text", required=False, label="Column of texts")
    label_column = forms.CharField(initial="style", required=False, label="Column of labels")

    def columns(self) -> CorpusColumns:
        """Return the columns of a valid form."""
        values, usual = self.cleaned_data, CorpusColumns()
        return CorpusColumns(
            values["text_column"] or usual.text,
            values["label_column"] or usual.label,
            values.get("graded", ""),
        )

    def kept_file(self) -> str:
        """Keep the uploaded file of a valid form; return its path, empty if there is none.

        Raises
        ------
        NotAnUpload
            If it is larger than the site allows.
        """
        file: UploadedFile[Any] | None = self.cleaned_data["file"]
        return str(upload_path(keep_upload([file]))) if file else ""


class TrainForm(LabelledTextsForm):
    """A style model to be trained; settings of a kind are called ``<kind>:<setting>``."""

    name = forms.CharField(
        max_length=100,
        help_text="You choose the model by this name when you score outputs. It cannot be changed.",
    )
    kind = forms.ChoiceField(
        choices=[(kind.name, kind.title) for kind in KINDS.values()],
        initial="bag-of-words",
        help_text="Training on words takes seconds, on embeddings a minute, fine-tuning several "
        "minutes.",
    )
    graded = forms.CharField(
        max_length=100,
        required=False,
        label="Style that is graded",
        help_text="Only if labels are numbers: the style that a larger number stands for.",
    )
    texts = forms.IntegerField(
        min_value=0,
        required=False,
        label="Most texts",
        help_text="For a file: sample this many texts; 0 for all. Empty: all for words, "
        f"{KINDS['embeddings'].most:,} for embeddings, {KINDS['transformer'].most:,} for "
        "fine-tuning.",
    )
    held_out = forms.FloatField(
        min_value=0.01,
        max_value=0.9,
        initial=0.1,
        label="Share held out",
        help_text="For a file: the share of texts used to evaluate the model and not to train it.",
    )
    folds = forms.IntegerField(
        min_value=2,
        max_value=20,
        initial=5,
        help_text="For the labels of this study: no text is scored by a model that saw its "
        "segment.",
    )
    seed = forms.IntegerField(min_value=0, max_value=2**31 - 1, initial=0)

    field_order = ("name", "kind", "file", "text_column", "label_column", "graded")

    def __init__(self, data: QueryDict | None = None, files: Any = None) -> None:
        super().__init__(data, files)
        for kind in KINDS.values():
            for parameter in kind.parameters:
                self.fields[f"{kind.name}:{parameter.name}"] = parameter_field(parameter)

    @property
    def general(self) -> list[forms.BoundField]:
        """Fields that hold for every kind."""
        return [self[name] for name in self.fields if ":" not in name]

    @property
    def by_kind(self) -> list[tuple[str, list[forms.BoundField]]]:
        """Title of each kind and its settings."""
        return [
            (kind.title, [self[f"{kind.name}:{each.name}"] for each in kind.parameters])
            for kind in KINDS.values()
        ]

    def clean(self) -> dict[str, Any]:
        """Read the settings of the chosen kind."""
        values = self.cleaned_data
        if self.errors:
            return values
        kind = KINDS[values["kind"]]
        settings = {
            each.name: values[f"{kind.name}:{each.name}"]
            for each in kind.parameters
            if values.get(f"{kind.name}:{each.name}") not in (None, "")
        }
        self.recipe = Recipe(
            kind.name,
            settings,
            held_out=values["held_out"],
            most=values["texts"],
            folds=values["folds"],
            seed=values["seed"],
        )
        try:
            self.recipe.read()
        except ParameterError as error:
            self.add_error(f"{kind.name}:{str(error).partition(':')[0]}", str(error))
        except TrainingError as error:
            self.add_error(None, str(error))
        if values["graded"] and not values["file"]:
            self.add_error("graded", "Grades need a file; choose one.")
        return values

    def request(self) -> TrainingRequest:
        """Keep the file, and return what is asked for."""
        name = self.cleaned_data["name"]
        return TrainingRequest(name, self.recipe, self.kept_file(), self.columns())


class LexiconForm(LabelledTextsForm):
    """A lexicon to be trained."""

    name = forms.CharField(max_length=200)
    strength = forms.FloatField(
        min_value=1e-4,
        max_value=1e4,
        initial=STRENGTH,
        help_text="Weight of the texts against the penalty (C): a larger value keeps more words.",
    )
    deviations = forms.FloatField(
        min_value=0.1,
        max_value=20,
        initial=DEVIATIONS,
        label="Standard deviations",
        help_text="How far the weight of a word must be from the mean of the non-zero weights. "
        "More deviations give fewer and surer words.",
    )
    fewest = forms.IntegerField(
        min_value=1, max_value=1000, initial=FEWEST, label="Fewest texts with a word"
    )

    field_order = ("name", "file", "text_column", "label_column")

    def request(self) -> LexiconRequest:
        """Keep the file, and return what is asked for."""
        values = self.cleaned_data
        return LexiconRequest(
            values["name"],
            values["strength"],
            values["deviations"],
            values["fewest"],
            self.kept_file(),
            self.columns(),
        )


class PruneForm(forms.Form):
    """What a new lexicon leaves out of another, and what it has more."""

    name = forms.CharField(max_length=200, label="Name of the new lexicon")
    smallest = forms.FloatField(
        min_value=0,
        required=False,
        label="Smallest weight",
        help_text="Words with a smaller absolute weight are left out.",
    )
    added = forms.CharField(
        required=False,
        label="Further words",
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text="One word or phrase per line.",
    )
    added_style = forms.ChoiceField(required=False, label="Style of further words")

    def __init__(
        self,
        entries: Sequence[LexiconEntry],
        shown: range,
        data: QueryDict | None = None,
        initial: Any = None,
    ) -> None:
        super().__init__(data, initial=initial)
        self.entries = entries
        self.shown = shown
        styles = sorted({entry.style for entry in entries if entry.style})
        offer(self, "added_style", [("", "not stated"), *((style, style) for style in styles)])
        self._left_out = set(data.getlist("out")) if data is not None else set()

    @property
    def rows(self) -> list[tuple[int, LexiconEntry, bool]]:
        """Entries of this page with their places, and whether each is to be left out."""
        return [(n, self.entries[n], str(n) in self._left_out) for n in self.shown]

    def clean_added(self) -> list[str]:
        """Return the further words, each once."""
        lines = (" ".join(line.split()) for line in self.cleaned_data["added"].splitlines())
        words = list(dict.fromkeys(line for line in lines if line))
        known = {entry.word.casefold() for entry in self.entries}
        for word in words:
            if len(word) > LONGEST_WORD:
                raise forms.ValidationError(
                    f"{word[:40]}… is longer than {LONGEST_WORD} characters."
                )
            if word.casefold() in known:
                raise forms.ValidationError(f"{word} is already in the lexicon.")
        return words

    def chosen(self) -> list[LexiconEntry]:
        """Return the entries of the new lexicon."""
        values = self.cleaned_data
        smallest = values["smallest"] or 0.0
        kept = [
            entry
            for number, entry in enumerate(self.entries)
            if str(number) not in self._left_out
            and (entry.weight is None or abs(entry.weight) >= smallest)
        ]
        return kept + [LexiconEntry(word, values["added_style"]) for word in values["added"]]
