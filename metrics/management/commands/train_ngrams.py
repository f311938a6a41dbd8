"""`manage.py train_ngrams NAME FILE`: an n-gram model of each style from labelled texts."""

from metrics.management.commands.train_language_model import Command as LanguageModelCommand
from metrics.resources.models_by_style import NGRAMS


class Command(LanguageModelCommand):
    """Train n-grams in the foreground, without the texts of any study."""

    help = "Train n-gram models, one a style, for the metric ngram-perplexity."
    kinds = (NGRAMS,)
