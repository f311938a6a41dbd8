"""The printed numbers of the two published studies, as the values that an import takes."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

Entry = dict[str, Any]
LAI_METRICS_ORDER = ("content", "style", "fluency", "overall")
MIR_MODELS = ("CAAE", "ARAE", "DAR")
MIR_NAMES = ("target-style score", "direction-corrected EMD (half L1)")


def expected(studies: Path, study: str) -> dict[str, Any]:
    """Return a study's recomputed and printed values."""
    content: dict[str, Any] = json.loads((studies / study / "expected.json").read_text())
    return content


def lai2022(studies: Path) -> list[Entry]:
    """Tables 1, 2 and 5 of Lai et al. (2022), as printed."""
    return [*_lai_table_1(expected(studies, "lai2022")), *_lai_tables_2_and_5(studies)]


def _lai_table_1(values: dict[str, Any]) -> Iterator[Entry]:
    printed = values["table_1_inter_annotator_agreement"][
        "published (content, style, fluency, overall)"
    ]
    for survey, row in printed.items():
        # The survey rows were computed with the human-written outputs, the overall row without.
        conditions: Entry = {"agreement_statistic": "pearson"}
        if survey == "all":
            conditions["humans"] = "out"
        else:
            conditions |= {"humans": "in", "where": f"survey:{survey}"}
        for aspect, value in zip(LAI_METRICS_ORDER, row, strict=True):
            judged = {} if aspect == "overall" else {"aspect": aspect}
            yield _entry(
                f"Table 1, survey {survey}, {aspect}",
                "agreement",
                {"aspect": "all together"} | conditions | judged,
                value,
                2,
            )


def _lai_tables_2_and_5(studies: Path) -> Iterator[Entry]:
    values = expected(studies, "lai2022")
    table = values["table_2_style_strength"]
    for metric, (system, segment) in table["published (system r, segment tau)"].items():
        # The paper leaves the regressor undirected.
        base = {"aspect": "style", "metric": metric}
        base |= {"orientation": "raw"} if metric == "r-pt16" else {}
        yield _entry(f"Table 2, {metric}", "correlation", base | {"level": "system"}, system, 2)
        yield _entry(
            f"Table 2, {metric}", "correlation", base | {"statistic": "tau-like"}, segment, 2
        )
    for metric, value in table["published segment pearson"].items():
        yield _entry(
            f"Text, {metric}", "correlation", {"aspect": "style", "metric": metric}, value, 2
        )
    printed = values["table_5_fluency"]["published (system |r|, segment |tau|)"]
    for direction, (system, segment) in printed.items():
        base = {"aspect": "fluency", "metric": "gpt2-ppl", "direction": direction}
        base |= {"absolute": True}
        where = f"Table 5, {direction}"
        yield _entry(where, "correlation", base | {"level": "system"}, system, 2)
        yield _entry(where, "correlation", base | {"statistic": "tau-like"}, segment, 2)


def mir2019(studies: Path) -> list[Entry]:
    """Tables 7 to 10 of Mir et al. (2019), as printed."""
    values = expected(studies, "mir2019")
    return [*_mir_table_7(values), *_mir_tables_8_and_9(values), *_mir_table_10(values)]


def _mir_table_7(values: dict[str, Any]) -> Iterator[Entry]:
    table = values["table_7_style_transfer_intensity"]
    for model, classifiers in table["published r"].items():
        for classifier, row in classifiers.items():
            for name, value in zip(MIR_NAMES, row, strict=True):
                conditions = _intensity(model, classifier, name)
                yield _entry(f"Table 7, {model}, {classifier}", "correlation", conditions, value, 3)
    for classifier, row in table["published average"].items():
        for name, value in zip(MIR_NAMES, row, strict=True):
            parts = [_intensity(model, classifier, name) for model in MIR_MODELS]
            yield _average(f"Table 7, Average, {classifier}, {name}", parts, value)


def _intensity(model: str, classifier: str, name: str) -> Entry:
    return {
        "aspect": "style_transfer_intensity",
        "metric": f"{classifier} {name}",
        "where": f"model:{model}",
    }


def _mir_tables_8_and_9(values: dict[str, Any]) -> Iterator[Entry]:
    printed = values["table_8_9_published_absolute_r"]
    for number, setting in ((8, "style_removed"), (9, "style_masked")):
        for model, row in printed[setting].items():
            for metric, value in zip(printed["order"], row, strict=True):
                where = f"Table {number}, {model}, {metric}"
                if model == "Average":
                    parts = [_preservation(part, metric, setting) for part in MIR_MODELS]
                    yield _average(where, parts, value)
                else:
                    conditions = _preservation(model, metric, setting)
                    yield _entry(where, "correlation", conditions, value, 3)


def _preservation(model: str, metric: str, setting: str) -> Entry:
    return {
        "aspect": "content_preservation",
        "metric": metric,
        "text_setting": setting,
        "orientation": "raw",
        "absolute": True,
        "where": f"model:{model}",
    }


def _mir_table_10(values: dict[str, Any]) -> Iterator[Entry]:
    for model, row in values["table_10_naturalness_agreement_percent"]["published"].items():
        for name, value in row.items():
            classifier, protocol = name.split("_")
            yield _entry(
                f"Table 10, {model}, {classifier}, {protocol}",
                "naturalness-agreement",
                {
                    "metric": f"naturalness-{classifier}-{model}",
                    "protocol": protocol,
                    "where": f"model:{model}",
                    "ties": "matched",
                    "percent": True,
                },
                value,
                2,
            )


def _average(where: str, parts: list[Entry], value: float) -> Entry:
    conditions = {"of": parts, "of_decimals": 3, "absolute": True}
    return _entry(where, "mean-of-values", conditions, value, 3)


def _entry(where: str, what: str, conditions: Entry, value: float, decimals: int) -> Entry:
    return {
        "where": where,
        "what": what,
        "conditions": conditions,
        "value": value,
        "decimals": decimals,
    }
