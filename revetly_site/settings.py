"""Django's settings, read from the environment. docs/settings.md lists every variable; a test holds them together."""

from __future__ import annotations

import os
import secrets
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import dj_database_url
import django_stubs_ext

from revetly_site.env import BadEnvironment, Environment

# Lets annotations such as ModelAdmin[Project] be read at run time.
django_stubs_ext.monkeypatch()

BASE_DIR = Path(__file__).resolve().parent.parent
env = Environment()

# Where an instance keeps what it makes: databases, locks, the broker of a machine without Redis.
HOME = env.path("REVETLY_HOME", BASE_DIR / "var")


def make_home() -> None:
    """Make the home, readable by its owner alone: it holds every body that was read."""
    try:
        HOME.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise BadEnvironment(f"REVETLY_HOME={str(HOME)!r} cannot be made: {error.strerror}") from None


def _made_secret() -> str:
    """A key of this instance's own, made once, so that a fresh machine starts and sessions outlive a restart."""
    path = HOME / "secret_key"
    try:
        if found := path.read_text("ascii").strip():
            return found
    except (FileNotFoundError, NotADirectoryError):
        pass
    make_home()
    handle, temporary = tempfile.mkstemp(dir=HOME)
    with os.fdopen(handle, "w", encoding="ascii") as file:
        file.write(secrets.token_urlsafe(48))
    # Linked into place whole: of two processes that start at once, both read the first one's key.
    with suppress(FileExistsError):
        os.link(temporary, path)
    os.unlink(temporary)
    return path.read_text("ascii").strip()


SECRET_KEY = env.secret("REVETLY_SECRET_KEY") or _made_secret()
DEBUG = env.flag("REVETLY_DEBUG", False)
ALLOWED_HOSTS = env.listed("REVETLY_ALLOWED_HOSTS", ["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.listed("REVETLY_TRUSTED_ORIGINS", [])

# The address the product's own command bound, told to the web process it starts. The bare application does not know
# its address, and then nothing is open without a sign-in (design: security, 3).
BOUND = env.optional("REVETLY_BOUND")

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "channels",
    "rest_framework",
    "drf_spectacular",
    "revetly_site",
    "graphapi",
    "reviews",
    "evals",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "graphapi.access.headers.ContentPolicyMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
ROOT_URLCONF = "revetly_site.urls"
ASGI_APPLICATION = "revetly_site.asgi.application"
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
            ]
        },
    }
]

DATABASE_URL = env.secret("REVETLY_DATABASE_URL") or f"sqlite:///{HOME / 'revetly.sqlite3'}"


def _database(url: str) -> dict[str, Any]:
    try:
        parsed = dict(dj_database_url.parse(url, conn_max_age=60, conn_health_checks=True))
    except (ValueError, KeyError):
        # The url may hold a password; it is not repeated.
        raise BadEnvironment("REVETLY_DATABASE_URL is no database address; write postgres://… or sqlite:///…") from None
    if parsed["ENGINE"] not in ("django.db.backends.sqlite3", "django.db.backends.postgresql"):
        raise BadEnvironment(
            "REVETLY_DATABASE_URL is neither postgres:// nor sqlite:///; this product runs on those two"
        )
    if parsed["ENGINE"] == "django.db.backends.sqlite3":
        make_home()
        # IMMEDIATE takes the write lock at the start of a transaction: two writers then wait for one another instead
        # of one failing half way, when its read can no longer become a write.
        parsed["OPTIONS"] = {
            "timeout": 30,
            "transaction_mode": "IMMEDIATE",
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA secure_delete=ON;",
        }
        parsed["CONN_MAX_AGE"] = 0
    return parsed


DATABASES = {"default": _database(DATABASE_URL)}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

GRAPH = env.choice("REVETLY_GRAPH", "sqlite", ("sqlite", "neo4j"))
GRAPH_PATH = env.path("REVETLY_GRAPH_PATH", HOME / "graph.sqlite3")
NEO4J_URL = env.optional("REVETLY_NEO4J_URL")
NEO4J_USER = env.text("REVETLY_NEO4J_USER", "neo4j")
NEO4J_PASSWORD = env.secret("REVETLY_NEO4J_PASSWORD")
NEO4J_DATABASE = env.text("REVETLY_NEO4J_DATABASE", "neo4j")

MAX_FILE_MIB = env.whole("REVETLY_MAX_FILE_MIB", 10, low=1, high=512)
READ_BUDGET = env.whole("REVETLY_READ_BUDGET", 32 * 1024, low=4096, high=16 * 1024 * 1024)

REDIS_URL = env.secret("REVETLY_REDIS_URL")
CELERY_BROKER_URL = REDIS_URL or "filesystem://localhost//"
CELERY_BROKER_TRANSPORT_OPTIONS = (
    {"visibility_timeout": 6 * 3600}
    if REDIS_URL
    else {name: str(HOME / "broker" / part) for name, part in (
        ("data_folder_in", "messages"), ("data_folder_out", "messages"), ("control_folder", "control"),
    )}
)  # fmt: skip
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_TASK_ALWAYS_EAGER = False

CHANNEL_LAYERS = {
    "default": {"BACKEND": "channels_redis.core.RedisChannelLayer", "CONFIG": {"hosts": [REDIS_URL]}}
    if REDIS_URL
    else {"BACKEND": "channels.layers.InMemoryChannelLayer"}
}

# JSON alone and read alone; who may read is the reads' own policy, the same as the pages' (graphapi/api/policy.py).
REST_FRAMEWORK = {
    "EXCEPTION_HANDLER": "graphapi.api.refused.exception_handler",
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": [],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "UNAUTHENTICATED_USER": "django.contrib.auth.models.AnonymousUser",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Revetly",
    "DESCRIPTION": "The reads over HTTP. Every answer is the payload that the tool of the same name serves.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "SORT_OPERATION_PARAMETERS": False,
    "APPEND_COMPONENTS": {"securitySchemes": {"session": {"type": "apiKey", "in": "cookie", "name": "sessionid"}}},
}

LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_TZ = True
USE_I18N = False

STATIC_URL = "static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
# Served from where they are kept: a fresh machine has no collect step, and the files are few.
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = DEBUG

LOGIN_URL = "/admin/login/"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SECURE_COOKIES = env.flag("REVETLY_SECURE_COOKIES", False)
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_COOKIES
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"

LOG_LEVEL = env.choice("REVETLY_LOG_LEVEL", "INFO", ("DEBUG", "INFO", "WARNING", "ERROR"))
LOG_FORMAT = env.choice("REVETLY_LOG_FORMAT", "text", ("text", "json"))
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "text": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"},
        "json": {"()": "revetly_site.logs.JsonFormatter"},
    },
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": LOG_FORMAT}},
    "root": {"handlers": ["console"], "level": LOG_LEVEL},
    "loggers": {"neo4j.notifications": {"level": "ERROR"}},
}
