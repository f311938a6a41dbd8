"""Write the demo study's tables from its hand-written texts: ``python -m demo.make_demo``."""

import argparse
import csv
import json
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from demo import plan
from demo.scores import bleu, chrf, formal_share, length_ratio
from demo.simulator import FloatArray, batch_design, simulate_scale
from demo.streams import normals
from demo.systems import apply_rules, fill_template, scramble

TEXTS = Path(__file__).with_name("texts.csv")
FOLDER = Path(__file__).with_name("formality-demo")
REFERENCES = ("reference_1", "reference_2")
HAND_WRITTEN = {"REF": "reference_1", "careful": "careful", "plain": "plain"}
SEGMENT_COLUMNS = (
    "segment_id",
    "source",
    "source_style",
    "target_style",
    "domain",
    "survey",
    *REFERENCES,
)
SEGMENT_EFFECT, OUTPUT_EFFECT = 0, 1

Row = dict[str, str]
Table = tuple[Sequence[str], Iterable[Sequence[object]]]


def read_texts(path: Path = TEXTS) -> list[Row]:
    """Return the hand-written segments with their references and stand-in outputs."""
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def make_outputs(segments: list[Row]) -> list[tuple[str, str, str]]:
    """Return (segment, system, text), systems in the plan's order within each segment."""
    sources = [segment["source"] for segment in segments]
    outputs = []
    for index, segment in enumerate(segments):
        target = segment["target_style"]
        texts = {name: segment[column] for name, column in HAND_WRITTEN.items()}
        texts["rules"] = apply_rules(segment["source"], target)
        texts["template"] = fill_template(sources, index, target, plan.SEED)
        texts["scrambled"] = scramble(segment["source"], index, plan.SEED)
        outputs += [(segment["segment_id"], one.name, texts[one.name]) for one in plan.SYSTEMS]
    return outputs


def true_quality(segments: int) -> FloatArray:
    """Return the declared quality, segments × systems × aspects, kept inside the scale.

    The system's mean, an effect of the segment shared by its outputs and an effect
    of the single output, both normal.
    """
    shape = np.ogrid[:segments, : len(plan.SYSTEMS), : len(plan.ASPECTS)]
    segment, system, aspect = shape
    means = np.array([one.quality for one in plan.SYSTEMS])
    varied = (
        means[None, :, :]
        + plan.SEGMENT_SD * normals(plan.SEED, SEGMENT_EFFECT, segment, aspect)
        + plan.OUTPUT_SD * normals(plan.SEED, OUTPUT_EFFECT, segment, system, aspect)
    )
    return np.clip(varied, *plan.SCALE)


def make_ratings(segments: list[Row]) -> list[tuple[str, str, str, str, int]]:
    """Return (segment, system, rater, aspect, score) of the simulated annotators."""
    quality = true_quality(len(segments)).reshape(-1, len(plan.ASPECTS))
    survey_of_item = [int(one["survey"]) for one in segments for _ in plan.SYSTEMS]
    design = batch_design(survey_of_item, [survey for _, survey, _ in plan.ANNOTATORS])
    annotators = [annotator for _, _, annotator in plan.ANNOTATORS]
    records = simulate_scale(quality, annotators, design, plan.SCALE, plan.STEP, plan.SEED)
    rows = zip(records.item, records.annotator, records.aspect, records.value, strict=True)
    return [
        (
            segments[item // len(plan.SYSTEMS)]["segment_id"],
            plan.SYSTEMS[item % len(plan.SYSTEMS)].name,
            plan.ANNOTATORS[annotator][0],
            plan.ASPECTS[aspect],
            round(value),
        )
        for item, annotator, aspect, value in rows
    ]


def score_outputs(
    segments: list[Row], outputs: list[tuple[str, str, str]]
) -> list[tuple[str, str, str, str, str, str]]:
    """Return (segment, system, aspect, metric, compared to, score) computed from the texts.

    A human system is one of the references and is therefore compared with the source only.
    """
    by_key = {segment["segment_id"]: segment for segment in segments}
    human = {system.name for system in plan.SYSTEMS if system.human}
    comparing = {"bleu": bleu, "chrf": chrf, "length-ratio": length_ratio}
    rows = []
    for key, system, text in outputs:
        compared = {"source": [by_key[key]["source"]]}
        if system not in human:
            compared["reference"] = [by_key[key][column] for column in REFERENCES]
        for metric, score in comparing.items():
            for compared_to, texts in compared.items():
                rows.append(
                    (key, system, "content", metric, compared_to, f"{score(text, texts):.4f}")
                )
        rows.append((key, system, "style", "formal-share", "", f"{formal_share(text):.4f}"))
    return rows


def make_tables() -> dict[str, Table]:
    """Return header and rows of each table by file name."""
    segments = read_texts()
    outputs = make_outputs(segments)
    return {
        "segments.csv": (
            SEGMENT_COLUMNS,
            ([row[column] for column in SEGMENT_COLUMNS] for row in segments),
        ),
        "outputs.csv": (("segment_id", "system", "output"), outputs),
        "systems.csv": (
            ("system", "model", "parameter", "value", "group", "human"),
            (
                (one.name, one.model, one.parameter, one.value, one.group, str(one.human).lower())
                for one in plan.SYSTEMS
            ),
        ),
        "ratings.csv": (
            ("segment_id", "system", "rater", "aspect", "score"),
            make_ratings(segments),
        ),
        "metric_scores.csv": (
            ("segment_id", "system", "aspect", "metric", "compared_to", "score"),
            score_outputs(segments, outputs),
        ),
    }


def write_demo(folder: Path = FOLDER) -> None:
    """Write every table and ``study.json`` of the demo study into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, (header, rows) in make_tables().items():
        with (folder / name).open("w", encoding="utf-8", newline="") as lines:
            writer = csv.writer(lines, lineterminator="\n")
            writer.writerow(header)
            writer.writerows(rows)
    study = json.dumps(plan.STUDY, indent=2, ensure_ascii=False) + "\n"
    (folder / "study.json").write_text(study, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=FOLDER)
    write_demo(parser.parse_args().folder)
