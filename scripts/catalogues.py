"""Bring the catalogues of the rating pages' languages up to date, and compile them.

    python scripts/catalogues.py           write locale/*/LC_MESSAGES/django.po and .mo
    python scripts/catalogues.py --check   print what is missing, write nothing

Messages are found in templates, in calls in Python, and in constants of the protocols. A new
message gets an empty entry in every catalogue; one that is gone loses its entry. To add a language,
see CONTRIBUTING.md.
"""

import io
import os
import re
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

from babel.messages.catalog import Catalog, Message  # noqa: E402
from babel.messages.extract import extract  # noqa: E402
from babel.messages.mofile import write_mo  # noqa: E402
from babel.messages.pofile import read_po, write_po  # noqa: E402
from django.utils.translation import to_locale  # noqa: E402
from django.utils.translation.template import templatize  # noqa: E402

from annotation.protocols.catalogue import LIVE  # noqa: E402
from annotation.protocols.guidelines import comparing, criteria, documents  # noqa: E402
from annotation.protocols.guidelines.asked import FAMILIES, Case, Rewriting  # noqa: E402
from annotation.protocols.language import ENGLISH, LANGUAGES  # noqa: E402
from corpus.storage import faults as storage_faults  # noqa: E402
from corpus.vocabulary.aspects import ASPECTS  # noqa: E402

EXAMPLE = "example"
# Of every catalogue at all times, so that a compiled one changes only with its words.
DATE = datetime(2026, 11, 23, tzinfo=UTC)
KEYWORDS = {
    **dict.fromkeys(("_", "gettext", "translated"), None),
    **dict.fromkeys(("ngettext", "counted"), (1, 2)),
    **dict.fromkeys(("pgettext", "translated_in"), ((1, "c"), 2)),
}


def template() -> Catalog:
    """Return a catalogue of all messages without translations."""
    found = _empty(None)
    for path in sorted((ROOT / "templates").rglob("*.html")):
        # What Django makes of a template is nearly Python; its lines are indented as they were.
        code = templatize(path.read_text(encoding="utf-8"), origin=str(path))
        _add_calls(found, "\n".join(line.strip() for line in code.splitlines()), path)
    for package in ("annotation", "config", "corpus"):
        for path in sorted((ROOT / package).rglob("*.py")):
            _add_calls(found, path.read_text(encoding="utf-8"), path)
    for text, context, place in _constants():
        found.add(text, locations=[(place, 0)], context=context)
    return found


def _add_calls(found: Catalog, code: str, path: Path) -> None:
    """Add the messages that Python code asks for by calls."""
    place = path.relative_to(ROOT).as_posix()
    for _, text, _, context in extract("python", io.BytesIO(code.encode()), KEYWORDS):
        found.add(text, locations=[(place, 0)], context=context)


def _constants() -> Iterator[tuple[str | tuple[str, str], str | None, str]]:
    """Yield what protocols say in constants: text, context, and where it is."""
    for protocol in LIVE.values():
        place = f"annotation/protocols/{protocol.key}.py"
        texts = [*protocol.aspects.values(), *(words for _, words in protocol.labels)]
        texts += [aspect.replace("_", " ").capitalize() for aspect in protocol.aspects]
        yield from ((text, None, place) for text in texts)
    folder = "annotation/protocols/guidelines"
    for known in criteria.CRITERIA.values():
        levels = [text for level in (known.top, known.middle, known.bottom) for text in level[:2]]
        for text in (known.judged, *levels, *known.labels):
            yield text, None, f"{folder}/criteria.py"
    words = comparing.WORDS
    levels = [text for _, *texts in words["four"] for text in texts]
    for text in (*words["steps"], *words["alone"].values(), words["other"], *levels):
        yield text, None, f"{folder}/comparing.toml"
    for path in sorted(documents.FOLDER.glob("*.toml")):
        for message in documents.messages(path.stem):
            yield message, None, f"{folder}/written/{path.name}"
    for family in FAMILIES:
        place = f"{folder}/{'_'.join(family.names)}"
        yield from ((text, None, place) for text in (*family.names, family.style, family.content))
        for (source, target), examples in family.examples.items():
            for case in (examples.guide, examples.style, examples.content, examples.fluency):
                for text, context in _case(case):
                    yield text, context, f"{source} to {target}"
    yield from ((aspect.title, None, "corpus/vocabulary/aspects.py") for aspect in ASPECTS.values())
    faults = (storage_faults.FULL, storage_faults.READ_ONLY, storage_faults.DAMAGED)
    yield from ((each.words, None, "corpus/storage/faults.py") for each in faults)
    yield storage_faults.AWAY.words, None, "corpus/storage/faults.py"


