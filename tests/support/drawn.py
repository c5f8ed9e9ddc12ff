"""A puzzle that is set at full speed, and a model of it that is kept beside the page.

Invariant: the model knows nothing of the page; it is what somebody means who types and draws. Each
edit adds to one chain of keys and strokes, without a pause between them.
"""

from __future__ import annotations

import random
from typing import Any, NamedTuple

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from setting import Setting

SIDE = 9
ARROWS = {Keys.UP: (-1, 0), Keys.DOWN: (1, 0), Keys.LEFT: (0, -1), Keys.RIGHT: (0, 1)}
SIDES = ("row5", "-row5", "col5", "-col5")  # one clue each, so that the board keeps its place


class State(NamedTuple):
    """A puzzle: its digits, what its cells may hold, its clues in order."""

    digits: tuple[int, ...] = (0,) * SIDE**2
    marks: tuple[frozenset[int], ...] = (frozenset(),) * SIDE**2
    clues: tuple[str, ...] = ()


def name(cell: int) -> str:
    return f"r{cell // SIDE + 1}c{cell % SIDE + 1}"


def state_of(puzzle: dict[str, Any]) -> State:
    """The puzzle of the page as a state."""
    stated = puzzle.get("candidates", [range(1, SIDE + 1)] * SIDE**2)
    marks = tuple(frozenset() if len(m) == SIDE else frozenset(m) for m in stated)
    digits = tuple(int(d) for d in puzzle["puzzle"].replace(".", "0"))
    return State(digits, marks, tuple(puzzle.get("clues", ())))


