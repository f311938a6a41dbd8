"""What a template may ask about a person and a study."""

from django import template
from django.contrib.auth.models import AnonymousUser, User

from corpus.access.guard import may_change
from corpus.models import Study

register = template.Library()


@register.filter
def owns(user: User | AnonymousUser, study: Study) -> bool:
    """Whether this person may change the study: `{% if user|owns:study %}`."""
    return may_change(user, study)
