"""`manage.py try_texts STUDY`: what models and metrics make of two texts."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from corpus.management.arguments import study_named
from metrics.attribution.masking import AT_LEAST_ONE, RULES
from metrics.resources.trained_models import models_of
from metrics.trials.scores import trial_data, usual_model
from metrics.trials.trial import Trial


class Command(BaseCommand):
    """Try two texts; nothing is stored."""

    help = "Print what a study's style models and every default metric make of two texts, as JSON."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("study")
        parser.add_argument("--source", required=True)
        parser.add_argument("--output", required=True)
        parser.add_argument("--reference", default="")
        parser.add_argument("--target-style", default="")
        parser.add_argument("--model", default="", help="style model; default: a fine-tuned one")
        parser.add_argument(
            "--rule",
            choices=list(RULES),
            default=AT_LEAST_ONE,
            help="where one word exceeds the threshold: mask it all the same, or nothing",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Try, and print."""
        study = study_named(options["study"])
        models = list(models_of(study).order_by("study_id", "pk"))
        chosen = next((model for model in models if model.name == options["model"]), None)
        if options["model"] and chosen is None:
            known = ", ".join(model.name for model in models) or "none"
            raise CommandError(f"no style model {options['model']!r}; there are: {known}")
        names = ("source", "output", "reference", "target_style", "rule")
        trial = Trial(**{name: options[name] for name in names})
        content = trial_data(trial, models, chosen or usual_model(models))
        self.stdout.write(json.dumps(content, ensure_ascii=False, indent=2))
