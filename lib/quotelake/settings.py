"""Settings of a run: ``conf/base.toml`` has all of them with defaults; a file and ``key=value`` override them."""

import tomllib
from collections.abc import Mapping, Sequence
from datetime import date
from importlib import resources
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field, Strict, ValidationError

from quotelake import program
from quotelake.errors import SettingsError
from quotelake.source_settings import Section, SourceSettings
from quotelake.text.ids import content_id
from quotelake.text.language import DETECTABLE

#: ISO 639-1; not strict, because TOML has lists and no tuples.
Languages = Annotated[tuple[Annotated[str, Field(pattern="^[a-z]{2}$")], ...], Strict(False)]


def _can_be_detected(languages: tuple[str, ...]) -> tuple[str, ...]:
    if unknown := sorted({*languages} - DETECTABLE):
        known = ", ".join(sorted(DETECTABLE))
        raise ValueError(f"found {', '.join(unknown)}, which cannot be detected; name some of {known}")
    return languages


def _detector_or_score(value: object) -> object:
    if value == "detector" or (isinstance(value, float) and 0 < value < 1):
        return value
    raise ValueError("give 'detector', or a score above 0 and below 1")


class RunSettings(Section):
    """How long a run waits for another one on the same lake, and how much it processes at a time."""

    lease_wait_seconds: int = Field(ge=0)
    lease_stale_seconds: int = Field(gt=0)
    batch_bytes: int = Field(gt=0)
    score_bytes: int = Field(gt=0)
    lookup: bool


class IngestSettings(Section):
    """How files become documents."""

    max_record_bytes: int = Field(gt=0)
    raw_cap: int = Field(ge=0)
    split_bytes: int = Field(ge=1024)
    earliest_date: date
    author_key_file: str
    languages: Annotated[Languages, Field(min_length=1), AfterValidator(_can_be_detected)]
    language_confidence: float = Field(ge=0, le=1)
    reject_share: float = Field(ge=0, le=1)


class ModelSettings(Section):
    """Which model turns texts into vectors."""

    name: str
    dtype: Literal["auto", "float32", "bfloat16", "float16"]
    languages: Languages
    tasks_per_gpu: int = Field(ge=1)


class QuoteSettings(Section):
    """How many quotes of a document are kept: of 76,971 real articles and tweets, the most have 190."""

    per_document: int = Field(ge=1)


#: A kind of difference is pushed to a desk, listed for a copy desk, shown with its article, or left out.
Tier = Literal["alert", "check", "note", "off"]


class KindSettings(Section):
    """The tier of each kind of difference between a headline quote and its body; see docs/FACTUALITY.md."""

    negation: Tier
    reported: Tier
    absent: Tier
    number: Tier
    credited_to_another: Tier
    altered: Tier
    spliced: Tier
    question: Tier
    condition: Tier
    hedge: Tier
    scope: Tier
    contrast: Tier
    credit: Tier
    order: Tier


class ContextomySettings(Section):
    """The detector of headline outcomes and its threshold; the list of each kind of difference, and alerts allowed."""

    detector: str
    alerts_per_1000: float = Field(gt=0)
    threshold: Annotated[Literal["detector"] | Annotated[float, Field(gt=0, lt=1)], BeforeValidator(_detector_or_score)]
    kinds: KindSettings


class ReuseSettings(Section):
    """Which quotes are the same one, reused."""

    excerpts: bool
    story_days: int = Field(ge=1)


#: Which headline quotes a language model reads.
Which = Literal["alerts", "differences", "all"]


class ReaderSettings(Section):
    """A server with a language model that reads headline and article after the rules; none where ``url`` is empty."""

    url: Annotated[str, Field(pattern=r"^(https?://[^\s/]+\S*)?$")]
    model: str
    api_key_env: str
    which: Which
    budget: int = Field(ge=1)
    tasks: int = Field(ge=1, le=100)
    timeout: float = Field(gt=0)
    article_tokens: int = Field(ge=200)


