from django.db import migrations

from corpus.triggers import append_only


class Migration(migrations.Migration):
    dependencies = [("corpus", "0001_initial")]

    operations = [append_only("corpus_output"), append_only("corpus_auditentry")]
