"""Record signature and value of every statistic on seeded random data, to compare two versions.

    python scripts/record_statistics.py OUT            # one line for each value, sorted
    python scripts/record_statistics.py OLD NEW        # print what differs by more than 1e-12

Every public function of `analysis.stats` that is named in `ARGUMENTS` is called with all values of
its parameters that have a list of choices, on data with gaps, ties, constant columns and few units.
Lines do not name the module, so that a function may move. A recording is compared with another one
of the same machine and libraries.
"""

import importlib
import inspect
import itertools
import os
import pkgutil
import re
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

os.environ.setdefault("OMP_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np

import analysis.stats as statistics

NUMBER = re.compile(r"-?\d+\.?\d*(?:e[-+]?\d+)?|nan|inf")
TOLERANCE = 1e-12


@dataclass(frozen=True)
class Data:
    """Scores of two metrics and ratings of the same outputs."""

    first: np.ndarray
    second: np.ndarray
    ratings: np.ndarray

    @property
    def human(self) -> np.ndarray:
        """Mean ratings, NaN where nobody rated."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return np.asarray(np.nanmean(self.ratings, axis=2))

    @property
    def units(self) -> np.ndarray:
        """Ratings as units × raters."""
        return self.ratings.reshape(-1, self.ratings.shape[2])

    @property
    def choices(self) -> np.ndarray:
        """Choices between two texts: 0, 1 or a tie (2)."""
        return np.where(np.isnan(self.units), np.nan, np.abs(np.nan_to_num(self.units)) % 3 // 1)

    @property
    def names(self) -> list[str]:
        """Names of the systems."""
        return [f"system {number}" for number in range(self.human.shape[1])]


def _data(segments: int, systems: int, raters: int = 7, digits: int = 3) -> Data:
    rng = np.random.default_rng([segments, systems, digits + 5])
    truth = rng.normal(50, 15, (segments, systems)) + rng.normal(0, 8, systems)
    noise = rng.normal(0, 12, (segments, systems, raters)) + rng.normal(0, 4, raters)
    first, second = np.round(truth + rng.normal(0, 20, (2, *truth.shape)), digits)
    return Data(first, second, np.round(truth[:, :, None] + noise, digits))


def _with_gaps(whole: Data) -> Data:
    rng = np.random.default_rng(7)
    parts = [np.where(rng.random(part.shape) < 0.2, np.nan, part) for part in _parts(whole)]
    parts[2][1] = np.nan
    parts[2][2, 0, 1:] = np.nan
    return Data(*parts)


def _with_constants(whole: Data) -> Data:
    first, second, ratings = (part.copy() for part in _parts(whole))
    first[:, 0] = second[3] = 40.0
    ratings[:, 1] = ratings[4] = 50.0
    return Data(first, second, ratings)


def _parts(whole: Data) -> list[np.ndarray]:
    return [whole.first, whole.second, whole.ratings]


DATA: Mapping[str, Data] = {
    "plain": _data(14, 5),
    "gaps": _with_gaps(_data(14, 5)),
    "ties": _with_gaps(_data(16, 5, digits=-1)),
    "constant": _with_constants(_data(14, 5, digits=-1)),
    "few": _data(3, 3, raters=2),
    "one": _data(1, 2, raters=2),
    "wide": _data(130, 5),
    "nothing": Data(*(np.full(shape, np.nan) for shape in ((4, 3), (4, 3), (4, 3, 2)))),
}
"""With 650 outputs, "wide" takes the ways of large tables."""


def _one(*names: str) -> Callable[[Data], dict[str, Any]]:
    return lambda data: {name: getattr(data, attribute) for name, attribute in map(_pair, names)}


def _pair(name: str) -> tuple[str, str]:
    parameter, _, attribute = name.partition("=")
    return parameter, attribute or parameter


MATRICES = _one("metric=first", "human")
METRICS = _one("first", "second", "human")
UNITS = _one("ratings=units")
CUBE = _one("ratings")
RATED = _one("metric=first", "ratings")


def _columns(data: Data) -> dict[str, Any]:
    return {"first": data.first[:, 0], "second": data.human[:, -1]}


def _systems(data: Data) -> dict[str, Any]:
    return {"first": data.human[:, 0], "second": data.human[:, -1]}


def _all_metrics(data: Data) -> dict[str, Any]:
    return {"metrics": [data.first, data.second, data.second + data.first], "human": data.human}


def _two_raters(data: Data) -> dict[str, Any]:
    return {"ratings": data.units[:, :2]}


def _choices(data: Data) -> dict[str, Any]:
    return {"choices": np.where(data.choices == 2, 0, data.choices)}


def _top_n(data: Data) -> dict[str, Any]:
    return {"metric": data.first, "human": data.human, "systems": data.names}


def _subsets(data: Data) -> dict[str, Any]:
    systems = range(data.human.shape[1])
    pairs = [*itertools.combinations(systems, 3), tuple(systems)]
    return {"metric": data.first, "human": data.human, "subsets": pairs}


def _counted_subsets(data: Data) -> dict[str, Any]:
    return {"counts": FUNCTIONS["count_pairs_of_subsets"](**_subsets(data))}


def _judged(data: Data) -> dict[str, Any]:
    rng = np.random.default_rng(3)
    shape = data.human.shape
    judged = np.where(np.isnan(data.human), np.nan, rng.integers(-1, 2, shape))
    return {
        "output_scores": data.first,
        "source_scores": np.nan_to_num(data.second[:, 0]),
        "judgements": judged,
    }


def _binned(data: Data) -> dict[str, Any]:
    judged = _judged(data)["judgements"].ravel()
    return {"absolute": data.human.ravel(), "relative": judged, "threshold": 50.0}


def _long(data: Data) -> dict[str, Any]:
    values = data.units.ravel()
    return {"values": values, "groups": np.arange(values.size) % data.units.shape[1]}


def _pairwise(data: Data) -> dict[str, Any]:
    rng = np.random.default_rng(4)
    n, size = data.human.shape[1], data.human.size * 3
    first = rng.integers(0, n, size)
    second = (first + rng.integers(1, n, size)) % n
    gap = np.arange(n)[first] - np.arange(n)[second] + rng.normal(0, 2 * n, size)
    outcome = np.where(np.abs(gap) < 1, 0, np.sign(gap)).astype(int)
    return {"first": first, "second": second, "outcome": outcome, "n_systems": n}


def _triads(data: Data) -> dict[str, Any]:
    judged = _pairwise(data)
    blocks = np.arange(judged["first"].size) // max(3, judged["n_systems"])
    return {
        "blocks": blocks,
        "first": judged["first"],
        "second": judged["second"],
        "preferred": judged["outcome"],
    }


def _counted_triads(data: Data) -> dict[str, Any]:
    return {"counts": FUNCTIONS["count_triads"](**_triads(data))}


def _components(data: Data, **more: Any) -> dict[str, Any]:
    found = FUNCTIONS["variance_components"](np.nan_to_num(data.ratings, nan=50.0))
    if not hasattr(found, "estimates"):
        raise ValueError("no components")
    return {"components": found, "raters": 3, **more}


def _annotated(data: Data) -> tuple[Any, np.ndarray]:
    """Ratings of units with annotators, each of whom rates some, and the values there are."""
    values = data.units
    order = np.argsort(np.isnan(values), axis=1, kind="stable")
    packed = np.take_along_axis(values, order, axis=1)
    annotators = np.where(np.isnan(packed), -1, order)
    segments, systems = np.indices(data.human.shape).reshape(2, -1)
    rated = FUNCTIONS["AnnotatedUnits"](packed, annotators, segments, systems)
    return rated, np.unique(packed[np.isfinite(packed)])


def _strata(data: Data) -> dict[str, Any]:
    half = data.human.shape[0] // 2
    rows, columns = np.arange(data.human.shape[0]), np.arange(data.human.shape[1])
    make = FUNCTIONS["Stratum"]
    found = [FUNCTIONS["correlation_of_segments"](c) for c in ("pearson", "kendall-tau-b")]
    found.append(FUNCTIONS["tau_like_statistic"](min_gap=5.0))
    return {
        "metrics": [data.first, data.second, data.second],
        "human": data.human,
        "strata": [make(rows[:half], columns), make(rows[half:], columns)],
        "statistics": found,
    }


def _intervals_of_sides(level: Literal["segment", "system"]) -> Callable[[Data], dict[str, Any]]:
    def arguments(data: Data) -> dict[str, Any]:
        found = FUNCTIONS["correlation_of_segments"](level=level)
        return _top_n(data) | {"statistic": found}

    return arguments


def _scored(data: Data) -> dict[str, Any]:
    return {"metrics": [FUNCTIONS["mean_scores"](side) for side in (data.first, data.human)]}


def _raters_first(data: Data) -> dict[str, Any]:
    return {"scores": np.moveaxis(data.ratings, 2, 0), "rater": 1}


def _styles(data: Data) -> dict[str, Any]:
    share = np.clip(np.stack([data.first, data.second]).reshape(2, -1) / 100, 0, 1)
    both = [np.column_stack([side, 1 - side]) for side in share]
    targets = ["one" if place % 2 else "other" for place in range(share.shape[1])]
    return {
        "source": both[0],
        "output": both[1],
        "styles": ["one", "other"],
        "target_styles": targets,
    }


PLANS = {"correlation": 0.5, "half_width": 0.05}
PAIR = {"first": 0.6, "second": 0.5, "between": 0.4}
ARGUMENTS: Mapping[str, Callable[[Data], dict[str, Any]]] = {
    **dict.fromkeys(
        [
            "accuracy_with_calibrated_ties",
            "binned_calibration",
            "bootstrap_correlation",
            "bootstrap_tau_like",
            "count_pairs",
            "joint_counts",
            "pairwise_system_accuracy",
            "rank_gaps",
            "segment_level",
            "soft_pairwise_accuracy",
            "system_level",
            "system_means",
            "system_pairs",
            "tau_like",
        ],
        MATRICES,
    ),
    "system_level_williams": METRICS,
    **dict.fromkeys(
        [
            "fleiss_kappa",
            "gwet_ac",
            "krippendorff_alpha",
            "pearson_double_entry",
            "pearson_file_order",
            "pearson_of_rater_pairs",
            "percent_agreement",
            "intraclass_correlation",
        ],
        UNITS,
    ),
    **dict.fromkeys(
        ["leave_one_annotator_out", "pearson_ceiling", "variance_components", "annotator_batches"],
        CUBE,
    ),
    **dict.fromkeys(
        ["bootstrap_over_annotators", "tau_like_over_annotators", "corrected_correlation"], RATED
    ),
    **dict.fromkeys(
        ["bootstrap_differences", "segment_level_permutations", "system_level_permutations"],
        _all_metrics,
    ),
    **dict.fromkeys(["paired_mean_difference", "sign_flip_test", "wilcoxon_signed_rank"], _systems),
    **dict.fromkeys(["share_of_circular_triads", "coefficient_of_consistence"], _counted_triads),
    **dict.fromkeys(
        ["count_pairs_of_subsets", "pooled_pearson_of_subsets", "system_pearson_of_subsets"],
        _subsets,
    ),
    "correlate": _columns,
    "rowwise_coefficients": lambda data: {"first": data.first, "second": data.human},
    "cohen_kappa": _two_raters,
    "choice_agreement": _choices,
    "tau_like_of_subsets": _counted_subsets,
    "top_and_last_systems": _top_n,
    "top_and_last_intervals": _intervals_of_sides("segment"),
    "correlations_by_stratum": _strata,
    "classifier_agreement": _judged,
    "share_preferred": lambda data: {"judgements": _judged(data)["judgements"]},
    "absolute_judgements": lambda data: {
        "output_means": data.human,
        "source_means": data.human[:, 0],
    },
    "binned_against_relative": _binned,
    "z_scores": _long,
    "rank_scores": _long,
    "rank_systems": lambda data: {"scores": data.human, "systems": data.names},
    "fit_strengths": _pairwise,
    "count_triads": _triads,
    "compare_all_pairs": lambda data: {"scores": data.human},
    "score_matrix": lambda data: {"scores": np.column_stack([data.first, data.second, data.human])},
    "order_of_rows": lambda data: {"table": data.first},
    "nested_selection": lambda data: {
        "candidates": np.stack([data.first, data.second, data.first - data.second]),
        "human": data.human,
    },
    "paired_agreement": lambda data: {"first": data.units, "second": data.units[:, :2] // 20},
    "split_half": lambda data: {
        "ratings": data.ratings,
        "statistic": lambda a, b: FUNCTIONS["tau_like"](a, b, bootstrap=None),
    },
    "system_scores": _scored,
    "compare_pairs": lambda data: {"metric": FUNCTIONS["mean_scores"](data.human)},
    "beside_others": _raters_first,
    "order_without": _raters_first,
    "position_bias": lambda data: {"on_side_a": np.where(data.choices == 2, np.nan, data.choices)},
    "distribution_of": lambda data: {"scores": data.human},
    "style_scores": _styles,
    "holm": lambda data: {"p_values": np.abs(data.first[:, 0]) % 1},
    "benjamini_hochberg": lambda data: {"p_values": np.abs(data.first[:, 0]) % 1},
    "segments_for_system_difference": lambda data: _components(data, half_width=2.0),
    "segments_for_system_mean": lambda data: _components(data, half_width=9.0),
    "segments_for_correlation": lambda data: _components(data, **PLANS),
    "segments_for_metric_difference": lambda data: _components(data, **PAIR),
    "caution": lambda data: {"units": data.human.shape[0], "drawn": "segments"},
}
OPTIONS: Mapping[str, tuple[Any, ...]] = {
    "min_gap": (0.0, 12.0),
    "metric_tolerance": (0.0, 3.0),
    "folds": (None, 3),
    "paired": (False,),
    "categories": (None,),
    "k": (None,),
    "independent": (True, False),
    "position": (True, False),
}
"""Values of parameters that are no list of choices; "folds" of `nested_selection` stays."""
FUNCTIONS: dict[str, Any] = {}


def _collect() -> None:
    for module in pkgutil.walk_packages(statistics.__path__, statistics.__name__ + "."):
        found = importlib.import_module(module.name)
        for name, value in vars(found).items():
            if getattr(value, "__module__", None) == module.name and not name.startswith("_"):
                # Two functions of one name: that of a result is called.
                if (
                    name == "leave_one_annotator_out"
                    and "units" in inspect.signature(value).parameters
                ):
                    name = "leave_one_annotator_out of agreement"
                FUNCTIONS[name] = value


def _choices_of(function: Callable[..., Any], given: set[str]) -> Iterator[dict[str, Any]]:
    hints = get_type_hints(function)
    resample, permute = FUNCTIONS["Bootstrap"](60), FUNCTIONS["Permutation"](64)
    lists: dict[str, tuple[Any, ...]] = {}
    for name in inspect.signature(function).parameters:
        if name in given:
            continue
        hint = hints.get(name)
        if name == "bootstrap":
            optional = get_origin(hint) is Union or type(None) in get_args(hint)
            lists[name] = (None, resample) if optional else (resample,)
        elif name == "permutation":
            lists[name] = (permute,)
        elif get_origin(hint) is Literal:
            lists[name] = get_args(hint)
        elif literal := [part for part in get_args(hint) if get_origin(part) is Literal]:
            lists[name] = (None, *get_args(literal[0]))
        elif name in OPTIONS and not (name == "folds" and "repeats" in hints):
            lists[name] = OPTIONS[name]
    if "repeats" in lists or "repeats" in hints:
        lists["repeats"] = (4,)
    for values in itertools.product(*lists.values()):
        yield dict(zip(lists, values, strict=True))


def _plain(value: Any) -> Any:
    """Turn a result into lists, mappings and numbers, whose repr has all digits."""
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    if isinstance(value, Mapping):
        return {str(key): _plain(value[key]) for key in sorted(value, key=str)}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return value


def _called(function: Callable[..., Any], *arguments: Any, **options: Any) -> str:
    with warnings.catch_warnings(record=True):
        warnings.simplefilter("always")
        try:
            return repr(_plain(function(*arguments, **options)))
        except (ValueError, IndexError, ZeroDivisionError) as error:
            return f"{type(error).__name__}: {error}"


def _lines() -> Iterator[str]:
    _collect()
    for name, arguments in ARGUMENTS.items():
        if name not in FUNCTIONS:
            yield f"{name}: is not there"
            continue
        function = FUNCTIONS[name]
        for case, data in DATA.items():
            try:
                given = arguments(data)
            except (ValueError, IndexError) as error:
                yield f"{name} {case}: no arguments, {error}"
                continue
            for chosen in _choices_of(function, set(given)):
                said = ", ".join(
                    f"{key}={value}" for key, value in chosen.items() if key not in _SETTLED
                )
                found = _called(function, **given, **chosen)
                yield f"{name} {case} ({said}): {found}"
    yield from _of_agreement_intervals()
    yield from _of_long_tables()


_SETTLED = {"permutation", "repeats"}


def _of_agreement_intervals() -> Iterator[str]:
    """Intervals of every statistic of agreement, over everything that can be drawn."""
    get = FUNCTIONS.__getitem__
    over_all = get_args(get_type_hints(get("agreement_interval"))["over"])
    for case in ("plain", "gaps", "ties", "constant", "few"):
        data = DATA[case]
        rated, categories = _annotated(data)
        made: dict[str, Any] = {
            "percent": get("weighted_percent_agreement"),
            "fleiss": get("weighted_fleiss_kappa")(categories),
            "pairs of raters": get("weighted_rater_pairs"),
            "icc one way": get("weighted_icc_one_way")(),
            "icc one way of 3": get("weighted_icc_one_way")(3.0),
        }
        for weights in ("unweighted", "linear", "quadratic"):
            made[f"gwet {weights}"] = get("weighted_gwet_ac")(categories, weights)
            made[f"cohen {weights}"] = get("weighted_cohen_kappa")(categories, weights)
        for scale in ("nominal", "ordinal", "interval", "ratio"):
            made[f"alpha {scale}"] = get("weighted_alpha")(categories, scale)
        for both_ways in (True, False):
            made[f"pearson {both_ways}"] = get("weighted_pearson")(both_ways=both_ways)
        if np.isfinite(data.units).all():
            for absolute, mean in itertools.product((True, False), repeat=2):
                made[f"icc {absolute} {mean}"] = get("weighted_icc_two_way")(
                    absolute=absolute, mean=mean
                )
        for (label, statistic), over in itertools.product(made.items(), over_all):
            if label.startswith("cohen") and data.units.shape[1] != 2:
                continue
            for method in ("percentile", "bca"):
                found = _called(
                    get("agreement_interval"),
                    rated,
                    statistic,
                    over=over,
                    bootstrap=get("Bootstrap")(40),
                    method=method,
                )
                yield f"agreement_interval {case} ({label}, {over}, {method}): {found}"


def _of_long_tables() -> Iterator[str]:
    rng = np.random.default_rng(11)
    table = rng.normal(50, 20, (20_000, 1)) + rng.normal(0, 10, (20_000, 4))
    table[rng.random(table.shape) < 0.3] = np.nan
    for digits, scale in itertools.product((3, 0, -1), ("nominal", "ordinal", "interval")):
        found = _called(
            FUNCTIONS["krippendorff_alpha"],
            np.round(table, digits),
            scale,
            bootstrap=FUNCTIONS["Bootstrap"](12),
        )
        yield f"krippendorff_alpha long ({scale}, {digits} digits): {found}"


def _compare(old: Path, new: Path) -> int:
    """Print lines that differ by more than rounding; return how many."""
    before, after = (
        dict(line.split(": ", 1) for line in path.read_text().splitlines()) for path in (old, new)
    )
    differing, largest = 0, 0.0
    for key in sorted(before.keys() | after.keys()):
        one, other = before.get(key), after.get(key)
        if one == other:
            continue
        if one is None or other is None or NUMBER.sub("#", one) != NUMBER.sub("#", other):
            sys.stdout.write(f"{key}\n  - {one}\n  + {other}\n")
            differing += 1
            continue
        gap = max(
            abs(float(a) - float(b)) / max(1.0, abs(float(a)))
            for a, b in zip(NUMBER.findall(one), NUMBER.findall(other), strict=True)
            if a != b
        )
        largest = max(largest, gap)
        if not gap <= TOLERANCE:
            sys.stdout.write(f"{key}: by {gap:.1e}\n  - {one}\n  + {other}\n")
            differing += 1
    sys.stdout.write(
        f"{len(before)} values, {differing} differ by more than {TOLERANCE:g}; "
        f"the largest difference below that is {min(largest, TOLERANCE):.1e}\n"
    )
    return differing


if __name__ == "__main__":
    if len(sys.argv) == 3:
        sys.exit(bool(_compare(Path(sys.argv[1]), Path(sys.argv[2]))))
    Path(sys.argv[1]).write_text("\n".join(sorted(_lines())) + "\n")
