"""The tables of ``revetly.toml`` and their keys, each with its type and its default."""

from __future__ import annotations

import re
from datetime import date, datetime
from pathlib import PurePosixPath
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from graphapi.domain.dates import BadDate, parse_day

_NAME = re.compile(r"\w[\w.-]{0,99}")


def _inside(value: str) -> str:
    path = PurePosixPath(value)
    if not value.strip() or "\0" in value or path.is_absolute() or ".." in path.parts or "\\" in value:
        raise ValueError("must be a path inside the project's root, written with forward slashes")
    return path.as_posix()


def _day(value: object) -> object:
    if isinstance(value, datetime):
        return value.date()
    if isinstance(value, str):
        try:
            return parse_day(value)
        except BadDate as error:
            raise ValueError(str(error)) from error
    return value


RelativePath = Annotated[str, AfterValidator(_inside)]
Day = Annotated[date, BeforeValidator(_day)]
Provider = Literal["none", "openai", "azure", "anthropic", "gemini", "compatible"]
Tier = Literal["entities", "statements", "index"]


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


class Llm(_Section):
    provider: Provider = "none"
    model: str | None = None
    small_model: str | None = None
    base_url: str | None = None
    api_key_env: str | None = None


class Embedding(_Section):
    provider: Provider = "none"
    model: str | None = None
    dim: int | None = Field(default=None, ge=1, le=65536)
    base_url: str | None = None
    api_key_env: str | None = None


class Backlog(_Section):
    path: RelativePath = "backlog"
    families: tuple[str, ...] = Field(default=("EPIC", "FEAT", "STORY", "BUG"), strict=False)
    parents: dict[str, list[str]] = Field(
        default_factory=lambda: {"feature": ["epic"], "story": ["feature", "epic"], "bug": ["feature", "epic"]}
    )


class Paths(_Section):
    paths: list[RelativePath] = Field(min_length=1)


class Commits(_Section):
    """``repositories`` as declared is a list of paths or a table of name to path; here it is always the table.

    A path may lead out of the root: a product's code often stands beside its notes.
    """

    repositories: dict[str, str] = Field(min_length=1)
    since: Day | None = None

    @model_validator(mode="before")
    @classmethod
    def _named(cls, value: Any) -> Any:
        repositories = value.get("repositories") if isinstance(value, dict) else None
        if isinstance(repositories, list) and all(isinstance(p, str) for p in repositories):
            names = [_repository_name(p) for p in repositories]
            if twice := sorted({n for n in names if names.count(n) > 1}):
                raise ValueError(f'two repositories are called {twice[0]}; name them: {{ name = "path" }}')
            value = {**value, "repositories": dict(zip(names, repositories, strict=True))}
        return value

    @model_validator(mode="after")
    def _sound(self) -> Commits:
        """A name becomes part of every commit's id, so it must be able to stand in one."""
        for name, path in self.repositories.items():
            if not _NAME.fullmatch(name):
                raise ValueError(f'{name!r} cannot name a repository in an id; name it: {{ name = "path" }}')
            if not path.strip() or "\0" in path:
                raise ValueError(f"the path of {name} is empty")
        return self


def _repository_name(path: str) -> str:
    return PurePosixPath(path).name or "root"


class Tracker(_Section):
    repositories: list[str] = Field(default_factory=list)
    projects: list[str] = Field(default_factory=list)
    organization: str | None = None
    token_env: str | None = None
    since: Day | None = None
    types: dict[str, str] = Field(default_factory=dict)


class Connectors(_Section):
    notes: Paths | None = None
    deliveries: Paths | None = None
    documents: Paths | None = None
    commits: Commits | None = None
    github: Tracker | None = None
    azure_devops: Tracker | None = None
    todoist: Tracker | None = None


class Extraction(_Section):
    concepts: Literal["declared", "open"] = "declared"
    tiers: dict[Literal["pbi", "doc", "delivery-record", "commit"], Tier] = Field(default_factory=dict)
    withhold: list[str] = Field(default_factory=list)
    aliases: dict[str, list[str]] = Field(default_factory=dict)


class Ranking(_Section):
    half_life_days: float = Field(default=180, gt=0, strict=False)
    provenance: dict[str, float] = Field(default_factory=dict)


class Backend(_Section):
    adapter: Literal["repository", "github", "azure_devops", "todoist"] = "repository"
    tracker_note: bool = True


class ProjectConfig(_Section):
    """Every key of ``revetly.toml`` with its default. ``backlog`` is None where the file has no such table."""

    llm: Llm = Llm()
    embedding: Embedding = Embedding()
    backlog: Backlog | None = None
    connectors: Connectors = Connectors()
    extraction: Extraction = Extraction()
    ranking: Ranking = Ranking()
    backend: Backend = Backend()

    @property
    def is_lite(self) -> bool:
        return self.llm.provider == "none" and self.embedding.provider == "none"
