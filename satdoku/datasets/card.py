"""The data card of a made data set: what it holds, how it was made, how to check it.

Invariant: the card depends on the recipe and the counts alone. Its head is what hubs of data sets
read: licence, splits and their files.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..generator import Wish
from ..runtime.package import VERSION
from .recipe import Part, Recipe

CARD = "README.md"
SAYS = {
    "puzzle": "the givens, a character a cell, `.` for an empty one",
    "solution": "the only solution",
    "rules": "the rule set, which every line, box and rule of the board belongs to",
    "clues": "the clues, `;` between them, empty if there are none",
    "givens": "number of givens",
    "er": "rating of the hardest step, on the scale of Sudoku Explainer or its extension",
    "ep": "rating of the hardest step up to the first placed digit",
    "ed": "rating of the first step",
    "technique": "name of the hardest step",
    "proof": "a proof tree: that the solution is one, and the only one",
    "trace": "the steps of a human-style solution, as a JSON list",
    "question": "rules, clues and grid in words, as a model is asked",
    "part": "the part of the recipe",
}


def data_card(recipe: Recipe, splits: Mapping[str, Mapping[str, int]], ending: str) -> str:
    """The text of README.md. splits: rows of each part in each split."""
    return "\n".join([*_head(recipe, splits), *_body(recipe, splits, ending)])


def _head(recipe: Recipe, splits: Mapping[str, Mapping[str, int]]) -> Iterator[str]:
    yield "---"
    yield f'pretty_name: "{_quoted(recipe.name)}"'
    yield f'license: "{_quoted(recipe.licence)}"'
    yield "configs:"
    yield "- config_name: default"
    yield "  data_files:"
    for split in filter(splits.get, recipe.split):
        yield f"  - split: {split}"
        yield f'    path: "{split}/*"'
    yield "---"
    yield ""


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")


def _body(recipe: Recipe, splits: Mapping[str, Mapping[str, int]], ending: str) -> Iterator[str]:
    yield f"# {' '.join(recipe.name.split())}"
    yield ""
    yield (
        f"{recipe.rows:,} puzzles, each with exactly one solution, made by satdoku {VERSION} from "
        f"seed {recipe.seed}. Licence: {' '.join(recipe.licence.split())}."
    )
    yield ""
    yield f"| part | {' | '.join(recipe.split)} | what |"
    yield f"|---|{'---:|' * len(recipe.split)}---|"
    for part in recipe.parts:
        rows = [f"{splits[split].get(part.name, 0):,}" for split in recipe.split]
        yield f"| {part.name} | {' | '.join(rows)} | {_what(part)} |"
    yield ""
    yield (
        "No puzzle comes twice, up to symmetry where it has no clues. No solution grid is in two "
        "splits, up to the symmetries of the board. Sizes of splits follow from that: a grid is in "
        "the split that its canonical form and the seed say."
    )
    yield ""
    yield "| column | holds |"
    yield "|---|---|"
    yield from (f"| {name} | {SAYS[name]} |" for name in recipe.columns)
    yield ""
    yield "## Check it"
    yield ""
    yield "```sh"
    proofs = " --proofs proof" if "proof" in recipe.columns else ""
    paths = " ".join(f"{split}/*{ending}" for split in recipe.split if splits[split])
    yield f"satdoku audit {paths}{proofs} --allow grid-leak"
    yield "```"
    yield ""
    yield "`grid-leak` is allowed because files of one split may share a solution grid."
    yield ""
    yield "## Make it again"
    yield ""
    yield (
        "The recipe makes the same rows on every machine, with any number of workers, by the same "
        "version:"
    )
    yield ""
    is_json = recipe.text.lstrip().startswith("{")
    yield f"```{'json' if is_json else 'toml'}"
    yield recipe.text.strip()
    yield "```"
    yield ""


def _what(part: Part) -> str:
    """The rules and what else was asked for, in words."""
    constraints, wish = part.options.constraints, part.options.wish
    words = [f"{constraints.board.shape}, rules {constraints.name}"]
    usual = Wish()
    for name in usual.__dataclass_fields__:
        if (value := getattr(wish, name)) != getattr(usual, name):
            told = ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)
            words.append(f"{name.replace('_', ' ')}: {told}")
    return "; ".join([*words, f"seed {part.options.seed}"]).replace("|", "\\|")
