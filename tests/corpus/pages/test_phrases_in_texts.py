"""A phrase is found whatever the case of its letters, in every script and every database."""

import re

import pytest

from corpus.models import Study
from corpus.texts.phrases import phrase_expression

pytestmark = [pytest.mark.dialect, pytest.mark.django_db]
TEXTS = (
    *("Straße", "STRASSE", "École", "ΟΔΟΣ", "οδός", "Привет, мир", "100%", "a_b", "aXb"),
    *("what? [sic] *so*", "x^y", "back\\slash", "two\nlines", "日本語", "Ünïcödé", "plain", ""),
    *("GROẞE Straße", "eﬃcient", "Maß und Masse", "s", "ßs", "Flussschiff, Flußschiff"),
)
PHRASES = (
    *("straße", "ss", "éCOLE", "οδος", "ΟΔΌΣ", "ПРИВЕТ", "%", "_", "a_b", "?", "[sic", "*so*"),
    *("^", "\\", "o\nl", "本", "ÜNÏ", "PLAIN", "]", "ſ", "x^Y", "k", "***", "(?i)p", "[^z]"),
    *("STRASSE", "ẞ", "ß", "große strasse", "Stras", "se", "maß und maß", "efficient", "s", "ſſe"),
    *("flussschiff", "ase", "Mass", "ss*"),
)


def test_a_database_finds_what_folding_letter_by_letter_finds() -> None:
    def folded(text: str) -> str:
        sharp = text.replace("ß", "ss").replace("ẞ", "ss")
        return "".join(one if len(one := sign.casefold()) == 1 else sign for sign in sharp)

    Study.objects.bulk_create(
        Study(slug=f"text-{number}", description=text) for number, text in enumerate(TEXTS)
    )
    for phrase in PHRASES:
        expected = {text for text in TEXTS if folded(phrase) in folded(text)}
        found = Study.objects.filter(description__has=phrase)
        assert set(found.values_list("description", flat=True)) == expected, phrase
        expression = phrase_expression(phrase)
        assert {text for text in TEXTS if re.search(expression, text)} == expected, phrase
