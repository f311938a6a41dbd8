import analysis.models
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from corpus.storage.triggers import AppendOnly


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('corpus', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Collection',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.SlugField(max_length=100, unique=True)),
                ('title', models.CharField(max_length=200)),
                ('description', models.TextField(blank=True)),
                ('preset', models.CharField(blank=True, help_text='What it was made from.', max_length=50)),
                ('unit_range', models.BooleanField(default=False, help_text='Whether correlations enter the average as (r + 1) / 2.')),
                ('correction', models.CharField(choices=[('none', 'none, as in the WMT metrics tasks'), ('holm', 'Holm, two-sided')], default='none', max_length=10)),
                ('draws', models.PositiveIntegerField(default=1000)),
                ('seed', models.PositiveIntegerField(default=20190604)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('owner', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='collections', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ('slug',),
                'constraints': [
                    models.CheckConstraint(condition=models.Q(('correction__in', ['none', 'holm'])), name='collection_known_correction'),
                    models.CheckConstraint(condition=models.Q(('draws__gte', 100), ('draws__lte', 100000)), name='collection_draws'),
                ],
            },
        ),
        migrations.CreateModel(
            name='CollectionResult',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('signature', models.CharField(max_length=64)),
                ('content', analysis.models.OrderedJSONField()),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('collection', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='results', to='analysis.collection')),
            ],
            options={
                'constraints': [
                    models.UniqueConstraint(models.F('collection'), models.F('signature'), name='collection_result_once'),
                ],
            },
        ),
        migrations.CreateModel(
            name='CollectionTask',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('ordinal', models.PositiveSmallIntegerField()),
                ('name', models.CharField(max_length=100)),
                ('statistic', models.CharField(max_length=50)),
                ('weight', models.FloatField(default=1.0)),
                ('pool', models.CharField(blank=True, help_text='Tasks with the same words here are one column: their pairs are pooled.', max_length=100)),
                ('standard_reference', models.CharField(blank=True, help_text='Metrics that were compared with it take part, and those without a reference.', max_length=100)),
                ('human_ties', models.CharField(default='exact', max_length=10)),
                ('question', models.JSONField(blank=True, default=dict)),
                ('collection', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tasks', to='analysis.collection')),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='collection_tasks', to='corpus.study')),
            ],
            options={
                'ordering': ('collection', 'ordinal'),
                'constraints': [
                    models.UniqueConstraint(models.F('collection'), models.F('ordinal'), name='collection_task_ordinal_once'),
                    models.CheckConstraint(condition=models.Q(('weight__gt', 0)), name='collection_task_weight_above_zero'),
                    models.CheckConstraint(condition=models.Q(('human_ties__in', ['exact', 'rounded'])), name='collection_task_known_ties'),
                ],
            },
        ),
        migrations.CreateModel(
            name='FrozenReport',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('title', models.CharField(max_length=200)),
                ('kind', models.CharField(max_length=50)),
                ('question', models.JSONField(default=dict)),
                ('content_json', models.TextField(help_text='The report with its frame, in canonical JSON.')),
                ('sha256', models.CharField(help_text='Of the content in canonical JSON.', max_length=64)),
                ('inputs', models.BinaryField(help_text='Ratings, scores and names; no texts.')),
                ('inputs_sha256', models.CharField(max_length=64)),
                ('token', models.CharField(blank=True, help_text='In the address of a shared one.', max_length=64, null=True, unique=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('created_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='frozen_reports', to='corpus.study')),
            ],
            options={
                'ordering': ('-id',),
                'constraints': [
                    models.UniqueConstraint(models.F('study'), models.F('sha256'), name='frozen_report_once'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Preregistration',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('campaign', models.CharField(help_text='Its short name.', max_length=100)),
                ('version', models.PositiveSmallIntegerField(help_text='From 1.')),
                ('content_json', models.TextField(help_text='All that was registered, in canonical JSON.')),
                ('sha256', models.CharField(help_text='Of the content.', max_length=64)),
                ('public', models.BooleanField(default=False, help_text='Whether anybody may read it.')),
                ('registered_at', models.DateTimeField()),
                ('imported_at', models.DateTimeField(blank=True, help_text='When an import brought it; empty if it was registered here.', null=True)),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='preregistrations', to='corpus.study')),
            ],
            options={
                'ordering': ('study', 'campaign', 'version'),
                'constraints': [
                    models.UniqueConstraint(models.F('study'), models.F('campaign'), models.F('version'), name='preregistration_version_once'),
                    models.CheckConstraint(condition=models.Q(('version__gte', 1)), name='preregistration_version_from_one'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Publication',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('options', models.JSONField(default=dict, help_text='As asked for; the seed is never published.')),
                ('record', models.JSONField(default=dict, help_text='Checks, what was accepted, files with sums.')),
                ('sha256', models.CharField(help_text='Of its list of sums.', max_length=64)),
                ('address', models.CharField(blank=True, max_length=64, null=True, unique=True)),
                ('with_texts', models.BooleanField(default=False)),
                ('may_be_indexed', models.BooleanField(default=False)),
                ('created_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('job', models.OneToOneField(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='publication', to='corpus.job')),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='publications', to='corpus.study')),
            ],
            options={
                'ordering': ('-id',),
            },
        ),
        migrations.CreateModel(
            name='PublishedValue',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('ordinal', models.PositiveIntegerField()),
                ('where', models.CharField(max_length=200)),
                ('what', models.CharField(max_length=100)),
                ('conditions', models.JSONField(default=dict)),
                ('conditions_text', models.TextField(help_text='Conditions in canonical JSON, for uniqueness.')),
                ('value', models.FloatField()),
                ('decimals', models.PositiveSmallIntegerField()),
                ('note', models.TextField(blank=True)),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='published_values', to='corpus.study')),
            ],
            options={
                'ordering': ('study', 'ordinal'),
                'constraints': [
                    models.UniqueConstraint(models.F('study'), models.F('where'), models.F('what'), models.F('conditions_text'), name='published_value_once'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Result',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('ratings_sha256', models.CharField(blank=True, help_text='State of the ratings; empty where it uses none.', max_length=64)),
                ('signature', models.CharField(help_text='Hash of everything it depends on.', max_length=64)),
                ('kind', models.CharField(max_length=50)),
                ('content', analysis.models.OrderedJSONField()),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='results', to='corpus.study')),
            ],
            options={
                'constraints': [
                    models.UniqueConstraint(models.F('study'), models.F('ratings_sha256'), models.F('signature'), name='result_once'),
                ],
            },
        ),
        AppendOnly('analysis_preregistration'),
    ]
