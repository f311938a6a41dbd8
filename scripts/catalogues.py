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
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

from babel.messages.catalog import Catalog  # noqa: E402
from babel.messages.extract import extract  # noqa: E402
from babel.messages.mofile import write_mo  # noqa: E402
from babel.messages.pofile import read_po, write_po  # noqa: E402
from django.utils.translation.template import templatize  # noqa: E402

from annotation.protocols.catalogue import LIVE  # noqa: E402
from annotation.protocols.guidelines import better, criteria, several_outputs  # noqa: E402
from annotation.protocols.guidelines.asked import FAMILIES  # noqa: E402
from annotation.protocols.guidelines.examples import Case, Examples, Rewriting  # noqa: E402
from annotation.protocols.language import ENGLISH, LANGUAGES  # noqa: E402
from corpus import storage_faults  # noqa: E402
from corpus.aspects import ASPECTS  # noqa: E402

LOCALE = ROOT / "locale"
PACKAGES = ("annotation", "config", "corpus")
EXAMPLE = "example"
# Of every catalogue at all times, so that a compiled one changes only with its words.
DATE = datetime(2026, 11, 23, tzinfo=UTC)
KEYWORDS = {
    **dict.fromkeys(("_", "gettext", "translated"), None),
    **dict.fromkeys(("ngettext", "counted"), (1, 2)),
    **dict.fromkeys(("pgettext", "translated_in"), ((1, "c"), 2)),
}


@dataclass(frozen=True, slots=True)
class Message:
    """A message as a catalogue has it: its text, or both forms, its context, and where it is."""

    text: str | tuple[str, ...]
    context: str | None
    place: str


def messages() -> Iterator[Message]:
    """Yield every message, as often as it occurs."""
    for path in sorted((ROOT / "templates").rglob("*.html")):
        # What Django makes of a template is nearly Python; its lines are indented as they were.
        code = templatize(path.read_text(encoding="utf-8"), origin=str(path))
        yield from _called("\n".join(line.strip() for line in code.splitlines()), path)
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            yield from _called(path.read_text(encoding="utf-8"), path)
    yield from _constants()


def template() -> Catalog:
    """Return a catalogue of all messages without translations."""
    found = _empty(None)
    for message in messages():
        found.add(message.text, locations=[(message.place, 0)], context=message.context)
    return found


def read(language: str) -> Catalog:
    """Return the catalogue of a language as it is stored; an empty one where it is not."""
    path = _place(language, "po")
    locale = _locale(language.replace("-", "_"))
    if not path.exists():
        return _empty(locale)
    with path.open("rb") as file:
        return read_po(file, locale=locale)


def compiled(catalogue: Catalog) -> bytes:
    """Return a catalogue as the application reads it."""
    file = io.BytesIO()
    write_mo(file, catalogue)
    return file.getvalue()


def compiled_path(language: str) -> Path:
    """Return where the compiled catalogue of a language is."""
    return _place(language, "mo")


def problems(language: str, of_all: Catalog) -> list[str]:
    """Return what is wrong with the catalogue of a language."""
    stored = read(language)
    found = []
    for message in of_all:
        if not message.id:
            continue
        entry = stored.get(message.id, message.context)
        said = _forms(entry.string) if entry else []
        if not said or not all(said):
            found.append(f"{language}: not translated: {message.id!r}")
        elif entry is not None and entry.fuzzy:
            found.append(f"{language}: fuzzy: {message.id!r}")
        else:
            found += [
                f"{language}: other values than {message.id!r}: {form!r}"
                for form in said
                if not _same_values(message.id, form, message.context, form is said[-1])
            ]
    known = {(message.id, message.context) for message in of_all}
    found += [
        f"{language}: nowhere used: {message.id!r}"
        for message in stored
        if message.id and (message.id, message.context) not in known
    ]
    return found


def values_in(text: str) -> set[str]:
    """Return the names of the values that a message takes, and its marks of HTML.

    Examples
    --------
    >>> sorted(values_in("<em>{left}</em> of %(all)s"))
    ['%(all)s', '</em>', '<em>', '{left}']
    """
    return set(re.findall(r"\{\w+\}|%\(\w+\)s|</?\w+>", text))


def _same_values(source: object, form: str, context: str | None, is_last: bool) -> bool:
    if context == EXAMPLE:
        # Braces stand around the words that carry the style, which are others in each language.
        return ("{" in str(source)) == ("{" in form) and form.count("{") == form.count("}")
    allowed = [values_in(each) for each in _forms(source)]
    # Forms for one, or for none or two, may leave the number out.
    full = set.union(*allowed)
    return values_in(form) == full or (not is_last and values_in(form) < full)


