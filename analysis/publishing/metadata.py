"""A publication in the formats of archives: CITATION.cff, Zenodo, Croissant and RO-Crate.

- CITATION.cff 1.2.0:
  https://github.com/citation-file-format/citation-file-format/blob/main/schema-guide.md
- Zenodo: https://developers.zenodo.org/#representation
- Croissant 1.0 with its responsible-AI fields:
  https://docs.mlcommons.org/croissant/docs/croissant-spec.html and croissant-rai-spec.html
- RO-Crate 1.1: https://www.researchobject.org/ro-crate/specification/1.1/
"""

import html
import json
from collections.abc import Mapping
from typing import Any

from analysis.publishing.content import Content, DataFile, OtherFile, licence_words
from corpus.vocabulary.publication_details import LICENCES, TERMS, Author

_LANGUAGES = {
    **{"ar": "ara", "bn": "ben", "bg": "bul", "ca": "cat", "cs": "ces", "da": "dan", "de": "deu"},
    **{"el": "ell", "en": "eng", "es": "spa", "et": "est", "fa": "fas", "fi": "fin", "fr": "fra"},
    **{"he": "heb", "hi": "hin", "hr": "hrv", "hu": "hun", "id": "ind", "is": "isl", "it": "ita"},
    **{"ja": "jpn", "ko": "kor", "lt": "lit", "lv": "lav", "nl": "nld", "no": "nor", "pl": "pol"},
    **{"pt": "por", "ro": "ron", "ru": "rus", "sk": "slk", "sl": "slv", "sv": "swe", "th": "tha"},
    **{"tr": "tur", "uk": "ukr", "ur": "urd", "vi": "vie", "zh": "zho"},
}
"""Languages of ISO 639-1 as ISO 639-3, which Zenodo asks for; others are left out there."""
_ORCID = "https://orcid.org/"
PARQUET = "application/x-parquet"
FILE = "ro-crate-metadata.json"
PROFILE = "https://w3id.org/ro/crate/1.1"
CORE = "http://mlcommons.org/croissant/1.0"
RAI = "http://mlcommons.org/croissant/RAI/1.0"
_TYPES = {"text": "sc:Text", "integer": "sc:Integer", "number": "sc:Float"}
_CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    **{
        name: f"cr:{name}"
        for name in (
            *("citeAs", "column", "equivalentProperty", "extract", "field", "fileObject"),
            *("fileProperty", "fileSet", "format", "includes", "isLiveDataset", "jsonPath", "key"),
            *("md5", "parentField", "path", "recordSet", "references", "regex", "repeated"),
            *("replace", "samplingRate", "separator", "source", "subField", "transform"),
        )
    },
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "rai": "http://mlcommons.org/croissant/RAI/",
    "sc": "https://schema.org/",
}


def citation_file(content: Content) -> str:
    """Return CITATION.cff; each value is written as JSON, which YAML reads."""
    details = content.details
    facts = {
        "cff-version": "1.2.0",
        "message": "If you use these data, please cite them as below.",
        "type": "dataset",
        "title": content.title,
        "abstract": content.summary,
        "authors": [_cited_author(author) for author in details.authors],
        # A date in quotes is a text, as the schema wants it.
        "date-released": content.date,
        "version": details.version or "1.0",
        "keywords": list(dict.fromkeys(details.keywords)),
        "license": details.licence if details.licence != TERMS else "",
        "url": details.paper,
    }
    return "".join(
        f"{name}: {json.dumps(value, ensure_ascii=False)}\n"
        for name, value in _stated(facts).items()
    )


def zenodo(content: Content) -> dict[str, Any]:
    """Return the content of .zenodo.json."""
    details = content.details
    terms = licence_words(details.text_licence, details.text_licence_terms)
    described = {
        "identifier": details.paper,
        "relation": "isDescribedBy",
        "resource_type": "publication",
    }
    return _stated(
        {
            "title": content.title,
            "upload_type": "dataset",
            "description": "".join(
                f"<p>{html.escape(part)}</p>"
                for part in (content.summary, f"Licence of the texts: {terms}.")
            ),
            "creators": [
                _stated({name: getattr(author, name) for name in ("name", "affiliation", "orcid")})
                for author in details.authors
            ],
            "publication_date": content.date,
            "version": details.version or "1.0",
            "keywords": list(details.keywords),
            "language": _LANGUAGES.get(content.language.partition("-")[0].lower()),
            "access_right": "open",
            "license": details.licence.lower() if details.licence != TERMS else "other-open",
            "notes": details.licence_terms,
            "related_identifiers": [described] if details.paper else [],
        }
    )


