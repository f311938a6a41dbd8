"""One vocabulary of aspects: names of protocols, metrics and published tables meet in it."""

import pytest

from annotation.protocols.catalogue import LIVE
from corpus.vocabulary.aspects import ASPECTS, FAMILIES, find_aspect, match


@pytest.mark.parametrize(
    ("name", "key", "family"),
    [
        ("style_transfer_intensity", "style", "style"),
        ("Style strength", "style", "style"),
        ("Formality", "style", "style"),
        ("content_preservation", "content", "content"),
        ("Meaning-Preservation", "content", "content"),
        ("grammaticality", "fluency", "fluency"),
        ("naturalness", "naturalness", "fluency"),
        ("rank", "overall", "overall"),
        ("QUALITY", "overall", "overall"),
    ],
)
def test_published_names_are_matched_by_synonyms(name, key, family):
    found = match(name)
    assert found is not None
    assert (found.key, found.family) == (key, family)


def test_no_name_stands_for_two_aspects():
    names = [n for aspect in ASPECTS.values() for n in (aspect.key, *aspect.synonyms)]
    assert len(names) == len(set(names))
    assert all(aspect.family in FAMILIES for aspect in ASPECTS.values())


def test_every_protocol_asks_about_aspects_of_the_registry():
    asked = {aspect for protocol in LIVE.values() for aspect in protocol.aspects}
    assert asked
    assert all(match(aspect) is not None for aspect in asked)


def test_a_declaration_corrects_a_match():
    assert find_aspect("similarity", {"similarity": {"aspect": "style"}}).key == "style"
    apart = find_aspect("similarity", {"similarity": {"family": "other"}})
    assert (apart.key, apart.family) == ("similarity", "other")
