"""What the pages on importing and on the bundle say is so."""

import ast
import json
import re
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command, load_command_class
from django.utils import timezone

from analysis.models import Preregistration
from annotation.models import Annotator, Campaign, Rating
from corpus.exports.bundle import write_bundle
from corpus.imports.declarations import check_declarations, declared_queries
from corpus.imports.options import ImportOptions
from corpus.jobs.worker import run_next
from corpus.models import Study
from corpus.tabular.problems import catalogue
from corpus.tabular.shaping.query_files import files_in
from metrics.runs.asking import ask_for_runs
from metrics.runs.requests import RunRequest
from tests.fixtures.study_files import TABLES, import_path, write_files

DOCS = Path(settings.BASE_DIR) / "docs"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def blocks(page, language):
    text = (DOCS / page).read_text(encoding="utf-8")
    return [body for name, body in BLOCK.findall(text) if name == language]


def first_cells(page, heading):
    """Words in code in the first column of the table below a heading."""
    text = (DOCS / page).read_text(encoding="utf-8").split(f"\n## {heading}\n")[1]
    rows = re.findall(r"^\| (.*?) \|", text.split("\n## ")[0], re.MULTILINE)
    return [word for row in rows for word in re.findall(r"`([^`]+)`", row)]


def commands(page):
    lines = "".join(blocks(page, "sh")).replace("\\\n", "").splitlines()
    start = ".venv/bin/python manage.py "
    return [line.removeprefix(start).split() for line in lines if line.startswith(start)]


@pytest.mark.django_db
@pytest.mark.parametrize("page", ["importing.md", "study-bundle.md"])
def test_the_commands_run_in_their_order(page, tmp_path, monkeypatch, capsys):
    (tmp_path / "demo").symlink_to(Path(settings.BASE_DIR) / "demo")
    monkeypatch.chdir(tmp_path)
    assert len(commands(page)) >= 2
    for name, *arguments in commands(page):
        call_command(name, *arguments)
    assert capsys.readouterr().out


def test_every_option_is_listed_as_the_command_and_the_api_know_it():
    text = (DOCS / "importing.md").read_text(encoding="utf-8")
    [table] = re.findall(r"^## Options\n(.*?)^## ", text, re.MULTILINE | re.DOTALL)
    rows = [row.split("|")[1:3] for row in table.splitlines() if row.startswith("| `")]
    named = {name for _, cell in rows for name in re.findall(r"`(\w+)`", cell)}
    assert named == ImportOptions.__dataclass_fields__.keys() - {"mappings"}
    parser = load_command_class("corpus", "import_study").create_parser("manage.py", "import_study")
    known = {option for action in parser._actions for option in action.option_strings}
    options = {name for cell, _ in rows for name in re.findall(r"`(--[\w-]+)", cell)}
    assert options <= known
    assert len(options) == len(named)


def block_with(language, words):
    """The one block of the page on importing that has these words."""
    [found] = [block for block in blocks("importing.md", language) if words in block]
    return found


@pytest.mark.django_db
def test_the_example_of_a_mapping_reads_the_example_of_a_file(tmp_path):
    file = blocks("importing.md", "csv")[0]
    query = blocks("importing.md", "sql")[0]
    files = {
        "segments.csv": [["segment", "source"], ["s1", "it depends"]],
        "outputs.csv": [["segment", "system", "output"], ["s1", "BART", "a"], ["s1", "T5", "b"]],
    }
    import_path(write_files(tmp_path / "texts", files))
    folder = write_files(tmp_path / "study", {"judged.csv": file})
    job = import_path(folder, query=query)
    assert job.state == "done", job.error
    ratings = Rating.objects.order_by("id").values_list("aspect", "value")
    assert list(ratings) == [("style", 5), ("content", 4), ("style", 3)]
    annotator = Annotator.objects.get()
    assert (annotator.kind, annotator.raters, annotator.campaign.slug) == ("mean", 3, "pilot")


