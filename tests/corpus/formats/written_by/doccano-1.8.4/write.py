"""Rate in a project of doccano, and store its exports; see README.md."""

# ruff: noqa: E402

import os
import sys
import zipfile
from pathlib import Path

import backend

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(Path(backend.__file__).parent))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.production")
os.environ.setdefault("DATABASE_URL", f"sqlite:///{HERE / 'made-up.sqlite3'}")

import django

django.setup()

from data_export.celery_tasks import export_dataset
from django.contrib.auth.models import User
from django.core.management import call_command
from examples.models import Comment, Example
from label_types.models import CategoryType
from labels.models import Category
from projects.models import Member, ProjectType, TextClassificationProject
from roles.models import Role

call_command("migrate", verbosity=0)
call_command("create_roles")
ANSWERS = {
    "anna": [("Good day.", ["fluency: 5", "good"]), ("Hello,\nyou.", ["fluency: 2"])],
    "bert": [("Good day.", ["fluency: 4"]), ('Café "☕"', ["fluency: 1"])],
}
TEXTS = {
    "Good day.": {"segment_id": "s1", "source": "Guten Tag.", "system": "A"},
    "Hello,\nyou.": {"segment_id": "s1", "source": "Guten Tag.", "system": "B"},
    'Café "☕"': {"segment_id": "s2", "source": "Ja.", "system": "A"},
}


def made(together: bool) -> TextClassificationProject:
    """Return a project with what two annotators said."""
    users = {name: User.objects.get_or_create(username=name)[0] for name in ANSWERS}
    project = TextClassificationProject.objects.create(
        name="Made-up ratings",
        project_type=ProjectType.DOCUMENT_CLASSIFICATION,
        collaborative_annotation=together,
        created_by=users["anna"],
    )
    role = Role.objects.get(name="annotator")
    for user in users.values():
        Member.objects.get_or_create(project=project, user=user, defaults={"role": role})
    examples = {
        text: Example.objects.create(project=project, text=text, meta=meta)
        for text, meta in TEXTS.items()
    }
    for name, said in ANSWERS.items():
        for text, labels in said:
            for label in labels:
                kind, _ = CategoryType.objects.get_or_create(project=project, text=label)
                Category.objects.create(example=examples[text], user=users[name], label=kind)
    Comment.objects.create(example=examples["Good day."], user=users["anna"], text="Fine.")
    return project


for folder, together in (("each", False), ("together", True)):
    packed = export_dataset(made(together).pk, "JSONL")
    with zipfile.ZipFile(packed) as archive:
        archive.extractall(HERE / folder)
