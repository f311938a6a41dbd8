import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

from corpus.storage.triggers import TEXT_FILLED_IN, AppendOnly


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Permission',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('what', models.CharField(max_length=10)),
            ],
            options={
                'db_table': 'corpus_permission',
                'default_permissions': (),
            },
        ),
        migrations.CreateModel(
            name='RateLimit',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=64, unique=True)),
                ('level', models.FloatField(default=0)),
                ('at', models.DateTimeField(db_index=True)),
            ],
        ),
        migrations.CreateModel(
            name='Study',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.SlugField(max_length=100, unique=True)),
                ('title', models.CharField(blank=True, max_length=200)),
                ('description', models.TextField(blank=True)),
                ('language', models.CharField(default='en', max_length=35)),
                ('simulated', models.BooleanField(default=False)),
                ('declarations', models.JSONField(blank=True, default=dict, help_text='Scales, protocols and metric orientations as declared.')),
                ('provenance', models.JSONField(blank=True, default=list, help_text='Sampling and normalisation applied at import, in order.')),
                ('without_texts', models.BooleanField(db_default=False, default=False, help_text='Its outputs are known by their keys; their texts are not here.')),
                ('revision', models.PositiveIntegerField(default=0, help_text='Grows with every published change.')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('deletion_asked_at', models.DateTimeField(blank=True, help_text='Hidden since then, to be deleted.', null=True)),
            ],
            options={
                'verbose_name_plural': 'studies',
                'ordering': ('slug',),
            },
        ),
        migrations.CreateModel(
            name='Worker',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(help_text='Machine and process.', max_length=100, unique=True)),
                ('kind', models.CharField(choices=[('work', 'manage.py work'), ('celery', 'Celery')], max_length=20)),
                ('queues', models.JSONField(help_text='Which jobs it takes.')),
                ('processes', models.PositiveSmallIntegerField(default=1, help_text='Jobs at a time.')),
                ('started_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('seen_at', models.DateTimeField(default=django.utils.timezone.now)),
            ],
            options={
                'ordering': ('name',),
            },
        ),
        migrations.CreateModel(
            name='Job',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=50)),
                ('key', models.CharField(help_text='What must not be worked on twice at a time.', max_length=200)),
                ('parameters', models.JSONField(blank=True, default=dict)),
                ('priority', models.PositiveSmallIntegerField(db_default=1, default=1, help_text='Smaller comes first.')),
                ('queue', models.CharField(choices=[('default', 'Default'), ('gpu', 'Gpu'), ('heavy', 'Heavy')], db_default='default', default='default', max_length=20)),
                ('state', models.CharField(choices=[('queued', 'waiting'), ('running', 'running'), ('done', 'done'), ('failed', 'failed'), ('cancelled', 'cancelled')], default='queued', max_length=20)),
                ('cancel_requested', models.BooleanField(default=False)),
                ('worker', models.CharField(blank=True, max_length=100)),
                ('lease_until', models.DateTimeField(blank=True, null=True)),
                ('attempts', models.PositiveIntegerField(default=0)),
                ('progress', models.JSONField(blank=True, default=dict)),
                ('result', models.JSONField(blank=True, default=dict)),
                ('error', models.TextField(blank=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('started_at', models.DateTimeField(blank=True, null=True)),
                ('heartbeat_at', models.DateTimeField(blank=True, null=True)),
                ('finished_at', models.DateTimeField(blank=True, null=True)),
                ('created_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='jobs', to=settings.AUTH_USER_MODEL)),
                ('parent', models.ForeignKey(blank=True, help_text='The job of which this is a part.', null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='corpus.job')),
                ('study', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='jobs', to='corpus.study')),
            ],
            options={
                'ordering': ('-id',),
                'constraints': [
                    models.UniqueConstraint(condition=models.Q(('state__in', ('queued', 'running'))), fields=('key',), name='job_key_once_while_active'),
                    models.CheckConstraint(condition=models.Q(('state__in', ['queued', 'running', 'done', 'failed', 'cancelled'])), name='job_known_state'),
                    models.CheckConstraint(condition=models.Q(('queue__in', ['default', 'gpu', 'heavy'])), name='job_known_queue'),
                ],
                'indexes': [
                    models.Index(condition=models.Q(('state__in', ('queued', 'running'))), fields=['state', 'lease_until'], name='job_active'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Segment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('ordinal', models.PositiveIntegerField()),
                ('key', models.CharField(max_length=200)),
                ('source_style', models.CharField(blank=True, max_length=100)),
                ('target_style', models.CharField(blank=True, max_length=100)),
                ('attributes', models.JSONField(blank=True, default=dict)),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='segments', to='corpus.study')),
            ],
            options={
                'ordering': ('study', 'ordinal'),
                'constraints': [
                    models.UniqueConstraint(models.F('study'), models.F('key'), name='segment_key_once'),
                    models.UniqueConstraint(models.F('study'), models.F('ordinal'), name='segment_ordinal_once'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Membership',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('role', models.CharField(choices=[('owner', 'owner: imports, exports, manages'), ('researcher', 'researcher: reads reports and texts')], max_length=20)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to=settings.AUTH_USER_MODEL)),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to='corpus.study')),
            ],
            options={
                'constraints': [
                    models.UniqueConstraint(models.F('study'), models.F('user'), name='membership_once_per_study'),
                    models.CheckConstraint(condition=models.Q(('role__in', ['owner', 'researcher'])), name='membership_known_role'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Invitation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('role', models.CharField(choices=[('owner', 'owner: imports, exports, manages'), ('researcher', 'researcher: reads reports and texts')], max_length=20)),
                ('note', models.CharField(blank=True, help_text='Whom it is for, as the owner knows them.', max_length=200)),
                ('token_sha256', models.CharField(max_length=64, unique=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('expires_at', models.DateTimeField()),
                ('accepted_at', models.DateTimeField(blank=True, null=True)),
                ('accepted_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('invited_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='invitations', to='corpus.study')),
            ],
            options={
                'ordering': ('-id',),
                'constraints': [
                    models.CheckConstraint(condition=models.Q(('role__in', ['owner', 'researcher'])), name='invitation_known_role'),
                    models.CheckConstraint(condition=models.Q(('accepted_by__isnull', True), ('accepted_at__isnull', False), _connector='OR'), name='invitation_accepted_at_a_time'),
                ],
            },
        ),
        migrations.CreateModel(
            name='ImportDraft',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('upload', models.CharField(db_index=True, max_length=32)),
                ('choices', models.JSONField(default=dict)),
                ('changed_at', models.DateTimeField(auto_now=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='import_drafts', to='corpus.study')),
            ],
            options={
                'ordering': ('-changed_at',),
                'constraints': [
                    models.UniqueConstraint(fields=('study', 'upload', 'user'), name='import_draft_once_per_person'),
                ],
            },
        ),
        migrations.CreateModel(
            name='AuditEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('action', models.CharField(max_length=50)),
                ('object', models.CharField(blank=True, max_length=200)),
                ('before', models.JSONField(blank=True, null=True)),
                ('after', models.JSONField(blank=True, null=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('actor', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='audit_entries', to=settings.AUTH_USER_MODEL)),
                ('study', models.ForeignKey(blank=True, help_text='Empty where the study was deleted.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='audit_entries', to='corpus.study')),
            ],
            options={
                'verbose_name_plural': 'audit entries',
                'ordering': ('-id',),
            },
        ),
        migrations.CreateModel(
            name='AccessEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(db_index=True, default=django.utils.timezone.now)),
                ('action', models.CharField(choices=[('signed-in', 'signed in'), ('sign-in-failed', 'sign-in failed'), ('signed-out', 'signed out'), ('reset-asked', 'password reset asked for'), ('sign-in-changed', 'way of signing in changed'), ('token-made', 'API token made'), ('token-revoked', 'API token revoked'), ('exported', 'exported'), ('published', 'published'), ('downloaded', 'downloaded'), ('read', 'read by the API'), ('backed-up', 'backup made')], max_length=20)),
                ('detail', models.CharField(blank=True, help_text='By which way, or what of the study.', max_length=100)),
                ('size', models.BigIntegerField(help_text='In bytes, where it is known.', null=True)),
                ('network', models.CharField(blank=True, help_text='The same for requests from the same network.', max_length=8)),
                ('person', models.ForeignKey(db_constraint=False, help_text='Nobody who is known, or the site itself, where it is empty.', null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('study', models.ForeignKey(db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='corpus.study')),
            ],
            options={
                'verbose_name_plural': 'access entries',
                'ordering': ('-id',),
                'constraints': [
                    models.CheckConstraint(condition=models.Q(('size__isnull', True), ('size__gte', 0), _connector='OR'), name='access_entry_size_not_negative'),
                ],
            },
        ),
        migrations.CreateModel(
            name='StyleLexicon',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=200)),
                ('sha256', models.CharField(help_text='Of the entries, whatever their order.', max_length=64)),
                ('entries', models.JSONField(help_text='Word, style (may be empty) and weight (or null) of each.')),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='lexicons', to='corpus.study')),
            ],
            options={
                'ordering': ('study', 'id'),
                'constraints': [
                    models.UniqueConstraint(models.F('study'), models.F('name'), name='lexicon_name_once'),
                    models.UniqueConstraint(models.F('study'), models.F('sha256'), name='lexicon_once'),
                ],
            },
        ),
        migrations.CreateModel(
            name='System',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('ordinal', models.PositiveIntegerField()),
                ('name', models.CharField(max_length=200)),
                ('kind', models.CharField(choices=[('system', 'System'), ('source', 'Source'), ('reference', 'Reference')], default='system', max_length=20)),
                ('attributes', models.JSONField(blank=True, default=dict)),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='systems', to='corpus.study')),
            ],
            options={
                'ordering': ('study', 'ordinal'),
                'constraints': [
                    models.UniqueConstraint(models.F('study'), models.F('name'), name='system_name_once'),
                    models.UniqueConstraint(models.F('study'), models.F('ordinal'), name='system_ordinal_once'),
                    models.CheckConstraint(condition=models.Q(('kind__in', ['system', 'source', 'reference'])), name='system_known_kind'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Output',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('ordinal', models.PositiveIntegerField(help_text="Place in the study's score arrays.")),
                ('variant', models.PositiveSmallIntegerField(default=1)),
                ('text', models.TextField(blank=True)),
                ('sha256', models.CharField(max_length=64)),
                ('segment', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='outputs', to='corpus.segment')),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='outputs', to='corpus.study')),
                ('system', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='outputs', to='corpus.system')),
            ],
            options={
                'ordering': ('study', 'ordinal'),
                'constraints': [
                    models.UniqueConstraint(models.F('study'), models.F('ordinal'), name='output_ordinal_once'),
                    models.UniqueConstraint(models.F('segment'), models.F('system'), models.F('variant'), name='output_once'),
                ],
            },
        ),
        migrations.CreateModel(
            name='MaskedText',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('recipe', models.CharField(help_text='How it was masked, as a name.', max_length=200)),
                ('text', models.TextField(blank=True)),
                ('output', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='masked_texts', to='corpus.output')),
            ],
            options={
                'verbose_name': 'masked text',
                'ordering': ('recipe', 'output'),
                'constraints': [models.UniqueConstraint(models.F('output'), models.F('recipe'), name='masked_text_once')],
            },
        ),
        migrations.CreateModel(
            name='StagedMaskedText',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('file', models.PositiveSmallIntegerField()),
                ('line', models.PositiveIntegerField()),
                ('output', models.IntegerField()),
                ('recipe', models.CharField(max_length=200)),
                ('text', models.TextField(blank=True)),
                ('job', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='corpus.job')),
            ],
            options={
                'abstract': False,
                'indexes': [models.Index(fields=['job'], name='stagedmaskedtext_job')],
            },
        ),
        migrations.CreateModel(
            name='StagedSegment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('file', models.PositiveSmallIntegerField()),
                ('line', models.PositiveIntegerField()),
                ('key', models.CharField(max_length=200)),
                ('source_style', models.CharField(blank=True, max_length=100)),
                ('target_style', models.CharField(blank=True, max_length=100)),
                ('attributes', models.JSONField(default=dict)),
                ('job', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='corpus.job')),
            ],
            options={
                'abstract': False,
                'indexes': [models.Index(fields=['job'], name='stagedsegment_job')],
            },
        ),
        migrations.CreateModel(
            name='StagedSystem',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('file', models.PositiveSmallIntegerField()),
                ('line', models.PositiveIntegerField()),
                ('name', models.CharField(max_length=200)),
                ('attributes', models.JSONField(default=dict)),
                ('job', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='corpus.job')),
            ],
            options={
                'abstract': False,
                'indexes': [models.Index(fields=['job'], name='stagedsystem_job')],
            },
        ),
        migrations.CreateModel(
            name='StagedText',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('file', models.PositiveSmallIntegerField()),
                ('line', models.PositiveIntegerField()),
                ('segment_key', models.CharField(max_length=200)),
                ('system_name', models.CharField(max_length=200)),
                ('variant', models.PositiveSmallIntegerField(default=1)),
                ('text', models.TextField(blank=True)),
                ('sha256', models.CharField(max_length=64)),
                ('ordinal', models.PositiveIntegerField(null=True)),
                ('job', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='corpus.job')),
            ],
            options={
                'abstract': False,
                'indexes': [models.Index(fields=['job'], name='stagedtext_job')],
            },
        ),
        AppendOnly('corpus_output', TEXT_FILLED_IN),
        AppendOnly('corpus_auditentry'),
        AppendOnly('corpus_accessentry'),
        AppendOnly('corpus_maskedtext'),
        AppendOnly('corpus_stylelexicon'),
    ]
