"""The options after an agent's depth: ``key=value`` pairs, each read once by the paper that knows it."""

from __future__ import annotations

from dataclasses import dataclass, field

from bot.errors import UsageError


@dataclass
class Options:
    """What follows the depth in ``name``; whatever no paper has taken at the end is refused."""

    name: str
    given: dict[str, str] = field(default_factory=dict)

    @classmethod
    def parse(cls, name: str, pairs: list[str]) -> Options:
        """Read ``key=value`` texts; raises UsageError at anything else and at a key that comes twice."""
        options = cls(name)
        for pair in pairs:
            key, equals, value = pair.partition("=")
            if not key or not equals or not value or key in options.given:
                raise UsageError(f"{pair!r} in {name!r} is no option.", "Write options as key=value, each once.")
            options.given[key] = value
        return options

    def refuse_rest(self, known: tuple[str, ...]) -> None:
        """Raise UsageError when an option is left that the agent does not have."""
        for key in self.given:
            has = f"It has: {', '.join(known)}." if known else "It has none."
            raise UsageError(f"{self.name!r} has no option {key!r}.", has)

    def take(self, option: str) -> str | None:
        """The option's text, struck off the list."""
        return self.given.pop(option, None)

    def switch(self, option: str) -> bool:
        """Whether ``option`` is 1; refuses anything but 0 and 1."""
        text = self.take(option) or "0"
        if text not in ("0", "1"):
            raise self.wrong(option, text, "Write 0 or 1.")
        return text == "1"

    def number(self, option: str) -> int | None:
        """A whole number above 0, or None."""
        text = self.take(option)
        if text is None:
            return None
        if not text.isdecimal() or int(text) == 0:
            raise self.wrong(option, text, "Write a whole number above 0.")
        return int(text)

    def seconds(self, option: str) -> float | None:
        """A duration above 0, or None."""
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
        """The error for a value that makes no sense."""
        return UsageError(f"{text!r} is no value for {option} in {self.name!r}.", hint)
