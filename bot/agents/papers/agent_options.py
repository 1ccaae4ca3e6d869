"""Options of an agent's name: the ``key=value`` pairs after its depth."""

from __future__ import annotations

from dataclasses import dataclass, field

from bot.errors import UsageError


@dataclass
class AgentOptions:
    """The options in ``name``. A family takes its options one by one; those that are left are rejected."""

    name: str
    given: dict[str, str] = field(default_factory=dict)

    @classmethod
    def parse(cls, name: str, pairs: list[str]) -> AgentOptions:
        """Parse ``key=value`` texts; raise UsageError for any other text and for a repeated key."""
        options = cls(name)
        for pair in pairs:
            key, equals, value = pair.partition("=")
            if not key or not equals or not value or key in options.given:
                raise UsageError(f"{pair!r} in {name!r} is not an option.", "Write options as key=value, each once.")
            options.given[key] = value
        return options

    def reject_rest(self, known: tuple[str, ...]) -> None:
        """Raise UsageError if an option is left that the family did not take; ``known`` are the family's options."""
        for key in self.given:
            hint = f"Its options: {', '.join(known)}." if known else "It takes none: write the name without the comma."
            raise UsageError(f"{self.name!r} has no option {key!r}.", hint)

    def take(self, option: str) -> str | None:
        """Return the option's text and remove the option; None if it was not given."""
        return self.given.pop(option, None)

    def switch(self, option: str) -> bool:
        """Return whether ``option`` is 1; raise UsageError unless it is 0 or 1 or was not given."""
        text = self.take(option) or "0"
        if text not in ("0", "1"):
            raise self.wrong(option, text, "Write 0 or 1.")
        return text == "1"

    def choice(self, option: str, allowed: tuple[str, ...]) -> str:
        """Return ``option``, the first of ``allowed`` if it was not given; raise UsageError for another word."""
        text = self.take(option) or allowed[0]
        if text not in allowed:
            raise self.wrong(option, text, f"Write one of {', '.join(allowed)}.")
        return text

    def number(self, option: str) -> int | None:
        """Return ``option`` as a whole number above 0, or None if it was not given."""
        text = self.take(option)
        if text is None:
            return None
        if not text.isdecimal() or int(text) == 0:
            raise self.wrong(option, text, "Write a whole number above 0.")
        return int(text)

    def seconds(self, option: str) -> float | None:
        """Return ``option`` as a duration above 0, in seconds, or None if it was not given."""
        text = self.take(option)
        if text is None:
            return None
        try:
            duration_s = float(text)
        except ValueError:
            duration_s = 0.0
        if not 0 < duration_s < float("inf"):
            raise self.wrong(option, text, "Write seconds, such as 2 or 0.5.")
        return duration_s

    def wrong(self, option: str, text: str, hint: str) -> UsageError:
        """Return the error for a value that the option does not accept."""
        return UsageError(f"The option {option} in {self.name!r} cannot be {text!r}.", hint)
