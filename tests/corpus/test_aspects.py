"""One vocabulary of aspects: names of protocols, metrics and published tables meet in it."""

import pytest

from annotation.protocols.catalogue import LIVE
from corpus.vocabulary.aspects import ASPECTS, FAMILIES, check_declared, find_aspect, match


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


def test_an_unknown_name_is_an_aspect_of_its_own_until_its_family_is_declared():
    assert match("humour") is None
    assert find_aspect("humour").family == "other"
    declared = {"humour": {"family": "style"}}
    assert (find_aspect("humour", declared).key, find_aspect("humour", declared).family) == (
        "humour",
        "style",
    )


def test_a_declaration_corrects_a_match():
    assert find_aspect("similarity", {"similarity": {"aspect": "style"}}).key == "style"
    apart = find_aspect("similarity", {"similarity": {"family": "other"}})
    assert (apart.key, apart.family) == ("similarity", "other")


@pytest.mark.parametrize(
    "entry", ["style", {}, {"aspect": "humour"}, {"family": "wit"}, {"aspect": "style", "x": 1}]
)
def test_a_declaration_that_names_nothing_known_is_refused_with_what_is_expected(entry):
    assert "style, content" in check_declared("humour", entry) or "either" in check_declared(
        "humour", entry
    )
    assert not check_declared("humour", {"family": "other"})
