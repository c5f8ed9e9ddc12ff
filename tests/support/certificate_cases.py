"""Certificates of small puzzles, ways to spoil them, and an independent slow judge."""

from __future__ import annotations

import io
import json
from hashlib import sha256
from itertools import combinations

from examples import FOUR
from proof_cases import SlowChecker, slow_steps

from satdoku.certificates.format import Certificate, Proof, write_section
from satdoku.certificates.make import preamble_of, refute
from satdoku.cnf.encodings import encode
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import Grid

CONSTRAINTS = constraints_for("classic", FOUR)
CLAUSES = {tuple(sorted(clause)) for clause in encode(CONSTRAINTS).clauses}


def section(certificates, constraints=CONSTRAINTS):
    """The lines of a certificate file, parsed."""
    stream = io.BytesIO()
    write_section(stream, preamble_of(constraints), certificates)
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def certificate(cells, solutions, claim):
    """A certificate whose proof refutes the whole formula, so that it has lemmas to spoil."""
    literals = [[n] for n in encode(CONSTRAINTS).literals(cells)]
    blocked = [[-n for n in encode(CONSTRAINTS).literals(solution)] for solution in solutions]
    proof = None
    if claim != "multiple":
        proof = Proof(refute([*encode(CONSTRAINTS).clauses, *literals, *blocked]))
    grids = tuple(Grid(solution, FOUR) for solution in solutions)
    return Certificate(Grid(cells, FOUR), claim, grids, "cadical153", proof)


def samples(random, grids, count):
    """Certificates of random puzzles of every claim; `grids` are all 288 solutions."""
    made = []
    while len(made) < count:
        cells = bytearray(16)
        source = random.choice(grids)
        for cell in random.sample(range(16), random.randint(2, 6)):
            cells[cell] = source[cell] if random.random() < 0.9 else random.randint(1, 4)
        solutions = [grid for grid in grids if fits(grid, cells)]
        if len(solutions) > 6:
            continue
        claim = (
            "all"
            if random.random() < 0.5
            else ["none", "unique"][len(solutions)]
            if (len(solutions) < 2)
            else "multiple"
        )
        shown = solutions[:2] if claim == "multiple" else solutions
        made.append(certificate(bytes(cells), shown, claim))
    return made


def fits(grid, cells):
    return all(given in (0, digit) for given, digit in zip(cells, grid, strict=True))


# Spoiling ----------------------------------------------------------------------------------------


def spoil(random, lines, others):
    """One random change to parsed lines [preamble, certificate, end], hashes mostly mended.

    `others` are lines of other certificates to take parts from.
    """
    preamble, record = lines[0], lines[1]
    other = random.choice(others)[1]
    ways = [_given, _clause, _solution, _claim, _rules]
    if "proof" in record:
        ways += [_proof] * 6
    random.choice(ways)(random, preamble, record, other)
    if random.random() < 0.95:
        for part in (preamble["cnf"], record.get("proof")):
            if part:
                part["sha256"] = sha256(part["text"].encode()).hexdigest()


def _put(random, text, symbols):
    place = random.randrange(len(text))
    return text[:place] + random.choice(symbols) + text[place + 1 :]


def _given(random, _preamble, record, _other):
    record["puzzle"] = _put(random, record["puzzle"], "....1234")


def _clause(random, preamble, _record, _other):
    header, *clauses = preamble["cnf"]["text"].splitlines()
    place = random.randrange(len(clauses))
    match random.randrange(4):
        case 0:
            del clauses[place]
        case 1:
            clauses.insert(place, f"{random.choice((-1, 1)) * random.randint(1, 64)} 0")
        case 2:
            clauses[place] = clauses[place].replace("-", "", 1)
        case _:
            random.shuffle(clauses)  # still the same set
    header = f"p cnf 64 {len(clauses)}"
    preamble["cnf"]["text"] = "\n".join([header, *clauses]) + "\n"


