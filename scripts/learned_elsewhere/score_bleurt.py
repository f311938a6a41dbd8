"""BLEURT in an environment of its own: an exported study in, a table of scores out.

python -m venv bleurt && bleurt/bin/pip install git+https://github.com/google-research/bleurt
bleurt/bin/python scripts/learned_elsewhere/score_bleurt.py STUDY.zip bleurt.csv \
    --model path/to/BLEURT-20
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from exported_study import Row, arguments, read_rows, run, score_table


def main() -> None:
    """Read, score, write."""
    run(arguments("Score an exported study with BLEURT."), _work)


def _work(options: argparse.Namespace) -> int:
    rows = read_rows(options.study, options.reference)
    from bleurt.score import BleurtScorer

    model = BleurtScorer(options.model)

    def score(part: Sequence[Row]) -> Sequence[float]:
        found: Sequence[float] = model.score(
            references=[row.reference for row in part], candidates=[row.output for row in part]
        )
        return found

    return score_table(
        rows,
        score,
        options.table,
        metric=options.metric,
        compared_to=f"reference.{options.reference}",
        aspect=options.aspect,
    )


if __name__ == "__main__":
    main()
