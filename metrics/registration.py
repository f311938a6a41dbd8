"""What this room registers at start; scorers are imported only by what asks for them."""

from typing import TYPE_CHECKING, Any

from corpus.deletion import register_removal
from corpus.jobs.registry import register_job
from corpus.tables import register_table
from metrics import checks  # noqa: F401
from metrics.imports.run_tables import RunsTable
from metrics.imports.score_tables import DistributionsTable, ScoresTable
from metrics.resources.loaders import register_loader
from metrics.resources.naturalness_texts import study_texts

if TYPE_CHECKING:
    from corpus.jobs.progress import Progress
    from corpus.models import Job, Study
    from metrics.resources.loaders import TrainedThing


def _run_score(job: "Job", progress: "Progress") -> dict[str, Any]:
    from metrics.runs.scoring_job import run_score

    return run_score(job, progress)


def _run_baselines(job: "Job", progress: "Progress") -> dict[str, Any]:
    from metrics.baselines import run_baselines

    return run_baselines(job, progress)


def _run_train_style(job: "Job", progress: "Progress") -> dict[str, Any]:
    from metrics.resources.style_training import run_train_style

    return run_train_style(job, progress)


def _run_train_lexicon(job: "Job", progress: "Progress") -> dict[str, Any]:
    from metrics.resources.lexicon_training import run_train_lexicon

    return run_train_lexicon(job, progress)


def _classifier(study: "Study", name: str) -> "TrainedThing":
    from metrics.resources.trained_models import classifier

    return classifier(study, name)


def _regressor(study: "Study", name: str) -> "TrainedThing":
    from metrics.resources.trained_models import regressor

    return regressor(study, name)


def _language_model(study: "Study", name: str) -> "TrainedThing":
    from metrics.resources.ngram_models import language_model

    return language_model(study, name)


def _delete_of_study(study: "Study") -> None:
    from metrics.deletion import delete_of_study

    delete_of_study(study)


register_table(RunsTable())
register_table(ScoresTable())
register_table(DistributionsTable())
register_job("score", _run_score)
register_job("baselines", _run_baselines)
register_job("train-style", _run_train_style)
register_job("train-lexicon", _run_train_lexicon)
register_loader("classifier", _classifier)
register_loader("regressor", _regressor)
register_loader("language_model", _language_model)
register_loader("naturalness", study_texts)
register_removal(_delete_of_study)
