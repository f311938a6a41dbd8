"""Components say why a number is missing, and tie an error to its field."""

import pytest
from django import forms
from django.template.loader import render_to_string


def test_an_undefined_number_says_why_and_shows_no_digits() -> None:
    number = {"value": None, "reason": "no unit was rated twice", "signature": "alpha"}
    text = render_to_string("components/number.html", {"number": number})
    assert "Undefined, because no unit was rated twice." in " ".join(text.split())
    assert not any(character.isdigit() for character in text)


class ImportForm(forms.Form):
    """One field of each sort."""

    slug = forms.SlugField(help_text="Letters and digits.")
    layout = forms.ChoiceField(choices=[("t", "Tables")], widget=forms.RadioSelect)
    cut = forms.BooleanField(label="Cut long texts")


@pytest.mark.parametrize("name", ["slug", "layout", "cut"])
def test_a_field_with_an_error_is_tied_to_its_label_and_error(name: str) -> None:
    text = render_to_string("components/field.html", {"field": ImportForm({})[name]})
    assert "This field is required." in text
    assert f'id="id_{name}_error"' in text
    assert f"id_{name}_error" in text.split("aria-describedby=", 1)[1].split('"')[1]
