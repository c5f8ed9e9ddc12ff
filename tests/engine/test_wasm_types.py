"""satdoku.d.ts states what satdoku.js exports, with all names, parameters and options."""

from __future__ import annotations

import re

import pytest
from node import in_node

from satdoku.engine import wasm

TYPES = re.sub(r"(?s:/\*\*.*?\*/)|//.*", "", (wasm.FOLDER / "satdoku.d.ts").read_text())
STATED = re.findall(r"^export (\w+) (\w+)((?s:.*?))(?=^export|\Z)", TYPES, re.M)
VALUES = {name: rest for kind, name, rest in STATED if kind in ("class", "function", "const")}
SHAPES = {name: rest for kind, name, rest in STATED if kind == "interface"}

# What the objects have, and what each question says of an option that it does not know.
SEEN = """
const own = (object) => Object.getOwnPropertyNames(object).filter((name) => name !== "constructor");
const sources = (object) => Object.fromEntries(own(object)
  .filter((name) => typeof Object.getOwnPropertyDescriptor(object, name).value === "function")
  .map((name) => [name, object[name].toString()]));
const plan = satdoku.plan(), pool = await module.Pool.open({ size: 1 });
const grid = ".".repeat(81), options = {};
const proto = Object.getPrototypeOf(satdoku);
const hasOptions = (name) => proto[name].toString().split("\\n")[0].includes("options");
for (const name of own(proto).filter(hasOptions)) {
  try {
    const made = satdoku[name](name === "generate" ? 1 : grid, plan, { nonsense: 1 });
    if (made.next) made.next();
  } catch (error) { options[name] = error.message; }
}
await module.Pool.open({ nonsense: 1 }).catch((error) => (options.open = error.message));
pool.stop();
console.log(JSON.stringify({
  exports: Object.keys(module), status: module.Status, options,
  Satdoku: { fields: own(satdoku), methods: sources(Object.getPrototypeOf(satdoku)) },
  Plan: { fields: [...own(plan), ...own(Object.getPrototypeOf(plan))],
          methods: sources(Object.getPrototypeOf(plan)) },
  Pool: { fields: own(pool), methods: { ...sources(Object.getPrototypeOf(pool)),
  open: module.Pool.open.toString() } },
  functions: { load: module.load.toString(), readLines: module.readLines.toString() },
}));
"""


def members(text):
    """The members of a class or an interface: the text of each behind its name."""
    pattern = r"^  (?:(?:readonly|static) )?(\w+)\b(.*?)(?=^  \S|^\})"
    return {
        name: rest for name, rest in re.findall(pattern, text, re.M | re.S) if name != "private"
    }


def parameters(source):
    """The names of the parameters in the first round brackets."""
    depth, names, part = 0, [], ""
    for character in source[source.index("(") :]:
        depth += (character in "([{<") - (character in ")]}>")
        if depth == 0 or (depth == 1 and character == ","):
            names.append(part)
            part = ""
        elif character not in "(" or depth > 1:
            part += character
        if depth == 0:
            break
    found = [re.match(r"\s*(?:\.\.\.)?(\w+)", name) for name in names]
    return [name[1] for name in found if name]


@pytest.fixture(scope="module")
def seen(tmp_path_factory):
    return in_node(SEEN, tmp_path_factory.mktemp("types"))


def test_all_that_the_module_exports_has_its_type(seen):
    assert sorted(seen["exports"]) == sorted(VALUES)
    stated = re.findall(r"readonly (\w+): (\d)", VALUES["Status"])
    assert {name: int(code) for name, code in stated} == seen["status"]


@pytest.mark.parametrize("name", ["Satdoku", "Plan", "Pool"])
def test_members_and_their_parameters_are_those_of_the_module(name, seen):
    stated = members(SHAPES.get(name) or VALUES[name])
    has = seen[name]
    assert sorted(stated) == sorted({*has["fields"], *has["methods"]})
    for method, source in has["methods"].items():
        assert parameters(stated[method]) == parameters(source), method


@pytest.mark.parametrize("name", ["load", "readLines"])
def test_functions_have_the_parameters_of_the_module(name, seen):
    assert parameters(VALUES[name]) == parameters(seen["functions"][name])


def test_options_are_those_that_the_module_takes(seen):
    texts = members(SHAPES["Satdoku"]) | members(VALUES["Pool"])
    stated = {
        name: re.findall(r"(\w+)\?:", found[1])
        for name, text in texts.items()
        if (found := re.search(r"options\?: \{(.*?)\}", text))
    }
    stated.pop("solveBlocks")  # hands them on to solveBatch
    taken = {
        name: message.partition("expected ")[2].split(", ")
        for name, message in seen["options"].items()
    }
    assert stated == taken
