"""A project's ``revetly.toml``, read into typed values; what does not add up is refused by name."""

from __future__ import annotations

import tomllib
from pathlib import Path

from pydantic import ValidationError

from graphapi.domain.config_sections import ProjectConfig
from graphapi.domain.refusals import SettingRefused

__all__ = ["FILE_NAME", "ProjectConfig", "parse_config", "read_config"]

FILE_NAME = "revetly.toml"
_MAX_BYTES = 1024 * 1024


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
        line = raw.count(b"\n", 0, error.start) + 1
        raise SettingRefused(f"{path} is not UTF-8 (line {line})", fix="save it as UTF-8") from error
    except RecursionError:
        raise SettingRefused(f"{path} nests too deep to be read", fix="keep declarations alone in it") from None
    except ValueError as error:  # TOMLDecodeError, and a number with too many digits
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
