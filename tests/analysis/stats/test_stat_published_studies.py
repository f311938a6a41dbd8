"""The statistics, on arrays built from the released tables, reach what two papers report."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from analysis.stats.agreement.naturalness import absolute_judgements, classifier_agreement
from analysis.stats.agreement.rater_pairs import pearson_file_order
from analysis.stats.arrays import slots_in_file_order
from analysis.stats.correlation.metric_correlation import segment_level, system_level
from analysis.stats.correlation.orientation import StyleScale, orient, style_scores
from analysis.stats.correlation.tau_like import tau_like
from analysis.stats.correlation.top_n import top_and_last_systems
from analysis.stats.results import Estimate
from analysis.stats.systems.human_scores import mean_per_output, z_scores
from analysis.stats.systems.rank_ranges import rank_systems
from tests.fixtures.machine import ROOT
from tests.fixtures.nonempty import at_least_one

ASPECTS = ("content", "style", "fluency")
STATISTICS = {
    "segment_tau_like": partial(tau_like, bootstrap=None),
    "segment_pearson": partial(segment_level, bootstrap=None),
    "system_pearson": system_level,
}


def study(name: str) -> Path:
    root = os.environ.get("TOUCHSTONE_STUDIES")
    base = Path(root) if root else ROOT.parent / "shared" / "studies"
    if not (base / name).is_dir():
        message = f"the study {name} is not at {base} (set TOUCHSTONE_STUDIES)"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    return base / name


def read(path: Path) -> pd.DataFrame:
    return pd.read_csv(path, keep_default_na=False, na_values={"score": [""]})


def value(result: Any) -> float:
    assert isinstance(result, Estimate), result
    return result.value


def differences(expected: Any, reached: Any, where: str = "") -> list[str]:
    """List every leaf of `expected` that is not reached to 1e-6."""
    if isinstance(expected, Mapping):
        missing = [f"{where}/{key} is missing" for key in expected if key not in reached]
        return missing + [
            line
            for key, item in expected.items()
            if key in reached
            for line in differences(item, reached[key], f"{where}/{key}")
        ]
    same = abs(expected - reached) <= 1e-6 if isinstance(expected, float) else expected == reached
    return [] if same else [f"{where}: expected {expected}, reached {reached}"]


def leaves(expected: Any) -> int:
    if isinstance(expected, Mapping):
        return sum(leaves(item) for item in expected.values())
    return 1


class Lai:
    """The 2022 study as matrices of segments × systems."""

    def __init__(self, folder: Path) -> None:
        self.expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
        self.segments = read(folder / "segments.csv").set_index("segment_id")
        self.ratings = read(folder / "ratings.csv")
        self.ratings["survey"] = self.ratings.segment_id.map(self.segments.survey)
        self.metrics = read(folder / "metric_scores.csv")
        self.with_reference = sorted(self.ratings.system.unique())
        self.systems = [system for system in self.with_reference if system != "REF"]

    def human(self, aspect: str, scores: str = "score", reference: bool = False) -> np.ndarray:
        systems = self.with_reference if reference else self.systems
        rows = self.ratings[(self.ratings.aspect == aspect) & self.ratings.system.isin(systems)]
        row = self.segments.index.get_indexer(rows.segment_id)
        column = pd.Index(systems).get_indexer(rows.system)
        shape = (len(self.segments), len(systems))
        means, counts = mean_per_output(rows[scores], row * shape[1] + column, shape[0] * shape[1])
        assert (counts == 2).all()
        return means.reshape(shape)

    def metric(self, name: str, compared_to: str = "") -> np.ndarray:
        chosen = (self.metrics.metric == name) & (self.metrics.compared_to == compared_to)
        table = self.metrics[chosen].pivot(index="segment_id", columns="system", values="score")
        return table.loc[self.segments.index, self.systems].to_numpy()

    def oriented(self, name: str, better: str, compared_to: str = "", **how: Any) -> np.ndarray:
        result = orient(
            self.metric(name, compared_to),
            better,
            source_styles=list(self.segments.source_style),
            target_styles=list(self.segments.target_style),
            **how,
        )
        assert isinstance(result.oriented, np.ndarray)
        return result.oriented


@pytest.fixture(scope="module")
def lai() -> Lai:
    return Lai(study("lai2022"))


def correlations(metric: np.ndarray, human: np.ndarray) -> dict[str, Any]:
    results = {name: statistic(metric, human) for name, statistic in STATISTICS.items()}
    reached: dict[str, Any] = {name: value(result) for name, result in results.items()}
    tau = results["segment_tau_like"]
    return {**reached, "segments_with_a_pair": tau.details["segments_with_a_pair"]}


def test_table_1_inter_annotator_agreement_is_reached(lai: Lai) -> None:
    table = lai.expected["table_1_inter_annotator_agreement"]
    reached: dict[str, dict[str, dict[str, float]]] = {}
    for label in table["computed"]:
        rows = lai.ratings if label.startswith("with ") else lai.ratings.query("system != 'REF'")
        reached[label] = {}
        for survey in table["computed"][label]:
            chosen = rows if survey == "all" else rows[rows.survey == int(survey)]
            cell = {aspect: between(chosen[chosen.aspect == aspect]) for aspect in ASPECTS}
            cell["overall"] = between(chosen)
            items = chosen.groupby(["segment_id", "system"]).ngroups
            reached[label][survey] = {**cell, "items": items}
    assert differences(table["computed"], reached) == []
    assert leaves(table["computed"]) == 50


def between(rows: pd.DataFrame) -> float:
    """Pearson in file order; over all aspects together a unit is one aspect of one output."""
    units = rows.groupby(["segment_id", "system", "aspect"], sort=False).ngroup()
    return value(pearson_file_order(slots_in_file_order(units, rows.score)))


def test_table_1_rounds_to_what_is_printed_except_the_known_mismatch(lai: Lai) -> None:
    table = lai.expected["table_1_inter_annotator_agreement"]
    unequal = []
    for survey, printed in table["published (content, style, fluency, overall)"].items():
        label = "without REF (8 systems)" if survey == "all" else "with REF (9 systems)"
        cell = table["computed"][label][survey]
        computed = [round(cell[key], 2) for key in (*ASPECTS, "overall")]
        unequal += [
            (survey, p, c) for p, c in zip(printed, computed, strict=True) if abs(p - c) > 1e-9
        ]
    assert unequal == [("all", 0.86, 0.85)]


def test_table_a1_ranking_raw_and_z_is_reached(lai: Lai) -> None:
    table = lai.expected["table_A1_ranking"]
    groups = lai.ratings.groupby(["rater", "aspect"]).ngroup()
    scaled = z_scores(lai.ratings.score, groups)
    assert scaled.undefined_groups == ()
    lai.ratings["z"] = scaled.values
    reached: dict[str, dict[str, dict[str, float]]] = {}
    for aspect in table:
        raw = rank_systems(lai.human(aspect, reference=True), lai.with_reference)
        standard = rank_systems(lai.human(aspect, "z", reference=True), lai.with_reference)
        reached[aspect] = {row.system: {"average": value(row.score)} for row in raw}
        for row in standard:
            reached[aspect][row.system]["average_z"] = value(row.score)
    assert differences(table, reached) == []
    assert leaves(table) == 54


def test_table_2_style_strength_is_reached(lai: Lai) -> None:
    table = lai.expected["table_2_style_strength"]
    human = lai.human("style")
    probability, regressor = StyleScale("formal"), StyleScale("formal", -3, 3)
    reached = {
        "r-pt16": correlations(lai.metric("r-pt16"), human),
        "r-pt16 directed": correlations(
            lai.oriented("r-pt16", "higher", style_scale=regressor), human
        ),
    }
    for name in ("c-pt16", "c-gyafc"):
        reached[name] = correlations(lai.oriented(name, "higher", style_scale=probability), human)
    assert differences({name: table[name] for name in reached}, reached) == []
    for name, (system_r, tau) in table["published (system r, segment tau)"].items():
        assert round(reached[name]["system_pearson"], 2) == system_r
        assert round(reached[name]["segment_tau_like"], 2) == tau
    for name, r in table["published segment pearson"].items():
        assert round(reached[name]["segment_pearson"], 2) == r


def test_figure_4_content_metrics_are_reached(lai: Lai) -> None:
    figure = lai.expected["figure_4_content"]
    human = lai.human("content")
    reached = {
        compared_to: {
            name: correlations(content_metric(lai, name, compared_to), human) for name in metrics
        }
        for compared_to, metrics in figure.items()
    }
    assert differences(figure, reached) == []
    assert leaves(figure) == 2 * 11 * 4


def content_metric(lai: Lai, name: str, compared_to: str) -> np.ndarray:
    return lai.oriented(name, "lower" if name == "wmd" else "higher", compared_to)


def test_table_5_fluency_per_direction_is_reached(lai: Lai) -> None:
    table = lai.expected["table_5_fluency"]
    metric, human = lai.oriented("gpt2-ppl", "lower"), lai.human("fluency")
    printed = table["published (system |r|, segment |tau|)"]
    for direction, (system_r, tau) in at_least_one(printed.items()):
        rows = (lai.segments.source_style == direction.split("-to-")[0]).to_numpy()
        reached = correlations(metric[rows], human[rows])
        assert differences(table[direction], reached, direction) == []
        assert round(reached["system_pearson"], 2) == system_r
        assert round(reached["segment_tau_like"], 2) == tau


def test_figure_3_top_and_last_n_for_style_is_reached(lai: Lai) -> None:
    figure = lai.expected["figure_3_top_last_n_style"]
    human = lai.human("style")
    metrics = {
        "r-pt16": lai.metric("r-pt16"),
        "c-pt16": lai.oriented("c-pt16", "higher", style_scale=StyleScale("formal")),
        "c-gyafc": lai.oriented("c-gyafc", "higher", style_scale=StyleScale("formal")),
    }
    reached = {name: top_and_last(lai, metric, human) for name, metric in metrics.items()}
    assert differences(figure, reached) == []
    assert leaves(figure) == 3 * 12 * 5


def test_figure_5_top_and_last_n_for_content_is_reached(lai: Lai) -> None:
    figure = lai.expected["figure_5_top_last_n_content"]
    human = lai.human("content")
    reached = {}
    for label in figure:
        name, compared_to = label.split(" vs ")
        reached[label] = top_and_last(lai, content_metric(lai, name, compared_to), human)
    assert differences(figure, reached) == []
    assert leaves(figure) == 12 * 12 * 5


def top_and_last(lai: Lai, metric: np.ndarray, human: np.ndarray) -> dict[str, Any]:
    subsets = top_and_last_systems(metric, human, lai.systems, statistics=STATISTICS)
    reached: dict[str, Any] = {}
    for subset in subsets:
        tau = subset.results["segment_tau_like"]
        reached[f"{subset.side}-{subset.size}"] = {
            "systems": list(subset.systems),
            "segments_with_a_pair": tau.details["segments_with_a_pair"],
            **{name: value(result) for name, result in subset.results.items()},
        }
    return reached


class Mir:
    """The 2019 study as matrices of segments × settings of one model."""

    def __init__(self, folder: Path) -> None:
        self.expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
        self.segments = read(folder / "segments.csv").set_index("segment_id")
        self.ratings = read(folder / "ratings_mean.csv")
        self.naturalness = read(folder / "naturalness_human.csv")
        self.distributions = read(folder / "style_distributions.csv.gz")
        self.metrics = read(folder / "metric_scores.csv.gz")

    def matrix(self, rows: pd.DataFrame, systems: list[str], values: str) -> np.ndarray:
        table = rows.pivot(index="segment_id", columns="system", values=values)
        return table.loc[self.segments.index, systems].to_numpy()

    def settings(self, rows: pd.DataFrame, model: str) -> list[str]:
        return sorted({system for system in rows.system if system.startswith(model)})


@pytest.fixture(scope="module")
def mir() -> Mir:
    return Mir(study("mir2019"))


def pooled(metric: np.ndarray, human: np.ndarray) -> dict[str, Any]:
    result = segment_level(metric, human, bootstrap=None)
    return {"pearson": value(result), "margin": result.details["margin"], "n": result.n}


def test_table_7_style_transfer_intensity_is_reached(mir: Mir) -> None:
    table = mir.expected["table_7_style_transfer_intensity"]
    human = mir.ratings[mir.ratings.aspect == "style_transfer_intensity"]
    reached: dict[str, Any] = {}
    for model, classifiers in table["computed"].items():
        systems = mir.settings(human, model)
        people = mir.matrix(human, systems, "score")
        reached[model] = {name: intensity(mir, name, systems, people) for name in classifiers}
    assert differences(table["computed"], reached) == []
    assert leaves(table["computed"]) == 36
    for model, classifiers in table["published r"].items():
        for name, printed in classifiers.items():
            cells = reached[model][name].values()
            assert [round(cell["pearson"], 3) for cell in cells] == printed
    for name, printed in table["published average"].items():
        rounded = np.array([table["published r"][model][name] for model in reached])
        assert rounded.mean(axis=0).round(3).tolist() == printed


def intensity(
    mir: Mir, classifier: str, systems: list[str], people: np.ndarray
) -> dict[str, dict[str, Any]]:
    rows = mir.distributions[mir.distributions.classifier == classifier]
    columns = ["p_negative", "p_positive"]
    source = np.hstack([mir.matrix(rows, ["(source)"], column) for column in columns])
    scores: dict[str, list[np.ndarray]] = {"target_style_score": [], "direction_corrected_emd": []}
    for system in systems:
        output = np.hstack([mir.matrix(rows, [system], column) for column in columns])
        styles = ["negative", "positive"]
        targets = list(mir.segments.target_style)
        found = style_scores(source, output, styles, targets, unequal_mass="mean")
        for name, scored in scores.items():
            scored.append(getattr(found, name))
    return {name: pooled(np.column_stack(scored), people) for name, scored in scores.items()}


@pytest.mark.parametrize("setting", ["style_removed", "style_masked"])
def test_tables_8_and_9_content_preservation_are_reached(mir: Mir, setting: str) -> None:
    number = {"style_removed": 8, "style_masked": 9}[setting]
    table = mir.expected[f"table_{number}_content_{setting}"]
    human = mir.ratings[mir.ratings.aspect == "content_preservation"]
    scores = mir.metrics[mir.metrics.text_setting == setting]
    reached: dict[str, Any] = {}
    for model, metrics in table.items():
        systems = mir.settings(human, model)
        people = mir.matrix(human, systems, "score")
        reached[model] = {
            name: pooled(mir.matrix(scores[scores.metric == name], systems, "score"), people)
            for name in metrics
        }
    assert differences(table, reached) == []
    assert leaves(table) == 54
    published = mir.expected["table_8_9_published_absolute_r"]
    rounded = [
        [round(abs(reached[model][name]["pearson"]), 3) for name in published["order"]]
        for model in table
    ]
    assert rounded == [published[setting][model] for model in table]
    # The printed average is a mean of the rounded values.
    assert np.mean(rounded, axis=0).round(3).tolist() == published[setting]["Average"]


def test_table_10_naturalness_agreement_is_reached(mir: Mir) -> None:
    table = mir.expected["table_10_naturalness_agreement_percent"]
    human = mir.naturalness
    absolute = human[human.task == "absolute"].assign(
        judgement=lambda rows: rows.judgement.astype(float)
    )
    relative = human[human.task == "relative"].assign(
        judgement=lambda rows: rows.judgement.map({"output": 1.0, "source": -1.0, "tie": 0.0})
    )
    source = mir.matrix(absolute, ["(source)"], "judgement")[:, 0]
    for model, cells in table["computed"].items():
        systems = mir.settings(relative, model)
        people = {
            "relative": mir.matrix(relative, systems, "judgement"),
            "absolute": absolute_judgements(mir.matrix(absolute, systems, "judgement"), source),
        }
        for cell, expected in cells.items():
            classifier, task = cell.split("_")
            rows = mir.metrics[mir.metrics.metric == f"naturalness-{classifier}-{model}"]
            result = classifier_agreement(
                mir.matrix(rows, systems, "score"),
                mir.matrix(rows, ["(source)"], "score")[:, 0],
                people[task],
                ties="matched",
                bootstrap=None,
            )
            assert round(100 * value(result), 2) == expected, (model, cell)
    assert table["computed"] == table["published"]
