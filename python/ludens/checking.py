"""What arguments may be."""

from __future__ import annotations

import operator
from typing import Any

from ludens._ludens import Invalid


def whole(name: str, value: Any, least: int = 0, most: int = 2**63 - 1) -> int:
    """A whole number, given as any kind of one."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name}: expected a whole number, found {value!r}") from None
    if not least <= number <= most:
        raise Invalid(f"{name}: expected {least} to {most}, found {number}")
    return number


def seed(value: Any) -> int:
    """What randomness begins with."""
    return whole("seed", value, most=2**64 - 1)


def maybe(name: str, value: Any, least: int = 0) -> int | None:
    """A whole number, or None."""
    return None if value is None else whole(name, value, least)


def games(value: Any) -> int | None:
    """How many games, if it is said; all that is played is kept."""
    return None if value is None else whole("games", value, 1, 10_000_000)


def threads(value: Any) -> int:
    """How many threads."""
    return whole("threads", value, 1, 4_096)
