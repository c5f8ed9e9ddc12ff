"""ES modules as one script, because a page that was opened from a file may import none.

Invariant: each module is the body of a function that runs once, after those that it imports, and
gives what it exports; the one that is asked for stands at the end, outside of any. An import or
export of a form that is not known here is refused.

The modules are our own: an import or export begins a line, exported names are declared there, and
no module but the last waits at its top level.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from ...runtime.errors import SatdokuError

_IMPORT = re.compile(
    r'^import (?:(?:\* as (?P<all>\w+)|\{(?P<names>[\w\s,]+)\}) from )?"(?P<path>\.[\w./-]+)";\n',
    re.MULTILINE,
)
_EXPORT = re.compile(
    r"^export (?=(?:async )?(?:function\*?|class|const) (?P<name>\w+))", re.MULTILINE
)
_LEFT = re.compile(r"^(?:import\b(?! ?\()|export\b).*", re.MULTILINE)
_ENDS = re.compile(r"</script|<!--", re.IGNORECASE)  # what would end a script, or hide its end


def joined(entry: Path) -> str:
    """The script of a module and all that it imports.

    Raises `SatdokuError` for a module that imports itself, by others or not, and for an import or
    export that is not known here.
    """
    order: dict[Path, str] = {}
    _visit(entry.resolve(), order, ())
    *parts, main = order
    script = "\n".join([*(_wrapped(part, order[part]) for part in parts), _body(main, order[main])])
    if _ENDS.search(script):
        raise SatdokuError(f"{entry.name}: the script of a page cannot hold </script or <!--")
    return script


def classic(module: Path) -> str:
    """A module that imports none of ours as a script of the old kind, which may run in a worker of
    any page: a promise of what it exports becomes a global constant with the name of the module."""
    code = module.read_text(encoding="utf-8")
    body = _body(module, code).replace("import.meta.url", "globalThis.location.href")
    return f"globalThis.{module.stem} = (async () => {{\n{body}return {_given(code)};\n}})();\n"


def _visit(module: Path, order: dict[Path, str], above: tuple[Path, ...]) -> None:
    """Add the modules that a module imports, then itself."""
    if module in above:
        raise SatdokuError(f"{module.name} imports itself: {' > '.join(p.name for p in above)}")
    if module in order:
        return
    code = module.read_text(encoding="utf-8")
    for match in _IMPORT.finditer(code):
        _visit(_imported(module, match["path"]), order, (*above, module))
    order[module] = code


def _imported(module: Path, path: str) -> Path:
    return Path(os.path.normpath(module.parent / path))


def _wrapped(module: Path, code: str) -> str:
    """A module as a constant: what it exports."""
    return f"const {_name(module)} = (() => {{\n{_body(module, code)}return {_given(code)};\n}})();"


def _body(module: Path, code: str) -> str:
    """The code of a module, whose imports are taken from the constants before it."""
    body = _EXPORT.sub("", _IMPORT.sub(lambda match: _taken(module, match), code))
    if left := _LEFT.search(body):
        raise SatdokuError(
            f"{module.name}: {left[0]}: expected an import or export as joined.py has it"
        )
    return body


def _taken(module: Path, match: re.Match[str]) -> str:
    source = _name(_imported(module, match["path"]))
    if match["all"]:
        return f"const {match['all']} = {source};\n"
    names = ", ".join(name.replace(" as ", ": ") for name in _listed(match["names"] or ""))
    return f"const {{ {names} }} = {source};\n" if names else ""


def _given(code: str) -> str:
    return f"{{ {', '.join(match['name'] for match in _EXPORT.finditer(code))} }}"


def _listed(names: str) -> Iterator[str]:
    return filter(None, (" ".join(name.split()) for name in names.split(",")))


def _name(module: Path) -> str:
    """The constant of a module: `$static_notes`."""
    return f"${module.parent.name}_{re.sub(r'[^0-9A-Za-z]', '_', module.stem)}"
