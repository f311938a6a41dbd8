"""The WSGI application that gunicorn serves."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver

application = get_wsgi_application()
# Once, before workers are forked: otherwise each of them reads all addresses and the views behind
# them while its first clients wait.
get_resolver().url_patterns  # noqa: B018  (it is cached)
