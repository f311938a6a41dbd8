"""Keep tokens that were stored as they are by their hash, and drop the table that held them."""

import hashlib

from django.db import migrations

OLDER = "authtoken_token"


def hash_tokens(apps, schema_editor):
    connection = schema_editor.connection
    if OLDER not in connection.introspection.table_names():
        return
    tokens = apps.get_model("site", "ApiToken")
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT key, user_id FROM {OLDER}")
        for key, user in cursor.fetchall():
            tokens.objects.create(
                user_id=user,
                name="made before tokens had names",
                scope="write",
                key_sha256=hashlib.sha256(key.encode()).hexdigest(),
            )
        cursor.execute(f"DROP TABLE {OLDER}")


class Migration(migrations.Migration):
    dependencies = [("site", "0003_api_tokens")]

    operations = [migrations.RunPython(hash_tokens, migrations.RunPython.noop)]
