"""How pairwise votes of an arena are imported, ranked and shown: 200,000 votes on 300 systems.

    python -m benchmarks.votes_at_size [--votes 200000] [--systems 300] [--keep FOLDER]

Writes a made-up table of votes as such releases have them (conversation, two models, winner with
ties and "both bad", judge, language; no texts), with some systems met far more often than others
and some conversations judged by several people. It is imported into a database of its own; then one
process asks for pages of which nothing is known, another runs the jobs that they wait for, and a
third asks again. "peak" is the most memory that a process held.
"""

import argparse
import json
import resource
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

from benchmarks.figures import show_figure
from benchmarks.fresh_site import (
    SLUG,
    reader,
    run_step,
    start_django,
    steps_over,
    timed,
    write_table,
)

PAGES = (
    *("", "segments/", "systems/", "campaigns/", "ranking/", "agreement/", "raters/"),
    *("system-comparison/", "system-comparison/?resample=segments"),
    *("system-comparison/?resample=annotators", "planning/", "correlation/", "rankings/"),
    *("accuracy/", "comparison/", "subgroups/", "metric-means/", "scores/", "disagreement/"),
)
COLUMNS = ("question_id", "model_a", "model_b", "winner", "judge", "language")
MAPPING = {
    "votes.csv": [
        {
            "table": "segments",
            "columns": {"segment": "question_id"},
            "constants": {"source": ""},
            "attributes": ["language"],
            "distinct": True,
        },
        {
            "table": "ratings",
            "columns": {
                "segment": "question_id",
                "system": "model_a",
                "against": "model_b",
                "judgement": "winner",
                "rater": "judge",
            },
            "constants": {"task": "output_against_output", "side": "a", "campaign": "arena"},
        },
    ]
}


def write_votes(path: Path, votes: int, systems: int, seed: int = 7) -> None:
    """Write votes by a model with ties: strengths, an advantage of side A, and judges who differ.

    One conversation in fifty is judged by up to three people.
    """
    generator = np.random.default_rng(seed)
    strength = generator.normal(0, 0.8, systems)
    popular = 1 / np.arange(1, systems + 1) ** 0.7
    popular = generator.permutation(popular / popular.sum())
    first = generator.choice(systems, votes, p=popular)
    second = generator.choice(systems, votes, p=popular)
    second = np.where(second == first, (first + 1) % systems, second)
    judge = (generator.pareto(1.2, votes) * 400).astype(np.int64) % (votes // 10 + 1)
    # Who judges a conversation again sees the same two texts.
    conversation = np.arange(votes)
    again = np.flatnonzero(generator.random(votes) < 0.02)
    for place in again[again > 0].tolist():
        same = conversation[place - 1]
        if judge[place] not in judge[same:place]:
            conversation[place] = same
            first[place], second[place] = first[same], second[same]
    gap = strength[first] - strength[second] + 0.1
    weights = np.stack([np.exp(gap / 2), np.exp(-gap / 2), np.full(votes, 0.8)], axis=1)
    drawn = generator.random(votes) * weights.sum(axis=1)
    answer = (drawn[:, None] > weights.cumsum(axis=1)).sum(axis=1)
    answer[(answer == 2) & (generator.random(votes) < 0.5)] = 3
    words = ("model_a", "model_b", "tie", "tie (bothbad)")
    language = generator.choice(["English", "Chinese", "German"], votes, p=[0.7, 0.2, 0.1])
    lines = (
        f"q{c:06},system-{a:03},system-{b:03},{words[w]},judge-{j:05},{language[c]}\n"
        for c, a, b, w, j in zip(conversation, first, second, answer, judge, strict=True)
    )
    write_table(path, ",".join(COLUMNS) + "\n", lines)


def prepare(votes: int, systems: int) -> None:
    """Make the database and import the votes."""
    start_django()
    import tempfile

    from django.contrib.auth.models import User
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_votes(folder / "votes.csv", votes, systems)
        (folder / "mapping.json").write_text(json.dumps(MAPPING), encoding="utf-8")
        command = [str(folder / "votes.csv"), "--study", SLUG, "--without-texts"]
        command += ["--mapping", str(folder / "mapping.json")]
        seconds, _ = timed(lambda: call_command("import_study", *command, verbosity=0))
    show_figure("votes_at_size.import", seconds, "s")
    _tell_memory("import")
    User.objects.create_superuser("reader", password="not used")


def ask_first() -> None:
    """Ask for pages of which nothing is known yet."""
    start_django()
    client = reader()
    for page in PAGES:
        _ask(client, "first", page)
    _tell_memory("first")


def run_jobs() -> None:
    """Run what pages wait for: the reading of the study, then the reports asked for again."""
    start_django()
    from corpus.jobs.worker import run_next

    client = reader()
    while job := _timed_job(run_next):
        if job.kind == "read-study":
            for page in PAGES:
                client.get(f"/studies/{SLUG}/{page}")


def ask_again() -> None:
    """Ask for pages whose reports are stored, each twice, in a process that is new to them."""
    start_django()
    client = reader()
    for page in PAGES:
        client.get(f"/studies/{SLUG}/{page}")
        _ask(client, "again", page)
    _tell_memory("again")


def _timed_job(run_next: Any) -> Any:
    begun = process_time()
    seconds, job = timed(run_next)
    if job is not None:
        asked = job.parameters.get("question", {}).get("resample", [""])[0]
        what = f"{job.kind} {job.parameters.get('kind', '')} {asked} {job.state} {job.error[:90]}"
        print(f"{what:60} {seconds:8.2f} s {process_time() - begun:8.2f} processor")
        name = "-".join(filter(None, (job.parameters.get("kind") or job.kind, asked)))
        show_figure(f"votes_at_size.job.{name}", seconds, "s")
        _tell_memory(f"job.{name}")
    return job


def _ask(client: Any, step: str, page: str) -> None:
    begun = process_time()
    seconds, answer = timed(lambda: client.get(f"/studies/{SLUG}/{page}"))
    used = process_time() - begun
    size = len(answer.content) / 1e6
    print(
        f"{page or 'study':40} {answer.status_code:5} {seconds:8.2f} s {used:8.2f} processor "
        f"{size:6.2f} MB, peak {_peak():,.0f} MB",
        flush=True,
    )
    show_figure(f"votes_at_size.{step}.{page.strip('/') or 'study'}", seconds, "s")


def _tell_memory(step: str) -> None:
    show_figure(f"votes_at_size.{step}.memory", _peak(), "MB")


def _peak() -> float:
    """Return the most megabytes that this process has held."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    """Import once, then take each step in a process of its own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--votes", type=int, default=200_000)
    parser.add_argument("--systems", type=int, default=300)
    parser.add_argument("--keep", help="folder of a database to make, or to use again")
    parser.add_argument("--of-process", default="", help=argparse.SUPPRESS)
    options = parser.parse_args()
    steps = {"first": ask_first, "jobs": run_jobs, "again": ask_again}
    if options.of_process == "prepare":
        return prepare(options.votes, options.systems)
    if options.of_process:
        return steps[options.of_process]()
    for data, step in steps_over(options.keep, steps):
        print(f"-- {step}", flush=True)
        run_step(data, "votes_at_size", "--of-process", step)
    return None


if __name__ == "__main__":
    main()
