"""mt-metrics-eval v2: the layout in which the WMT metrics tasks are released.

`sources`, `references`, `documents`, `system-outputs`, `human-scores` and `metric-scores` beside
each other, for any number of language pairs, each of which is a study.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from corpus.formats.format import Offered, ReadAs, WritableFormat, WrittenTable
from corpus.formats.mt_metrics_eval_writing import WrittenPair
from corpus.formats.queries import QueryFormat
from corpus.tabular.problems import refused

_PATH = re.compile(
    r"(?:(?P<set>.*?)/)?(?:(?P<kind>sources|documents|references|human-scores)/(?P<pair>[^./]+)\..*"
    r"|(?P<folder>system-outputs|metric-scores)/(?P<inner>[^/]+)/.+)"
)


class MtMetricsEval(QueryFormat, WritableFormat):
    """mt-metrics-eval v2, in and out."""

    def recognises(self, files: Offered) -> bool:
        """Whether there is a pair with sources and outputs."""
        return bool(_pairs(files))

    def read(self, files: Offered, folder: Path, chosen: str) -> ReadAs:
        """Read the files of one pair."""
        pairs = _pairs(files)
        chosen = chosen or (next(iter(pairs)) if len(pairs) == 1 else "")
        if not chosen:
            return ReadAs(choices=tuple(pairs))
        if chosen not in pairs:
            raise refused("", chosen, ", ".join(pairs), "Choose one of them.", "select")
        read = super().read(files.only(pairs[chosen]), folder, chosen)
        read.choices, read.chosen = tuple(pairs), chosen
        return read

    def write(
        self,
        tables: Mapping[str, WrittenTable],
        study: Mapping[str, Any],
        folder: Path,
        chosen: str,
    ) -> list[str]:
        """Write a study with direct scores as one pair."""
        return WrittenPair(tables, study, folder, chosen).write()


def _pairs(files: Offered) -> dict[str, list[str]]:
    """Return the files of pairs with sources and outputs; of several test sets with their names."""
    found = defaultdict[tuple[str, str], dict[str, str]](dict)
    for name in files.names:
        if m := _PATH.fullmatch(name.removesuffix(".gz")):
            found[m["set"] or "", m["pair"] or m["inner"]][name] = m["kind"] or m["folder"]
    whole = {
        key: list(pair)
        for key, pair in sorted(found.items())
        if {"sources", "system-outputs"} <= {*pair.values()}
    }
    several = len({test_set for test_set, _ in whole}) > 1
    return {f"{s}/{pair}" if several else pair: names for (s, pair), names in whole.items()}


PATH = Path(__file__).with_suffix(".sql")
FORMAT = MtMetricsEval(PATH)
