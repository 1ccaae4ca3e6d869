"""Settings: where to play and as whom. Options win over the environment, the environment over `bot.toml`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

from pydantic import PrivateAttr, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import (
    BaseSettings,
    NoDecode,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from bot.address import EMBEDDED, without_endpoint
from bot.errors import UsageError

COURSE_SERVER = "https://vilde.cs.lth.se/edap01-4inarow"
COURSE_KEY = "nyckel"
EMBEDDED_ID = "local-player"

_STIL_ID = re.compile(r"[\w-]{1,50}", re.ASCII)


class Settings(BaseSettings):
    """The course server, the group's ids and the key; `api_key` hides itself when printed."""

    model_config = SettingsConfigDict(env_prefix="BOT_", toml_file="bot.toml", extra="forbid")

    server: str = COURSE_SERVER
    stil_id: Annotated[tuple[str, ...], NoDecode] = ()
    api_key: SecretStr = SecretStr(COURSE_KEY)
    _notes: tuple[str, ...] = PrivateAttr(())

    @field_validator("stil_id", mode="before")
    @classmethod
    def _split(cls, value: object) -> object:
        return tuple(part.strip() for part in value.split(",") if part.strip()) if isinstance(value, str) else value

    @field_validator("stil_id")
    @classmethod
    def _check_ids(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for stil_id in value:
            if not _STIL_ID.fullmatch(stil_id):
                raise ValueError(f"{stil_id!r} is no STIL id (1 to 50 letters, digits, - and _)")
        if len(set(value)) != len(value):
            raise ValueError("a STIL id is given twice")
        return value

    @field_validator("server")
    @classmethod
    def _check_server(cls, value: str) -> str:
        if "@" in value:
            raise ValueError("an address with a user name or password would end up in the journal")
        if not re.match(r"https?://[^/\s?#@]+(/[^@]*)?$", value, re.IGNORECASE) or re.search(r"[\s?#]", value):
            raise ValueError(f"{value!r} is no address such as http://127.0.0.1:8000")
        try:
            urlsplit(value).port  # noqa: B018 - raises for a port that is none
        except ValueError:
            raise ValueError(f"{value!r} has no valid port") from None
        scheme, _, rest = value.partition("://")
        return f"{scheme.lower()}://{rest.rstrip('/')}"

    @model_validator(mode="after")
    def _drop_endpoint(self) -> Settings:
        base = without_endpoint(self.server)
        if base != self.server:
            self._notes = (f"The server is {base}: the last part of {self.server} names one of its endpoints.",)
            self.server = base
        return self

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        return (init_settings, env_settings, TomlConfigSettingsSource(settings_cls))

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences that the user should see once, such as a part of the address that was dropped."""
        return self._notes

    @property
    def is_embedded(self) -> bool:
        """Whether nobody said as whom to play: then the embedded course server is the opponent."""
        return not self.stil_id

    @property
    def identity(self) -> str:
        """The server's name in journals."""
        return EMBEDDED if self.is_embedded else self.server

    @property
    def player(self) -> tuple[str, ...]:
        """The ids that travel: the configured ones, sorted as the server sorts them, or the embedded server's."""
        return tuple(sorted(self.stil_id)) or (EMBEDDED_ID,)


def load_settings(
    server: str | None = None, stil_ids: Sequence[str] | None = None, api_key: str | None = None
) -> Settings:
    """Settings from these options, then BOT_SERVER, BOT_STIL_ID and BOT_API_KEY, then `bot.toml`, then defaults.

    Raises UsageError, in one sentence that never holds the key.
    """
    given: dict[str, Any] = {}
    if server is not None:
        given["server"] = server
    if stil_ids:
        given["stil_id"] = tuple(stil_ids)
    if api_key is not None:
        given["api_key"] = SecretStr(api_key)
    try:
        settings = Settings(**given)
    except ValidationError as error:
        raise UsageError(f"The settings are wrong: {_first_complaint(error)}.", "See `bot play --help`.") from None
    except (ValueError, OSError) as error:  # a bot.toml that is no TOML, or cannot be read
        raise UsageError(f"{Path('bot.toml')} cannot be read: {error}.", "Mend or remove it.") from None
    if settings.is_embedded and settings.server != COURSE_SERVER:
        raise UsageError(
            f"The server {settings.server} is named, but nobody to play as.",
            "Add --stil-id ID (or BOT_STIL_ID), or leave the server out to play the embedded one.",
        )
    return settings


def _first_complaint(error: ValidationError) -> str:
    detail = error.errors(include_input=False, include_url=False)[0]
    field = ".".join(str(part) for part in detail["loc"])
    return f"{field}: {detail['msg'].removeprefix('Value error, ')}"
