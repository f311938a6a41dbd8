"""What this room registers at start."""

from corpus.deletion import register_removal
from corpus.jobs.registry import register_job
from corpus.pruning import register_unfinished
from corpus.tables import register_table
from metrics import checks  # noqa: F401
from metrics.baselines import run_baselines
from metrics.deletion import delete_of_study
from metrics.imports.run_tables import RunsTable
from metrics.imports.score_tables import DistributionsTable, ScoresTable
from metrics.imports.system_scores import SystemScoresTable
from metrics.resources.lexicon_training import run_train_lexicon
from metrics.resources.loaders import register_loader
from metrics.resources.models_by_style import language_model, lstm_language_model
from metrics.resources.naturalness_texts import study_texts
from metrics.resources.style_training import run_train_style
from metrics.resources.trained_models import classifier, regressor
from metrics.resources.writer_training import run_train_writer
from metrics.runs.scoring_job import PART, run_score, run_score_part
from metrics.writing.writing_job import PART as WRITE_PART
from metrics.writing.writing_job import run_write, run_write_part

register_table(RunsTable())
register_table(ScoresTable())
register_table(DistributionsTable())
register_table(SystemScoresTable())
register_job("score", run_score)
register_job(PART, run_score_part)
register_job("baselines", run_baselines)
register_job("train-style", run_train_style, heavy=True)
register_job("train-writer", run_train_writer, heavy=True)
register_job("train-lexicon", run_train_lexicon, heavy=True)
register_job("write", run_write, heavy=True)
register_job(WRITE_PART, run_write_part, heavy=True)
register_loader("classifier", classifier)
register_loader("regressor", regressor)
register_loader("language_model", language_model)
register_loader("lstm_language_model", lstm_language_model)
register_loader("naturalness", study_texts)
register_removal(delete_of_study)
register_unfinished("embeddings/*/unfinished-*", "models/*/*.part", "language-models/.*.part")
