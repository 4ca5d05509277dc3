"""Settings of a run: ``conf/base.toml`` holds all of them with defaults; a file and ``key=value`` override them.

``conf/sample.toml`` declares the sources of the sample corpus and is always loaded.

Unknown keys, wrong types and values out of range raise one :class:`~quotelake.errors.SettingsError` that lists them.
"""

import tomllib
from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from quotelake.errors import SettingsError
from quotelake.settings.sections import (
    ContextomySettings,
    ContextSettings,
    IngestSettings,
    ModelSettings,
    NewsField,
    ReportSettings,
    ReuseSettings,
    RunSettings,
    Section,
    SourceSettings,
    TopicSettings,
    WatchedText,
    WatchSettings,
)
from quotelake.text.ids import content_id

__all__ = [
    "ContextSettings", "ContextomySettings", "IngestSettings", "ModelSettings", "NewsField", "ReportSettings",
    "ReuseSettings", "RunSettings", "Section", "Settings", "SourceSettings", "TopicSettings", "WatchSettings",
    "WatchedText", "load_settings",
]  # fmt: skip


class Settings(Section):
    """All settings of a run."""

    run: RunSettings
    ingest: IngestSettings
    model: ModelSettings
    contexts: ContextSettings
    contextomy: ContextomySettings
    reuse: ReuseSettings
    topics: TopicSettings
    watch: WatchSettings
    report: ReportSettings
    sources: dict[str, SourceSettings]

    @property
    def fingerprint(self) -> str:
        """Hash of all settings, 32 hex characters: equal for equal settings."""
        return content_id(self.model_dump_json())


def load_settings(config: str | Path | None = None, overrides: Sequence[str] = ()) -> Settings:
    """Read the shipped files, then ``config``, then ``key=value`` overrides; the last one that sets a key wins.

    Args:
        config: a TOML file with some of the keys of ``conf/base.toml``, or None.
        overrides: strings such as ``topics.sample=64``; the value is read as TOML, else as a plain string.

    Raises:
        SettingsError: a file is missing or not TOML, or a key is unknown or its value invalid; all faults are listed.

    >>> load_settings(overrides=["topics.sample=64"]).topics.sample
    64
    """
    base: dict[str, Any] = {}
    for name in ("base.toml", "sample.toml"):
        base = _merged(base, tomllib.loads(resources.files("quotelake.conf").joinpath(name).read_text("utf-8")))
    origin = "conf/base.toml"
    if config is not None:
        base = _merged(base, _read(Path(config)))
        origin = str(config)
    for override in overrides:
        base = _merged(base, _override(override))
        origin += f", {override}"
    try:
        return Settings.model_validate(base)
    except ValidationError as error:
        raise SettingsError(f"settings ({origin}) cannot be used:\n{_faults(error)}") from None


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8-sig"))
    except FileNotFoundError:
        raise SettingsError(f"settings file {path} does not exist; see conf/base.toml for what it may hold") from None
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"settings file {path} cannot be read: {error}") from None
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"settings file {path} is not TOML: {error}") from None


def _override(text: str) -> dict[str, Any]:
    key, sign, value = text.partition("=")
    if not sign or not key.strip():
        raise SettingsError(f"--set {text!r}: expected key=value, such as topics.sample=64")
    try:
        parsed: Any = tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        parsed = value
    for part in reversed(key.strip().split(".")):
        parsed = {part: parsed}
    return dict(parsed)


def _merged(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(base)
    for key, value in over.items():
        below = merged.get(key)
        merged[key] = _merged(below, value) if isinstance(below, dict) and isinstance(value, Mapping) else value
    return merged


def _faults(error: ValidationError) -> str:
    lines = []
    for fault in error.errors():
        where = ".".join(str(part) for part in fault["loc"]) or "settings"
        found = "" if fault["type"] in ("missing", "extra_forbidden") else f"; found {fault['input']!r}"
        message = "unknown key" if fault["type"] == "extra_forbidden" else fault["msg"].removeprefix("Value error, ")
        lines.append(f"  {where}: {message}{found}")
    return "\n".join(lines)
