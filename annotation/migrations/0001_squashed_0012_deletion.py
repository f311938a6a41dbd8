"""The tables of annotation in one step, with their triggers.

A new database has no rows for the conversions of the migrations that this one replaces; a database
that applied any of them goes on with those.
"""

import django.db.models.deletion
import uuid
from django.db import migrations, models

from corpus.triggers import allow, append_only


class Migration(migrations.Migration):

    replaces = [
        ('annotation', '0001_initial'),
        ('annotation', '0002_append_only'),
        ('annotation', '0003_rating_in_the_browser'),
        ('annotation', '0004_time_left'),
        ('annotation', '0005_shared_queue_places'),
        ('annotation', '0006_model_raters'),
        ('annotation', '0007_practice_texts'),
        ('annotation', '0008_aspects_of_the_registry'),
        ('annotation', '0009_campaign_sets'),
        ('annotation', '0010_sides_not_known'),
        ('annotation', '0011_refused_elsewhere'),
        ('annotation', '0012_deletion'),
    ]

    initial = True

    dependencies = [
        ('corpus', '0001_squashed_0007_deletion'),
    ]

    operations = [
        migrations.CreateModel(
            name='StagedRating',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('file', models.PositiveSmallIntegerField()),
                ('line', models.PositiveIntegerField()),
                ('campaign', models.CharField(max_length=100)),
                ('first', models.IntegerField()),
                ('second', models.IntegerField(default=-1, help_text='−1 where one output is judged alone.')),
                ('rater', models.CharField(max_length=200)),
                ('aspect', models.CharField(max_length=100)),
                ('revision', models.PositiveSmallIntegerField(default=1)),
                ('value', models.FloatField(null=True)),
                ('choice', models.CharField(blank=True, max_length=20)),
                ('comment', models.TextField(blank=True)),
                ('job', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='corpus.job')),
                ('rater_kind', models.CharField(blank=True, default='', max_length=20)),
                ('swapped', models.BooleanField(help_text='Whether `first` was on side B.', null=True)),
                ('seconds', models.FloatField(null=True)),
            ],
            options={
                'abstract': False,
                'indexes': [models.Index(fields=['job'], name='stagedrating_job')],
            },
        ),
        migrations.CreateModel(
            name='CampaignSet',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.CharField(max_length=100)),
                ('title', models.CharField(blank=True, max_length=200)),
                ('seed', models.BigIntegerField(default=0, help_text='Draws the sample.')),
                ('sample', models.JSONField(blank=True, null=True)),
                ('invite_code', models.CharField(blank=True, max_length=40)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='campaign_sets', to='corpus.study')),
            ],
            options={
                'ordering': ('study', 'id'),
                'constraints': [models.UniqueConstraint(models.F('study'), models.F('slug'), name='campaign_set_slug_once'), models.UniqueConstraint(condition=models.Q(('invite_code', ''), _negated=True), fields=('invite_code',), name='campaign_set_invite_code_once')],
            },
        ),
        migrations.CreateModel(
            name='Campaign',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.CharField(max_length=100)),
                ('protocol', models.CharField(max_length=50)),
                ('config', models.JSONField(blank=True, default=dict)),
                ('seed', models.BigIntegerField(default=0)),
                ('origin', models.CharField(choices=[('live', 'Live'), ('imported', 'Imported')], max_length=20)),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='campaigns', to='corpus.study')),
                ('consent', models.TextField(blank=True, help_text='Markdown; asked before the first item.')),
                ('content_warning', models.TextField(blank=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('design', models.CharField(blank=True, choices=[('fixed_batches', 'fixed batches: each annotator rates all systems of some sources'), ('balanced_overlap', 'balanced random overlap'), ('latin_square', 'Latin square: each source once per annotator, systems rotated'), ('shared_queue', 'shared queue: whoever comes gets the least-rated item')], max_length=20)),
                ('guidelines', models.TextField(blank=True, help_text='Markdown.')),
                ('invite_code', models.CharField(blank=True, max_length=40)),
                ('lease_seconds', models.PositiveIntegerField(default=1800)),
                ('questions', models.JSONField(blank=True, default=list, help_text='What annotators are asked about themselves.')),
                ('ratings_per_item', models.PositiveSmallIntegerField(default=1)),
                ('selection', models.JSONField(blank=True, default=dict, help_text='Which outputs are rated: systems, segments, controls.')),
                ('state', models.CharField(choices=[('draft', 'being prepared'), ('open', 'open'), ('paused', 'paused'), ('closed', 'closed')], default='closed', max_length=20)),
                ('title', models.CharField(blank=True, max_length=200)),
                ('queue_controls', models.JSONField(blank=True, default=dict, help_text='Control items of each annotator of the shared queue, among how many items.')),
                ('queue_end', models.PositiveIntegerField(db_default=0, default=0, help_text='The last place of the shared queue that was given.')),
                ('position', models.PositiveSmallIntegerField(db_default=0, default=0, help_text='Place among the tasks of the set, from 0.')),
                ('set', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.RESTRICT, related_name='campaigns', to='annotation.campaignset')),
                ('deletion_asked_at', models.DateTimeField(blank=True, help_text='Nobody rates since then; to be deleted.', null=True)),
            ],
            options={
                'ordering': ('study', 'id'),
                'constraints': [models.UniqueConstraint(models.F('study'), models.F('slug'), name='campaign_slug_once'), models.CheckConstraint(condition=models.Q(('origin__in', ['live', 'imported'])), name='campaign_known_origin'), models.UniqueConstraint(condition=models.Q(('invite_code', ''), _negated=True), fields=('invite_code',), name='campaign_invite_code_once'), models.CheckConstraint(condition=models.Q(('state__in', ['draft', 'open', 'paused', 'closed'])), name='campaign_known_state'), models.UniqueConstraint(models.F('set'), models.F('position'), name='campaign_position_once')],
            },
        ),
        migrations.CreateModel(
            name='Item',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('occasion', models.PositiveSmallIntegerField(default=1)),
                ('campaign', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='items', to='annotation.campaign')),
                ('first', models.ForeignKey(blank=True, help_text='Empty where practice shows a text that its owner wrote.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='corpus.output')),
                ('second', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='corpus.output')),
                ('kind', models.CharField(choices=[('plain', 'Plain'), ('repeat', 'Repeat'), ('degraded', 'Degraded'), ('reference', 'Reference'), ('practice', 'Practice')], db_default='plain', default='plain', max_length=20)),
                ('lead', models.BooleanField(db_default=True, default=True)),
                ('original', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='controls', to='annotation.item')),
                ('position', models.PositiveIntegerField(db_default=0, default=0, help_text='Place in the shared queue; a new one at its end whenever `taken` changes.')),
                ('screen', models.PositiveIntegerField(db_default=0, default=0)),
                ('shown', models.JSONField(blank=True, help_text='Texts that are shown in place of the stored ones: masked, degraded, or written for practice.', null=True)),
                ('taken', models.PositiveSmallIntegerField(db_default=0, default=0)),
                ('wanted', models.PositiveSmallIntegerField(db_default=0, default=0)),
            ],
            options={
                'ordering': ('campaign', 'id'),
                'indexes': [models.Index(condition=models.Q(('lead', True), ('taken__lt', models.F('wanted'))), fields=['campaign', 'taken', 'position'], name='item_to_hand_out'), models.Index(condition=models.Q(('lead', False)), fields=['campaign', 'screen'], name='item_beside_lead')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('second__isnull', True)), fields=('campaign', 'first', 'occasion'), name='item_of_one_once'), models.UniqueConstraint(condition=models.Q(('second__isnull', False)), fields=('campaign', 'first', 'second', 'occasion'), name='item_of_two_once'), models.CheckConstraint(condition=models.Q(('taken__lte', models.F('wanted'))), name='item_not_over_rated'), models.CheckConstraint(condition=models.Q(('first__isnull', False), models.Q(('kind', 'practice'), ('second__isnull', True), ('shown__isnull', False)), _connector='OR'), name='item_has_texts')],
            },
        ),
        migrations.CreateModel(
            name='Participant',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('token_sha256', models.CharField(blank=True, max_length=64)),
                ('link_expires_at', models.DateTimeField(blank=True, null=True)),
                ('revoked_at', models.DateTimeField(blank=True, null=True)),
                ('last_seen_at', models.DateTimeField(blank=True, null=True)),
                ('completion_code', models.CharField(blank=True, max_length=40)),
                ('platform', models.JSONField(blank=True, default=dict, help_text='Participant, study and session of a crowd platform.')),
                ('pseudonym', models.CharField(max_length=200)),
                ('number', models.PositiveIntegerField(help_text='Place in the design, from 0.')),
                ('set', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='participants', to='annotation.campaignset')),
                ('refused_at', models.DateTimeField(blank=True, help_text='When somebody with the same identifier last came from another browser.', null=True)),
            ],
            options={
                'ordering': ('set', 'number'),
                'constraints': [models.UniqueConstraint(models.F('set'), models.F('pseudonym'), name='participant_once'), models.UniqueConstraint(models.F('set'), models.F('number'), name='participant_number_once'), models.UniqueConstraint(condition=models.Q(('token_sha256', ''), _negated=True), fields=('token_sha256',), name='participant_token_once')],
            },
        ),
        migrations.CreateModel(
            name='Annotator',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('pseudonym', models.CharField(max_length=200)),
                ('kind', models.CharField(choices=[('person', 'Person'), ('model', 'Model'), ('mean', 'Mean'), ('majority', 'Majority'), ('unstated', 'Unstated')], default='person', max_length=20)),
                ('raters', models.PositiveSmallIntegerField(blank=True, help_text='How many stand behind a mean or a majority, where stated.', null=True)),
                ('campaign', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='annotators', to='annotation.campaign')),
                ('about', models.JSONField(blank=True, default=dict, help_text='Answers about the annotator.')),
                ('assigned', models.PositiveIntegerField(default=0)),
                ('completion_code', models.CharField(blank=True, max_length=40)),
                ('consented_at', models.DateTimeField(blank=True, null=True)),
                ('guidelines_read_at', models.DateTimeField(blank=True, null=True)),
                ('last_seen_at', models.DateTimeField(blank=True, null=True)),
                ('link_expires_at', models.DateTimeField(blank=True, null=True)),
                ('number', models.PositiveIntegerField(default=0, help_text='Place in the design, from 0.')),
                ('platform', models.JSONField(blank=True, default=dict, help_text='Participant, study and session of a crowd platform.')),
                ('public_id', models.UUIDField(blank=True, help_text='In the addresses of the rating pages.', null=True, unique=True)),
                ('qualified', models.BooleanField(blank=True, help_text='Set by the server.', null=True)),
                ('revoked_at', models.DateTimeField(blank=True, null=True)),
                ('submitted', models.PositiveIntegerField(default=0)),
                ('token_sha256', models.CharField(blank=True, max_length=64)),
                ('active_seconds', models.FloatField(db_default=0, default=0)),
                ('passed', models.JSONField(blank=True, default=list, help_text='For each number of ratings: places of the shared queue up to which the annotator has had every item.')),
                ('participant', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='annotators', to='annotation.participant')),
                ('refused_at', models.DateTimeField(blank=True, help_text='When somebody with the same identifier last came from another browser.', null=True)),
            ],
            options={
                'ordering': ('campaign', 'id'),
                'constraints': [models.UniqueConstraint(models.F('campaign'), models.F('pseudonym'), name='annotator_once'), models.UniqueConstraint(condition=models.Q(('token_sha256', ''), _negated=True), fields=('token_sha256',), name='annotator_token_once'), models.CheckConstraint(condition=models.Q(('kind__in', ['person', 'model', 'mean', 'majority', 'unstated'])), name='annotator_known_kind'), models.UniqueConstraint(models.F('campaign'), models.F('participant'), name='annotator_participant_once')],
            },
        ),
        migrations.CreateModel(
            name='Submission',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, unique=True)),
                ('revision', models.PositiveSmallIntegerField(default=1)),
                ('comment', models.TextField(blank=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('annotator', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='submissions', to='annotation.annotator')),
                ('item', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='submissions', to='annotation.item')),
                ('active_seconds', models.FloatField(blank=True, null=True)),
                ('payload_sha256', models.CharField(blank=True, db_default='', default='', max_length=64)),
                ('reason', models.TextField(blank=True, db_default='', default='', help_text='Why it cannot be judged; then no ratings.')),
                ('surplus', models.BooleanField(db_default=False, default=False, help_text="Came when the item's places were taken; not counted.")),
                ('swapped', models.BooleanField(blank=True, help_text='Whether the first text was on side B; empty where no import says so.', null=True)),
            ],
            options={
                'ordering': ('id',),
                'constraints': [models.UniqueConstraint(models.F('item'), models.F('annotator'), models.F('revision'), name='submission_revision_once')],
            },
        ),
        migrations.CreateModel(
            name='Rating',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('aspect', models.CharField(max_length=100)),
                ('value', models.FloatField(blank=True, null=True)),
                ('choice', models.CharField(blank=True, max_length=20)),
                ('submission', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='ratings', to='annotation.submission')),
            ],
            options={
                'ordering': ('id',),
                'constraints': [models.UniqueConstraint(models.F('submission'), models.F('aspect'), name='rating_aspect_once'), models.CheckConstraint(condition=models.Q(models.Q(('choice', ''), ('value__isnull', False)), models.Q(('value__isnull', True), models.Q(('choice', ''), _negated=True)), _connector='OR'), name='rating_number_or_choice')],
            },
        ),
        migrations.CreateModel(
            name='Assignment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.UUIDField(default=uuid.uuid4, unique=True)),
                ('swapped', models.BooleanField(default=False, help_text='Whether the first text is on side B.')),
                ('position', models.PositiveIntegerField(default=0)),
                ('lead', models.BooleanField(default=True)),
                ('state', models.CharField(choices=[('open', 'to be judged'), ('submitted', 'judged'), ('expired', 'given back')], default='open', max_length=20)),
                ('lease_until', models.DateTimeField(blank=True, null=True)),
                ('annotator', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='assignments', to='annotation.annotator')),
                ('item', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='assignments', to='annotation.item')),
            ],
            options={
                'ordering': ('annotator', 'position', 'id'),
                'indexes': [models.Index(condition=models.Q(('lead', True), ('state', 'open')), fields=['annotator', 'position'], name='assignment_next'), models.Index(condition=models.Q(('lease_until__isnull', False)), fields=['lease_until'], name='assignment_lease'), models.Index(condition=models.Q(('lead', False)), fields=['annotator', 'position'], name='assignment_beside_lead')],
                'constraints': [models.UniqueConstraint(models.F('item'), models.F('annotator'), name='assignment_once'), models.UniqueConstraint(condition=models.Q(('lead', True), ('lease_until__isnull', False)), fields=('annotator',), name='assignment_one_lease'), models.CheckConstraint(condition=models.Q(('state__in', ['open', 'submitted', 'expired'])), name='assignment_known_state')],
            },
        ),
        migrations.CreateModel(
            name='Contact',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(blank=True, max_length=200)),
                ('email', models.EmailField(blank=True, max_length=254)),
                ('annotator', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='contact', to='annotation.annotator')),
                ('participant', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='contact', to='annotation.participant')),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('annotator__isnull', False), ('participant__isnull', True)), models.Q(('annotator__isnull', True), ('participant__isnull', False)), _connector='OR'), name='contact_of_one')],
            },
        ),
        migrations.CreateModel(
            name='Draft',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('answers', models.JSONField(default=dict)),
                ('version', models.PositiveIntegerField(default=1)),
                ('updated_at', models.DateTimeField(auto_now=True)),
                ('assignment', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='draft', to='annotation.assignment')),
            ],
        ),
        migrations.CreateModel(
            name='Withdrawal',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('since', models.DateTimeField(blank=True, help_text='Empty: from the beginning.', null=True)),
                ('until', models.DateTimeField(blank=True, help_text='Empty: for good.', null=True)),
                ('reason', models.TextField(blank=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('annotator', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='withdrawals', to='annotation.annotator')),
            ],
            options={
                'ordering': ('id',),
            },
        ),
        append_only("annotation_submission"),
        append_only("annotation_rating"),
        allow("delete", "annotation_rating"),
        allow("delete", "annotation_submission"),
        allow("update", "annotation_submission"),
    ]
