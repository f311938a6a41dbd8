"""Settings, all from the environment; docs/settings.md has the table."""

import logging
import os
import re
from importlib.util import find_spec
from pathlib import Path
from socket import gethostname

from django.core.exceptions import ImproperlyConfigured

from annotation.protocols import language
from config.accounts.provider_settings import declared_provider
from config.database.address import database_at
from config.mail import declared_mail
from config.private_files import close_folder, secret_key
from corpus.extras import Extra, how_to_install
from metrics.weights import registered

BASE_DIR = Path(__file__).resolve().parent.parent
VERSION = "1.0.0"


def _flag(name: str, default: bool) -> bool:
    """Read a yes/no setting; anything else is an error rather than a silent no."""
    value = os.environ.get(name, "").strip().lower()
    if value in {"1", "true", "yes", "on"}:
        return True
    if value in {"0", "false", "no", "off"}:
        return False
    if value == "":
        return default
    raise ImproperlyConfigured(f"{name}={value!r}: expected one of 1, 0, true, false, yes, no")


def _words(name: str, default: str) -> list[str]:
    """Read a comma-separated setting."""
    words = (os.environ.get(name) or default).split(",")
    return [word.strip() for word in words if word.strip()]


def _number(name: str, default: int, least: int = 1) -> int:
    """Read a whole number, from 1 on unless another is the least."""
    value = os.environ.get(name) or str(default)
    if not value.isdecimal() or int(value) < least:
        raise ImproperlyConfigured(f"{name}={value!r}: expected a whole number from {least} on")
    return int(value)


def _needs(module: str, extra: Extra, name: str) -> None:
    """Stop the start where a setting asks for a package that is not installed."""
    if find_spec(module) is None:
        raise ImproperlyConfigured(f"{name} needs {module}: {how_to_install(extra)}")


def _required_second_factor() -> str:
    """Read who must have a second factor; nobody by default."""
    value = (os.environ.get("REQUIRE_SECOND_FACTOR") or "nobody").lower()
    if value not in ("nobody", "administrators", "everybody"):
        raise ImproperlyConfigured(
            f"REQUIRE_SECOND_FACTOR={value!r}: expected nobody, administrators or everybody"
        )
    return value


def _metrics_token() -> str:
    """Read what those who watch the site show; a token that can be guessed is refused."""
    token = os.environ.get("METRICS_TOKEN", "")
    if token and not re.fullmatch(r"[!-~]{20,}", token):
        raise ImproperlyConfigured("METRICS_TOKEN: expected at least 20 characters without spaces")
    return token


def _log_level() -> str:
    """Read how much is logged."""
    level = (os.environ.get("LOG_LEVEL") or "INFO").upper()
    if level not in logging.getLevelNamesMapping():
        raise ImproperlyConfigured(f"LOG_LEVEL={level!r}: expected DEBUG, INFO, WARNING or ERROR")
    return level


def _log_format() -> str:
    """Read how lines of the log are written."""
    form = (os.environ.get("LOG_FORMAT") or "text").lower()
    if form not in ("text", "json"):
        raise ImproperlyConfigured(f"LOG_FORMAT={form!r}: expected text or json")
    return form


DATA_DIR = Path(os.environ.get("TOUCHSTONE_DATA") or BASE_DIR / "var").resolve()
DEBUG = _flag("DEBUG", False)
try:
    close_folder(DATA_DIR)
    SECRET_KEY = secret_key(DATA_DIR, may_be_weak=DEBUG)
except OSError as error:
    raise ImproperlyConfigured(
        f"TOUCHSTONE_DATA={str(DATA_DIR)!r}: {error.strerror}; expected a folder to write in"
    ) from None
ALLOWED_HOSTS = _words("ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]")
CSRF_TRUSTED_ORIGINS = _words("CSRF_TRUSTED_ORIGINS", "")
HTTPS = _flag("HTTPS", False)
BEHIND_PROXY = _flag("BEHIND_PROXY", False)
METRICS_TOKEN = _metrics_token()
# Each machine has its own: processes are known by their numbers, and machines may share a folder.
METRICS_DIR = Path(
    os.environ.get("PROMETHEUS_MULTIPROC_DIR") or DATA_DIR / "metrics" / gethostname()
)

INSTALLED_APPS = [
    "config.apps.SupportConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django_htmx",
    "drf_spectacular",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
    "allauth.usersessions",
    "corpus",
    "annotation",
    "metrics",
    "analysis",
    "config.apps.SiteConfig",
]