def _forms(text: object) -> list[str]:
    if isinstance(text, tuple | list):
        return [str(each) for each in text]
    return [str(text)] if text else []


def _called(code: str, path: Path) -> Iterator[Message]:
    """Yield the messages that Python code asks for by calls."""
    place = path.relative_to(ROOT).as_posix()
    for _, text, _, context in extract("python", io.BytesIO(code.encode()), KEYWORDS):
        yield Message(text, context, place)


def _constants() -> Iterator[Message]:
    """Yield what protocols say in constants."""
    for protocol in LIVE.values():
        place = f"annotation/protocols/{protocol.key}.py"
        said = [*protocol.aspects.values(), *(words for _, words in protocol.labels)]
        said += [aspect.replace("_", " ").capitalize() for aspect in protocol.aspects]
        yield from (Message(text, None, place) for text in said)
    folder = "annotation/protocols/guidelines"
    for known in (*criteria.CRITERIA.values(), criteria.OTHER):
        levels = [text for level in (known.top, known.middle, known.bottom) for text in level[:2]]
        said = [known.judged, *levels, *known.labels]
        yield from (Message(text, None, f"{folder}/criteria.py") for text in said)
    for text in (*better.STEPS, *better.ALONE.values(), better.OTHER):
        yield Message(text, None, f"{folder}/better.py")
    for _, title, criterion in several_outputs.FOUR:
        yield Message(title, None, f"{folder}/several_outputs.py")
        yield Message(criterion, None, f"{folder}/several_outputs.py")
    for family in FAMILIES:
        yield from _family(family.names, (family.style, family.content), family.examples)
    for aspect in ASPECTS.values():
        yield Message(aspect.title, None, "corpus/aspects.py")
    faults = (storage_faults.FULL, storage_faults.READ_ONLY, storage_faults.DAMAGED)
    for fault in (*faults, storage_faults.AWAY):
        yield Message(fault.words, None, "corpus/storage_faults.py")


def _family(
    names: Mapping[str, object], said: tuple[str, ...], ways: Mapping[tuple[str, str], Examples]
) -> Iterator[Message]:
    """Yield the names of styles, what they mean, and the sentences that are examples of them."""
    place = f"annotation/protocols/guidelines/{'_'.join(names)}"
    yield from (Message(text, None, place) for text in (*names, *said))
    for (source, target), examples in ways.items():
        for case in (examples.guide, examples.style, examples.content, examples.fluency):
            for text, why in _case(case):
                yield Message(text, EXAMPLE, f"{source} to {target}")
                if why:
                    yield Message(why, None, f"{source} to {target}")


def _case(case: Case) -> Iterator[tuple[str, str]]:
    yield case.source, ""
    yield case.full, ""
    for name in ("half", "drifted", "unrelated", "clumsy", "broken"):
        found = getattr(case, name)
        if isinstance(found, Rewriting):
            yield found.text, found.why


def _empty(locale: str | None) -> Catalog:
    return Catalog(
        locale=locale,
        project="Touchstone",
        version="rating pages",
        last_translator="Touchstone",
        language_team="Touchstone",
        msgid_bugs_address="",
        creation_date=DATE,
        revision_date=DATE,
        fuzzy=False,
    )


def _locale(language: str) -> str:
    """Return Django's name of a locale in Babel's."""
    return {"zh_hans": "zh_Hans"}.get(language, language)


def _place(language: str, ending: str) -> Path:
    locale = _locale(language.replace("-", "_"))
    return LOCALE / locale / "LC_MESSAGES" / f"django.{ending}"


def _write(language: str, of_all: Catalog) -> None:
    stored = read(language)
    stored.update(of_all, no_fuzzy_matching=True)
    stored.obsolete.clear()
    path = _place(language, "po")
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        write_po(file, stored, width=100, ignore_obsolete=True, include_lineno=False)
    compiled_path(language).write_bytes(compiled(stored))


def main() -> int:
    """Write the catalogues, or only look; return how many things are wrong."""
    of_all = template()
    others = [language for language in LANGUAGES if language != ENGLISH]
    if "--check" not in sys.argv:
        for language in others:
            _write(language, of_all)
    wrong = [line for language in others for line in problems(language, of_all)]
    sys.stdout.write("".join(f"{line}\n" for line in wrong))
    return len(wrong)


if __name__ == "__main__":
    sys.exit(min(main(), 1))
