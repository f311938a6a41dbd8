"""How a publication is cited: CITATION.cff (1.2.0) and the metadata that Zenodo reads.

https://github.com/citation-file-format/citation-file-format/blob/main/schema-guide.md and
https://developers.zenodo.org/#representation.
"""

import html
import json
from typing import Any

from analysis.publishing.documents.content import Content, licence_words
from corpus.vocabulary.publication_details import TERMS

_LANGUAGES = {
    **{"ar": "ara", "bn": "ben", "bg": "bul", "ca": "cat", "cs": "ces", "da": "dan", "de": "deu"},
    **{"el": "ell", "en": "eng", "es": "spa", "et": "est", "fa": "fas", "fi": "fin", "fr": "fra"},
    **{"he": "heb", "hi": "hin", "hr": "hrv", "hu": "hun", "id": "ind", "is": "isl", "it": "ita"},
    **{"ja": "jpn", "ko": "kor", "lt": "lit", "lv": "lav", "nl": "nld", "no": "nor", "pl": "pol"},
    **{"pt": "por", "ro": "ron", "ru": "rus", "sk": "slk", "sl": "slv", "sv": "swe", "th": "tha"},
    **{"tr": "tur", "uk": "ukr", "ur": "urd", "vi": "vie", "zh": "zho"},
}
"""Languages of ISO 639-1 as ISO 639-3, which Zenodo asks for; others are left out there."""


def citation_file(content: Content) -> str:
    """Return CITATION.cff; each value is written as JSON, which YAML reads."""
    details = content.details
    facts: dict[str, Any] = {
        "cff-version": "1.2.0",
        "message": "If you use these data, please cite them as below.",
        "type": "dataset",
        "title": content.title,
        "abstract": content.summary,
        "authors": [_author(author) for author in details.authors],
        "date-released": content.date,
        "version": details.version or "1.0",
        "keywords": list(dict.fromkeys(details.keywords)),
    }
    if details.licence and details.licence != TERMS:
        facts["license"] = details.licence
    if details.paper:
        facts["url"] = details.paper
    lines = []
    for name, value in facts.items():
        if value:
            # A date in quotes is a text, as the schema wants it.
            lines.append(f"{name}: {json.dumps(value, ensure_ascii=False)}")
    return "\n".join(lines) + "\n"


def _author(author: Any) -> dict[str, str]:
    if author.given:
        person = {"family-names": author.family, "given-names": author.given}
    else:
        person = {"name": author.name}
    if author.orcid:
        person["orcid"] = f"https://orcid.org/{author.orcid}"
    if author.affiliation and author.given:
        person["affiliation"] = author.affiliation
    return person


def zenodo(content: Content) -> dict[str, Any]:
    """Return the content of .zenodo.json."""
    details = content.details
    terms = licence_words(details.text_licence, details.text_licence_terms)
    facts: dict[str, Any] = {
        "title": content.title,
        "upload_type": "dataset",
        "description": "".join(
            f"<p>{html.escape(part)}</p>"
            for part in (content.summary, f"Licence of the texts: {terms}.")
        ),
        "creators": [
            {
                name: value
                for name, value in (
                    ("name", author.name),
                    ("affiliation", author.affiliation),
                    ("orcid", author.orcid),
                )
                if value
            }
            for author in details.authors
        ],
        "publication_date": content.date,
        "version": details.version or "1.0",
        "keywords": list(details.keywords),
        "language": _LANGUAGES.get(content.language.partition("-")[0].lower()),
        "access_right": "open",
        "license": details.licence.lower() if details.licence != TERMS else "other-open",
        "notes": details.licence_terms,
    }
    if details.paper:
        facts["related_identifiers"] = [
            {
                "identifier": details.paper,
                "relation": "isDescribedBy",
                "resource_type": "publication",
            }
        ]
    return {name: value for name, value in facts.items() if value}
