"""A line that tells how far long work has come."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

LENGTH = 20


class Bar:
    """A line on the error stream, drawn if `progress` is true; or else a caller of `progress`."""

    def __init__(self, what: str, progress: bool | Callable[..., None]):
        self.what = what
        self.drawn = False
        self.begun = time.monotonic()
        self.latest = ""
        self.tell: Callable[..., None] | None
        if callable(progress):
            self.tell = progress
        else:
            self.tell = self.draw if progress else None

    def draw(self, done: int, expected: int) -> None:
        """Draws the line anew."""
        share = done / max(expected, 1)
        filled = int(LENGTH * share)
        bar = "#" * filled + "." * (LENGTH - filled)
        elapsed = time.monotonic() - self.begun
        left = f", {elapsed / share - elapsed:.0f} s left" if share > 0 else ""
        line = f"[{bar}] {100 * share:.0f} % {self.what}{left}{self.latest}"
        sys.stderr.write(f"\r{line:<78}")
        sys.stderr.flush()
        self.drawn = True

    def __enter__(self) -> Bar:
        return self

    def __exit__(self, *_: object) -> None:
        if self.drawn:
            sys.stderr.write("\r" + " " * 78 + "\r")
            sys.stderr.flush()
