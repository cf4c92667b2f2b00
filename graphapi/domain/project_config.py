"""A project's ``revetly.toml``, read into typed values; what does not add up is refused by name."""

from __future__ import annotations

import tomllib
from datetime import date
from pathlib import Path, PurePosixPath
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from graphapi.domain.dates import BadDate, parse_day
from graphapi.domain.refusals import SettingRefused

FILE_NAME = "revetly.toml"
_MAX_BYTES = 1024 * 1024


def _inside(value: str) -> str:
    path = PurePosixPath(value)
    if not value or path.is_absolute() or ".." in path.parts or "\\" in value:
        raise ValueError("must be a path inside the project's root, written with forward slashes")
    return path.as_posix()


def _day(value: object) -> object:
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
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


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
    paths: list[RelativePath]


class Commits(_Section):
    """``repositories`` as declared is a list of paths or a table of name to path; here it is always the table."""

    repositories: dict[str, str]
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


def read_config(root: Path) -> ProjectConfig:
    """The declarations at ``root``. Raises :class:`SettingRefused` naming the file, the key and the fix."""
    path = root / FILE_NAME
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        raise SettingRefused(
            f"{path} does not exist", fix=f"run `revetly init {root}`, which writes one from what is there"
        ) from None
    except OSError as error:
        raise SettingRefused(f"{path} cannot be read: {error.strerror}", fix="make it a readable file") from error
    return parse_config(raw, path)


def parse_config(raw: bytes, path: Path) -> ProjectConfig:
    """Read the bytes of a ``revetly.toml``; ``path`` is named in refusals. Raises :class:`SettingRefused`."""
    if len(raw) > _MAX_BYTES:
        raise SettingRefused(f"{path} is over 1 MiB", fix="keep declarations alone in it")
    try:
        document = tomllib.loads(raw.decode("utf-8-sig").replace("\r\n", "\n"))
    except UnicodeDecodeError as error:
        raise SettingRefused(f"{path} is not UTF-8 (byte {error.start})", fix="save it as UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        raise SettingRefused(f"{path} is not TOML: {error}", fix="mend that line") from error
    try:
        config = ProjectConfig.model_validate(document)
    except ValidationError as error:
        raise _refusal(error, path) from error
    _adds_up(config, path)
    return config


def _refusal(error: ValidationError, path: Path) -> SettingRefused:
    first = error.errors(include_url=False, include_input=False)[0]
    key = ".".join(str(part) for part in first["loc"]) or "the file"
    if first["type"] == "extra_forbidden":
        return SettingRefused(
            f"{path}: {key} is no key of this file", fix="docs/settings.md lists the keys; remove or respell it",
            setting=key,
        )  # fmt: skip
    more = f" (and {error.error_count() - 1} more)" if error.error_count() > 1 else ""
    message = first["msg"].removeprefix("Value error, ")
    return SettingRefused(f"{path}: {key}: {message}{more}", fix="docs/settings.md says what it takes", setting=key)


_NOT_BUILT = ("github", "azure_devops", "todoist")


def _adds_up(config: ProjectConfig, path: Path) -> None:
    llm, embedding = config.llm.provider != "none", config.embedding.provider != "none"
    if llm != embedding:
        one, other = ("llm", "embedding") if llm else ("embedding", "llm")
        raise SettingRefused(
            f'{path}: [{one}] declares a provider and [{other}] declares "none"',
            fix="declare a provider in both for a full instance, or none in both for a lite one",
            setting=f"{other}.provider",
        )
    for name in _NOT_BUILT:
        if getattr(config.connectors, name) is not None:
            raise SettingRefused(
                f"{path}: connectors.{name}: this release reads files and git only", setting=f"connectors.{name}",
                fix="remove the table; the trackers come in a later release",
            )  # fmt: skip
    if config.backend.adapter != "repository":
        raise SettingRefused(
            f"{path}: backend.adapter: this release writes to the repository only", setting="backend.adapter",
            fix='set it to "repository"',
        )  # fmt: skip
    if config.backlog is None and not any(getattr(config.connectors, n) for n in type(config.connectors).model_fields):
        raise SettingRefused(
            f"{path} declares no source", fix="declare [backlog] or a table under [connectors]", setting="connectors"
        )
