"""What commands share that train a model in their own process."""

from abc import abstractmethod
from typing import Any

from django.core.management.base import CommandError

from corpus.management.arguments import study_named
from metrics.management.running import JobCommand
from metrics.models import TrainedModel
from metrics.resources.training import Training, training_key
from metrics.scorers.spec import ParameterError
from metrics.styles.labelled import TrainingError


class TrainingCommand(JobCommand):
    """Train in the foreground; if it is killed, a worker starts it again."""

    @abstractmethod
    def training(self, options: dict[str, Any]) -> Training:
        """Return what the options ask for."""

    @abstractmethod
    def describe(self, model: TrainedModel) -> None:
        """Write how the training went."""

    def note(self, words: str) -> None:
        """Write how good the model is, and what was left out."""
        self.stdout.write(words)

    def handle(self, *args: Any, **options: Any) -> None:
        """Train, showing progress, and say how good the model is."""
        study = study_named(options["study"]) if options["study"] else None
        try:
            training = self.training(options)
            training.check(study)
        except (TrainingError, ParameterError) as error:
            raise CommandError(str(error)) from None
        job = self.finished(
            *(training.job_kind, training_key(study, training), study, training.to_dict()),
            verbosity=options["verbosity"],
        )
        model = TrainedModel.objects.get(pk=job.result["model"])
        self.describe(model)
        self.stdout.write(self.style.SUCCESS(f"{model.name} {model.sha256}"))