MIDDLEWARE = [
    "config.watching.asked.WatchingMiddleware",
    "config.watching.asked.CountingMiddleware",
    "config.watching.log_lines.RequestNumberMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "config.middleware.ContentPolicyMiddleware",
    "config.accounts.sessions.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    # Before the check of the CSRF token, which reads the whole request.
    "config.middleware.BodyLimitMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "config.middleware.StorableRequestsMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "config.accounts.second_factor.SecondFactorMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "config.downloads.DownloadsMiddleware",
    "config.middleware.BusyMiddleware",
    "corpus.pages.jobs.TooManyJobsMiddleware",
    "analysis.views.waiting.ReadingMiddleware",
    "config.watching.asked.DatabaseErrorMiddleware",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "config.context.site",
            ],
            "builtins": ["corpus.templatetags.mappings"],
        },
    }
]

DATABASES = {
    "default": database_at(
        os.environ.get("DATABASE_URL") or f"sqlite:///{DATA_DIR / 'touchstone.sqlite3'}"
    )
}

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
OPEN_ID_PROVIDER = declared_provider()
AUTHENTICATION_BACKENDS = ["django.contrib.auth.backends.ModelBackend"]
if OPEN_ID_PROVIDER:
    _needs("joserfc", "openid", "OIDC_ISSUER")
    AUTHENTICATION_BACKENDS.append("config.accounts.adapter.ProviderBackend")
PASSWORD_SIGN_IN = _flag("PASSWORD_SIGN_IN", True)
if not PASSWORD_SIGN_IN and not OPEN_ID_PROVIDER:
    raise ImproperlyConfigured("PASSWORD_SIGN_IN=0 needs OIDC_ISSUER: nobody could sign in")
REQUIRE_SECOND_FACTOR = _required_second_factor()
MAIL = declared_mail()
if MAIL:
    globals().update(MAIL.django_settings)
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "account_login"
ACCOUNT_ADAPTER = "config.accounts.adapter.AccountAdapter"
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_EMAIL_CONFIRMATION_EXPIRE_DAYS = 1
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_LOGIN_TIMEOUT = 600
ACCOUNT_PRESERVE_USERNAME_CASING = True
ACCOUNT_RATE_LIMITS = {
    "login": "",  # Passwords are counted by config/accounts/adapter.py.
    "login_failed": "30/h/ip,5/5m/key",  # Codes, for each person.
    "reset_password": "10/h/ip,3/h/key",
}
ACCOUNT_REAUTHENTICATION_METHODS = ["password", "mfa"]
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_SIGNUP_FIELDS = ["username*", "password1*"]
ACCOUNT_UNIQUE_EMAIL = False
MFA_ADAPTER = "config.accounts.second_factor.SecondFactorAdapter"
MFA_ALLOW_UNVERIFIED_EMAIL = True
MFA_FORMS = {
    "login_webauthn": "config.accounts.views.SignInForm",
    "authenticate_webauthn": "config.accounts.views.SecondFactorForm",
    "reauthenticate_webauthn": "config.accounts.views.ShowAgainForm",
    "add_webauthn": "config.accounts.views.AddForm",
}
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_RECOVERY_CODE_DIGITS = 16
MFA_RECOVERY_CODES_SHOW_ONCE = True
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_TOTP_TOLERANCE = 1
SOCIALACCOUNT_ADAPTER = "config.accounts.provider.ProviderAdapter"
CACHES = {
    # Codes are counted and used up, whichever process sees them.
    "default": {"BACKEND": "config.accounts.counted.CountedCache"},
    "local": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"},
}
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SECURE_SSL_REDIRECT = HTTPS
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
# Subdomains and the browsers' preload list are the business of who owns the domain.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
if BEHIND_PROXY:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'self'",
        "img-src 'self' data:",
        "object-src 'none'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        "form-action 'self'",
    )
)
SECURE_REFERRER_POLICY = "same-origin"

LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
# Pages of annotators are in the language of their campaign, all others in English.
USE_I18N = True
LANGUAGES = list(language.LANGUAGES.items())
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_TZ = True

STATIC_URL = "static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_ROOT = DATA_DIR / "staticfiles"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}
WHITENOISE_USE_FINDERS = DEBUG
MEDIA_ROOT = DATA_DIR / "files"

