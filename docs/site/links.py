"""Links of a folder of HTML pages: which are dead, and what a page loads from other hosts.

Invariant: nothing is fetched; a link to another host is not looked at unless a browser would follow
it by itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADED = {"stylesheet", "icon", "preload", "modulepreload", "preconnect", "dns-prefetch"}


class Page(HTMLParser):
    """What a page refers to, what it loads, and the names that one can link to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: set[str] = set()
        self.loads: set[str] = set()
        self.names: set[str] = {"", "top"}
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attributes}
        self.names |= {values[name] for name in ("id", "name") if name in values}
        if tag == "link" and not LOADED & set(values.get("rel", "").split()):
            return
        loaded = {values.get("src", "")} | ({values.get("href", "")} if tag == "link" else set())
        self.loads |= loaded - {""}
        self.links |= (loaded | {values.get("href", "")}) - {""}


def pages_of(folder: Path) -> dict[Path, Page]:
    """Every page of the folder by its path."""
    return {path: Page(path.read_text()) for path in sorted(folder.rglob("*.html"))}


def dead_links(folder: Path) -> Iterator[str]:
    """A line for each relative link that leads to no file of the folder, or to no name in it."""
    folder = folder.resolve()
    pages = pages_of(folder)
    for path, page in pages.items():
        if path.name == "404.html":  # its links begin with the address of the site
            continue
        for link in sorted(page.links):
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if target.is_dir():
                target /= "index.html"
            there = pages[target].names if target in pages else {""}
            if not target.is_file() or (target in pages and unquote(parts.fragment) not in there):
                yield f"{path.relative_to(folder)}: dead link {link}"


def foreign_loads(folder: Path) -> Iterator[str]:
    """A line for each thing that a browser would fetch from another host when it shows a page."""
    for path, page in pages_of(folder).items():
        for link in sorted(page.loads):
            if urlsplit(link).netloc:
                yield f"{path.relative_to(folder)}: loads {link}"
