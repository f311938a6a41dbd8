import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('corpus', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='Metric',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=200)),
                ('orientation', models.CharField(choices=[('higher', 'higher is better'), ('lower', 'lower is better'), ('target', 'nearer a target value is better'), ('descriptive', 'describes, does not judge'), ('unknown', 'not declared')], max_length=20)),
                ('target', models.FloatField(blank=True, null=True)),
                ('speaks_of', models.CharField(blank=True, help_text='The one style it measures; empty if none.', max_length=100)),
                ('midpoint', models.FloatField(blank=True, help_text='Where a one-style score is mirrored: 0.5 for probabilities.', null=True)),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='metrics', to='corpus.study')),
            ],
            options={
                'ordering': ('study', 'id'),
                'constraints': [
                    models.UniqueConstraint(models.F('study'), models.F('name'), name='metric_name_once'),
                    models.CheckConstraint(condition=models.Q(('orientation__in', ['higher', 'lower', 'target', 'descriptive', 'unknown'])), name='metric_known_orientation'),
                ],
            },
        ),
        migrations.CreateModel(
            name='MetricRun',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(help_text='What pages, commands and the API call it; never changed.', max_length=200)),
                ('signature', models.CharField(max_length=1000)),
                ('aspect', models.CharField(blank=True, max_length=100)),
                ('compared_to', models.CharField(blank=True, max_length=100)),
                ('text_setting', models.CharField(blank=True, max_length=100)),
                ('fields', models.JSONField(help_text='Names of the numbers that each output has, in order.')),
                ('is_distribution', models.BooleanField(default=False)),
                ('origin', models.CharField(choices=[('computed', 'Computed'), ('imported', 'Imported')], max_length=20)),
                ('content_sha256', models.CharField(blank=True, max_length=64)),
                ('request', models.JSONField(blank=True, default=dict, help_text='What was asked for, in full.')),
                ('versions', models.JSONField(blank=True, default=dict, help_text='Libraries, SHA-256 of model files, names of sufficient statistics.')),
                ('error', models.TextField(blank=True, help_text='Why the last attempt stopped, in words.')),
                ('created_at', models.DateTimeField(auto_now_add=True, null=True)),
                ('imported_at', models.DateTimeField(blank=True, help_text='When an import first brought scores of it; empty if all are from here.', null=True)),
                ('job', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='runs', to='corpus.job')),
                ('metric', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='runs', to='metrics.metric')),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='runs', to='corpus.study')),
            ],
            options={
                'ordering': ('study', 'id'),
                'constraints': [
                    models.UniqueConstraint(models.F('study'), models.F('signature'), name='run_signature_once'),
                    models.UniqueConstraint(models.F('study'), models.F('name'), name='run_name_once'),
                    models.CheckConstraint(condition=models.Q(('name', ''), _negated=True), name='run_has_name'),
                    models.CheckConstraint(condition=models.Q(('origin__in', ['computed', 'imported'])), name='run_known_origin'),
                ],
            },
        ),
        migrations.CreateModel(
            name='ScoreBlock',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('values', models.BinaryField()),
                ('statistics', models.BinaryField(null=True)),
                ('run', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='blocks', to='metrics.metricrun')),
            ],
            options={
                'ordering': ('run', 'number'),
                'constraints': [
                    models.UniqueConstraint(models.F('run'), models.F('number'), name='block_number_once'),
                ],
            },
        ),
        migrations.CreateModel(
            name='StagedBlock',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('signature', models.CharField(max_length=1000)),
                ('number', models.PositiveIntegerField()),
                ('values', models.BinaryField()),
                ('statistics', models.BinaryField(null=True)),
                ('job', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='corpus.job')),
            ],
        ),
        migrations.CreateModel(
            name='StagedScore',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('file', models.PositiveSmallIntegerField()),
                ('line', models.PositiveIntegerField()),
                ('run', models.PositiveSmallIntegerField(help_text='Place among the runs of this import.')),
                ('field', models.PositiveSmallIntegerField(help_text='Place among the fields of the run.')),
                ('ordinal', models.PositiveIntegerField()),
                ('value', models.FloatField(null=True)),
                ('reason', models.CharField(blank=True, help_text='Why it is missing.', max_length=500)),
                ('job', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='corpus.job')),
            ],
            options={
                'abstract': False,
                'indexes': [
                    models.Index(fields=['job'], name='stagedscore_job'),
                ],
            },
        ),
        migrations.CreateModel(
            name='SystemScore',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('value', models.FloatField()),
                ('run', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='system_scores', to='metrics.metricrun')),
                ('system', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='corpus.system')),
            ],
            options={
                'ordering': ('run', 'system'),
                'constraints': [
                    models.UniqueConstraint(models.F('run'), models.F('system'), name='system_score_once'),
                ],
            },
        ),
        migrations.CreateModel(
            name='TrainedModel',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=100)),
                ('kind', models.CharField(max_length=40)),
                ('styles', models.JSONField(help_text='Names of the styles; one where texts were graded.')),
                ('settings', models.JSONField(help_text='All that determined the model, apart from its texts.')),
                ('data_sha256', models.CharField(max_length=64)),
                ('sha256', models.CharField(max_length=64)),
                ('report', models.JSONField(help_text='Quality on held-out texts, and what was left out.')),
                ('path', models.CharField(help_text='Its folder, below the folder of files.', max_length=200)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('study', models.ForeignKey(blank=True, help_text='Empty: all studies may use it.', null=True, on_delete=django.db.models.deletion.CASCADE, related_name='trained_models', to='corpus.study')),
            ],
            options={
                'ordering': ('id',),
                'constraints': [
                    models.UniqueConstraint(models.F('study'), models.F('name'), name='trained_model_name_once'),
                    models.UniqueConstraint(models.F('name'), condition=models.Q(('study', None)), name='trained_model_shared_name_once'),
                    models.UniqueConstraint(models.F('study'), models.F('sha256'), name='trained_model_once'),
                    models.UniqueConstraint(models.F('sha256'), condition=models.Q(('study', None)), name='trained_model_shared_once'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Undefined',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('field', models.CharField(max_length=100)),
                ('reason', models.CharField(max_length=500)),
                ('output', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='corpus.output')),
                ('run', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='undefined', to='metrics.metricrun')),
            ],
            options={
                'constraints': [
                    models.UniqueConstraint(models.F('run'), models.F('output'), models.F('field'), name='undefined_once'),
                ],
            },
        ),
        migrations.CreateModel(
            name='WordAttributions',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('model_sha256', models.CharField(help_text="Of the classifier's files.", max_length=64)),
                ('method', models.CharField(help_text='Baseline and quadrature, as a name.', max_length=100)),
                ('column', models.PositiveSmallIntegerField(help_text='Of the classifier, whose logit it was.')),
                ('text_sha256', models.CharField(max_length=64)),
                ('pieces', models.BinaryField()),
                ('logits', models.BinaryField()),
                ('baseline_logit', models.FloatField()),
                ('left_out', models.PositiveIntegerField(default=0, help_text='Pieces beyond those it reads.')),
            ],
            options={
                'verbose_name_plural': 'word attributions',
                'constraints': [models.UniqueConstraint(models.F('model_sha256'), models.F('method'), models.F('column'), models.F('text_sha256'), name='attributed_once')],
            },
        ),
        migrations.CreateModel(
            name='WrittenText',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('signature_sha256', models.CharField(help_text="Of the writer's signature.", max_length=64)),
                ('text', models.TextField(blank=True)),
                ('reason', models.CharField(blank=True, help_text='Why there is no text.', max_length=500)),
                ('segment', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='corpus.segment')),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='corpus.study')),
            ],
            options={
                'ordering': ('study', 'signature_sha256', 'segment'),
                'constraints': [
                    models.UniqueConstraint(models.F('study'), models.F('signature_sha256'), models.F('segment'), name='written_text_once'),
                    models.CheckConstraint(condition=models.Q(('text', ''), ('reason', ''), _connector='XOR'), name='written_text_or_reason'),
                ],
            },
        ),
        migrations.CreateModel(
            name='JudgeAnswer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('asked_as', models.CharField(help_text='Model, address or files, and how an answer was drawn.', max_length=500)),
                ('prompt_sha256', models.CharField(max_length=64)),
                ('prompt', models.TextField()),
                ('answer', models.TextField(blank=True)),
                ('reason', models.CharField(blank=True, help_text='Why no answer came.', max_length=500)),
                ('tokens_in', models.PositiveIntegerField(default=0)),
                ('tokens_out', models.PositiveIntegerField(default=0)),
                ('seconds', models.FloatField(default=0)),
                ('created_at', models.DateTimeField(auto_now=True)),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='judge_answers', to='corpus.study')),
            ],
            options={
                'ordering': ('id',),
                'constraints': [models.UniqueConstraint(models.F('study'), models.F('asked_as'), models.F('prompt_sha256'), name='judge_answer_once')],
            },
        ),
    ]
