"""Hugging Face dataset folders: data files beside a card, or as `save_to_disk` writes them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from corpus.formats.arrow_files import as_parquet
from corpus.formats.format import Format, ReadAs
from corpus.formats.offered import Offered
from corpus.tabular.files import FORMATS

CARD = "readme.md"
ABOUT_THE_DATA = {"dataset_info.json", "dataset_infos.json", "state.json", "study.json"}
_LONGEST_TITLE = 200


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
            return ReadAs([(as_parquet(files, name, folder), None) for name in saved])
        card = _card(files)
        configurations = _configurations(card)
        names = tuple(configurations) if len(configurations) > 1 else ()
        read = ReadAs(choices=names, chosen=chosen if chosen in names else "")
        if names and not read.chosen:
            return read
        data = _data(files)
        if configurations:
            wanted = configurations[read.chosen or next(iter(configurations))]
            data = [name for name in data if any(_matches(name, each) for each in wanted)]
        read.tables += [(files.source(name), None) for name in data]
        title = card.get("pretty_name")
        if isinstance(title, str):
            read.study["title"] = title[:_LONGEST_TITLE]
        languages = card.get("language")
        if isinstance(languages, str):
            languages = [languages]
        if isinstance(languages, list) and len(languages) == 1 and isinstance(languages[0], str):
            read.study["language"] = languages[0][:35]
        licence = card.get("license")
        if isinstance(licence, str):
            read.study["description"] = f"License, as the card says: {licence}"
        return read


def _card(files: Offered) -> dict[str, Any]:
    """Return the head of the card; empty if there is none."""
    import yaml  # Few imports have a card.

    name = next((each for each in files.names if each.lower() == CARD), "")
    text = files.head(name).decode("utf-8-sig", "replace") if name else ""
    if not text.startswith("---"):
        return {}
    head, _, _ = text[3:].partition("\n---")
    try:
        found = yaml.safe_load(head)
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
    endings = tuple(f".{ending}" for ending in FORMATS)
    found = files.ending_with(*endings)
    return [name for name in found if name.rpartition("/")[2].lower() not in ABOUT_THE_DATA]


def _configurations(card: dict[str, Any]) -> dict[str, list[str]]:
    """Return the patterns of the files of each configuration, as the card lists them."""
    found: dict[str, list[str]] = {}
    for each in card.get("configs") or []:
        name = each.get("config_name", "default") if isinstance(each, dict) else None
        if not isinstance(name, str):
            continue
        files = each.get("data_files")
        splits = files if isinstance(files, list) else [files]
        paths = [split.get("path") if isinstance(split, dict) else split for split in splits]
        flat = [p for path in paths for p in (path if isinstance(path, list) else [path])]
        found[name] = [p for p in flat if isinstance(p, str)]
    return {name: patterns for name, patterns in found.items() if patterns}


def _matches(name: str, pattern: str) -> bool:
    """Whether a path is meant by a pattern in which only stars stand for something."""
    parts = pattern.replace("**", "*").split("*")
    if len(parts) == 1:
        return name == pattern
    if not (name.startswith(parts[0]) and name.endswith(parts[-1])):
        return False
    start = len(parts[0])
    for part in parts[1:-1]:
        found = name.find(part, start)
        if found < 0:
            return False
        start = found + len(part)
    return start <= len(name) - len(parts[-1])


FORMAT = HuggingFace()
