"""Every field of the filter changes what a kind of report says, or that kind refuses it."""

import json
import re
from collections.abc import Iterator
from dataclasses import fields
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command

from analysis.data import matrices
from analysis.explorer.disagreement import explore
from analysis.explorer.exploration import Exploration
from analysis.explorer.links import explorer_link
from analysis.filter.documentation import filter_page
from analysis.filter.fields_of_kinds import (
    OF_PAGES,
    check_fields,
    fields_of,
    kinds_with,
    needs_of,
    restricted,
)
from analysis.filter.figure_choices import Choices
from analysis.filter.form import FIELDS as FORM_FIELDS
from analysis.filter.question import CHOICES, NAMED, Question, QuestionError
from analysis.frozen import service as frozen_service
from analysis.frozen.service import freeze, verify
from analysis.models import PublishedValue
from analysis.published.values import ignored_by_value
from analysis.reports.catalogue import KINDS, report_kind
from analysis.reports.kind import opened
from analysis.reports.page_address import Address
from analysis.reports.service import build, published_values
from annotation.models import Annotator, Campaign
from annotation.people.withdrawing import withdraw
from corpus.models import Study
from metrics.runs.requests import RunRequest
from tests.fixtures.api_clients import API, client_of, is_error
from tests.fixtures.combined_study import scored
from tests.fixtures.nonempty import at_least_one
from tests.fixtures.report_pages import DEMO, imported, open_page, reader, words

pytestmark = pytest.mark.django_db
NAMES = tuple(field.name for field in fields(Question))
DRAWN = (
    "bars",
    "curve",
    "scatter",
    "distribution",
    "drawn",
    "state",
    "order",
    "panels",
    "style_axis",
    "other_axis",
    "marks",
)
"""Fields of pages that change no number."""
USUAL: dict[str, Any] = {
    "agreement": {},
    "raters": {"resamples": 100, "aspect": "style"},
    "planning": {"goal": "correlation", "aspect": "style"},
    "correlation": {"resamples": 100, "aspect": "style", "metric": ("formal-share", "bleu")},
    "subgroups": {"resamples": 100, "aspect": "content", "metric": ("bleu", "chrf")},
    "accuracy": {"resamples": 100, "aspect": "content", "metric": ("bleu", "chrf")},
    "comparison": {"resamples": 100, "aspect": "content", "metric": ("bleu", "chrf")},
    "stand-in": {"resamples": 100, "aspect": "content", "metric": ("bleu", "chrf")},
    "probes": {"aspect": "content", "metric": ("bleu", "chrf")},
    "saving": {"aspect": "content", "metric": ("bleu", "chrf")},
    "rater-groups": {"resamples": 100, "aspect": "content", "metric": ("bleu", "chrf")},
    "learned-metric": {"resamples": 100, "aspect": "content", "metric": ("bleu", "chrf")},
    "metric-means": {"resamples": 100, "metric": ("bleu", "chrf")},
    "rankings": {"resamples": 100, "aspect": "content", "metric": ("bleu", "chrf")},
    "system-comparison": {"resamples": 100},
}
"""Questions that are answered quickly, to which one field is added."""
OTHER: dict[str, Any] = {
    "aspect": "fluency",
    "campaign": "ratings_second",
    "protocol": "content_preservation",
    "shown": "masked",
    "raters": "mean",
    "about": ("native:yes",),
    "metric": ("chrf",),
    "compared_to": "source",
    "text_setting": "style_masked",
    "direction": "informal-to-formal",
    "systems": ("careful", "plain", "rules"),
    "leave_out": ("plain",),
    "humans": "in",
    "withdrawn": "in",
    "where": ("domain:travel",),
    "rater_groups": "raters",
    "level": "system",
    "statistic": "spearman",
    "grouping": "segment",
    "scores": "z",
    "ddof": 1,
    "orientation": "raw",
    "min_gap": 25.0,
    "metric_ties": "half",
    "average": "pooled",
    "batch": "domain",
    "candidates": "all",
    "epsilon": 0.3,
    "cut": 20.0,
    "aggregate": "mean",
    "tested": "chrf/reference",
    "test": "bootstrap",
    "swap": "systems",
    "resample": "systems",
    "interval": "bca",
    "correction": "benjamini-hochberg",
    "model": "mixed",
    "penalty": "win-and-loss",
    "margin": 0.3,
    "by": "domain",
    "sets": "reranked",
    "goal": "mean",
    "half_width": 3.0,
    "power": 0.9,
    "panel": 7,
    "first": 0.31,
    "second": 0.23,
    "between": 0.17,
    "resamples": 120,
    "seed": 7,
}
"""For each field a value that differs from its default."""
BESIDE: dict[tuple[str, str], dict[str, Any]] = {
    ("agreement", "resamples"): {"resample": "segments"},
    ("planning", "power"): {"goal": "metrics"},
    ("planning", "second"): {"goal": "metrics"},
    ("planning", "between"): {"goal": "metrics", "first": 0.5, "second": 0.4},
    ("accuracy", "candidates"): {"metric": ()},
    ("subgroups", "candidates"): {"metric": ()},
    ("comparison", "candidates"): {"metric": ()},
    ("stand-in", "candidates"): {"metric": ()},
    ("saving", "candidates"): {"metric": ()},
    ("probes", "candidates"): {"metric": ()},
    ("rater-groups", "candidates"): {"metric": ()},
    ("learned-metric", "candidates"): {"metric": ()},
    ("rankings", "candidates"): {"metric": ()},
    ("metric-means", "aggregate"): {"metric": ()},
    ("metric-means", "tested"): {"metric": ()},
}
"""What else is asked so that a field matters, beyond what kinds declare."""
INSTEAD: dict[tuple[str, str], Any] = {
    ("system-comparison", "test"): "wilcoxon",
    ("system-comparison", "resample"): "segments",
}


