"""The pages show the numbers of both published studies, each with what it rests on."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from analysis.charts.chart import format_number
from tests.fixtures import published_values
from tests.fixtures.nonempty import at_least_one
from tests.fixtures.report_pages import (
    Table,
    imported,
    numbers,
    open_page,
    reader,
    tables,
    words,
)

pytestmark = pytest.mark.django_db
LAI, MIR = "/studies/lai2022", "/studies/mir2019"


@pytest.fixture(scope="module", autouse=True)
def _studies(django_db_setup: None, django_db_blocker: Any, studies: Path) -> Iterator[None]:
    both = studies / "lai2022", studies / "mir2019"
    with django_db_blocker.unblock(), imported(*both, published=studies, stored=True):
        yield


@pytest.fixture
def client():
    return reader("ada", "lai2022", "mir2019")


@pytest.fixture
def lai(studies: Path) -> dict[str, Any]:
    return published_values.expected(studies, "lai2022")


@pytest.fixture
def mir(studies: Path) -> dict[str, Any]:
    return published_values.expected(studies, "mir2019")


def shows(table: Table, heading: str, *names: str, value: float, decimals: int = 3) -> None:
    """Check the rounded number, and the unrounded one behind it."""
    number = table.number(heading, *names)
    unrounded = float(number.facts["unrounded"])
    assert unrounded == pytest.approx(value, abs=1e-6)
    assert float(number.shown.replace("−", "-")) == pytest.approx(value, abs=0.501 / 10**decimals)


# Lai et al. 2022


def test_agreement_of_every_survey_with_and_without_the_references(client, lai):
    found = tables(open_page(client, f"{LAI}/agreement/"))
    computed = lai["table_1_inter_annotator_agreement"]["computed"]
    for part, words_for_it in (
        ("with REF (9 systems)", "with human-written systems"),
        ("without REF (8 systems)", "without human-written systems"),
    ):
        table = found[f"Agreement per survey, {words_for_it}"]
        for survey, aspects in computed[part].items():
            for aspect in ("content", "style", "fluency", "overall"):
                group = "all together" if aspect == "overall" else aspect
                shows(table, "Pearson r, given order", group, survey, value=aspects[aspect])
    number = found["Agreement per survey, with human-written systems"].number(
        "Pearson r, given order", "content", "1"
    )
    assert number.shown == "0.895"
    assert number.facts["n"] == "180 units"


def test_mean_and_z_of_every_system_with_the_human_written_one(client, lai):
    found = tables(open_page(client, f"{LAI}/ranking/"))
    for aspect, systems in lai["table_A1_ranking"].items():
        table = found[f"Ranking by {aspect}"]
        for system, values in systems.items():
            name = "REF human" if system == "REF" else system
            shows(table, "Mean", name, value=values["average"], decimals=2)
            shows(table, "Mean z", name, value=values["average_z"])
    style = found["Ranking by style"]
    assert style.cell("Mean", "BART").text.startswith("82.75 [")
    assert style.cell("Mean z", "BART").text.startswith("0.494 [")
    assert [cells[0].text for _, cells in style.rows[:2]] == ["BART", "REF human"]
    assert style.cell("Rank", "REF human").text == "2"


def test_metrics_of_content_compared_to_source_and_to_reference(client, lai):
    page = open_page(client, f"{LAI}/correlation/")
    table = tables(page)["Metrics and human scores of content"]
    for compared_to, metrics in lai["figure_4_content"].items():
        for metric, values in metrics.items():
            name = f"compared with {compared_to}", metric
            shows(table, "System r", *name, value=values["system_pearson"])
            shows(table, "Segment r", *name, value=values["segment_pearson"])
            shows(table, "τ-like", *name, value=values["segment_tau_like"])
    comet = table.number("System r", "compared with source", "comet")
    assert (comet.shown, comet.facts["n"]) == ("0.972", "8 systems")
    assert {"signature", "unrounded", "n"} < set(comet.facts)
    assert any(name.startswith("95 % interval") for name in comet.facts)
    assert any(name.startswith("p (") for name in comet.facts)
    assert "Left out because people wrote it: REF." in words(page)


def test_a_metric_that_is_better_when_lower_shows_its_raw_sign_too(client, lai):
    page = open_page(client, f"{LAI}/correlation/")
    table = tables(page)["Metrics and human scores of content"]
    value = lai["figure_4_content"]["source"]["wmd"]["system_pearson"]
    source = "compared with source"
    cell = table.cell("System r", source, "wmd")
    assert cell.text.endswith("raw −0.659")
    assert float(cell.numbers[0].facts["raw, not oriented"]) == pytest.approx(-value, abs=1e-6)
    assert "Higher is better, except for wmd (lower is better)." in words(page)
    assert "raw" not in table.cell("System r", source, "comet").text


def test_classifiers_of_style_oriented_and_raw(client, lai):
    values = lai["table_2_style_strength"]
    name = "Metrics and human scores of style"
    oriented = tables(open_page(client, f"{LAI}/correlation/"))[name]
    raw = tables(open_page(client, f"{LAI}/correlation/?aspect=style&orientation=raw"))[name]
    for metric in ("c-pt16", "c-gyafc"):
        shows(oriented, "System r", metric, value=values[metric]["system_pearson"])
        shows(oriented, "τ-like", metric, value=values[metric]["segment_tau_like"])
    directed = values["r-pt16 directed"]
    shows(oriented, "System r", "r-pt16", value=directed["system_pearson"])
    assert oriented.cell("System r", "r-pt16").text.endswith("raw 0.928")
    shows(raw, "System r", "r-pt16 raw", value=values["r-pt16"]["system_pearson"])


@pytest.mark.parametrize("direction", ["informal-to-formal", "formal-to-informal"])
def test_perplexity_in_each_direction(client, lai, direction):
    page = open_page(client, f"{LAI}/correlation/?aspect=fluency&direction={direction}")
    table = tables(page)["Metrics and human scores of fluency"]
    values = lai["table_5_fluency"][direction]
    shows(table, "System r", "gpt2-ppl", value=values["system_pearson"])
    shows(table, "τ-like", "gpt2-ppl", value=values["segment_tau_like"])
    assert f"Only {direction.replace('-', ' ')}." in words(page)


OPENED = "&open=numbers-top-last-1"
"""Long tables of charts are there once they are opened."""


def curve_values(page) -> dict[tuple[str, str], str]:
    """Value of each metric among the "top-7" systems, as the tables of the curves show them."""
    found = {}
    for name, table in tables(page).items():
        if "among the top N and last N systems" in name:
            for _, cells in table.rows:
                row = dict(zip(table.headings, [cell.text for cell in cells], strict=True))
                metric = " vs ".join(
                    part for part in (row["Metric"], row["Compared to"]) if part not in ("", "–")
                )
                found[metric, f"{row['Systems kept']}-{row['Systems']}"] = row["Value"]
    return found


def test_curves_of_content_metrics_among_the_best_and_worst_systems(client, lai):
    metrics = "".join(f"&metric={name}" for name in ("comet", "bleurt", "bertscore", "bleu"))
    address = f"{LAI}/correlation/?aspect=content&curve=segment_tau_like{metrics}{OPENED}"
    found = curve_values(open_page(client, address))
    checked = 0
    for metric, subsets in lai["figure_5_top_last_n_content"].items():
        for subset, values in subsets.items():
            if (metric, subset) in found:
                assert found[metric, subset] == format_number(values["segment_tau_like"])
                checked += 1
    assert checked >= 24


def test_curves_of_style_metrics_among_the_best_and_worst_systems(client, lai):
    page = open_page(client, f"{LAI}/correlation/?aspect=style&curve=system_pearson{OPENED}")
    assert "Systems: people and c-gyafc · style: table" in tables(page)
    found = curve_values(page)
    # Metrics that were made for other aspects are drawn where they are asked for.
    assert "comet vs source" not in {metric for metric, _ in found}
    for metric in ("c-pt16", "c-gyafc"):
        for subset, values in lai["figure_3_top_last_n_style"][metric].items():
            assert found[metric, subset] == format_number(values["system_pearson"])


def test_the_one_printed_number_that_cannot_be_reached_is_shown_as_such(client):
    page = open_page(client, f"{LAI}/replication/")
    table = tables(page)["Table 1"]
    name = "Table 1, survey all, content"
    assert table.cell("Printed", name).text == "0.86"
    assert table.cell("Recomputed", name).text == "0.85 0.8547"
    assert table.cell("Outcome", name).text == "differs"
    (counts,) = [found for found in page.iter("ul") if found.get("class") == "counts"]
    assert words(counts) == "reached 31 differs 1 undefined 0 all 32"
    assert "31 of 32 published values came out again as printed; 1 did not." in words(page)
    only = tables(open_page(client, f"{LAI}/replication/?state=differs"))
    assert [len(table.rows) for table in only.values()] == [
        1,
        *[len(only["Tables to download"].rows)],
    ]
    first = tables(open_page(client, f"{LAI}/replication/?order=mismatches"))
    assert list(first)[:2] == ["differs", "reached"]


# Mir et al. 2019


@pytest.mark.parametrize("model", ["CAAE", "ARAE", "DAR"])
def test_style_transfer_intensity_of_each_model(client, mir, model):
    address = f"{MIR}/correlation/?aspect=style_transfer_intensity&where=model:{model}"
    table = tables(open_page(client, address))["Metrics and human scores of style"]
    computed = mir["table_7_style_transfer_intensity"]["computed"][model]
    for classifier, scores in at_least_one(computed.items()):
        for key, name in (
            ("target_style_score", "target-style score"),
            ("direction_corrected_emd", "direction-corrected EMD (half L1)"),
        ):
            number = table.number("Segment r", f"{classifier} {name}")
            assert number.shown == format_number(scores[key]["pearson"])
            assert number.facts["n"] == f"{scores[key]['n']} outputs"


@pytest.mark.parametrize(
    ("number", "setting"), [(8, "style_removed"), (9, "style_masked")], ids=["table 8", "table 9"]
)
def test_content_preservation_without_style_words(client, mir, number, setting):
    address = (
        f"{MIR}/correlation/?aspect=content_preservation&text_setting={setting}&where=model:ARAE"
    )
    table = tables(open_page(client, address))["Metrics and human scores of content"]
    for metric, values in at_least_one(mir[f"table_{number}_content_{setting}"]["ARAE"].items()):
        cell = table.cell("Segment r", f"{metric}/{setting}")
        shown = cell.text.rpartition("raw ")[2] if metric == "WMD" else cell.numbers[0].shown
        assert shown == format_number(values["pearson"])


def test_naturalness_of_classifiers_and_people(client, mir):
    page = open_page(client, f"{MIR}/agreement/")
    table = tables(page)["Agreement with relative judgements, human tie a disagreement"]
    for model, values in at_least_one(
        mir["table_10_naturalness_agreement_percent"]["computed"].items()
    ):
        for key, value in values.items():
            classifier, protocol = key.split("_")
            heading = f"Agreement with {protocol} judgements, human tie matched by a tie"
            (row,) = [
                cells
                for _, cells in table.rows
                if (cells[0].text, cells[1].text) == (model, f"naturalness-{classifier}-{model}")
            ]
            assert row[table.headings.index(heading)].text == f"{value:.2f} %"


def test_averaged_ratings_have_no_agreement_and_the_page_says_why(client):
    page = open_page(client, f"{MIR}/agreement/")
    text = words(page)
    assert "No agreement between raters can be computed." in text
    assert "it is not known what each rater gave, only means of several raters" in text
    assert "Krippendorff" not in text


def test_every_printed_value_is_reached(client):
    page = open_page(client, f"{MIR}/replication/")
    (counts,) = [found for found in page.iter("ul") if found.get("class") == "counts"]
    assert words(counts) == "reached 76 differs 0 undefined 0 all 76"
    assert "76 of 76 published values came out again as printed." in words(page)
    table = tables(page)["Table 7"]
    name = "Table 7, Average, fasttext, target-style score"
    assert table.cell("Printed", name).text == "0.516"
    assert table.number("Recomputed", name).facts["values"] == "0.566, 0.513, 0.47"


# Both


@pytest.mark.parametrize("slug", ["lai2022", "mir2019"])
def test_the_conditions_of_a_printed_value_lead_to_a_report_that_shows_it(client, slug):
    checked = 0
    shown: dict[str, set[str]] = {}
    for name, table in tables(open_page(client, f"/studies/{slug}/replication/")).items():
        if name == "Tables to download":
            continue
        for _, cells in table.rows:
            row = dict(zip(table.headings, cells, strict=True))
            address = row["Conditions"].link
            if not address:
                assert row["What"].text == "mean of values"
                continue
            if address not in shown:
                found = numbers(open_page(client, f"{address}&resamples=100"))
                shown[address] = {number.facts.get("unrounded", "") for number in found} | {
                    number.facts.get("raw, not oriented", "") for number in found
                }
            (recomputed,) = row["Recomputed"].numbers
            assert recomputed.facts["unrounded"] in shown[address], row["Printed in"].text
            checked += 1
    assert checked >= 30


@pytest.mark.parametrize("slug", ["lai2022", "mir2019"])
@pytest.mark.parametrize("kind", ["agreement", "correlation", "ranking", "replication"])
def test_a_stored_report_is_shown_in_a_few_queries(
    client, slug, kind, django_assert_max_num_queries
):
    address = f"/studies/{slug}/{kind}/"
    open_page(client, address)
    with django_assert_max_num_queries(12):
        open_page(client, address)
