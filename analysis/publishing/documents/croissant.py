"""A publication in the Croissant format 1.0, with its responsible-AI fields.

https://docs.mlcommons.org/croissant/docs/croissant-spec.html and croissant-rai-spec.html.
"""

from typing import Any

from analysis.publishing.documents.content import Content, DataFile, OtherFile
from corpus.vocabulary.publication_details import LICENCES

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


def croissant(content: Content) -> dict[str, Any]:
    """Return the metadata as JSON-LD; the address is that of the paper, else a name."""
    details = content.details
    known = LICENCES.get(details.licence)
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
        "creator": [_person(author) for author in details.authors],
        "publisher": [_person(author) for author in details.authors],
        "keywords": list(details.keywords),
        "citeAs": content.citation,
        "isLiveDataset": False,
        "distribution": [
            *(_file(each, "application/x-parquet") for each in content.data),
            *(_file(each, each.media_type) for each in content.others),
        ],
        "recordSet": [_records(each) for each in content.data],
    }
    return {name: value for name, value in (facts | _responsible(content)).items() if value != []}


def _person(author: Any) -> dict[str, Any]:
    person: dict[str, Any] = {"@type": "sc:Person", "name": author.read_out}
    if author.orcid:
        person["url"] = f"https://orcid.org/{author.orcid}"
    return person


def _file(file: DataFile | OtherFile, media_type: str) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject",
        "@id": file.path,
        "name": file.path,
        "description": file.title,
        "contentUrl": file.path,
        "contentSize": f"{file.size} B",
        "encodingFormat": media_type,
        "sha256": file.sha256,
    }


def _records(data: DataFile) -> dict[str, Any]:
    name = data.path.rpartition("/")[2].removesuffix(".parquet")
    return {
        "@type": "cr:RecordSet",
        "@id": name,
        "name": name,
        "description": data.title,
        "field": [
            {
                "@type": "cr:Field",
                "@id": f"{name}/{column.name}",
                "name": column.name,
                "description": column.description,
                "dataType": _TYPES[column.kind],
                "source": {
                    "fileObject": {"@id": data.path},
                    "extract": {"column": column.name},
                },
            }
            for column in data.columns
        ],
    }


def _responsible(content: Content) -> dict[str, Any]:
    details, campaigns = content.details, content.campaigns
    said: dict[str, Any] = {
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
    return {name: value for name, value in said.items() if value}


def _joined(*parts: str) -> str:
    return " ".join(part for part in parts if part)
