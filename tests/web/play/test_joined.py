"""Modules as one script: what node runs of it is what it runs of the modules."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from satdoku.engine import wasm
from satdoku.runtime.errors import SatdokuError
from satdoku.web.play.joined import classic, joined
from satdoku.web.play.page import HERE

MODULES = {
    "main.js": 'import "./first.js";\nimport * as all from "./sub/shapes.js";\n'
    'import {\n  twice,\n  LIST as ITEMS,\n} from "./first.js";\n'
    "console.log(all.Square.sides, twice(ITEMS.length), [...all.count(2)], await all.later());\n",
    "first.js": 'import { Square } from "./sub/shapes.js";\nexport const LIST = [Square];\n'
    "const hidden = 2;\nexport function twice(n) {\n  return hidden * n;\n}\n",
    "sub/shapes.js": "const hidden = 4;\nexport class Square {\n  static sides = hidden;\n}\n"
    "export function* count(n) {\n  for (let i = 0; i < n; i++) yield i;\n}\n"
    "export async function later() {\n  return hidden;\n}\n",
}


@pytest.fixture
def run():
    """What node prints of a script."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("no node: install nodejs")

    def ran(script):
        command = [node, "--input-type=module", "-"]
        return subprocess.run(
            command, input=script, capture_output=True, text=True, check=True, timeout=60
        ).stdout

    return ran


def written(folder, modules=MODULES):
    for name, code in modules.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(code)
    return folder / "main.js"


def test_a_script_does_what_its_modules_do(tmp_path, run):
    """Names that modules hide do not meet, and each module runs once."""
    script = joined(written(tmp_path))
    assert run(script) == "4 2 [ 0, 1 ] 4\n"
    assert script.count("static sides") == 1


def test_the_page_is_joined_whole():
    script = joined(HERE / "play.js")
    assert "fetch(" not in script and "XMLHttpRequest" not in script
    assert script.count("const $static_board = ") == 1


@pytest.mark.parametrize(
    "code, problem",
    [
        ("export default 1;\n", "export default"),
        ("const a = 1;\nexport { a };\n", "export { a }"),
        ("export let a = 1;\n", "export let"),
        ('import first from "./first.js";\n', "import first"),
        ('import { a } from "elsewhere";\n', "elsewhere"),
        ('import { main } from "./main.js";\n', "imports itself: main.js"),
        ('console.log("</script>");\n', "cannot hold </script"),
    ],
)
def test_what_is_not_known_is_refused(tmp_path, code, problem):
    with pytest.raises(SatdokuError, match=problem.replace("{", "\\{").replace("(", "\\(")):
        joined(written(tmp_path, MODULES | {"main.js": code}))


def test_a_module_as_a_script_of_the_old_kind(run):
    """The engine's script gives the names that the module exports."""
    module = wasm.FOLDER / "satdoku.js"
    names = "console.log(Object.keys({}).sort().join());\n"
    mine = run(classic(module) + names.format("await globalThis.satdoku"))
    assert mine == run(f'import * as all from "{module.as_uri()}";\n' + names.format("all"))
    assert "import.meta" not in classic(module) and "load" in mine
