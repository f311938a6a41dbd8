"""COMET in an environment of its own: an exported study in, a table of scores out.

python -m venv comet && comet/bin/pip install unbabel-comet
comet/bin/python scripts/learned_elsewhere/score_comet.py STUDY.zip comet.csv \
    --model Unbabel/wmt22-comet-da
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from exported_study import Row, arguments, read_rows, run, score_table


def main() -> None:
    """Read, score, write."""
    parser = arguments("Score an exported study with COMET.")
    parser.add_argument("--no-reference", action="store_true", help="for models such as CometKiwi")
    parser.add_argument("--batch-size", type=int, default=16)
    parser.add_argument("--gpus", type=int, default=0, help="0: on the CPU")
    run(parser, _work)


def _work(options: argparse.Namespace) -> int:
    rows = read_rows(options.study, 0 if options.no_reference else options.reference)
    from comet import download_model, load_from_checkpoint

    path = options.model if Path(options.model).is_file() else download_model(options.model)
    model = load_from_checkpoint(path)

    def score(part: Sequence[Row]) -> Sequence[float]:
        data = [{"src": row.source, "mt": row.output} for row in part]
        if not options.no_reference:
            for each, row in zip(data, part, strict=True):
                each["ref"] = row.reference
        found: Sequence[float] = model.predict(
            data, batch_size=options.batch_size, gpus=options.gpus, progress_bar=False
        ).scores
        return found

    return score_table(
        rows,
        score,
        options.table,
        metric=options.metric,
        compared_to="source" if options.no_reference else f"reference.{options.reference}",
        aspect=options.aspect,
        needs_reference=not options.no_reference,
    )


if __name__ == "__main__":
    main()