def croissant(content: Content) -> dict[str, Any]:
    """Return the metadata as JSON-LD; the address is that of the paper, else a name."""
    details = content.details
    known = LICENCES.get(details.licence)
    authors = [
        {"@type": "sc:Person", "name": author.read_out}
        | ({"url": _ORCID + author.orcid} if author.orcid else {})
        for author in details.authors
    ]
    files: list[tuple[DataFile | OtherFile, str]] = [(each, PARQUET) for each in content.data]
    files += [(each, each.media_type) for each in content.others]
    facts: dict[str, Any] = {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": [CORE, RAI],
        "name": content.title,
        "description": content.summary,
        "url": details.paper or f"urn:touchstone:{content.slug}",
        "version": details.version or "1.0",
        "datePublished": content.date,
        "inLanguage": content.language,
        "license": known.address if known and known.address else details.licence_terms,
        "creator": authors,
        "publisher": authors,
        "keywords": list(details.keywords),
        "citeAs": content.citation,
        "isLiveDataset": False,
        "distribution": [
            {
                "@type": "cr:FileObject",
                "@id": file.path,
                "name": file.path,
                "description": file.title,
                "contentUrl": file.path,
                "contentSize": f"{file.size} B",
                "encodingFormat": media_type,
                "sha256": file.sha256,
            }
            for file, media_type in files
        ],
        "recordSet": [_records(each) for each in content.data],
    }
    return {name: value for name, value in (facts | _responsible(content)).items() if value != []}


def _records(data: DataFile) -> dict[str, Any]:
    return {
        "@type": "cr:RecordSet",
        "@id": data.name,
        "name": data.name,
        "description": data.title,
        "field": [
            {
                "@type": "cr:Field",
                "@id": f"{data.name}/{column.name}",
                "name": column.name,
                "description": column.description,
                "dataType": _TYPES[column.kind],
                "source": {"fileObject": {"@id": data.path}, "extract": {"column": column.name}},
            }
            for column in data.columns
        ],
    }


def _responsible(content: Content) -> dict[str, Any]:
    details, campaigns = content.details, content.campaigns
    facts: dict[str, Any] = {
        "rai:dataCollection": _joined(
            details.text_source,
            details.ratings_source,
            *(f"{c.slug}: {c.protocol}, {c.origin}" for c in campaigns),
        ),
        "rai:dataPreprocessingProtocol": list(content.preparation),
        "rai:dataAnnotationProtocol": [
            f"{c.slug}: {c.protocol}; rated: {', '.join(c.aspects)}; datasheet {c.sheet}.md"
            for c in campaigns
        ],
        "rai:dataAnnotationPlatform": ["Touchstone"]
        if any(c.origin.startswith("rated here") for c in campaigns)
        else [],
        "rai:dataAnnotationAnalysis": [
            f"{r.title}: {r.answers} ({r.path}, signature {r.signature})" for r in content.reports
        ],
        "rai:annotationsPerItem": _joined(*(f"{c.slug}: {c.per_item}" for c in campaigns)),
        "rai:annotatorDemographics": [f"{c.slug}: {', '.join(c.raters)}" for c in campaigns],
        "rai:machineAnnotationTools": ["Touchstone"]
        if content.counts["runs_computed_here"]
        else [],
        "rai:dataUseCases": [details.uses] if details.uses else [],
        "rai:dataLimitations": [details.limitations] if details.limitations else [],
        "rai:dataReleaseMaintenancePlan": details.maintenance,
        "rai:personalSensitiveInformation": [
            "Human raters have random names, made for this publication.",
            *([f"Consent: {details.consent}"] if details.consent else []),
            *content.checks,
        ],
        "rai:dataSocialImpact": details.ethics,
    }
    return _stated(facts)


def _joined(*parts: str) -> str:
    return " ".join(part for part in parts if part)


def ro_crate(content: Content) -> dict[str, Any]:
    """Return the metadata as flattened JSON-LD."""
    details = content.details
    authors = [
        _stated(
            {
                "@id": _ORCID + author.orcid if author.orcid else f"#author-{place}",
                "@type": "Person",
                "name": author.read_out,
                "familyName": author.family,
                "givenName": author.given,
                "affiliation": author.affiliation,
            }
        )
        for place, author in enumerate(details.authors, start=1)
    ]
    licences = _licences(content)
    files = [*map(_data_file, content.data), *map(_file, content.others)]
    root = {
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
        "mainEntityOfPage": {"@id": details.paper} if details.paper else None,
    }
    described = {"conformsTo": {"@id": PROFILE}, "about": {"@id": "./"}}
    graph = [
        {"@id": FILE, "@type": "CreativeWork", **described},
        *(_stated(root), *files, *authors, *licences),
    ]
    if details.paper:
        graph.append({"@id": details.paper, "@type": "ScholarlyArticle", "name": content.title})
    return {"@context": f"{PROFILE}/context", "@graph": graph}


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


def _cited_author(author: Author) -> dict[str, str]:
    if author.given:
        person = {"family-names": author.family, "given-names": author.given}
    else:
        person = {"name": author.name}
    if author.orcid:
        person["orcid"] = _ORCID + author.orcid
    if author.affiliation and author.given:
        person["affiliation"] = author.affiliation
    return person


def _stated(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is not empty."""
    return {name: value for name, value in facts.items() if value}
