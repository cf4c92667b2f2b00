"""A git repository made by a test: files written, commits dated."""

from __future__ import annotations

import subprocess
from datetime import UTC, datetime
from pathlib import Path

from graphapi.domain.dates import parse_when

LITE = '[llm]\nprovider = "none"\n[embedding]\nprovider = "none"\n'
ALL = (
    LITE + '[backlog]\npath = "backlog"\n[connectors.notes]\npaths = ["conversations", "decisions"]\n'
    '[connectors.deliveries]\npaths = ["deliveries"]\n[connectors.documents]\npaths = ["docs"]\n'
)


class Repo:
    """A working tree at ``root``. Dates are text as frontmatter takes it; without one, commits follow one another."""

    def __init__(self, root: Path, config: str | None = ALL) -> None:
        self.root = root
        root.mkdir(parents=True, exist_ok=True)
        self.git("init", "-q", "-b", "main")
        self.clock = datetime(2026, 1, 1, tzinfo=UTC).timestamp()
        if config is ALL:
            for folder in ("backlog", "conversations", "decisions", "deliveries", "docs"):
                self.write(f"{folder}/.gitkeep", "")
        if config is not None:
            self.write("revetly.toml", config)
            self.commit("declare", "2026-01-01")

    def git(self, *arguments: str, date: str | None = None) -> str:
        environment = {"GIT_COMMITTER_DATE": date, "GIT_AUTHOR_DATE": date} if date else {}
        base = {"PATH": "/usr/bin:/bin:/usr/local/bin", "HOME": str(self.root), "GIT_CONFIG_GLOBAL": "/dev/null"}
        command = ["git", "-c", "user.name=Ada", "-c", "user.email=ada@example.com", "-c", "protocol.file.allow=always"]
        done = subprocess.run(
            [*command, *arguments], cwd=self.root, env={**base, **environment}, capture_output=True, check=False
        )
        assert done.returncode == 0, done.stderr.decode("utf-8", "replace")
        return done.stdout.decode("utf-8", "surrogateescape")

    def write(self, path: str, content: str | bytes) -> Path:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)
        return file

    def item(self, artifact_id: str, body: str = "", *, folder: str = "backlog", **keys: object) -> Path:
        """A file with a block: keys as given (a list in flow style), ``title`` the id's unless given."""
        block = {"id": artifact_id, "title": f"Title of {artifact_id}", **keys}
        lines = [f"{key}: {_flow(value)}" for key, value in block.items() if value is not None]
        return self.write(f"{folder}/{artifact_id}.md", "---\n" + "\n".join(lines) + f"\n---\n\n{body}\n")

    def commit(self, message: str = "change", when: str | None = None) -> str:
        """Commit everything, dated ``when``. Returns the commit's id."""
        if when is not None:
            self.clock = parse_when(when).timestamp()
        else:
            self.clock += 3600
        date = f"@{int(self.clock)} +0000"
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message, date=date)
        return self.git("rev-parse", "HEAD").strip()


def _flow(value: object) -> str:
    return f"[{', '.join(map(str, value))}]" if isinstance(value, list) else str(value)
