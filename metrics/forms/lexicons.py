"""Forms of style lexicons: training one, pruning one."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.http import QueryDict

from corpus.pages.choices import offer
from corpus.texts.lexicons import LexiconEntry
from metrics.forms.styles import LabelledTextsForm
from metrics.resources.lexicon_training import MODIFIERS, TYPICAL, LexiconRequest
from metrics.styles.lexicon_training import DEVIATIONS, FEWEST, STRENGTH

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
        values = self.cleaned_data
        return LexiconRequest(
            values["name"],
            values["strength"],
            values["deviations"],
            values["fewest"],
            self.kept_file(),
            self.columns(),
            values["words"] or TYPICAL,
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
