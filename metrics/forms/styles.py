"""Forms of style resources: labelled texts, and training models and lexicons on them."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.http import QueryDict

from corpus.imports.uploads import keep_upload, upload_path
from corpus.pages.choices import offer
from corpus.texts.lexicons import LexiconEntry
from metrics.forms.parameters import ParametersForm
from metrics.resources.lexicon_training import MODIFIERS, TYPICAL, LexiconRequest
from metrics.resources.style_training import StyleTraining, chosen, columns_asked
from metrics.styles.kinds import KINDS, TITLES
from metrics.styles.lexicon_training import DEVIATIONS, FEWEST, STRENGTH


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
    target_column = forms.CharField(
        required=False,
        label="Column of target texts",
        help_text="Only for a file of pairs: the column above has the source texts, this one their "
        "targets. Each pair gives two texts, and no labels are needed.",
    )
    source_style = forms.CharField(
        max_length=100, required=False, label="Style of the sources of pairs"
    )
    target_style = forms.CharField(
        max_length=100, required=False, label="Style of the targets of pairs"
    )

    def clean(self) -> dict[str, Any]:
        """Pairs need a file and their two styles."""
        values = super().clean() or self.cleaned_data
        if values.get("target_column"):
            if not values.get("file"):
                self.add_error("target_column", "Pairs need a file; choose one.")
            for name in ("source_style", "target_style"):
                if not values.get(name):
                    self.add_error(name, "Name the style of one side of the pairs.")
        return values

    def kept_file(self) -> str:
        """Keep the uploaded file of a valid form; return its path, empty if there is none.

        Raises
        ------
        NotAnUpload
            If it is larger than the site allows.
        """
        file: UploadedFile[Any] | None = self.cleaned_data["file"]
        return str(upload_path(keep_upload([file]))) if file else ""


_MORE = {
    "Grades, pairs and splits": (
        *("graded", "target_column", "source_style", "target_style", "split_column", "by_split"),
    ),
}
"""Fields that few trainings need, by the title under which they are folded away."""


class TrainForm(LabelledTextsForm, ParametersForm):
    """A style model to be trained; settings of a kind are called ``<kind>:<setting>``."""

    name = forms.CharField(
        max_length=100,
        help_text="You choose the model by this name when you score outputs. It cannot be changed.",
    )
    kind = forms.ChoiceField(
        choices=list(TITLES.items()),
        initial="bag-of-words",
        help_text="Training on words takes seconds, on embeddings or a small network a minute, "
        "fine-tuning several minutes. A ready-made classifier is not trained: the texts show how "
        "good it is.",
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
        f"{KINDS['embeddings'].most:,} for embeddings and networks, "
        f"{KINDS['ngram-vectors'].most:,} for n-gram vectors, {KINDS['transformer'].most:,} for "
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
    split_column = forms.CharField(
        required=False,
        label="Column of splits",
        help_text="For a file: the column that says train, valid or test. Then these splits are "
        "kept to, and rows in no split are left out.",
    )
    by_split = forms.BooleanField(
        required=False,
        label="Train on the split of the study",
        help_text="For the labels of this study: train one model on the segments whose attribute "
        "split is train, and use those of test to evaluate it. It gives no scores to segments "
        "that it was trained on.",
    )
    seed = forms.IntegerField(min_value=0, max_value=2**31 - 1, initial=0)
    field_order = (
        *("name", "kind", "file", "text_column", "label_column", "graded", "target_column"),
        *("source_style", "target_style", "split_column", "texts", "held_out", "by_split"),
        *("folds", "seed"),
    )

    def __init__(self, data: QueryDict | None = None, files: Any = None) -> None:
        super().__init__(data, files)
        for kind in KINDS.values():
            self.add_parameters(kind.kind, kind.parameters)

    @property
    def general(self) -> list[forms.BoundField]:
        """Fields that most trainings need."""
        more = [name for names in _MORE.values() for name in names]
        return [field for field in super().general if field.name not in more]

    @property
    def more(self) -> list[tuple[str, list[forms.BoundField]]]:
        """Title of each group of further fields, first those for every kind."""
        return [(title, [self[name] for name in names]) for title, names in _MORE.items()] + [
            (f"Settings of {kind.title}", self.fields_of(kind.kind)) for kind in KINDS.values()
        ]

    def clean(self) -> dict[str, Any]:
        """Read the settings of the chosen kind."""
        values = super().clean()
        if self.errors:
            return values
        kind = KINDS[values["kind"]]
        settings = self.given_to(kind.kind)
        self.training = StyleTraining.asked({**values, "settings": settings})
        self.checked(self.training.recipe.read, kind.kind)
        if values["graded"] and not values["file"]:
            self.add_error("graded", "Grades need a file; choose one.")
        if values["by_split"] and values["file"]:
            self.add_error("by_split", "Choose this only without a file.")
        return values

    def request(self) -> StyleTraining:
        """Keep the file, and return what is asked for."""
        return replace(self.training, path=self.kept_file())


LONGEST_WORD = 200


class LexiconForm(LabelledTextsForm):
    """A lexicon to be trained."""

    name = forms.CharField(max_length=200)
    words = forms.ChoiceField(
        choices=[
            (TYPICAL, "Words that are typical of a style"),
            (MODIFIERS, "Adjectives and adverbs, typical or not (English)"),
        ],
        required=False,
        help_text="Adjectives and adverbs need no labels: without a file they are looked for in "
        "all texts of this study; strength and deviations play no part.",
    )
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

    field_order = (
        *("name", "words", "file", "text_column", "label_column", "target_column", "source_style"),
        "target_style",
    )

    def request(self) -> LexiconRequest:
        """Keep the file, and return what is asked for."""
        given = chosen(LexiconRequest, self.cleaned_data)
        columns = columns_asked(self.cleaned_data)
        return LexiconRequest(**given, path=self.kept_file(), columns=columns)


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