ASKED = ("style", "person")
SYSTEMS = ("careful", "plain", "rules", "template", "scrambled")
SEGMENTS = [f"{way}{row:02}" for way in ("if", "fi") for row in range(1, 25)]


def _rated(raters: tuple[str, ...], aspects: tuple[str, ...], top: int) -> str:
    """Return ratings from 1 to `top` that differ from rater to rater."""
    return "segment,system,rater,aspect,score\n" + "".join(
        f"{segment},{system},{rater},{aspect},{1 + (7 * row + 5 * place + 3 * who) % top}\n"
        for row, segment in enumerate(SEGMENTS)
        for place, system in enumerate(SYSTEMS)
        for who, rater in enumerate(raters)
        for aspect in aspects
    )


def _more() -> dict[str, str]:
    """Return what the demo study lacks: other campaigns, protocols, settings and kinds of rater."""
    pairs = "segment,system,rater,task,judgement\n" + "".join(
        f"{segment},{system},pairs-{rater},relative,{word}\n"
        for row, segment in enumerate(SEGMENTS)
        for place, system in enumerate(("REF", *SYSTEMS[:3]))
        for rater in (1, 2)
        for word in [("output", "source", "output", "tie")[(row * (place + 2) + rater // 2) % 4]]
    )
    votes = "segment,system,against,rater,task,judgement\n" + "".join(
        f"{segment},{SYSTEMS[row % 3]},{SYSTEMS[(row + 1) % 3]},votes-1,output_against_output,"
        f"{('A', 'B', 'tie', 'A')[row % 4]}\n"
        for row, segment in enumerate(SEGMENTS)
    )
    masked = "segment,system,metric,aspect,compared_to,text_setting,score\n" + "".join(
        f"{segment},{system},chrf,content,source,style_masked,{(row * (place + 3)) % 17}\n"
        for row, segment in enumerate(SEGMENTS)
        for place, system in enumerate(SYSTEMS)
    )
    aspects = ("style", "content", "fluency")
    described = {
        "protocol": {
            "ratings_second.csv": "direct_assessment",
            "ratings_means.csv": "direct_assessment",
            "ratings_masked.csv": "content_preservation",
        },
        "scales": {name: [0, 100] for name in aspects},
        "pooled": {"ratings_second": "ratings"},
    }
    return {
        "ratings_pairs.csv": pairs,
        "ratings_votes.csv": votes,
        "ratings_second.csv": _rated(("second-1", "second-2"), aspects, 100),
        "ratings_means.csv": _rated(("mean of 3 raters",), aspects, 100),
        "ratings_masked.csv": _rated(("masked-1", "masked-2"), ("content",), 5),
        "metric_scores.csv": masked,
        "study.json": json.dumps(described),
    }


@pytest.fixture(scope="module", autouse=True)
def _study(
    django_db_setup: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[None]:
    """The demo study and more, so that every field of the filter has something to choose from."""
    folder = tmp_path_factory.mktemp("more") / "more"
    folder.mkdir()
    for name, text in _more().items():
        (folder / name).write_text(text, encoding="utf-8")
    with django_db_blocker.unblock(), imported(DEMO):
        call_command("import_study", folder, study="formality-demo", verbosity=0)
        scored(Study.objects.get(), RunRequest("bleu", against="references"))
        masked = Campaign.objects.get(slug="ratings_masked")
        masked.config = masked.config | {"masked": True, "scales": {"content": [1, 5]}}
        masked.save(update_fields=["config"])
        Annotator.objects.filter(pseudonym="second-1").update(about={"native": "yes"})
        Annotator.objects.filter(pseudonym="second-2").update(about={"native": "no"})
        rated = Annotator.objects.get(pseudonym="simulated-survey1-rater1")
        withdraw(rated, "a test", User.objects.create_user("withdrawing"))
        yield


@pytest.fixture
def study() -> Study:
    return Study.objects.get()


def _asked(kind: str, name: str) -> tuple[Question, Question]:
    """Return a question to which a field is added, and one with it."""
    beside: dict[str, Any] = dict(USUAL.get(kind, {}))
    if needed := needs_of(kind).get(name):
        beside[needed[0]] = needed[1][0]
    beside |= BESIDE.get((kind, name), {})
    if name in ("protocol", "shown"):
        beside |= {"aspect": "content", "metric": ()}
        beside = {n: value for n, value in beside.items() if n in fields_of(kind)}
    beside.pop(name, None)
    value = INSTEAD.get((kind, name), OTHER[name])
    return Question(**beside), Question(**{**beside, name: value})


def _content(study: Study, kind: str, question: Question) -> str:
    """Return what a report says: its numbers without the questions kept with them, its summary."""
    check_fields(kind, question)
    data = matrices.load(study, withdrawn=question.withdrawn == "in")
    content = build(kind, data, question, published_values(study, kind))
    content = json.loads(json.dumps(content, default=str))
    stored = {"kind": kind, "content": content, "study": study.slug}
    shown = report_kind(kind).present(opened(stored), Address(question, Choices()))
    said = [_without_questions(content), shown.get("summary")]
    return json.dumps(said, sort_keys=True, default=str)


def _without_questions(content: Any) -> Any:
    if isinstance(content, dict):
        return {k: _without_questions(v) for k, v in content.items() if k != "conditions"}
    if isinstance(content, list | tuple):
        return [_without_questions(each) for each in content]
    return content


@pytest.mark.parametrize(
    ("kind", "name"), [(kind, name) for kind in KINDS for name in NAMES if name in fields_of(kind)]
)
def test_a_field_that_a_kind_declares_changes_its_content(
    study: Study, usual_contents: dict[tuple[str, Question], str], kind: str, name: str
) -> None:
    if kind == "replication":
        _publish(study)
    usual, other = _asked(kind, name)
    if (kind, usual) not in usual_contents:
        usual_contents[kind, usual] = _content(study, kind, usual)
    assert usual_contents[kind, usual] != _content(study, kind, other)


@pytest.fixture(scope="module")
def usual_contents() -> dict[tuple[str, Question], str]:
    """What reports say without a field: the same beside most fields, and computed once."""
    return {}


def _publish(study: Study, **more: str) -> None:
    data = matrices.load(study)
    [measure] = [m.name for m in data.judgements.measures if (m.aspect, m.raters) == ASKED]
    conditions = {"aspect": measure, "system": "plain"} | more
    PublishedValue.objects.create(
        study=study, ordinal=PublishedValue.objects.count(), where="Table 1", what="system-mean",
        conditions=conditions, conditions_text=json.dumps(conditions), value=50, decimals=1,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "name"),
    [(kind, name) for kind in KINDS for name in NAMES if name not in fields_of(kind)],
)
def test_a_field_that_a_kind_does_not_declare_is_refused(kind: str, name: str) -> None:
    with pytest.raises(QuestionError) as refused:
        check_fields(kind, Question(**{name: OTHER[name]}))
    message = str(refused.value)
    assert message.startswith(f"{name}=")
    assert f": the {kind} report does not use it; these do: " in message
    assert message.endswith(", ".join(kinds_with(name)))


def test_the_table_is_whole() -> None:
    assert [report_kind(kind).key for kind in KINDS] == [*KINDS]
    assert all(kinds_with(name) for name in NAMES)
    assert set(OTHER) == set(NAMES)
    assert set().union(*(fields_of(kind) for kind in KINDS)) == set(NAMES)


def _explored(study: Study, question: Question) -> Any:
    """Return what the page of disagreements finds."""
    check_fields("disagreement", question)
    data = matrices.load(study, withdrawn=question.withdrawn == "in")
    found = explore(study, data, Exploration(question))
    assert found is not None
    return (
        found.column.label,
        found.ranked.gaps.gap.tolist(),
        found.order.tolist(),
        found.cases(0, 10),
    )


@pytest.mark.parametrize("name", sorted(OF_PAGES["disagreement"]))
def test_a_field_that_the_explorer_declares_changes_what_it_finds(study: Study, name: str) -> None:
    usual, other = _asked("disagreement", name)
    # By their representation, as NaN is not equal to itself.
    assert repr(_explored(study, usual)) != repr(_explored(study, other))


@pytest.mark.parametrize(
    ("kind", "name"),
    [(kind, name) for kind in OF_PAGES for name in NAMES if name not in OF_PAGES[kind]],
)
def test_a_field_that_a_page_of_another_kind_does_not_declare_is_refused(
    kind: str, name: str
) -> None:
    with pytest.raises(QuestionError) as refused:
        check_fields(kind, Question(**{name: OTHER[name]}))
    assert f": the {kind} page does not use it; these do: " in str(refused.value)


def test_the_explorer_says_which_reports_know_what_it_does_not() -> None:
    client = reader("flo", "formality-demo")
    page = open_page(client, "/studies/formality-demo/disagreement/?statistic=spearman", 400)
    assert "statistic=spearman: the disagreement page does not use it; these do: " in words(page)
    assert "statistic" not in {field.get("name") for field in _fields(page)}


def test_the_form_of_the_explorer_chooses_the_metric_that_a_link_named() -> None:
    client = reader("gil", "formality-demo")
    address = "/studies/formality-demo/disagreement/?aspect=content&metric=chrf&compared_to=source"
    page = open_page(client, f"{address}&text_setting=none")
    assert {"metric", "compared_to"}.isdisjoint(field.get("name") for field in _fields(page))
    [scored_by] = [field for field in _fields(page) if field.get("name") == "scored_by"]
    [chosen] = [o.get("value") for o in scored_by.iter("option") if "selected" in o.attrib]
    assert chosen == "chrf/source"
    page = open_page(client, f"{address}&scored_by=bleu%2Fsource", 400)
    assert "metric=chrf: scored_by=bleu/source names the metric: remove one of the two" in words(
        page
    )
    assert "metric" not in {field.get("name") for field in _fields(page)}


def test_links_to_the_explorer_leave_behind_what_it_would_refuse() -> None:
    asked = Question(aspect="style", humans="in", ddof=1, statistic="spearman", campaign="ratings")
    assert explorer_link(asked) == "../disagreement/?aspect=style&humans=in&campaign=ratings"
    link = explorer_link(asked, systems=["plain"], length="short")
    assert link == "../disagreement/?aspect=style&systems=plain&campaign=ratings&length=short"


def test_tabs_carry_over_to_the_explorer_and_from_it() -> None:
    client = reader("hal", "formality-demo")

    def tab(page: Any, title: str) -> str:
        [nav] = [nav for nav in page.iter("nav") if nav.get("aria-label") == "Reports"]
        return next(link.get("href", "") for link in nav.iter("a") if words(link) == title)

    query = "aspect=style&leave_out=plain"
    page = open_page(client, f"/studies/formality-demo/correlation/?{query}&level=system")
    address = tab(page, "Disagreement")
    assert address == f"/studies/formality-demo/disagreement/?{query}"
    page = open_page(client, address)
    assert tab(page, "Ranking") == f"/studies/formality-demo/ranking/?{query}"


@pytest.mark.parametrize(
    ("kind", "name"), [(kind, name) for kind in KINDS for name in report_kind(kind).values]
)
def test_a_value_that_a_kind_does_not_know_is_refused_with_those_it_knows(
    kind: str, name: str
) -> None:
    for value in CHOICES[name]:
        question = Question(**{name: value})
        if value in report_kind(kind).values[name]:
            check_fields(kind, question)
            continue
        with pytest.raises(QuestionError) as refused:
            check_fields(kind, question)
        expected = (
            f"{name}={value}: the {kind} report knows {', '.join(report_kind(kind).values[name])}"
        )
        assert str(refused.value) == expected


@pytest.mark.parametrize(
    ("kind", "name"), [(kind, name) for kind in (*KINDS, *OF_PAGES) for name in needs_of(kind)]
)
def test_a_field_that_only_another_one_brings_into_play_is_refused_without_it(
    kind: str, name: str
) -> None:
    other, values = needs_of(kind)[name]
    value = next(v for v in CHOICES[other] if v not in values)
    question = Question(**{name: OTHER[name], other: value})
    with pytest.raises(QuestionError, match=f"{name}=.* only with {other}={values[0]}"):
        check_fields(kind, question)


@pytest.mark.parametrize(
    ("kind", "name"), [(kind, name) for kind in KINDS for name in NAMED if name in fields_of(kind)]
)
def test_a_field_is_refused_where_another_one_names_all_that_enter(kind: str, name: str) -> None:
    beside = {needed[0]: needed[1][0]} if (needed := needs_of(kind).get(name)) else {}
    other = NAMED[name]
    question = Question(**beside | {name: OTHER[name], other: OTHER[other]})
    with pytest.raises(QuestionError) as refused:
        check_fields(kind, question)
    assert str(refused.value) == (
        f"{name}={OTHER[name]}: the {kind} report does not use it together with "
        f"{other}={','.join(OTHER[other])}, which names all that are included: "
        "remove one of the two"
    )


def test_a_form_that_names_systems_beside_the_human_written_says_what_to_change() -> None:
    client = reader("eva", "formality-demo")
    address = "/studies/formality-demo/system-comparison/?humans=in&systems=plain&systems=rules"
    page = open_page(client, address, 400)
    assert "does not use it together with systems=plain,rules, which names all" in words(page)
    # Both fields stand in the form, so that either can be taken back.
    assert {"humans", "systems"} <= {field.get("name") for field in _fields(page)}


def _fields(page: Any) -> list[Any]:
    return [*page.iter("input"), *page.iter("select")]


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_left_of_a_question_for_another_kind_is_never_refused(kind: str) -> None:
    everything = {name: OTHER[name] for name in NAMES if name not in ("interval", "resample")}
    for statistic in CHOICES["statistic"]:
        asked = Question(**everything | {"statistic": statistic, "level": "segment"})
        check_fields(kind, restricted(kind, asked))
    check_fields(kind, restricted(kind, Question(interval="fisher")))
    check_fields(kind, restricted(kind, Question(resample="annotators", test="williams")))


def test_pages_offer_the_fields_that_their_kind_uses() -> None:
    for page in at_least_one([report_kind(kind) for kind in KINDS]):
        offered = set(page.fields) - set(DRAWN)
        assert offered == page.uses, page.key
        assert set(page.fields) <= set(FORM_FIELDS)


def test_the_command_refuses_what_a_report_would_ignore() -> None:
    with pytest.raises(CommandError, match="scores=z: the ranking report does not use it"):
        call_command("report", "formality-demo", "--kind", "ranking", "--scores", "z")


def test_the_document_gives_each_report_the_fields_that_it_uses(
    capsys: pytest.CaptureFixture[str],
) -> None:
    call_command("report", "formality-demo", "--statistic", "spearman", "--resamples", "100")
    reports = json.loads(capsys.readouterr().out)["reports"]
    assert reports["correlation"]["all"]["question"]["statistic"] == "spearman"
    assert reports["ranking"]["question"] == reports["agreement"]["question"] | {"resamples": 1000}
    with pytest.raises(CommandError, match=r"margin=0\.5: no report of the document uses it"):
        call_command("report", "formality-demo", "--margin", "0.5")
    with pytest.raises(
        CommandError, match="humans=in: the agreement report does not use it together with"
    ):
        call_command("report", "formality-demo", "--humans", "in", "--systems", "plain")


def test_the_api_refuses_what_a_report_would_ignore(study: Study) -> None:
    client = client_of("ada", study, "researcher")
    address = f"{API}studies/formality-demo/reports/"
    detail = is_error(client.get(f"{address}raters/?scores=z"), 400)["detail"]
    assert detail.startswith("scores=z: the raters report does not use it; these do: ")
    detail = is_error(client.get(f"{address}?swap=cells"), 400)["detail"]
    assert detail.startswith("swap=cells: no report of the document uses it")


def test_the_schema_says_which_kinds_use_a_field() -> None:
    from drf_spectacular.generators import SchemaGenerator

    schema = SchemaGenerator().get_schema(request=None, public=True)
    operation = schema["paths"][f"{API}studies/{{slug}}/reports/{{kind}}/"]["get"]
    described = {p["name"]: p.get("description", "") for p in operation["parameters"]}
    for name in NAMES:
        assert described[name].endswith(f"Used by: {', '.join(kinds_with(name))}.")


def test_a_page_says_which_reports_know_what_it_does_not() -> None:
    page = open_page(
        reader("bob", "formality-demo"), "/studies/formality-demo/ranking/?test=bootstrap", 400
    )
    assert "test=bootstrap: the ranking report does not use it; these do: comparison" in words(page)
    # The form does not send it again.
    assert not [field for field in page.iter("input") if field.get("name") == "test"]


def test_tabs_carry_over_what_the_other_report_uses() -> None:
    client = reader("cyd", "formality-demo")
    address = "/studies/formality-demo/correlation/?aspect=style&humans=in&statistic=tau-like"
    page = open_page(client, f"{address}&metric=bleu&scores=z&leave_out=plain&min_gap=10")
    tabs = {
        words(link): link.get("href", "")
        for nav in page.iter("nav")
        if nav.get("aria-label") == "Reports"
        for link in nav.iter("a")
    }
    assert tabs["Ranking"] == "/studies/formality-demo/ranking/?aspect=style&leave_out=plain"
    assert tabs["Replication"] == "/studies/formality-demo/replication/"
    assert "scores=z" in tabs["Accuracy"]
    for name in ("Agreement", "Raters", "Ranking", "System comparison", "Scores", "Planning"):
        assert client.get(tabs[name]).status_code in (200, 202), name
    # Links within the page keep more: all that the other report knows.
    [link] = [
        a.get("href", "")
        for a in page.iter("a")
        if "/subgroups/?" in a.get("href", "") and "tau-like" in a.get("href", "")
    ]
    assert client.get(link).status_code in (200, 202)


def test_a_report_that_was_frozen_with_an_ignored_field_still_opens_and_is_verified(
    study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(frozen_service, "check_asked", lambda kind, question: None)
    frozen = freeze(study, "ranking", Question(aspect="style", statistic="spearman"), None)
    monkeypatch.undo()
    assert frozen.question["statistic"] == ["spearman"]
    assert verify(frozen).is_equal
    address = f"/studies/formality-demo/frozen/{frozen.pk}/"
    open_page(reader("dan", "formality-demo"), address)


def test_a_published_value_says_which_conditions_have_no_part_in_it(study: Study) -> None:
    _publish(study, level="system", scores="raw")
    _publish(study, direction="informal-to-formal", scores="z")
    content, _ = json.loads(_content(study, "replication", Question()))
    notes = [row["note"] for row in content["rows"]]
    assert [note.removeprefix("Computed without ") for note in notes] == [
        "level=system, which this number does not use.",
        "direction=informal-to-formal, which this number does not use.",
    ]
    assert [row["result"]["kind"] for row in content["rows"]] == ["estimate", "estimate"]


def test_a_published_value_of_named_systems_says_that_human_written_ones_are_not_looked_for() -> (
    None
):
    question = Question(aspect="style", metric=("bleu",), systems=("plain",), humans="in")
    assert ignored_by_value("correlation", question) == ["humans=in"]
    assert ignored_by_value("correlation", question.but(systems=())) == []


def test_rows_of_single_systems_give_conditions_that_a_report_takes(study: Study) -> None:
    data = matrices.load(study)
    rows = build("agreement", data, Question(humans="in"), [])["relative"]
    of_systems = [row["conditions"] for row in rows if "systems" in row["conditions"]]
    assert of_systems
    assert not [conditions for conditions in of_systems if "humans" in conditions]


def test_a_new_report_is_not_frozen_with_a_field_that_it_ignores(study: Study) -> None:
    with pytest.raises(QuestionError, match="statistic=spearman: the ranking report"):
        freeze(study, "ranking", Question(statistic="spearman"), None)


def test_the_page_about_the_filter_is_made_from_what_fields_and_reports_declare() -> None:
    text = (DEMO.parent.parent / "docs" / "filter.md").read_text(encoding="utf-8")
    assert text == filter_page(), "run manage.py filter_docs"
    rows = dict(re.findall(r"^\| `(\w+)` \| .* \| ([^|]+) \|$", text, re.MULTILINE))
    assert {name: tuple(rows[name].split(", ")) for name in NAMES} == {
        name: kinds_with(name) for name in NAMES
    }
