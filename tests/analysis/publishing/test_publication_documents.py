"""Documents of a publication are read by the tools of their formats, and say what is true."""

import re

import pytest

from analysis.publishing.card import shown
from corpus.models import Study
from tests.fixtures.nonempty import at_least_one
from tests.fixtures.publications import published


@pytest.fixture
def study(folder, settings, tmp_path) -> Study:
    settings.MEDIA_ROOT = tmp_path / "media"
    return Study.objects.get(slug="formality-demo")


@pytest.mark.filterwarnings("ignore")
def test_mlcroissant_validates_the_metadata_and_reads_the_records(folder):
    import mlcroissant
    import pyarrow.parquet as parquet

    dataset = mlcroissant.Dataset(jsonld=folder / "croissant.json")
    issues = dataset.metadata.ctx.issues
    assert not issues.errors
    assert not issues.warnings
    names = {record_set.uuid for record_set in dataset.metadata.record_sets}
    tables = {path.stem: path for path in (folder / "data").iterdir()}
    assert names == set(tables)
    for name, path in at_least_one(tables.items()):
        stored = parquet.read_table(path).to_pylist()
        read = list(dataset.records(name))
        assert len(read) == len(stored)
        for record, row in zip(read[:200], stored[:200], strict=True):
            for column, cell in row.items():
                found = record[f"{name}/{column}"]
                found = found.decode() if isinstance(found, bytes) else found
                assert found == cell or (cell is None and found != found), (name, column)


@pytest.mark.filterwarnings("ignore")
def test_the_rocrate_package_reads_every_file(folder):
    from rocrate.rocrate import ROCrate

    crate = ROCrate(str(folder))
    assert crate.root_dataset["name"] == Study.objects.get(slug="formality-demo").title
    there = {
        path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()
    } - {"ro-crate-metadata.json", "SHA256SUMS"}
    listed = {entity.id for entity in crate.get_entities() if entity.type == "File"}
    assert listed == there
    for name in at_least_one(listed):
        entity = crate.dereference(name)
        assert int(entity["contentSize"]) == (folder / name).stat().st_size
    assert [author["name"] for author in crate.root_dataset["author"]] == [
        "Ada King",
        "Grace Hopper",
    ]
    assert crate.root_dataset["license"].id == "https://creativecommons.org/licenses/by/4.0/"


def test_the_card_has_the_numbers_of_the_frozen_reports_with_their_signatures(study, folder):
    card = (folder / "README.md").read_text(encoding="utf-8")
    frozen = study.frozen_reports.get(kind="correlation")
    rows = frozen.content["content"]["rows"]
    for row in at_least_one(rows):
        result = row["results"]["asked"]
        assert re.search(rf"\| {row['metric']} .*\| {shown(result['value'])} \|", card), row
    assert frozen.content["signature"] in card
    assert "**Simulated ratings: no human rated these outputs.**" in card
    assert "Ada King and Grace Hopper" in card


def test_a_text_cannot_break_out_of_the_card(study, tmp_path):
    study.title = "A | title\n---\nlicense: mit\n# of two lines"
    study.save()
    folder = published(study, tmp_path)
    card = (folder / "README.md").read_text(encoding="utf-8")
    front = card.split("---\n")[1]
    assert 'license: "cc-by-4.0"' in front
    assert "\nlicense: mit" not in front
    assert "\n# A | title --- license: mit # of two lines\n" in card


def test_the_citation_file_is_what_its_schema_asks_for(folder):
    import yaml

    facts = yaml.safe_load((folder / "CITATION.cff").read_text(encoding="utf-8"))
    # The required fields of Citation File Format 1.2.0, and the types of those that are used.
    assert {"cff-version", "message", "title", "authors"} <= set(facts)
    assert facts["cff-version"] == "1.2.0"
    assert facts["type"] == "dataset"
    assert facts["license"] == "CC-BY-4.0"
    assert facts["authors"][0] == {
        "family-names": "King",
        "given-names": "Ada",
        "orcid": "https://orcid.org/0000-0002-1825-0097",
        "affiliation": "Analytical Society",
    }
    assert facts["date-released"] == "2026-05-01"
    assert facts["version"] == "1.2"
