"""A project's declarations as a read needs them, parsed again only when the file has changed."""

from __future__ import annotations

import os
import threading
from pathlib import Path

from graphapi.domain.project_config import FILE_NAME, ProjectConfig, read_config
from graphapi.models import Project

_lock = threading.Lock()
_known: dict[str, tuple[tuple[int, int, int], ProjectConfig]] = {}
_MOST = 256


def declared(project: Project) -> ProjectConfig:
    """The ``revetly.toml`` of ``project``. Raises ``SettingRefused`` where it will not do, as a pass does."""
    path = Path(project.root) / FILE_NAME
    try:
        found = os.stat(path)
    except OSError:
        return read_config(path.parent)
    stamp = (found.st_mtime_ns, found.st_size, found.st_ino)
    held = _known.get(str(path))
    if held is not None and held[0] == stamp:
        return held[1]
    config = read_config(path.parent)
    with _lock:
        if len(_known) >= _MOST:
            _known.clear()
        _known[str(path)] = (stamp, config)
    return config
