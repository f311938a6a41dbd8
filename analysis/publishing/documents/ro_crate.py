"""A publication as an RO-Crate 1.1: its files with their types, sizes and sums, and who made it.

https://www.researchobject.org/ro-crate/specification/1.1/
"""

from typing import Any

from analysis.publishing.documents.content import Content, OtherFile
from corpus.vocabulary.publication_details import LICENCES, TERMS

FILE = "ro-crate-metadata.json"
PROFILE = "https://w3id.org/ro/crate/1.1"


def ro_crate(content: Content) -> dict[str, Any]:
    """Return the metadata as flattened JSON-LD."""
    details = content.details
    authors = [_author(place, author) for place, author in enumerate(details.authors, start=1)]
    licences = _licences(content)
    files = [*map(_data_file, content.data), *map(_file, content.others)]
    root: dict[str, Any] = {
        "@id": "./",
        "@type": "Dataset",
        "name": content.title,
        "description": content.summary,
        "datePublished": content.date,
        "version": details.version or "1.0",
        "inLanguage": content.language,
        "license": {"@id": licences[0]["@id"]},
        "author": [{"@id": author["@id"]} for author in authors],
        "keywords": ", ".join(details.keywords),
        "hasPart": [{"@id": file["@id"]} for file in files],
        "citation": content.citation,
    }
    if details.paper:
        root["mainEntityOfPage"] = {"@id": details.paper}
    graph: list[dict[str, Any]] = [
        {
            "@id": FILE,
            "@type": "CreativeWork",
            "conformsTo": {"@id": PROFILE},
            "about": {"@id": "./"},
        },
        {name: value for name, value in root.items() if value},
        *files,
        *authors,
        *licences,
    ]
    if details.paper:
        graph.append({"@id": details.paper, "@type": "ScholarlyArticle", "name": content.title})
    return {"@context": f"{PROFILE}/context", "@graph": graph}


def _author(place: int, author: Any) -> dict[str, Any]:
    person: dict[str, Any] = {
        "@id": f"https://orcid.org/{author.orcid}" if author.orcid else f"#author-{place}",
        "@type": "Person",
        "name": author.read_out,
        "familyName": author.family,
        "givenName": author.given,
        "affiliation": author.affiliation,
    }
    return {name: value for name, value in person.items() if value}


def _licences(content: Content) -> list[dict[str, Any]]:
    details = content.details
    made: dict[str, dict[str, Any]] = {}
    for role, identifier, terms in (
        ("data", details.licence, details.licence_terms),
        ("texts", details.text_licence, details.text_licence_terms),
    ):
        known = LICENCES.get(identifier)
        if known is None:
            continue
        address = known.address or f"#licence-of-{role}"
        title = known.title if identifier != TERMS else "terms stated in words"
        entity = {"@id": address, "@type": "CreativeWork", "name": title}
        made[address] = entity | ({"description": terms} if terms else {})
    return list(made.values()) or [{"@id": "#none", "@type": "CreativeWork", "name": "not stated"}]


def _data_file(data: Any) -> dict[str, Any]:
    details = f"{data.rows:,} rows: {', '.join(column.name for column in data.columns)}"
    file = OtherFile(
        data.path, data.title, "application/vnd.apache.parquet", data.size, data.sha256
    )
    return _file(file) | {"description": details}


def _file(file: OtherFile) -> dict[str, Any]:
    return {
        "@id": file.path,
        "@type": "File",
        "name": file.title,
        "encodingFormat": file.media_type,
        "contentSize": str(file.size),
        "sha256": file.sha256,
    }
