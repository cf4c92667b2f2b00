"""The ASGI shell: HTTP to Django, sockets to Channels, and a lifespan that lets go of the store at the end."""

from __future__ import annotations

import os

from channels.auth import AuthMiddlewareStack
from channels.routing import ProtocolTypeRouter, URLRouter
from channels.security.websocket import AllowedHostsOriginValidator
from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "revetly_site.settings")
_http = get_asgi_application()

# These need Django set up, which the line above does.
from graphapi.sockets import routes  # noqa: E402
from revetly_site.lifespan import Lifespan  # noqa: E402

application = ProtocolTypeRouter(
    {
        "http": _http,
        "websocket": AllowedHostsOriginValidator(AuthMiddlewareStack(URLRouter(routes))),
        "lifespan": Lifespan(),
    }
)
