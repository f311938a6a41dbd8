"""What a file's contents suggest is shown, and imported as it was seen or corrected."""

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Rating
from corpus.models import Study
from tests.fixtures.import_shapes import UNNAMED
from tests.fixtures.study_files import write_files

pytestmark = pytest.mark.django_db


def test_the_command_asks_whether_a_suggestion_is_right(tmp_path, capsys):
    path = write_files(tmp_path / "odd", UNNAMED | {"study.json": {"protocol": "likert"}})
    with pytest.raises(CommandError, match="1 question to answer"):
        call_command("import_study", str(path))
    said = capsys.readouterr().out
    assert "--answer read-as:data.csv=yes (proposed)" in said
    assert "segments: segment ← c1; source ← c2" in said
    assert not Study.objects.exists()
    call_command("import_study", str(path), answer=["read-as:data.csv=yes"])
    assert Rating.objects.count() == 54
