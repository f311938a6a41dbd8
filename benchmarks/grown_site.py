"""A site filled to a number of scores, in phases whose seconds and bytes are counted.

Texts, assignments and answers are written as a campaign writes them, answers by the database
itself; scores in the blocks in which a metric run stores them. Works on SQLite and PostgreSQL.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from benchmarks.fresh_site import SLUG, timed
from benchmarks.plain_study import SYSTEMS, answer_everything, plain_study

ASPECTS = ("style", "content", "fluency")
ANNOTATORS = 50
BLOCKS_AT_ONCE = 64


@dataclass(frozen=True)
class Phase:
    """What one phase of filling wrote.

    Parameters
    ----------
    what
        Name of one of its rows.
    rows
        How many it wrote; of scores, the numbers in the blocks.
    seconds
    size
        By how many bytes the database grew, with indexes.
    """

    what: str
    rows: int
    seconds: float
    size: int


def database_size() -> int:
    """Return the bytes of the whole database, of SQLite with what waits in its log."""
    from django.db import connection

    sqlite = "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"
    asked = {"sqlite": sqlite, "postgresql": "SELECT pg_database_size(current_database())"}
    with connection.cursor() as cursor:
        cursor.execute(asked[connection.vendor])
        return int(cursor.fetchone()[0])


def fill(scores: int, metrics: int, ratings: int) -> Iterator[Phase]:
    """Fill an empty migrated database; yield each phase as it ends."""
    outputs = scores // metrics
    study, phase = _counted("output", outputs, lambda: plain_study(SLUG, outputs))
    yield phase
    _, phase = _counted("score", scores, lambda: _write_scores(study, metrics))
    yield phase
    if not ratings:
        return
    campaign, phase = _counted("assignment", outputs * ratings, lambda: _launched(study, ratings))
    yield phase
    _, phase = _counted(
        "submission", outputs * ratings, lambda: answer_everything(campaign, ASPECTS)
    )
    yield phase


def _counted(what: str, rows: int, write: Callable[[], Any]) -> tuple[Any, Phase]:
    before = database_size()
    seconds, made = timed(write)
    return made, Phase(what, rows, seconds, database_size() - before)


def _write_scores(study: Any, metrics: int) -> None:
    """Store runs that differ, with no score for sources, as an import would publish them."""
    import numpy as np
    from django.db import transaction

    from corpus.models import Output
    from metrics.models import BLOCK_SIZE, Metric, MetricRun, ScoreBlock
    from metrics.runs.packed_scores import pack

    generator, outputs = np.random.default_rng(5), Output.objects.filter(study=study).count()
    for number in range(metrics):
        name = f"metric-{number:03}"
        metric = Metric.objects.create(study=study, name=name, orientation="higher")
        run = MetricRun.objects.create(
            **{"study": study, "metric": metric, "name": name, "signature": name},
            **{"fields": [name], "origin": "imported", "content_sha256": f"{number:064}"},
        )
        values = generator.normal(50, 10, (outputs, 1))
        values[:: SYSTEMS + 1] = np.nan
        starts = range(0, outputs, BLOCK_SIZE)
        blocks = [
            ScoreBlock(run=run, number=n, values=pack(values[start : start + BLOCK_SIZE]))
            for n, start in enumerate(starts)
        ]
        for first in range(0, len(blocks), BLOCKS_AT_ONCE):
            with transaction.atomic():
                ScoreBlock.objects.bulk_create(blocks[first : first + BLOCKS_AT_ONCE])


def _launched(study: Any, ratings: int) -> Any:
    from annotation.launch.launching import launch
    from annotation.models import Campaign
    from corpus.write_turn import write_turn

    campaign = Campaign.objects.create(
        **{"study": study, "slug": "answered", "protocol": "direct_assessment", "origin": "live"},
        **{"state": "draft", "design": "balanced_overlap", "ratings_per_item": ratings, "seed": 1},
    )
    launch(campaign, ANNOTATORS, turn=write_turn)
    return campaign
