"""Settings: server, ids and key, and the page's address for others.

Options come before the environment, and the environment before `bot.toml`.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from pydantic import BaseModel, SecretStr, ValidationError, field_validator

from bot.course.protocol import EMBEDDED, without_endpoint
from bot.errors import UsageError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

SETTINGS_FILE = "bot.toml"
COURSE_SERVER = "https://vilde.cs.lth.se/edap01-4inarow"
COURSE_KEY = "nyckel"
EMBEDDED_ID = "local-player"

STIL_ID = re.compile(r"[\w-]{1,50}", re.ASCII)


class Settings(BaseModel, extra="forbid"):
    """The course server, the group's ids and the key, which is hidden when printed; the page's public address."""

    server: str = COURSE_SERVER
    stil_id: tuple[str, ...] = ()
    api_key: SecretStr = SecretStr(COURSE_KEY)
    public_url: str | None = None

    @field_validator("stil_id", mode="before")
    @classmethod
    def _split(cls, value: object) -> object:
        if isinstance(value, str):
            return tuple(part.strip() for part in value.split(",") if part.strip())
        if not isinstance(value, list | tuple) or not all(isinstance(part, str) for part in value):
            raise ValueError('write one id or a list of ids in quotes, such as ["ab1234cd-s"]')
        return value

    @field_validator("stil_id")
    @classmethod
    def _check_ids(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for stil_id in value:
            if not STIL_ID.fullmatch(stil_id):
                raise ValueError(f"{stil_id!r:.60} is not a STIL id (1 to 50 letters, digits, - and _)")
        if len(set(map(str.casefold, value))) != len(value):
            raise ValueError("a STIL id is given twice")
        return value

    @field_validator("server")
    @classmethod
    def _check_server(cls, value: str) -> str:
        if "@" in value:
            raise ValueError("leave user name and password out of the address: the journal would contain them")
        is_address = re.match(r"https?://[^/\s?#@]+(/[^@]*)?$", value, re.IGNORECASE)
        if not is_address or not value.isprintable() or re.search(r"[\s?#]", value):
            raise ValueError(f"{value!r:.200} is not an address such as http://127.0.0.1:8000")
        try:
            parts = urlsplit(value)
            parts.port  # noqa: B018 - raises ValueError for an invalid port
            (parts.hostname or "..").encode("idna")  # raises ValueError for a name that no connection can be made to
        except ValueError:
            raise ValueError(f"{value!r:.200} has no valid host or port") from None
        scheme, _, rest = value.partition("://")
        return without_endpoint(f"{scheme.lower()}://{rest}")

    @field_validator("public_url")
    @classmethod
    def _check_public_url(cls, value: str | None) -> str | None:
        if value is not None and not (re.match(r"https?://[^/\s]\S*$", value) and value.isprintable()):
            raise ValueError(f"{value!r:.200} is not an address such as https://example.org/four")
        return value

    @field_validator("api_key")
    @classmethod
    def _check_key(cls, value: SecretStr) -> SecretStr:
        key = value.get_secret_value().strip()  # a variable set on Windows, or in a file from there, ends in a blank
        try:
            key.encode()
        except UnicodeError:
            raise ValueError("it is not text") from None
        return SecretStr(key)

    @property
    def is_embedded(self) -> bool:
        """Whether no id is set: then the embedded course server is the opponent."""
        return not self.stil_id

    @property
    def identity(self) -> str:
        """The server's name in journals."""
        return EMBEDDED if self.is_embedded else self.server

    @property
    def player(self) -> tuple[str, ...]:
        """The ids that are sent: the configured ones, sorted as the server sorts them, or the embedded server's."""
        return tuple(sorted(self.stil_id)) or (EMBEDDED_ID,)


def _settings_file() -> dict[str, Any]:
    """Return what `bot.toml` sets; nothing if there is no such file. Raises UsageError."""
    if not os.path.lexists(SETTINGS_FILE):
        return {}
    path = Path(SETTINGS_FILE)
    try:
        text = path.read_bytes().decode("utf-8-sig")  # editors on Windows write a byte order mark
        settings: dict[str, Any] = tomllib.loads(text)
        return settings
    except OSError as error:
        reason = error.strerror
    except UnicodeError:
        reason = "it is not UTF-8 text"
    except ValueError as error:  # not TOML, or a number with thousands of digits
        reason = str(error)
    raise UsageError(f"{path} cannot be read: {reason}.", "Correct or remove it.")


def read_key(file: str | None) -> str | None:
    """Return the key in ``file``; None if no file is given. Raises UsageError."""
    if file is None:
        return None
    problem = "must hold one line, the key"
    try:
        key = Path(file).read_text(encoding="utf-8-sig").strip()
        if key and key.isprintable():
            return key
    except OSError as error:
        problem = f"cannot be read: {error.strerror}"
    except UnicodeError:
        problem = "is not text"
    raise UsageError(f"The key file {file} {problem}.", "Check --api-key-file.")


def load_settings(
    server: str | None = None, stil_ids: Sequence[str] | None = None, api_key: str | None = None
) -> Settings:
    """Return the settings from these options, then the environment, then `bot.toml`, then defaults.

    The environment's variables are BOT_SERVER, BOT_STIL_ID and BOT_API_KEY. A blank key is no key: the next source
    counts, at last the default. Raises UsageError; its sentence never contains the key.
    """
    options = {"server": server, "stil_id": stil_ids or None, "api_key": api_key}
    environment = {name: os.environ.get(f"BOT_{name.upper()}") for name in options}
    given, origins = {}, {}
    for source, origin in ((_settings_file(), f" in {SETTINGS_FILE}"), (environment, " in BOT_{}"), (options, "")):
        for name, value in source.items():
            is_blank_key = name == "api_key" and isinstance(value, str) and not value.strip()
            if value is not None and not is_blank_key:
                given[name], origins[name] = value, origin.format(name.upper())
    settings = checked(given, origins)
    if settings.is_embedded and settings.server != COURSE_SERVER:
        raise UsageError(
            f"The server {settings.server} is given{origins['server']} without a STIL id to play as.",
            "Add --stil-id ID (or BOT_STIL_ID), or leave the server out to play the embedded one.",
        )
    return settings


def load_public_url(option: str | None) -> str | None:
    """Return the page's public address from the option, then BOT_PUBLIC_URL, then `bot.toml`; None if none is set.

    Raises UsageError.
    """
    found = option or os.environ.get("BOT_PUBLIC_URL") or _settings_file().get("public_url")
    return checked({"public_url": found}, {}).public_url


def checked(given: dict[str, Any], origins: Mapping[str, str]) -> Settings:
    """Return the settings; raise UsageError for the first wrong one. ``origins`` says where each is from, if known."""
    try:
        return Settings(**given)
    except ValidationError as error:
        detail = error.errors(include_input=False, include_url=False)[0]
    field = str(detail["loc"][0])
    if detail["type"] == "extra_forbidden":
        known = ", ".join(Settings.model_fields)
        near = get_close_matches(field, Settings.model_fields, n=1)
        meant = f"Did you mean {near[0]}? " if near else ""
        raise UsageError(f"{SETTINGS_FILE} has an unknown setting {field!r}.", f"{meant}The settings are {known}.")
    is_text = detail["type"] == "string_type"
    reason = "it is not a text in quotes" if is_text else detail["msg"].removeprefix("Value error, ")
    raise UsageError(
        f"The setting {field}{origins.get(field, '')} is wrong: {reason}.",
        "Correct it; `bot init --help`, `bot play --help` and `bot web --help` describe the settings.",
    )