class TopicSettings(Section):
    """From how many contexts a topic variation is computed, and by which vectors of these."""

    sample: int = Field(ge=2)
    representation: Literal["raw", "masked", "blend"]
    head: str = Field(min_length=1)
    explained: int = Field(ge=3)


class ReportSettings(Section):
    """How much the summary of a run and its pages show, which outlets can be silent, and what is exported."""

    alerts: int = Field(ge=0)
    checks: bool
    ranking: int = Field(ge=0)
    language: Literal["de", "en", "ko"]
    morning: bool
    url: str = Field(pattern=r"^(https?://\S+/)?$")
    export_duckdb: str
    norm_documents: int = Field(ge=1)


class WatchedText(Section):
    """A text to follow: id, words, and other wordings, such as translations; ``exact``: found unchanged only."""

    model_config = ConfigDict(coerce_numbers_to_str=True, strict=False)

    id: str = Field(min_length=1)
    text: str = Field(min_length=1)
    variants: tuple[str, ...] = ()
    exact: bool = False


class WatchSettings(Section):
    """Texts that are found in every document."""

    per_document: int = Field(ge=1)
    texts: Annotated[tuple[WatchedText, ...], Strict(False)]


class Settings(Section):
    """All settings of a run."""

    run: RunSettings
    ingest: IngestSettings
    model: ModelSettings
    quotes: QuoteSettings
    contextomy: ContextomySettings
    reuse: ReuseSettings
    reader: ReaderSettings
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

    ``config`` is a TOML file with some of the keys of ``conf/base.toml``. An override is a string such as
    ``topics.sample=64``; its value is read as TOML, else as a plain string.

    Raises:
        SettingsError: a file is missing or not TOML, or a key is unknown or its value invalid; all faults are listed.
    """
    merged: dict[str, Any] = {}
    shipped = resources.files("quotelake.conf")
    declared = sorted(shipped.joinpath("sources").iterdir(), key=str)
    for file in (shipped.joinpath("base.toml"), shipped.joinpath("sample.toml"), *declared):
        merged = _merged(merged, tomllib.loads(file.read_text("utf-8")))
    if config is not None:
        try:
            merged = _merged(merged, tomllib.loads(Path(config).read_text("utf-8-sig")))
        except FileNotFoundError:
            keys = program.shipped("conf/base.toml")
            raise SettingsError(f"settings file {config} does not exist; see {keys} for its keys") from None
        except tomllib.TOMLDecodeError as error:
            raise SettingsError(f"settings file {config} is not TOML: {error}") from None
        except (OSError, UnicodeDecodeError) as error:
            raise SettingsError(f"settings file {config} cannot be read: {error}") from None
    for override in overrides:
        key, sign, value = override.partition("=")
        if not sign or not key.strip():
            raise SettingsError(f"--set {override!r}: expected key=value, such as topics.sample=64")
        try:
            setting: Any = tomllib.loads(f"value = {value}")["value"]
        except tomllib.TOMLDecodeError:
            setting = value
        for part in reversed(key.strip().split(".")):
            setting = {part: setting}
        merged = _merged(merged, setting)
    try:
        return Settings.model_validate(merged)
    except ValidationError as error:
        lines = [
            f"settings ({', '.join([str(config or program.shipped('conf/base.toml')), *overrides])}) cannot be used:"
        ]
        for fault in error.errors():
            where = ".".join(str(part) for part in fault["loc"]) or "settings"
            message = fault["msg"].removeprefix("Value error, ") + f"; found {fault['input']!r}"
            short = {"missing": fault["msg"], "extra_forbidden": "unknown key"}
            lines.append(f"  {where}: {short.get(fault['type'], message)}")
        raise SettingsError("\n".join(lines)) from None


def _merged(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    both = [key for key in over if isinstance(base.get(key), dict) and isinstance(over[key], Mapping)]
    return {**base, **over, **{key: _merged(base[key], over[key]) for key in both}}