@pytest.mark.django_db
def test_the_example_of_pairwise_votes_is_read_by_its_query(tmp_path):
    table = block_with("csv", "tie (bothbad)")
    folder = write_files(tmp_path / "study", {"votes.csv": table})
    query = block_with("sql", "winner AS judgement")
    job = import_path(folder, without_texts=True, query=query)
    assert job.state == "done", job.error
    found = Rating.objects.order_by("id").values_list("aspect", "choice", "submission__swapped")
    # The order of a pair is that in which its outputs came.
    assert list(found) == [
        ("overall", "first", False),
        ("overall", "both_bad", False),
        ("overall", "tie", False),
    ]
    assert Campaign.objects.get().protocol == "output_against_output"


def test_the_example_of_a_study_json_is_understood_whole():
    declared = json.loads(blocks("importing.md", "json")[0])
    assert check_declarations(declared) == []
    [query] = declared_queries(declared, {"human.csv"})["human.csv"]
    assert files_in(query.query) == ["human.csv"]


def codes_in_sources():
    """Constants that are given as the code of a problem, and the text of all modules."""
    given = {said["code"] for said in catalogue().values() if "code" in said}
    sources = [f'"{code}"' for code in given]
    makers = {"Problem", "RowProblem", "UnconvertibleError"}
    for room in ("corpus", "annotation", "metrics", "analysis"):
        for path in (Path(settings.BASE_DIR) / room).rglob("*.py"):
            sources.append(path.read_text(encoding="utf-8"))
            if not any(f"{maker}(" in sources[-1] for maker in makers):
                continue
            for node in ast.walk(ast.parse(sources[-1])):
                if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
                    continue
                if node.func.id in makers:
                    last = node.args[7:8] if node.func.id == "Problem" else []
                    last = [node.args[-1]] if node.func.id == "UnconvertibleError" else last
                    found = [word.value for word in node.keywords if word.arg == "code"] + last
                    inner = [part for each in found for part in ast.walk(each)]
                    given |= {c.value for c in inner if isinstance(c, ast.Constant)}
    return given, "".join(sources)


def test_every_code_of_a_problem_is_explained():
    documented = first_cells("importing.md", "What can be wrong")
    given, sources = codes_in_sources()
    codes = {code for code in given if isinstance(code, str) and re.fullmatch(r"[a-z-]+", code)}
    assert len(codes) > 25
    assert codes <= set(documented)
    assert [code for code in documented if f'"{code}"' not in sources] == []
    assert len(documented) == len(set(documented))


@pytest.mark.django_db
def test_the_members_of_a_bundle_are_those_that_are_listed(tmp_path):
    files = TABLES | {
        "style_distributions.csv": "segment,system,classifier,p_a,p_b\ns1,T5,cnn,0.5,0.5\n",
        "style_lexicon.csv": "word,weight\ndunno,1\n",
        "masked_texts.csv": "segment,system,recipe,text\ns1,T5,words,x\n",
        "system_scores.csv": "system,metric,score\nT5,bleu,31.5\n",
        "published_values.csv": (
            "where,what,conditions,value,decimals\n"
            'Table 1,correlation,"{""aspect"": ""style"", ""metric"": ""bleu""}",0.5,1\n'
        ),
    }
    job = import_path(write_files(tmp_path / "study", files))
    assert job.state == "done", job.error
    ask_for_runs(job.study, [RunRequest("exact-match")], None)
    assert run_next().state == "done"
    plan = '{"question":"Which system is best?"}'
    Preregistration.objects.create(
        study=job.study, campaign="later", version=1, content_json=plan,
        sha256=Preregistration.hash_of(plan), registered_at=timezone.now(),
    )  # fmt: skip
    manifest = write_bundle(Study.objects.get(), tmp_path / "x.zip")
    text = (DOCS / "study-bundle.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `([\w.]+)` \|[^|]*\| (.*?) \|$", text, re.MULTILINE))
    assert set(rows) == {*manifest["members"], "manifest.json"}
    for name, facts in manifest["members"].items():
        for column in facts.get("columns", []):
            is_attribute = column in ("domain", "model")
            shown = column.removeprefix("p_") in "ab" or column in rows[name]
            assert shown or is_attribute or "replication" in rows[name], (name, column)
    example = json.loads(blocks("study-bundle.md", "json")[0])
    assert example["members"]["outputs.csv"].keys() == manifest["members"]["outputs.csv"].keys()