def _case(case: Case) -> Iterator[tuple[str, str | None]]:
    """Yield the sentences that are examples, and why they are."""
    yield case.source, EXAMPLE
    yield case.full, EXAMPLE
    for name in ("half", "drifted", "unrelated", "clumsy", "broken"):
        found = getattr(case, name)
        if isinstance(found, Rewriting):
            yield found.text, EXAMPLE
            if found.why:
                yield found.why, None


def problems(language: str, stored: Catalog, wanted: Catalog) -> Iterator[str]:
    """Yield what is wrong with the catalogue of a language."""
    known = {(message.id, message.context) for message in wanted}
    for message in filter(lambda each: each.id, wanted):
        entry = stored.get(message.id, message.context)
        forms = _forms(entry.string) if entry else []
        if not all(forms) or not forms:
            yield f"{language}: not translated: {message.id!r}"
        elif entry is not None and entry.fuzzy:
            yield f"{language}: fuzzy: {message.id!r}"
        for place, form in enumerate(forms, start=1):
            if form and not _has_same_values(message, form, is_last=place == len(forms)):
                yield f"{language}: other values than {message.id!r}: {form!r}"
    for message in stored:
        if message.id and (message.id, message.context) not in known:
            yield f"{language}: nowhere used: {message.id!r}"
    if not _place(language, "mo").exists() or _place(language, "mo").read_bytes() != _mo(stored):
        yield f"{language}: not compiled"


def _has_same_values(message: Message, form: str, *, is_last: bool) -> bool:
    if message.context == EXAMPLE:
        # Braces stand around the words that carry the style, which are others in each language.
        return ("{" in str(message.id)) == ("{" in form) and form.count("{") == form.count("}")
    full = set.union(*map(_values, _forms(message.id)))
    # Forms for one, or for none or two, may leave the number out.
    return _values(form) == full or (not is_last and _values(form) < full)


def _values(text: str) -> set[str]:
    """Return the names of the values that a message takes, and its marks of HTML."""
    return set(re.findall(r"\{\w+\}|%\(\w+\)s|</?\w+>", text))


def _forms(text: object) -> list[str]:
    return [str(each) for each in text] if isinstance(text, tuple | list) else [str(text)]


def _empty(locale: str | None) -> Catalog:
    return Catalog(
        locale=locale, project="Touchstone", version="rating pages", last_translator="Touchstone",
        language_team="Touchstone", creation_date=DATE, revision_date=DATE, fuzzy=False,
        msgid_bugs_address="",
    )  # fmt: skip


def _place(language: str, ending: str) -> Path:
    return ROOT / "locale" / to_locale(language) / "LC_MESSAGES" / f"django.{ending}"


def _read(language: str) -> Catalog:
    locale, path = to_locale(language), _place(language, "po")
    if not path.exists():
        return _empty(locale)
    with path.open("rb") as file:
        return read_po(file, locale=locale)


def _mo(catalogue: Catalog) -> bytes:
    file = io.BytesIO()
    write_mo(file, catalogue)
    return file.getvalue()


def _write(language: str, wanted: Catalog) -> None:
    stored = _read(language)
    stored.update(wanted, no_fuzzy_matching=True)
    stored.obsolete.clear()
    _place(language, "po").parent.mkdir(parents=True, exist_ok=True)
    with _place(language, "po").open("wb") as file:
        write_po(file, stored, width=100, ignore_obsolete=True, include_lineno=False)
    _place(language, "mo").write_bytes(_mo(stored))


def main() -> int:
    """Write the catalogues, or only look; return 1 if something is wrong."""
    wanted = template()
    others = [language for language in LANGUAGES if language != ENGLISH]
    if "--check" not in sys.argv:
        for language in others:
            _write(language, wanted)
    wrong = [line for each in others for line in problems(each, _read(each), wanted)]
    sys.stdout.write("".join(f"{line}\n" for line in wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
