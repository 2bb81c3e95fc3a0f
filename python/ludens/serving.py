"""The page, served by a program in Python."""

from __future__ import annotations

import os
import threading
import webbrowser
from types import TracebackType
from typing import Literal, Union, overload
from urllib.parse import quote

from ludens import _ludens
from ludens.opening import AnyGame
from ludens.opening import game as open_game
from ludens.rules import check_game


class Page:
    """The page of Ludens while it is served; as a context, until the block is left."""

    def __init__(self, site: _ludens.Site, url: str):
        self.url = url
        """Where the page is."""
        self._site = site
        self._thread = threading.Thread(target=site.run, name="ludens page", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Ends the server; runs that learn in it are saved."""
        self._site.stop()
        self._thread.join()

    def __enter__(self) -> Page:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def __repr__(self) -> str:
        return f"<page at {self.url}>"


@overload
def serve(
    *games: AnyGame,
    port: int = 7200,
    listen: str = "127.0.0.1",
    runs: Union[str, os.PathLike[str]] = "runs",
    browse: bool = True,
    wait: Literal[True] = True,
) -> None: ...
@overload
def serve(
    *games: AnyGame,
    port: int = 7200,
    listen: str = "127.0.0.1",
    runs: Union[str, os.PathLike[str]] = "runs",
    browse: bool = True,
    wait: Literal[False],
) -> Page: ...
def serve(
    *games: AnyGame,
    port: int = 7200,
    listen: str = "127.0.0.1",
    runs: Union[str, os.PathLike[str]] = "runs",
    browse: bool = True,
    wait: bool = True,
) -> Page | None:
    """Shows everything in the browser, as `ludens serve` does, with games written in Python.

    >>> ludens.serve(MyGame())

    The browser opens at the first of these games, unless `browse` is false. Only this machine can
    reach the page, unless `listen` says otherwise; then a token is needed, which is part of the
    address that is printed. Ctrl-C ends it. Without `wait` it is served beside the rest of the
    program, and returned as a `Page` that can be stopped.
    """
    opened = [open_game(game) for game in games]
    for game in opened:
        # A mistake is better told here than on the page.
        check_game(game, games=1)
    site = _ludens.Site(listen, port, runs)
    prefix = "python:rules="
    specs = [game.spec for game in opened]
    _ludens.list_rules([spec[len(prefix) :] for spec in specs if spec.startswith(prefix)])
    url = site.url + (f"#/play?game={quote(specs[0], safe='')}" if specs else "")
    if browse:
        webbrowser.open(url)
    if not wait:
        return Page(site, url)
    print(f"The page is at {url}\nCtrl-C ends it.", flush=True)
    site.run()
    return None
