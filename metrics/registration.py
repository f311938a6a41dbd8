"""What this app registers at start: tables, jobs, loaders, and system checks."""

from typing import Any

from django.core.checks import CheckMessage, Info, Tags, Warning, register

from corpus.jobs.registry import register_job
from corpus.later_functions import Later
from corpus.storage.pruning import register_unfinished
from corpus.studies.deletion import register_removal
from corpus.tables.register import register_table
from metrics.imports.run_tables import RunsTable
from metrics.imports.score_tables import DistributionsTable, ScoresTable
from metrics.imports.system_scores import SystemScoresTable
from metrics.scorers.registry import collisions, scorers
from metrics.scorers.scorer import missing_words
from metrics.writers.registry import faults


@register(Tags.compatibility)
def metrics_without_a_place(**options: Any) -> list[CheckMessage]:
    """Warn of metrics and writers of other packages that could not be taken."""
    words = (*collisions(), *faults())
    return [Warning(f"{each}.", id="metrics.W001") for each in words]


@register(Tags.compatibility, deploy=True)
def metrics_without_their_libraries(**options: Any) -> list[CheckMessage]:
    """Say which metrics are not available here; with `check --deploy`, for it may be on purpose."""
    return [
        Info(f"{key} is not available: {missing_words(library)}.", id="metrics.I001")
        for key, scorer in scorers().items()
        for library in scorer.spec.libraries
        if library.version() is None
    ]


register_table(RunsTable())
register_table(ScoresTable())
register_table(DistributionsTable())
register_table(SystemScoresTable())
register_job("score", Later("metrics.runs.scoring_job", "run_score"))
register_job("score part", Later("metrics.runs.scoring_job", "run_score_part"))
register_job("baselines", Later("metrics.baselines", "run_baselines"))
register_job(
    "train-style", Later("metrics.resources.style_training", "run_train_style"), heavy=True
)
register_job(
    "train-writer", Later("metrics.resources.writer_training", "run_train_writer"), heavy=True
)
register_job(
    "train-lexicon", Later("metrics.resources.lexicon_training", "run_train_lexicon"), heavy=True
)
register_job("write", Later("metrics.writing.writing_job", "run_write"), heavy=True)
register_job("write-part", Later("metrics.writing.writing_job", "run_write_part"), heavy=True)
register_removal(Later("metrics.deletion", "delete_of_study"))
register_unfinished("embeddings/*/unfinished-*", "models/*/*.part", "language-models/.*.part")
