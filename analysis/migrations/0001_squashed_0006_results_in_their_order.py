"""The tables of analysis in one step.

A new database has no rows for the conversions of the migrations that this one replaces; a database
that applied any of them goes on with those.
"""

import analysis.models
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    replaces = [
        ('analysis', '0001_initial'),
        ('analysis', '0002_frozen_reports'),
        ('analysis', '0003_states_of_results'),
        ('analysis', '0004_results_of_states'),
        ('analysis', '0005_frozen_content_as_text'),
        ('analysis', '0006_results_in_their_order'),
    ]

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ('corpus', '0001_squashed_0007_deletion'),
    ]

    operations = [
        migrations.CreateModel(
            name='Result',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('signature', models.CharField(help_text='Hash of everything it depends on.', max_length=64)),
                ('kind', models.CharField(max_length=50)),
                ('content', analysis.models.OrderedJSONField()),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='results', to='corpus.study')),
                ('ratings_sha256', models.CharField(blank=True, help_text='State of the ratings; empty where it uses none.', max_length=64)),
            ],
            options={
                'constraints': [models.UniqueConstraint(models.F('study'), models.F('ratings_sha256'), models.F('signature'), name='result_once')],
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
                'constraints': [models.UniqueConstraint(models.F('study'), models.F('where'), models.F('what'), models.F('conditions_text'), name='published_value_once')],
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
                'constraints': [models.UniqueConstraint(models.F('study'), models.F('sha256'), name='frozen_report_once')],
            },
        ),
    ]
