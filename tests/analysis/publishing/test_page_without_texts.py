"""A page without texts holds back whatever may hold some."""

from types import SimpleNamespace

from analysis.publishing.public_page import files_offered


def publication(*columns):
    described = [{"name": name} for name in columns]
    files = [
        {"path": "data/segments.parquet", "table": "segments", "has_texts": True},
        {"path": "data/ratings.parquet", "table": "ratings", "has_texts": False},
    ]
    data = [file | {"columns": described if file["has_texts"] else []} for file in files]
    names = [file["path"] for file in files] + ["reports/agreement-1.zip", "guidelines/a.md"]
    return SimpleNamespace(
        record={"sums": dict.fromkeys(names, "0"), "content": {"data": data}},
        sha256="0",
        with_texts=False,
    )


def test_inputs_of_reports_are_offered_if_segments_have_texts_and_styles_only():
    offered = files_offered(publication("segment", "source", "reference_1"))
    assert set(offered) == {"data/ratings.parquet", "reports/agreement-1.zip", "SHA256SUMS"}


def test_inputs_of_reports_stay_where_segments_have_attributes_which_they_hold():
    offered = files_offered(publication("segment", "source", "context"))
    assert set(offered) == {"data/ratings.parquet", "SHA256SUMS"}
