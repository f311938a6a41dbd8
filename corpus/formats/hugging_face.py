"""Hugging Face dataset folders: data files beside a card, or as `save_to_disk` writes them."""

import re
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from corpus.extras import how_to_install
from corpus.formats.format import Format, Offered, ReadAs
from corpus.tabular.opening.files import FORMATS, SourceFile, check_expansion
from corpus.tabular.problems import refused

CARD = "readme.md"
ABOUT_THE_DATA = {"dataset_info.json", "dataset_infos.json", "state.json", "study.json"}
_SAID = (
    ("title", "pretty_name", "", 200),
    ("language", "language", "", 35),
    ("description", "license", "License, as the card says: ", None),
)
"""What the card says under which name, what comes before it, and its greatest length."""


class HuggingFace(Format):
    """A dataset folder with its card, or one that was saved to disk."""

    name = "hugging-face"
    title = "Hugging Face dataset folder"
    part = "configuration"

    def recognises(self, files: Offered) -> bool:
        """Whether a card with a head stands beside Parquet, CSV or JSON Lines, or Arrow files."""
        return (bool(_card(files)) and bool(_data(files))) or bool(_saved(files))

    def read(self, files: Offered, folder: Path, chosen: str) -> ReadAs:
        """Take title and language from the card; the columns are recognised by their names."""
        if saved := _saved(files):
            return ReadAs([(_as_parquet(files, name, folder), None) for name in saved])
        card, data = _card(files), _data(files)
        configurations = _configurations(card)
        read = ReadAs()
        if len(configurations) > 1:
            read.choices = tuple(configurations)
            read.chosen = chosen if chosen in configurations else ""
            if not read.chosen:
                return read
        if configurations:
            wanted = configurations[read.chosen or next(iter(configurations))]
            data = [name for name in data if any(_matches(name, each) for each in wanted)]
        read.tables += [(files.source(name), None) for name in data]
        for key, name, before, longest in _SAID:
            value = card.get(name)
            value = value[0] if isinstance(value, list) and len(value) == 1 else value
            if isinstance(value, str):
                read.study[key] = before + value[:longest]
        return read


def _card(files: Offered) -> dict[str, Any]:
    """Return the head of the card; empty if there is none."""
    import yaml  # Few imports have a card.

    name = next((each for each in files.names if each.lower() == CARD), "")
    text = files.beginning(name) if name else ""
    if not text.startswith("---"):
        return {}
    try:
        found = yaml.safe_load(text[3:].partition("\n---")[0])
    except yaml.YAMLError:
        return {}
    known = {"configs", "dataset_info", "license", "language", "pretty_name", "task_categories"}
    return found if isinstance(found, dict) and known & found.keys() else {}


def _saved(files: Offered) -> list[str]:
    """Return the Arrow files that `state.json` of datasets saved to disk names."""
    found = []
    for name in files.ending_with("state.json"):
        folder = name.removesuffix("state.json")
        listed = files.first_record(name).get("_data_files")
        for each in listed if isinstance(listed, list) else []:
            filename = each.get("filename") if isinstance(each, dict) else None
            found.append(f"{folder}{filename}")
    return [name for name in found if name in files.names]


def _data(files: Offered) -> list[str]:
    found = files.ending_with(*(f".{ending}" for ending in FORMATS))
    return [name for name in found if name.rpartition("/")[2].lower() not in ABOUT_THE_DATA]


def _configurations(card: dict[str, Any]) -> dict[str, list[str]]:
    """Return the patterns of the files of each configuration, as the card lists them."""
    found: dict[str, list[str]] = {}
    for each in card.get("configs") or []:
        name = each.get("config_name", "default") if isinstance(each, dict) else None
        paths = [each.get("data_files")] if isinstance(name, str) else []
        while paths:
            path = paths.pop(0)
            if isinstance(path, list):
                paths += path
            elif isinstance(path, dict):
                paths.append(path.get("path"))
            elif isinstance(path, str) and isinstance(name, str):
                found.setdefault(name, []).append(path)
    return found


def _matches(name: str, pattern: str) -> bool:
    """Whether a path is meant by a pattern in which only stars stand for something."""
    return fnmatchcase(name, re.sub(r"[?[]", r"[\g<0>]", pattern))


def _as_parquet(files: Offered, name: str, folder: Path) -> SourceFile:
    """Write the batches of an Arrow stream as Parquet; rows keep their places."""
    try:
        import pyarrow as arrow
        import pyarrow.parquet as parquet
    except ImportError:
        raise refused("arrow", name, how=how_to_install("parquet")) from None

    source = files.source(name)
    place = folder / f"{name.replace('/', '-')}.parquet"
    packed, unpacked = max(source.path.stat().st_size, 1), 0
    try:
        with (
            source.path.open("rb") as stream,
            arrow.ipc.open_stream(stream) as batches,
            parquet.ParquetWriter(place, batches.schema) as writer,
        ):
            for batch in batches:
                unpacked += batch.nbytes
                check_expansion(name, unpacked, packed, files.limits)
                batch.validate(full=True)
                writer.write_batch(batch)
    except MemoryError:
        raise
    except (arrow.ArrowException, OSError, UnicodeDecodeError) as error:
        found = str(error).partition("\n")[0][:80]
        raise refused("damaged-arrow", name, found) from error
    return SourceFile(place, name, "parquet")


FORMAT = HuggingFace()
