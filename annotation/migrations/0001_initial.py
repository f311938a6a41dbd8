import django.db.models.deletion
import uuid
from django.db import migrations, models

from corpus.storage.triggers import WITH_PERMISSION, AppendOnly


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('corpus', '0001_initial'),
    ]

    operations = [
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
                'constraints': [
                    models.UniqueConstraint(models.F('study'), models.F('slug'), name='campaign_set_slug_once'),
                    models.UniqueConstraint(condition=models.Q(('invite_code', ''), _negated=True), fields=('invite_code',), name='campaign_set_invite_code_once'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Campaign',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('position', models.PositiveSmallIntegerField(db_default=0, default=0, help_text='Place among the tasks of the set, from 0.')),
                ('slug', models.CharField(max_length=100)),
                ('title', models.CharField(blank=True, max_length=200)),
                ('protocol', models.CharField(max_length=50)),
                ('config', models.JSONField(blank=True, default=dict)),
                ('seed', models.BigIntegerField(default=0)),
                ('origin', models.CharField(choices=[('live', 'Live'), ('imported', 'Imported')], max_length=20)),
                ('state', models.CharField(choices=[('draft', 'being prepared'), ('open', 'open'), ('paused', 'paused'), ('closed', 'closed')], default='closed', max_length=20)),
                ('design', models.CharField(blank=True, choices=[('fixed_batches', 'fixed batches: each annotator rates all systems of some sources'), ('balanced_overlap', 'balanced random overlap'), ('latin_square', 'Latin square: each source once per annotator, systems rotated'), ('shared_queue', 'shared queue: whoever comes gets the least-rated item')], max_length=20)),
                ('ratings_per_item', models.PositiveSmallIntegerField(default=1)),
                ('selection', models.JSONField(blank=True, default=dict, help_text='Which outputs are rated: systems, segments, controls.')),
                ('guidelines', models.TextField(blank=True, help_text='Markdown.')),
                ('consent', models.TextField(blank=True, help_text='Markdown; asked before the first item.')),
                ('content_warning', models.TextField(blank=True)),
                ('questions', models.JSONField(blank=True, default=list, help_text='What annotators are asked about themselves.')),
                ('lease_seconds', models.PositiveIntegerField(default=1800)),
                ('queue_end', models.PositiveIntegerField(db_default=0, default=0, help_text='The last place of the shared queue that was given.')),
                ('queue_controls', models.JSONField(blank=True, default=dict, help_text='Control items of each annotator of the shared queue, among how many items.')),
                ('stopping', models.JSONField(blank=True, default=dict, help_text='Of a campaign with a rule of stopping: rounds of the queue, how many are open, and what was decided of the next.')),
                ('invite_code', models.CharField(blank=True, max_length=40)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('deletion_asked_at', models.DateTimeField(blank=True, help_text='Nobody rates since then; to be deleted.', null=True)),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='campaigns', to='corpus.study')),
                ('set', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.RESTRICT, related_name='campaigns', to='annotation.campaignset')),
            ],
            options={
                'ordering': ('study', 'id'),
                'constraints': [
                    models.UniqueConstraint(models.F('study'), models.F('slug'), name='campaign_slug_once'),
                    models.UniqueConstraint(models.F('set'), models.F('position'), name='campaign_position_once'),
                    models.UniqueConstraint(condition=models.Q(('invite_code', ''), _negated=True), fields=('invite_code',), name='campaign_invite_code_once'),
                    models.CheckConstraint(condition=models.Q(('origin__in', ['live', 'imported'])), name='campaign_known_origin'),
                    models.CheckConstraint(condition=models.Q(('state__in', ['draft', 'open', 'paused', 'closed'])), name='campaign_known_state'),
                ],
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
                ('refused_at', models.DateTimeField(blank=True, help_text='When somebody with the same identifier last came from another browser.', null=True)),
                ('pseudonym', models.CharField(max_length=200)),
                ('number', models.PositiveIntegerField(help_text='Place in the design, from 0.')),
                ('set', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='participants', to='annotation.campaignset')),
            ],
            options={
                'ordering': ('set', 'number'),
                'constraints': [
                    models.UniqueConstraint(models.F('set'), models.F('pseudonym'), name='participant_once'),
                    models.UniqueConstraint(models.F('set'), models.F('number'), name='participant_number_once'),
                    models.UniqueConstraint(condition=models.Q(('token_sha256', ''), _negated=True), fields=('token_sha256',), name='participant_token_once'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Annotator',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('token_sha256', models.CharField(blank=True, max_length=64)),
                ('link_expires_at', models.DateTimeField(blank=True, null=True)),
                ('revoked_at', models.DateTimeField(blank=True, null=True)),
                ('last_seen_at', models.DateTimeField(blank=True, null=True)),
                ('completion_code', models.CharField(blank=True, max_length=40)),
                ('platform', models.JSONField(blank=True, default=dict, help_text='Participant, study and session of a crowd platform.')),
                ('refused_at', models.DateTimeField(blank=True, help_text='When somebody with the same identifier last came from another browser.', null=True)),
                ('pseudonym', models.CharField(max_length=200)),
                ('kind', models.CharField(choices=[('person', 'Person'), ('place', 'Place'), ('model', 'Model'), ('mean', 'Mean'), ('median', 'Median'), ('majority', 'Majority'), ('unstated', 'Unstated')], default='person', max_length=20)),
                ('raters', models.PositiveSmallIntegerField(blank=True, help_text='How many stand behind a mean, median or majority, where stated.', null=True)),
                ('public_id', models.UUIDField(blank=True, help_text='In the addresses of the rating pages.', null=True, unique=True)),
                ('number', models.PositiveIntegerField(default=0, help_text='Place in the design, from 0.')),
                ('consented_at', models.DateTimeField(blank=True, null=True)),
                ('guidelines_read_at', models.DateTimeField(blank=True, null=True)),
                ('qualified', models.BooleanField(blank=True, help_text='Set by the server.', null=True)),
                ('assigned', models.PositiveIntegerField(default=0)),
                ('submitted', models.PositiveIntegerField(default=0)),
                ('passed', models.JSONField(blank=True, default=list, help_text='For each number of ratings: places of the shared queue up to which the annotator has had every item.')),
                ('about', models.JSONField(blank=True, default=dict, help_text='Answers about the annotator.')),
                ('campaign', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='annotators', to='annotation.campaign')),
                ('participant', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='annotators', to='annotation.participant')),
            ],
            options={
                'ordering': ('campaign', 'id'),
                'constraints': [
                    models.UniqueConstraint(models.F('campaign'), models.F('pseudonym'), name='annotator_once'),
                    models.UniqueConstraint(models.F('campaign'), models.F('participant'), name='annotator_participant_once'),
                    models.UniqueConstraint(condition=models.Q(('token_sha256', ''), _negated=True), fields=('token_sha256',), name='annotator_token_once'),
                    models.CheckConstraint(condition=models.Q(('kind__in', ['person', 'place', 'model', 'mean', 'median', 'majority', 'unstated'])), name='annotator_known_kind'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Item',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('occasion', models.PositiveSmallIntegerField(default=1)),
                ('kind', models.CharField(choices=[('plain', 'Plain'), ('repeat', 'Repeat'), ('degraded', 'Degraded'), ('reference', 'Reference'), ('practice', 'Practice')], db_default='plain', default='plain', max_length=20)),
                ('screen', models.PositiveIntegerField(db_default=0, default=0)),
                ('lead', models.BooleanField(db_default=True, default=True)),
                ('position', models.PositiveIntegerField(db_default=0, default=0, help_text='Place in the shared queue; a new one at its end whenever `taken` changes.')),
                ('wanted', models.PositiveSmallIntegerField(db_default=0, default=0)),
                ('taken', models.PositiveSmallIntegerField(db_default=0, default=0)),
                ('shown', models.JSONField(blank=True, help_text='Texts that are shown in place of the stored ones: masked, degraded, or written for practice.', null=True)),
                ('campaign', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='items', to='annotation.campaign')),
                ('first', models.ForeignKey(blank=True, help_text='Empty where practice shows a text that its owner wrote.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='corpus.output')),
                ('original', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='controls', to='annotation.item')),
                ('second', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='corpus.output')),
            ],
            options={
                'ordering': ('campaign', 'id'),
                'constraints': [
                    models.UniqueConstraint(condition=models.Q(('second__isnull', True)), fields=('campaign', 'first', 'occasion'), name='item_of_one_once'),
                    models.UniqueConstraint(condition=models.Q(('second__isnull', False)), fields=('campaign', 'first', 'second', 'occasion'), name='item_of_two_once'),
                    models.CheckConstraint(condition=models.Q(('taken__lte', models.F('wanted'))), name='item_not_over_rated'),
                    models.CheckConstraint(condition=models.Q(('first__isnull', False), models.Q(('kind', 'practice'), ('second__isnull', True), ('shown__isnull', False)), _connector='OR'), name='item_has_texts'),
                ],
                'indexes': [
                    models.Index(condition=models.Q(('lead', True), ('taken__lt', models.F('wanted'))), fields=['campaign', 'taken', 'position'], name='item_to_hand_out'),
                    models.Index(condition=models.Q(('kind', 'plain'), ('position__gt', 0), ('wanted', 0)), fields=['campaign', 'position'], name='item_of_later_round'),
                    models.Index(condition=models.Q(('lead', False)), fields=['campaign', 'screen'], name='item_beside_lead'),
                ],
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
                ('item', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='assignments', to='annotation.item')),
            ],
            options={
                'ordering': ('annotator', 'position', 'id'),
                'constraints': [
                    models.UniqueConstraint(models.F('item'), models.F('annotator'), name='assignment_once'),
                    models.UniqueConstraint(condition=models.Q(('lead', True), ('lease_until__isnull', False)), fields=('annotator',), name='assignment_one_lease'),
                    models.CheckConstraint(condition=models.Q(('state__in', ['open', 'submitted', 'expired'])), name='assignment_known_state'),
                ],
                'indexes': [
                    models.Index(condition=models.Q(('lead', True), ('state', 'open')), fields=['annotator', 'position'], name='assignment_next'),
                    models.Index(condition=models.Q(('lease_until__isnull', False)), fields=['lease_until'], name='assignment_lease'),
                    models.Index(condition=models.Q(('lead', False)), fields=['annotator', 'position'], name='assignment_beside_lead'),
                ],
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
            name='Panel',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('preset', models.CharField(choices=[('prolific', 'Prolific'), ('other', 'Another panel, with your own names')], default='prolific', max_length=20)),
                ('names', models.JSONField(default=dict, help_text='Names of participant, study and session in the address.')),
                ('endings', models.JSONField(default=dict, help_text='Completion code or return address for each outcome.')),
                ('least_checks', models.PositiveSmallIntegerField(blank=True, help_text='Control items that decide; empty where none do.', null=True)),
                ('work_of_freed', models.CharField(choices=[('kept', 'Their ratings stay and count'), ('withdrawn', 'Their ratings are withdrawn, and somebody else rates the same')], default='kept', max_length=20)),
                ('at_once', models.BooleanField(default=False, help_text='Whether people go back by themselves.')),
                ('reward', models.DecimalField(blank=True, decimal_places=2, max_digits=8, null=True)),
                ('currency', models.CharField(blank=True, max_length=3)),
                ('minutes', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('campaign', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='panel', to='annotation.campaign')),
                ('set', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='panel', to='annotation.campaignset')),
            ],
            options={
                'constraints': [
                    models.CheckConstraint(condition=models.Q(models.Q(('campaign__isnull', False), ('set__isnull', True)), models.Q(('campaign__isnull', True), ('set__isnull', False)), _connector='OR'), name='panel_of_one'),
                ],
            },
        ),
        migrations.CreateModel(
            name='PanelEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('identifier', models.CharField(blank=True, help_text='As the panel sent it.', max_length=200)),
                ('panel_study', models.CharField(blank=True, max_length=200)),
                ('session', models.CharField(blank=True, help_text="The panel's submission.", max_length=200)),
                ('came_at', models.DateTimeField(auto_now_add=True)),
                ('outcome', models.CharField(blank=True, max_length=20)),
                ('code', models.TextField(blank=True, help_text='Code or address last given.')),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('status', models.CharField(blank=True, help_text='What the panel says.', max_length=40)),
                ('freed_at', models.DateTimeField(blank=True, null=True)),
                ('annotator', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='panel_entry', to='annotation.annotator')),
                ('panel', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='entries', to='annotation.panel')),
                ('participant', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='panel_entry', to='annotation.participant')),
            ],
            options={
                'ordering': ('id',),
                'constraints': [
                    models.UniqueConstraint(condition=models.Q(('identifier', ''), _negated=True), fields=('panel', 'identifier'), name='panel_entry_once'),
                ],
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
                'constraints': [
                    models.CheckConstraint(condition=models.Q(models.Q(('annotator__isnull', False), ('participant__isnull', True)), models.Q(('annotator__isnull', True), ('participant__isnull', False)), _connector='OR'), name='contact_of_one'),
                ],
            },
        ),
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
                ('rater_kind', models.CharField(blank=True, default='', max_length=20)),
                ('aspect', models.CharField(max_length=100)),
                ('revision', models.PositiveSmallIntegerField(default=1)),
                ('item_kind', models.CharField(db_default='plain', default='plain', max_length=20)),
                ('occasion', models.PositiveSmallIntegerField(db_default=1, default=1)),
                ('value', models.FloatField(null=True)),
                ('choice', models.CharField(blank=True, max_length=100)),
                ('comment', models.TextField(blank=True)),
                ('swapped', models.BooleanField(help_text='Whether `first` was on side B.', null=True)),
                ('seconds', models.FloatField(null=True)),
                ('job', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='corpus.job')),
            ],
            options={
                'abstract': False,
                'indexes': [
                    models.Index(fields=['job'], name='stagedrating_job'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Submission',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, unique=True)),
                ('revision', models.PositiveSmallIntegerField(default=1)),
                ('swapped', models.BooleanField(blank=True, help_text='Whether the first text was on side B; empty where no import says so.', null=True)),
                ('surplus', models.BooleanField(db_default=False, default=False, help_text="Came when the item's places were taken; not counted.")),
                ('reason', models.TextField(blank=True, db_default='', default='', help_text='Why it cannot be judged; then no ratings.')),
                ('warned', models.BooleanField(blank=True, help_text='Whether the page warned of a contradiction and the answers were kept; empty where it was not recorded.', null=True)),
                ('active_seconds', models.FloatField(blank=True, null=True)),
                ('payload_sha256', models.CharField(blank=True, db_default='', default='', max_length=64)),
                ('comment', models.TextField(blank=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('annotator', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='submissions', to='annotation.annotator')),
                ('item', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='submissions', to='annotation.item')),
            ],
            options={
                'ordering': ('id',),
                'constraints': [
                    models.UniqueConstraint(models.F('item'), models.F('annotator'), models.F('revision'), name='submission_revision_once'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Rating',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('aspect', models.CharField(max_length=100)),
                ('value', models.FloatField(blank=True, null=True)),
                ('choice', models.CharField(blank=True, max_length=100)),
                ('submission', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='ratings', to='annotation.submission')),
            ],
            options={
                'ordering': ('id',),
                'constraints': [
                    models.UniqueConstraint(models.F('submission'), models.F('aspect'), name='rating_aspect_once'),
                    models.CheckConstraint(condition=models.Q(models.Q(('choice', ''), ('value__isnull', False)), models.Q(('value__isnull', True), models.Q(('choice', ''), _negated=True)), _connector='OR'), name='rating_number_or_choice'),
                ],
            },
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
        AppendOnly('annotation_submission', WITH_PERMISSION),
        AppendOnly('annotation_rating'),
    ]