class Drawn:
    """A setter in a hurry, with the state that the puzzle should be in."""

    def __init__(self, page: Setting, seed: int) -> None:
        self.page, self.random = page, random.Random(seed)
        self.state = State()
        self.past: list[State] = []
        self.future: list[State] = []
        self.cursor = SIDE**2 // 2
        self.kind = ""
        self.cells = [page.cell(name(cell)) for cell in range(SIDE**2)]
        self.refused: list[str] = []
        self.chain = ActionChains(page.driver, duration=0)
        for line in SIDES:
            self._take_up("skyscraper")
            self._press(line, 3)
            self.perform()
            page.settle(self.state.clues)
        self.past.clear()  # undo goes no further
        typed = [*[self.digit] * 3, self.mark, *[self.delete] * 2]
        stepped = [*[self.undo] * 2, self.redo]
        drawn = [*[self.cage] * 3, self.cage_without_sum, self.cages, self.wrong_cage]
        self.edits = [*typed, *stepped, *drawn, self.line, self.dot, self.outside]

    def edit(self) -> str:
        """One more edit at random: its name."""
        chosen = self.random.choice(self.edits)
        chosen()
        return chosen.__name__

    def perform(self) -> None:
        """Types and draws all that was chosen."""
        self.chain.perform()
        self.chain = ActionChains(self.page.driver, duration=0)

    # Keys

    def digit(self) -> None:
        self._go()
        digit = self.random.randint(1, SIDE)
        self.chain.send_keys(str(digit))
        put = 0 if self.state.digits[self.cursor] == digit else digit
        self._commit(digits=self._with(self.state.digits, put))

    def mark(self) -> None:
        self._go()
        digit = self.random.randint(1, SIDE)
        self.chain.key_down(Keys.SHIFT).send_keys(str(digit)).key_up(Keys.SHIFT)
        if not self.state.digits[self.cursor]:
            marks = self.state.marks[self.cursor] ^ {digit}
            self._commit(marks=self._with(self.state.marks, frozenset(marks)))

    def delete(self) -> None:
        """What the cell may hold goes first, then its digit, then its newest clue."""
        self._go()
        self.chain.send_keys(Keys.DELETE)
        digits, marks, clues = self.state
        here = name(self.cursor)
        if marks[self.cursor] and not digits[self.cursor]:
            self._commit(marks=self._with(marks, frozenset()))
        elif digits[self.cursor]:
            self._commit(digits=self._with(digits, 0))
        elif on := [clue for clue in clues if here in clue.split(":")[1].split(",")]:
            self._commit(clues=tuple(clue for clue in clues if clue != on[-1]))

    def undo(self) -> None:
        self.chain.key_down(Keys.CONTROL).send_keys("z").key_up(Keys.CONTROL)
        if self.past:
            self.future.append(self.state)
            self.state = self.past.pop()
        else:
            self._redo()  # the page goes further back than the model

    def redo(self) -> None:
        self._redo()
        if self.future:
            self.past.append(self.state)
            self.state = self.future.pop()

    # Strokes

    def cage(self) -> None:
        path = self._path(self.random.randint(2, 4))
        least = sum(range(1, len(path) + 1))
        self._draw("cage", path, self.random.randint(least, least + 3 * len(path)))

    def cage_without_sum(self) -> None:
        self._draw("cage", self._path(3), None)

    def cages(self) -> None:
        """The first one is made when the next one begins."""
        first = self._path(2)
        self._take_up("cage")
        self._stroke(first)
        self._add("cage", sorted(first))
        self.cage()

    def line(self) -> None:
        self._draw(self.random.choice(["whisper", "thermo"]), self._path(4))

    def dot(self) -> None:
        self._draw("white", self._path(2))

    def outside(self) -> None:
        used = {clue.split(":")[1] for clue in self.state.clues}
        lines = [f"{line}{i}" for line in ("row", "-row", "col", "-col") for i in range(1, 10)]
        if free := [line for line in lines if line not in used]:
            self._take_up("skyscraper")
            self._press(self.random.choice(free), self.random.randint(1, SIDE))

    def wrong_cage(self) -> None:
        """One that cannot be, and another one at once."""
        path = self._path(2)
        self._take_up("cage")
        self._stroke(path)
        self.chain.send_keys("45", Keys.ENTER)
        self.refused.append(f"cage=45:{','.join(map(name, sorted(path)))}")
        self.future.clear()
        self.cage()

    # Parts of them

    def _redo(self) -> None:
        self.chain.key_down(Keys.CONTROL).send_keys("y").key_up(Keys.CONTROL)

    def _go(self) -> None:
        """Some steps by arrow keys, around the edge too."""
        for _ in range(self.random.randint(1, 4)):
            key = self.random.choice([*ARROWS])
            down, right = ARROWS[key]
            row, column = divmod(self.cursor, SIDE)
            self.cursor = (row + down) % SIDE * SIDE + (column + right) % SIDE
            self.chain.send_keys(key)

    def _take_up(self, kind: str) -> None:
        if kind != self.kind:
            self.chain.send_keys("k", kind, Keys.ENTER)
            self.kind = kind

    def _path(self, length: int) -> list[int]:
        """Cells one beside the other, whose cage, line and dot are not there yet."""
        while True:
            path = [self.random.randrange(SIDE**2)]
            while len(path) < length:
                row, column = divmod(path[-1], SIDE)
                down, right = self.random.choice([*ARROWS.values()])
                if 0 <= row + down < SIDE and 0 <= column + right < SIDE:
                    path.append((row + down) * SIDE + column + right)
            texts = {",".join(map(name, cells)) for cells in (path, sorted(path))}
            if len({*path}) == length and not texts & {c.split(":")[1] for c in self.state.clues}:
                return path

    def _draw(self, kind: str, path: list[int], value: int | None = 0) -> None:
        """A stroke; a value of None is left out, 0 is not asked for."""
        self._take_up(kind)
        self._stroke(path)
        if value != 0:
            self.chain.send_keys("" if value is None else str(value), Keys.ENTER)
        ordered = kind in ("whisper", "thermo")
        self._add(f"{kind}={value}" if value else kind, path if ordered else sorted(path))

    def _stroke(self, path: list[int]) -> None:
        self.cursor = path[0]
        self.chain.move_to_element(self.cells[path[0]]).click_and_hold()
        for cell in path[1:]:
            self.chain.move_to_element(self.cells[cell])
        self.chain.release()

    def _press(self, line: str, value: int) -> None:
        """A button at the edge, which is there only while the kind is in hand."""
        self.perform()
        self.page.wait(lambda: self._pressed(f"[data-edge='{line}'] rect"))
        self.chain.send_keys(str(value), Keys.ENTER)
        self._commit(clues=(*self.state.clues, f"skyscraper={value}:{line}"))

    def _pressed(self, css: str) -> bool:
        """Presses what may make room for a picture that comes just then."""
        (found,) = self.page.find(css)
        self.chain.move_to_element(found).click()
        try:
            self.chain.perform()
        finally:
            self.chain = ActionChains(self.page.driver, duration=0)
        return True

    def _add(self, head: str, cells: list[int]) -> None:
        self._commit(clues=(*self.state.clues, f"{head}:{','.join(map(name, cells))}"))

    def _with(self, values: tuple[Any, ...], value: Any) -> tuple[Any, ...]:
        """The values, with another one at the cursor; all digits are as good as none."""
        value = frozenset() if value == frozenset(range(1, SIDE + 1)) else value
        return (*values[: self.cursor], value, *values[self.cursor + 1 :])

    def _commit(self, **changed: Any) -> None:
        state = self.state._replace(**changed)
        if state != self.state:
            self.past.append(self.state)
            self.state = state
            self.future.clear()
