"""Style models of a study, trained in a moment on small labelled texts."""

from pathlib import Path
from typing import Any

from listed_places import listed
from study_files import write_files
from style_texts import reviews, tiny_transformer

from corpus.jobs.worker import run_next
from corpus.models import Study
from metrics.models import TrainedModel
from metrics.resources.style_training import TrainingRequest, ask_for_training
from metrics.styles.training import Recipe

LABELLED = reviews(60)
CORPUS = [
    ["text", "style"],
    *([text, LABELLED.label(row)] for row, text in enumerate(LABELLED.texts)),
]


def train(
    study: Study, folder: Path, kind: str = "bag-of-words", name: str = "words", **settings: Any
) -> TrainedModel:
    """Train a classifier of a study by the job that the page asks for."""
    corpus = write_files(folder / "corpus", {"reviews.csv": CORPUS}) / "reviews.csv"
    recipe = Recipe(kind, settings)
    job = ask_for_training(study, TrainingRequest(name, recipe, str(corpus)), None)
    run_next()
    job.refresh_from_db()
    assert job.state == "done", job.error
    return TrainedModel.objects.get(study=study, name=name)


def transformer(study: Study, folder: Path) -> TrainedModel:
    """Train a tiny transformer, whose words have attributions."""
    model = listed(tiny_transformer(folder / "tiny"))
    return train(study, folder, "transformer", "tiny", model=model, epochs=1)
