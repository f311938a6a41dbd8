"""A scorer that computes equal rows once and goes on after a text that it fails on."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from time import monotonic

import numpy as np

from corpus.jobs.failures import description
from corpus.storage.faults import is_of_database, storage_fault
from metrics.encoders.sentence import stored_in
from metrics.recent import RecentlyUsed
from metrics.scorers.scorer import Floats, Scorer, Scores, Texts, Unavailable

logger = logging.getLogger(__name__)

REMEMBERED = 20_000
"""Rows whose numbers are kept for later blocks."""
FIRST_CALL, SMALLEST_CALL, LARGEST_CALL = 64, 8, 1024
SECONDS_A_CALL = 3.0
FEW = 8
"""Of fewer rows that all fail, each may be odd by itself; of more, the metric is broken."""
INFINITE = "the score is infinite"
FAILS = "the metric fails on this text"


class ScorerFails(Exception):
    """A scorer that fails on every text; the message says how."""


@dataclass(frozen=True, slots=True)
class _Row:
    """Numbers of one row: values first, then statistics."""

    numbers: Floats
    reason: str = ""
    failed: bool = False


class GuardedScorer:
    """Scores blocks of texts by a scorer that is asked as little as possible.

    Rows that are equal in all that the metric reads are computed once, within a block and across
    the last `remember` different ones. A scorer that raises is asked again with halves, down to
    the text that it fails on, which becomes undefined. Calls take some seconds, so that whoever
    waits sees how far it is, and can stop it.

    Parameters
    ----------
    scorer
        What computes. It gets sources and styles only if its spec has needs, segments and systems
        only if it needs something that was trained on the study.
    remember
        How many rows are kept for later blocks.
    """

    def __init__(self, scorer: Scorer, *, remember: int = REMEMBERED) -> None:
        self.scorer = scorer
        needs = scorer.spec.needs
        self._reads_sources = bool(needs)
        self._reads_segments = bool(needs & {"classifier", "regressor", "naturalness"})
        self._reads_systems = "naturalness" in needs
        self._known = RecentlyUsed[bytes, _Row](remember)
        self._call = FIRST_CALL

    def score(self, texts: Texts, report: Callable[[int], object] = lambda done: None) -> Scores:
        """Score texts.

        Parameters
        ----------
        texts
            One block.
        report
            Called between calls of the scorer with the number of different rows computed.

        Raises
        ------
        Unavailable
            If weights or a library are not installed.
        ScorerFails
            If the scorer raises for every text of the block.
        Exception
            What the database or the disk raised while the scorer read its resources.
        """
        keys = [self._key(texts, row) for row in range(len(texts))]
        rows = self._known.found(keys)
        first_places: dict[bytes, int] = {}
        for place, key in enumerate(keys):
            if key not in rows:
                first_places.setdefault(key, place)
        waiting = list(first_places.items())
        while waiting:
            now, waiting = waiting[: self._call], waiting[self._call :]
            started = monotonic()
            computed = self._attempt(self._part(texts, [place for _, place in now]))
            self._adapt(len(now), monotonic() - started)
            rows.update(zip((key for key, _ in now), computed, strict=True))
            self._refuse_if_broken(computed)
            report(len(rows))
        self._known.keep(rows)
        return self._scores([rows[key] for key in keys])

    def _key(self, texts: Texts, row: int) -> bytes:
        """Return what is equal for rows that must get the same numbers."""
        parts = [texts.outputs[row], *texts.against[row]]
        if self._reads_sources:
            parts += [texts.sources[row], texts.source_styles[row], texts.target_styles[row]]
        if self._reads_segments:
            parts.append(str(texts.segments[row]))
        if self._reads_systems:
            parts.append(texts.systems[row])
        digest = blake2b(digest_size=16)
        for part in parts:
            encoded = part.encode("utf-8", "surrogatepass")
            digest.update(len(encoded).to_bytes(8, "little") + encoded)
        return digest.digest()

    def _part(self, texts: Texts, places: Sequence[int]) -> Texts:
        """Return some rows, without what the metric has not said that it reads."""

        def of(column: Sequence[str], is_read: bool) -> tuple[str, ...]:
            return tuple(column[place] if is_read else "" for place in places)

        return Texts(
            outputs=of(texts.outputs, True),
            against=tuple(texts.against[place] for place in places),
            sources=of(texts.sources, self._reads_sources),
            source_styles=of(texts.source_styles, self._reads_sources),
            target_styles=of(texts.target_styles, self._reads_sources),
            segments=tuple(texts.segments[place] for place in places)
            if self._reads_segments
            else tuple(range(len(places))),
            systems=of(texts.systems, self._reads_systems),
        )

    def _attempt(self, texts: Texts) -> list[_Row]:
        try:
            with stored_in(self.scorer.resources.embeddings):
                return self._rows(self.scorer.score(texts), len(texts))
        except Unavailable:
            raise
        except Exception as error:  # Whatever a library raises on a text that it does not take.
            if storage_fault(error) or is_of_database(error):
                raise
            if len(texts) > 1:
                half = len(texts) // 2
                parts = range(half), range(half, len(texts))
                return [row for part in parts for row in self._attempt(self._part(texts, part))]
            logger.debug("%s fails on a text: %r", self.scorer.spec.key, error)
            reason = f"{FAILS}: {description(error)}"
            return [_Row(np.full(self._width, np.nan), reason, failed=True)]

    def _rows(self, scores: Scores, n: int) -> list[_Row]:
        """Take a scorer's answer apart, after a look at its shape."""
        kept = len(self.scorer.spec.statistics)
        statistics = scores.statistics if kept else np.empty((n, 0))
        shapes = (n, len(self.scorer.fields)), (n, kept)
        if (scores.values.shape, statistics.shape) != shapes:
            found = f"{scores.values.shape} values and {statistics.shape} statistics"
            raise ValueError(f"the scorer returned {found}, expected {shapes[0]} and {shapes[1]}")
        numbers = np.hstack([scores.values, statistics]).astype(np.float64)
        rows = []
        for place, row in enumerate(numbers):
            reason = scores.undefined.get(place, "")
            values = row[: len(self.scorer.fields)]
            if np.isinf(values).any():
                values[np.isinf(values)] = np.nan
                reason = reason or INFINITE
            rows.append(_Row(row, reason))
        return rows

    def _refuse_if_broken(self, computed: Sequence[_Row]) -> None:
        if len(computed) > FEW and all(row.failed for row in computed):
            error = computed[0].reason.removeprefix(f"{FAILS}: ")
            raise ScorerFails(f"the metric fails on every text: {error}")

    def _adapt(self, rows: int, seconds: float) -> None:
        """Let the next call take some seconds: the first one also loads weights."""
        wanted = int(rows / max(seconds, 1e-3) * SECONDS_A_CALL)
        self._call = max(SMALLEST_CALL, min(LARGEST_CALL, wanted, self._call * 8))

    @property
    def _width(self) -> int:
        return len(self.scorer.fields) + len(self.scorer.spec.statistics)

    def _scores(self, rows: Sequence[_Row]) -> Scores:
        fields = len(self.scorer.fields)
        numbers = np.array([row.numbers for row in rows]).reshape(len(rows), self._width)
        return Scores(
            numbers[:, :fields],
            {place: row.reason for place, row in enumerate(rows) if row.reason},
            numbers[:, fields:],
        )
