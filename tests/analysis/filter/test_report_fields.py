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
from analysis.filter.documentation import filter_page
from analysis.filter.fields_of_kinds import (
    OF_PAGES,
    check_fields,
    fields_of,
    kinds_with,
    needs_of,
    restricted,
)
from analysis.filter.form import FIELDS as FORM_FIELDS
from analysis.filter.question import CHOICES, Question, QuestionError
from analysis.models import PublishedValue
from analysis.reports.catalogue import KINDS, report_kind
from analysis.reports.kind import opened
from analysis.reports.page_address import Address, Choices
from analysis.reports.snapshot import Snapshot
from annotation.models import Annotator, Campaign
from annotation.people.withdrawing import withdraw
from corpus.models import Study
from metrics.runs.requests import RunRequest
from tests.fixtures.combined_study import scored
from tests.fixtures.nonempty import at_least_one
from tests.fixtures.report_pages import DEMO, imported

pytestmark = pytest.mark.django_db
NAMES = tuple(field.name for field in fields(Question))
DRAWN = "bars curve scatter distribution drawn state order panels style_axis other_axis marks"
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
    **{(kind, "candidates"): {"metric": ()} for kind in USUAL},
    ("metric-means", "aggregate"): {"metric": ()},
    ("metric-means", "tested"): {"metric": ()},
}
"""What else is asked so that a field matters, beyond what kinds declare."""
INSTEAD: dict[tuple[str, str], Any] = {
    ("system-comparison", "test"): "wilcoxon",
    ("system-comparison", "resample"): "segments",
}


EVERY_RUN = ("agreement", "correlation")
"""Kinds that use most fields, quickly; the fields of others have tests of their kind."""
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
    content = json.loads(
        json.dumps(Snapshot.of(study, kind, question).built().to_dict(), default=str)
    )
    stored = {"kind": kind, "content": content, "study": study.slug}
    shown = report_kind(kind).shown(opened(stored), Address(question, Choices()))
    said = [_without_questions(content), shown["summary"]]
    return json.dumps(said, sort_keys=True, default=str)


def _without_questions(content: Any) -> Any:
    if isinstance(content, dict):
        return {k: _without_questions(v) for k, v in content.items() if k != "conditions"}
    if isinstance(content, list | tuple):
        return [_without_questions(each) for each in content]
    return content


def covering() -> Iterator[Any]:
    """Yield every field of every kind: in every run each of two kinds once, the rest by night."""
    seen: set[str] = set()
    for kind in sorted(KINDS, key=lambda kind: kind not in EVERY_RUN):
        for name in (name for name in NAMES if name in fields_of(kind)):
            by_night = name in seen or kind not in EVERY_RUN
            yield pytest.param(kind, name, marks=[pytest.mark.nightly] if by_night else [])
            seen.add(name)


@pytest.mark.parametrize(("kind", "name"), [*covering()])
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


def test_a_field_that_a_kind_or_page_does_not_declare_is_refused() -> None:
    declared = {kind: ("report", fields_of(kind)) for kind in KINDS}
    declared |= {kind: ("page", names) for kind, names in OF_PAGES.items()}
    for kind, (what, known) in declared.items():
        for name in at_least_one([name for name in NAMES if name not in known]):
            with pytest.raises(QuestionError) as refused:
                check_fields(kind, Question(**{name: OTHER[name]}))
            message = str(refused.value)
            assert message.startswith(f"{name}=")
            assert f": the {kind} {what} does not use it; these do: " in message
            assert message.endswith(", ".join(kinds_with(name)))


def test_the_table_is_whole() -> None:
    assert [report_kind(kind).key for kind in KINDS] == [*KINDS]
    assert all(kinds_with(name) for name in NAMES)
    assert set(OTHER) == set(NAMES)
    assert set().union(*(fields_of(kind) for kind in KINDS)) == set(NAMES)


def test_a_value_that_a_kind_does_not_know_is_refused_with_those_it_knows() -> None:
    every = [(kind, name) for kind in KINDS for name in report_kind(kind).values]
    for kind, name, value in ((*each, value) for each in every for value in CHOICES[each[1]]):
        known = report_kind(kind).values[name]
        question = Question(**{name: value})
        if value in known:
            check_fields(kind, question)
            continue
        with pytest.raises(QuestionError) as refused:
            check_fields(kind, question)
        assert str(refused.value) == f"{name}={value}: the {kind} report knows {', '.join(known)}"


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
        offered = set(page.fields) - set(DRAWN.split())
        assert offered == page.uses, page.key
        assert set(page.fields) <= set(FORM_FIELDS)


@pytest.mark.nightly
def test_the_document_gives_each_report_the_fields_that_it_uses(
    capsys: pytest.CaptureFixture[str],
) -> None:
    call_command("report", "formality-demo", "--statistic", "spearman", "--resamples", "100")
    reports = json.loads(capsys.readouterr().out)["reports"]
    assert reports["correlation"]["all"]["question"]["statistic"] == "spearman"
    assert reports["ranking"]["question"] == reports["agreement"]["question"] | {"resamples": 1000}


def test_a_field_that_no_report_of_the_document_uses_is_refused() -> None:
    with pytest.raises(CommandError, match=r"margin=0\.5: no report of the document uses it"):
        call_command("report", "formality-demo", "--margin", "0.5")
    with pytest.raises(
        CommandError, match="humans=in: the agreement report does not use it together with"
    ):
        call_command("report", "formality-demo", "--humans", "in", "--systems", "plain")


def test_the_page_about_the_filter_is_made_from_what_fields_and_reports_declare() -> None:
    text = (DEMO.parent.parent / "docs" / "filter.md").read_text(encoding="utf-8")
    assert text == filter_page(), "run manage.py filter_docs"
    rows = dict(re.findall(r"^\| `(\w+)` \| .* \| ([^|]+) \|$", text, re.MULTILINE))
    assert rows.keys() == set(NAMES)
    for name, cell in rows.items():
        named = cell.removeprefix("all but ").split(", ")
        without = cell.startswith("all but ")
        listed = tuple(kind for kind in KINDS if (kind in named) != without)
        assert listed == kinds_with(name)
