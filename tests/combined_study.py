"""A small study with scores of style, content and fluency, for tests of what combines them."""

from pathlib import Path
from typing import Any

from django.core.management import call_command
from study_files import TABLES, import_path, write_files

from analysis.data import matrices
from corpus.jobs.worker import run_by_id
from corpus.models import Study
from metrics.models import MetricRun
from metrics.runs.asking import Asked, ask_for_runs
from metrics.runs.requests import RunRequest

TEXTS = {
    "near": ["I will be late.", "I do not know.", "sorry i'm late", "pls answer"],
    "far": ["I shall arrive later.", "No idea at all.", "I regret the delay.", ""],
}
ACCURATE = {"near": [1, 1, 1, 0], "far": [1, 0, 0, None]}
FORMAL = {"near": [0.9, 0.8, 0.2, 0.4], "far": [0.7, 0.6, 0.9, 0.5]}
CORPUS = [
    ["text", "style"],
    *([text, "formal"] for text in ("I regret the delay.", "I will be late.", "I do not know.")),
    *([text, "informal"] for text in ("gonna be late", "sorry dude i'm late", "pls answer me")),
]
PARTS = (
    RunRequest("bleu", against="references"),
    RunRequest("bleu", against="source"),
    RunRequest("ngram-perplexity"),
)


def files() -> dict[str, Any]:
    """The files: outputs of two systems, imported accuracy and probability of the formal style."""
    outputs = [["segment_id", "system", "output"]]
    scores = [["segment_id", "system", "metric", "aspect", "score"]]
    for system, texts in TEXTS.items():
        for row, text in enumerate(texts):
            place = [f"s{row + 1}", system]
            outputs.append([*place, text])
            if ACCURATE[system][row] is not None:
                scores.append([*place, "accuracy", "style", str(ACCURATE[system][row])])
            scores.append([*place, "c-pt16", "style", str(FORMAL[system][row])])
    described = TABLES["study.json"] | {"systems": [{"system": name} for name in TEXTS]}
    return {
        "segments.csv": TABLES["segments.csv"],
        "outputs.csv": outputs,
        "metric_scores.csv": scores,
        "study.json": described,
    }


def import_study(folder: Path, settings: Any) -> Study:
    """Import the study, and train n-gram models of both styles."""
    matrices.forget()
    settings.MEDIA_ROOT = folder / "files"
    corpus = write_files(folder / "corpus", {"styles.csv": CORPUS}) / "styles.csv"
    call_command("train_ngrams", "tiny", str(corpus), "--order", "2", verbosity=0)
    job = import_path(write_files(folder / "small", files()))
    assert job.error == ""
    return job.study


def score(study: Study, *requests: RunRequest) -> Asked:
    """Ask, and let a worker do the jobs."""
    asked, jobs = ask_for_runs(study, requests, None)
    for job in jobs:
        run_by_id(job.pk)
    for run in (*asked.found, *asked.started):
        run.refresh_from_db()
    study.refresh_from_db()
    return asked


def scored(study: Study, *requests: RunRequest) -> list[MetricRun]:
    """Return the runs of requests, all of them finished."""
    asked = score(study, *requests)
    assert asked.refused == {}
    runs = [*asked.found, *asked.started]
    assert all(run.content_sha256 for run in runs), [run.error for run in runs]
    return runs
