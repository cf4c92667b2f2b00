"""An instance of the benchmark's own, on SQLite, in a folder that goes when the process does. Import it first."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from pathlib import Path

import django

HOME = Path(tempfile.mkdtemp(prefix="revetly-bench-"))
atexit.register(shutil.rmtree, HOME, ignore_errors=True)
for _name in [n for n in os.environ if n.startswith("REVETLY_")]:
    del os.environ[_name]
os.environ |= {"REVETLY_HOME": str(HOME), "DJANGO_SETTINGS_MODULE": "revetly_site.settings"}
django.setup()