UPLOAD_LIMIT_BYTES = _number("UPLOAD_LIMIT_MB", 1024) * 1024 * 1024
ANONYMOUS_LIMIT_BYTES = 1024 * 1024
IMPORT_MEMORY_MB = _number("IMPORT_MEMORY_MB", 1024)
IMPORT_SECONDS = _number("IMPORT_SECONDS", 1800)
IMPORT_PAGE_SECONDS = _number("IMPORT_PAGE_SECONDS", 60)
IMPORT_ROWS = _number("IMPORT_ROWS", 10_000_000)
IMPORT_CELLS = _number("IMPORT_CELLS", 100_000_000)
IMPORT_CELL_CHARACTERS = _number("IMPORT_CELL_CHARACTERS", 1024 * 1024)
IMPORT_TEXT_MB = _number("IMPORT_TEXT_MB", 2048)
IMPORT_UNPACKED_MB = _number("IMPORT_UNPACKED_MB", 2048)
DATA_UPLOAD_MAX_MEMORY_SIZE = 10 * 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 10_000
FILE_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024

JOIN_AT_ONCE = _number("JOIN_AT_ONCE", 30)
JOIN_PER_TEN_MINUTES = _number("JOIN_PER_TEN_MINUTES", 5)

REDIS_URL = os.environ.get("REDIS_URL", "")
if REDIS_URL:
    _needs("celery", "queue", "REDIS_URL")
JOB_QUEUE = "config.celery.send_job" if REDIS_URL else ""
QUEUES = ("default", "gpu", "heavy")
WORKER_QUEUES = [name for name in os.environ.get("WORKER_QUEUES", "").split(",") if name]
if unknown_queues := set(WORKER_QUEUES).difference(QUEUES):
    raise ImproperlyConfigured(
        f"WORKER_QUEUES names {', '.join(sorted(unknown_queues))}; there are default, gpu and heavy"
    )
JOB_LEASE_SECONDS = _number("JOB_LEASE_SECONDS", 10)
JOB_MAX_ATTEMPTS = _number("JOB_MAX_ATTEMPTS", 5)
JOBS_WAITING_LIMIT = _number("JOBS_WAITING_LIMIT", 20)
REPORT_MINUTES = _number("REPORT_MINUTES", 30)
REPORT_JOBS_KEPT = _number("REPORT_JOBS_KEPT", 50)
RESAMPLES_LIMIT = _number("RESAMPLES_LIMIT", 10_000)
DELETION_DAYS = _number("DELETION_DAYS", 14)
RESULTS_KEPT = _number("RESULTS_KEPT", 200)
RESULT_DAYS = _number("RESULT_DAYS", 90)
EXPORT_DAYS = _number("EXPORT_DAYS", 30)
ACCESS_LOG_DAYS = _number("ACCESS_LOG_DAYS", 180)
BACKUP_HOURS = _number("BACKUP_HOURS", 24, least=0)
BACKUP_KEEP = _number("BACKUP_KEEP", 7)
BACKUP_FOLDER = Path(os.environ.get("BACKUP_FOLDER") or DATA_DIR / "backups").resolve()

# Read where they are needed, by modules that know no Django; nonsense stops the start all the same.
for _list in registered.LISTS:
    try:
        _list.places()
    except ValueError as error:
        raise ImproperlyConfigured(str(error)) from None

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "config.accounts.tokens.ApiTokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_PARSER_CLASSES": [
        "corpus.api.bodies.BoundedJSONParser",
        "corpus.api.bodies.StorableFormParser",
        "corpus.api.bodies.StorableMultiPartParser",
    ],
    "DEFAULT_SCHEMA_CLASS": "corpus.api.schema.Schema",
    "DEFAULT_RENDERER_CLASSES": [
        "rest_framework.renderers.JSONRenderer",
        "corpus.api.rendering.PageRenderer",
    ],
    "EXCEPTION_HANDLER": "corpus.api.errors.answer_error",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Touchstone",
    "DESCRIPTION": "Studies, imports, exports and reports of human evaluation and metrics.",
    "VERSION": VERSION,
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "PATH_CONVERTER_OVERRIDES": {"number": int},
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "corpus.api.schema.add_errors",
    ],
    "ENUM_NAME_OVERRIDES": {
        "MaskingRuleEnum": "metrics.attribution.masking.RULES",
        "StyleModelKindEnum": "metrics.styles.kinds.TITLES",
    },
}

LOG_FORMAT = _log_format()
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "text": {
            "()": "config.watching.log_lines.PlainFormatter",
            "format": "{asctime} {levelname} {name}: {message}",
            "style": "{",
        },
        "json": {"()": "config.watching.log_lines.JsonFormatter"},
    },
    "filters": {"secrets": {"()": "config.watching.log_lines.SecretAddresses"}},
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": LOG_FORMAT,
            "filters": ["secrets"],
        }
    },
    "root": {"handlers": ["console"], "level": _log_level()},
    # Django gives these a level and handlers of their own.
    "loggers": {
        "django": {"level": "NOTSET"},
        "django.server": {"level": "NOTSET", "propagate": True},
    },
}
