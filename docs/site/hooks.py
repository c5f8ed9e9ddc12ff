"""What mkdocs does beside copying: pages from outside docs/, options of commands, dead links.

Invariant: links in a Markdown file are those that work where the file lies in the repository; only
here are they turned into those of the site.
"""

from __future__ import annotations

import posixpath
import re
import sys
from pathlib import Path
from typing import Any

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(Path(__file__).parent)]

from links import dead_links, foreign_loads  # noqa: E402  beside this file
from notebook_pages import page_of  # noqa: E402
from options import options_of  # noqa: E402
from tab import FOLDER, names, taken  # noqa: E402

from satdoku.cli.commands import GROUPS, SUMMARIES  # noqa: E402

OUTSIDE = (
    "*.md",
    "LICENSE",
    "NOTICE",
    "CITATION.cff",
    "bench/*.md",
    "bench/results/*",
    "bench/attacks/*.md",
)
TARGET = re.compile(r'(?P<words>\[[^]\n]*)?(?P<before>\]\(|src=")(?P<target>[^)"#\s]+)')


def on_config(config: Any) -> Any:
    """A page for each command, in the groups of `satdoku --help`."""
    (section,) = (entry["Commands"] for entry in config.nav if "Commands" in entry)
    section += [{title: [f"commands/{n}.md" for n in names]} for title, names in GROUPS.items()]
    return config


def on_files(files: Files, config: Any) -> Files:
    """Files that pages link to and that docs/ does not hold, what docs/try takes from the package,
    and a page for each notebook."""
    for name, source in taken():
        files.append(File.generated(config, name, abs_src_path=str(source)))
    files.append(File.generated(config, f"{FOLDER}/names.json", content=names()))
    for path in (ROOT / "docs" / "notebooks").glob("*.ipynb"):
        name = f"notebooks/{path.stem}.md"
        files.append(File.generated(config, name, content=page_of(path)))
    for pattern in OUTSIDE:
        for path in ROOT.glob(pattern):
            if not path.name.startswith("."):
                name = uri_of(path.relative_to(ROOT).as_posix())
                files.append(File.generated(config, name, abs_src_path=str(path)))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """The page with the links of the site, and with its options if it is that of a command."""
    uri = page.file.src_uri
    folder, name = posixpath.split(uri)
    if folder == "commands" and Path(name).stem in SUMMARIES:
        markdown = f"{markdown}\n## Options\n\n{options_of(Path(name).stem)}"
    return with_links_of_the_site(markdown, uri)


def on_post_build(config: Any) -> None:
    """A dead link ends the build, and so does anything that a page loads from another host."""
    site = Path(config.site_dir)
    if found := [*dead_links(site), *foreign_loads(site)]:
        raise PluginError("\n".join(["the site is not whole:", *found]))


def uri_of(path: str) -> str:
    """The place in the site of a file of the repository."""
    return "index.md" if path == "README.md" else path.removeprefix("docs/")


def path_of(uri: str) -> str:
    """The file of the repository that stands at a place in the site."""
    if uri == "index.md":
        return "README.md"
    return uri if (ROOT / uri).exists() else f"docs/{uri}"


def with_links_of_the_site(markdown: str, uri: str) -> str:
    """Relative links and pictures lead to the same files as before; a link whose words are the name
    of a page has the title of that page instead."""
    here, there = posixpath.dirname(path_of(uri)), posixpath.dirname(uri)

    def moved(found: re.Match[str]) -> str:
        path = posixpath.normpath(posixpath.join(here, found["target"]))
        if not (ROOT / path).is_file():
            return found[0]
        words = found["words"] or ""
        if path.endswith(".ipynb") and not uri.startswith("notebooks/"):
            path = path.replace(".ipynb", ".md")
        if words.endswith(".md"):
            words = f"[{title_of(ROOT / path)}"
        return words + found["before"] + posixpath.relpath(uri_of(path), there or ".")

    return TARGET.sub(moved, markdown)


def title_of(page: Path) -> str:
    """The first heading of a page."""
    return page.read_text().partition("# ")[2].partition("\n")[0]