def _solution(random, _preamble, record, other):
    solutions = record["solutions"]
    if not solutions or random.random() < 0.3:
        record["solutions"] = [*solutions, *other["solutions"][:1]]
    elif random.random() < 0.3:
        solutions.pop(random.randrange(len(solutions)))
    else:
        place = random.randrange(len(solutions))
        solutions[place] = _put(random, solutions[place], "1234.")


def _claim(random, _preamble, record, _other):
    record["claim"] = random.choice(["unique", "none", "multiple", "all"])


def _rules(random, preamble, _record, _other):
    if random.random() < 0.5:
        preamble["rules"] = [random.choice(["diagonal", "knight", "king", "nonsense"])]
    else:
        preamble["board"] = {"size": 4, "box_rows": 1, "box_columns": 4}


def _proof(random, _preamble, record, other):
    proof = record["proof"]
    lines = proof["text"].splitlines() or ["0"]  # an earlier change may have removed all
    place = random.randrange(len(lines))
    match random.randrange(8):
        case 0:
            del lines[place]
        case 1:
            lines = lines[:place]
        case 2:
            words = lines[place].split()
            at = random.randrange(len(words))
            words[at] = str(random.choice((-1, 1)) * random.randint(0, 66))
            lines[place] = " ".join(words)
        case 3:
            swap = random.randrange(len(lines))
            lines[place], lines[swap] = lines[swap], lines[place]
        case 4:
            clause = " ".join(map(str, random.choice(sorted(CLAUSES))))
            lines.insert(random.randrange(place + 1), f"d {clause} 0")
        case 5:
            for clause in random.sample(sorted(CLAUSES), 200):
                lines.insert(0, "d " + " ".join(map(str, clause)) + " 0")
        case 6:
            lines = other.get("proof", {"text": "0\n"})["text"].splitlines()
        case _:
            lines.insert(place, f"{random.choice((-1, 1)) * random.randint(1, 64)} 0")
    proof["text"] = "".join(f"{line}\n" for line in lines)


# Judging -----------------------------------------------------------------------------------------


def slow_judge(lines, grids):
    """Whether a 4x4 certificate is valid, by full scans; `grids` are all 4x4 solutions."""
    preamble, record = lines[0], lines[1]
    if preamble["rules"] or preamble["board"] != {"size": 4, "box_rows": 2, "box_columns": 2}:
        return False  # a different formula from the one below, so its proofs do not apply
    clauses = [
        list(map(int, text.split()[:-1])) for text in preamble["cnf"]["text"].splitlines()[1:]
    ]
    if {tuple(sorted(clause)) for clause in clauses} != CLAUSES:
        return False
    cells = digits(record["puzzle"])
    solutions = [digits(text) for text in record["solutions"]]
    if any(solution not in grids or not fits(solution, cells) for solution in solutions):
        return False
    if any(a == b for a, b in combinations(solutions, 2)):
        return False
    wanted = {"unique": (1,), "none": (0,), "multiple": (2,), "all": range(99)}[record["claim"]]
    if len(solutions) not in wanted or ("proof" in record) == (record["claim"] == "multiple"):
        return False
    for part in (preamble["cnf"], record.get("proof")):
        if part and part["sha256"] != sha256(part["text"].encode()).hexdigest():
            return False
    if record["claim"] == "multiple":
        return True
    steps = slow_steps(record["proof"]["text"])
    units = [[4 * cell + digit] for cell, digit in enumerate(cells) if digit]
    blocked = [[-4 * cell - digit for cell, digit in enumerate(grid)] for grid in solutions]
    return SlowChecker(64, [*clauses, *units, *blocked]).accepts(steps)


def is_true(lines, grids):
    """Whether the claim of a 4x4 certificate is true, whatever its proof is."""
    record = lines[1]
    cells = digits(record["puzzle"])
    solutions = {digits(text) for text in record["solutions"]}
    real = {grid for grid in grids if fits(grid, cells)}
    if record["claim"] == "multiple":
        return len(solutions) == 2 and solutions <= real
    return solutions == real


def digits(text):
    return bytes(0 if symbol == "." else int(symbol) for symbol in text)


def write(path, lines):
    """Parsed lines as a certificate file."""
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return str(path)
