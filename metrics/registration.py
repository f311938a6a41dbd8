"""What this room registers at start."""

from corpus.jobs.registry import register_job
from corpus.later_functions import Later
from corpus.storage.pruning import register_unfinished
from corpus.studies.deletion import register_removal
from corpus.tables.register import register_table
from metrics import checks  # noqa: F401
from metrics.imports.run_tables import RunsTable
from metrics.imports.score_tables import DistributionsTable, ScoresTable
from metrics.imports.system_scores import SystemScoresTable
from metrics.resources.loaders import register_loader

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
register_loader("classifier", Later("metrics.resources.trained_models", "classifier"))
register_loader("regressor", Later("metrics.resources.trained_models", "regressor"))
register_loader("language_model", Later("metrics.resources.models_by_style", "language_model"))
register_loader(
    "lstm_language_model", Later("metrics.resources.models_by_style", "lstm_language_model")
)
register_loader("naturalness", Later("metrics.resources.naturalness_texts", "study_texts"))
register_removal(Later("metrics.deletion", "delete_of_study"))
register_unfinished("embeddings/*/unfinished-*", "models/*/*.part", "language-models/.*.part")
