"""How pairwise votes of an arena are imported, ranked and shown: 200,000 votes on 300 systems.

    python -m benchmarks.votes_at_size [--votes 200000] [--systems 300] [--keep FOLDER]

Writes a made-up table of votes as such releases have them (conversation, two models, winner with
ties and "both bad", judge, language; no texts), with some systems met far more often than others
and some conversations judged by several people. It is imported into a database of its own; then one
process asks for pages of which nothing is known, another runs the jobs that they wait for, and a
third asks again. "peak" is the most memory that a process held.
"""

import json
import resource
from argparse import ArgumentParser, Namespace
from pathlib import Path

import numpy as np

from benchmarks.asked_pages import AskedPages
from benchmarks.figures import show_figure
from benchmarks.fresh_site import SLUG, timed, write_table

ADDRESSES = (
    *("", "segments/", "systems/", "campaigns/", "ranking/", "agreement/", "raters/"),
    *("system-comparison/", "system-comparison/?resample=segments"),
    *("system-comparison/?resample=annotators", "disagreement/"),
)
"""Other reports lay scores out as segments × systems, and refuse a study of so many votes."""
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


def prepare(options: Namespace) -> None:
    """Make the database and import the votes."""
    import tempfile

    from django.contrib.auth.models import User
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_votes(folder / "votes.csv", options.votes, options.systems)
        (folder / "mapping.json").write_text(json.dumps(MAPPING), encoding="utf-8")
        command = [str(folder / "votes.csv"), "--study", SLUG, "--without-texts"]
        command += ["--mapping", str(folder / "mapping.json")]
        seconds, _ = timed(lambda: call_command("import_study", *command, accept=True, verbosity=0))
    show_figure("votes_at_size.import", seconds, "s")
    PAGES.show_memory("import")
    User.objects.create_superuser("reader", password="not used")


def peak_memory() -> float:
    """Return the most megabytes that this process has held."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


PAGES = AskedPages("votes_at_size", ADDRESSES, ADDRESSES, peak_memory)


if __name__ == "__main__":
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--votes", type=int, default=200_000)
    parser.add_argument("--systems", type=int, default=300)
    PAGES.take_steps(parser, prepare)
