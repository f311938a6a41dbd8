"""What commands share that train a model in their own process."""

from abc import abstractmethod
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from corpus.jobs.foreground import run_in_foreground
from corpus.jobs.queue import JobActive
from corpus.management.arguments import ProgressLine, study_named
from corpus.tabular.problems import Problem
from metrics.models import TrainedModel
from metrics.resources.training import Training, training_key
from metrics.scorers.spec import ParameterError
from metrics.styles.labelled import TrainingError


class TrainingCommand(BaseCommand):
    """Train in the foreground; if it is killed, a worker starts it again."""

    @abstractmethod
    def training(self, options: dict[str, Any]) -> Training:
        """Return what the options ask for."""

    @abstractmethod
    def describe(self, model: TrainedModel) -> None:
        """Write how the training went."""

    def handle(self, *args: Any, **options: Any) -> None:
        """Train, showing progress, and say how good the model is."""
        study = study_named(options["study"]) if options["study"] else None
        line = ProgressLine(self.stderr)
        try:
            training = self.training(options)
            training.check(study)
            job = run_in_foreground(
                training.job_kind,
                training_key(study, training),
                study=study,
                parameters=training.to_dict(),
                report=line.report if options["verbosity"] else None,
            )
        except (TrainingError, ParameterError, JobActive) as error:
            raise CommandError(str(error)) from None
        finally:
            line.clear()
        if job.state != "done":
            for problem in job.result.get("problems", []):
                self.stderr.write(str(Problem(**problem)))
            raise CommandError(job.error or "cancelled; nothing was stored")
        for note in job.result["notes"]:
            self.stdout.write(note)
        model = TrainedModel.objects.get(pk=job.result["model"])
        self.describe(model)
        self.stdout.write(self.style.SUCCESS(f"{model.name} {model.sha256}"))
