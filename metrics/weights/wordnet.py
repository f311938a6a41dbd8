"""WordNet 3.0, the lexical database of English (Miller 1995; Fellbaum 1998)."""

import io
import os
from functools import cache, lru_cache
from pathlib import Path
from threading import Lock
from typing import IO, Any

from metrics.scorers.scorer import Unavailable

NAME = "wordnet"
TITLE = "WordNet"
DEBIAN = Path("/usr/share/wordnet")
INSTALL = "sudo apt install wordnet-base, or name the folder with its files in WNSEARCHDIR"
_FILES = tuple(
    name
    for part in ("adj", "adv", "noun", "verb")
    for name in (f"data.{part}", f"index.{part}", f"{part}.exc")
)
# The manual page lexnames(5WN): lexicographers' files in the order of their numbers.
_LEXICOGRAPHER_FILES = """
    adj.all adj.pert adv.all noun.Tops noun.act noun.animal noun.artifact noun.attribute noun.body
    noun.cognition noun.communication noun.event noun.feeling noun.food noun.group noun.location
    noun.motive noun.object noun.person noun.phenomenon noun.plant noun.possession noun.process
    noun.quantity noun.relation noun.shape noun.state noun.substance noun.time verb.body
    verb.change verb.cognition verb.communication verb.competition verb.consumption verb.contact
    verb.creation verb.emotion verb.motion verb.perception verb.possession verb.social
    verb.stative verb.weather adj.ppl
"""
_PARTS_OF_SPEECH = {"noun": 1, "verb": 2, "adj": 3, "adv": 4}
_reading = Lock()


def files() -> dict[str, Path]:
    """Return the files of the database.

    They are sought in the folder that WNSEARCHDIR names, the variable of WordNet's own programs;
    else in ``corpora/wordnet`` of every folder of NLTK_DATA; else where Debian has them.

    Raises
    ------
    Unavailable
        If no folder has them all.
    """
    for folder in _folders():
        found = {name: folder / name for name in _FILES}
        if all(path.is_file() for path in found.values()):
            return found
    raise Unavailable(f"{TITLE} is not installed: {INSTALL}")


def _folders() -> list[Path]:
    if named := os.environ.get("WNSEARCHDIR"):
        return [Path(named)]
    data = [part for part in os.environ.get("NLTK_DATA", "").split(os.pathsep) if part]
    return [*(Path(part) / "corpora" / "wordnet" for part in data), DEBIAN]


@cache
def load() -> Any:
    """Return NLTK's reader of the database.

    Raises
    ------
    Unavailable
        If it is not installed.
    """
    import nltk.data
    from nltk.corpus.reader.wordnet import WordNetCorpusReader

    class Reader(WordNetCorpusReader):  # type: ignore[misc]
        """WordNet as Debian packs it: without the file of lexicographers' files."""

        def open(self, file: str) -> IO[str]:
            return io.StringIO(_lexnames()) if file == "lexnames" else super().open(file)

        def map_wn(self, version: str = "wordnet") -> None:
            """Map nothing: other versions serve other languages, and are not here."""

    folder = str(next(iter(files().values())).resolve().parent)
    # NLTK opens nothing outside the folders it was told of.
    if folder not in nltk.data.path:
        nltk.data.path.append(folder)
    return Reader(folder, omw_reader=False)


def _lexnames() -> str:
    """Return what the file ``lexnames`` has: number, name and part of speech."""
    lines = (
        f"{number:02}\t{name}\t{_PARTS_OF_SPEECH[name.partition('.')[0]]}\n"
        for number, name in enumerate(_LEXICOGRAPHER_FILES.split())
    )
    return "".join(lines)


@lru_cache(maxsize=100_000)
def synsets(word: str) -> list[Any]:
    """Return the synonym sets of a word in any inflection; one thread reads at a time."""
    with _reading:
        found: list[Any] = load().synsets(word)
    return found
