"""The command `batch`: progress on a terminal, a summary, results kept when interrupted."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import closing, nullcontext, suppress
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

from ... import __version__
from ...errors import SatdokuError
from ...files.collection import Part, Plain
from ...files.outputs import RESULT_FORMS as FORMATS
from ...files.outputs import leftovers, open_output
from ...files.streams import STANDARD, FileError, check_inputs
from .. import EXIT_BAD_INPUT, EXIT_DONE
from ..certifying import certificates, made_certificates
from ..inputs import asked_board, asked_columns, asked_constraints, asked_parts
from ..options import (
    add_backend,
    add_certificates,
    add_collections,
    add_conflicts,
    add_executor,
    add_output,
    add_rules,
    add_workers,
    asked_executor,
    to_write,
    workers_for,
)
from ..output import note, say
from ..progress import Bar, Tally

if TYPE_CHECKING:
    from ...batch.journal import Journal, Results
    from ...batch.options import BatchOptions
    from ...files.collection import Chunk


# Puzzles in a chunk: about 0.1 s of work for a session, so that progress moves and workers end
# together; enough for the engine to fill its lanes many times.
CHUNK_PUZZLES = {"engine": 1 << 15, "session": 512}

# Rows with rules of their own from which on the start of processes pays.
MANY_ALONE = 1_000


EXAMPLE = "satdoku generate -n 100 --seed 1 | satdoku batch -"


def add_options(parser: argparse.ArgumentParser) -> None:
    add_collections(parser)
    add_output(parser, "file to write")
    add_rules(parser)
    _add_results(parser.add_argument_group("results"))
    _add_search(parser.add_argument_group("search"))
    parser.add_argument(
        "--resume",
        action="store_true",
        help="keep a journal, OUT.journal, and continue where an interrupted run stopped",
    )
    parser.add_argument(
        "--summary",
        type=to_write,
        metavar="FILE",
        help="write counts and speed as one JSON object; - prints it",
    )
    add_certificates(parser, "OUT.cert.jsonl.gz")
    parser.set_defaults(made=_made)
    add_workers(parser)
    add_executor(parser)


def _made(arguments: argparse.Namespace) -> dict[str, str]:
    """The files beside OUT."""
    journal = {"--resume": _journal_path(arguments)} if arguments.resume else {}
    return journal | made_certificates(arguments, arguments.output)


def _add_results(group: argparse._ArgumentGroup) -> None:
    """How results are written."""
    group.add_argument(
        "-f",
        "--format",
        choices=FORMATS,
        help="line ('STATUS SOLUTION'), csv, jsonl, parquet or npz (default: the ending of OUT, "
        "else line)",
    )
    group.add_argument(
        "--json", action="store_const", dest="format", const="jsonl", help="short for -f jsonl"
    )
    group.add_argument(
        "--columns",
        metavar="C,...",
        help="columns to write: file, line, id, puzzle, rules, status, solution, reason, givens, "
        "nodes (of the search), microseconds (the puzzle's share of the time), solved_by (engine, "
        "or the solver that decided it); er, ep, ed, technique (see `rate`) of classic puzzles",
    )
    group.add_argument(
        "--keep",
        metavar="NAME,...",
        help="columns of IN to write before the results, in csv, jsonl or parquet; all: every "
        "column, in order. A result that has the name of such a column becomes satdoku_NAME",
    )
    group.add_argument(
        "--csv-safe",
        action="store_true",
        help="csv for spreadsheets: an apostrophe before texts that begin with = + - @ or a tab",
    )


def _add_search(group: argparse._ArgumentGroup) -> None:
    """What decides a puzzle, and what is enough of an answer."""
    add_backend(group)
    group.add_argument(
        "--limit",
        type=int,
        choices=(1, 2),
        default=2,
        help="1: stop at the first solution; 2: tell unique from multiple (default)",
    )
    add_conflicts(group, "the status is unknown")


def run(arguments: argparse.Namespace) -> int:
    """Solve collections; exit 2 if they held a puzzle that could not be read."""
    if arguments.output == STANDARD:
        if arguments.resume:
            raise FileError("--resume needs an output file: add -o OUT")
        if arguments.summary == STANDARD:
            raise FileError("--summary - needs an output file for the results: add -o OUT")
    check_inputs(arguments.collections)
    for part in leftovers(arguments.output):
        note(arguments, f"{part}: left by a run that was stopped; delete it if you do not need it")
    tally = Tally()
    with Bar(arguments.collections, quiet=arguments.quiet) as bar:
        keep = arguments.keep is not None
        parts = tally.counted(asked_parts(arguments, _chunk_size(arguments), bar.opened, keep=keep))
        first = next(parts, None)
        if first is None:
            raise FileError(f"{', '.join(arguments.collections)}: holds no puzzle")
        options = _options(arguments, first)
        try:
            solve = _answer if _takes_lines(arguments, options) else _solve
            solve(arguments, chain([first], parts), first, options, tally, bar)
        except KeyboardInterrupt as error:
            if arguments.resume and tally.puzzles and os.path.exists(_journal_path(arguments)):
                error.add_note(f"finished results are kept in {_journal_path(arguments)}")
            raise
        finally:
            if not arguments.quiet and arguments.summary != STANDARD and tally.puzzles:
                bar.bar.clear()
                print(tally.summary(), tally.rows(), sep="\n", file=sys.stderr)
    if arguments.summary:
        with open_output(arguments.summary) as out:
            out.write(f"{json.dumps(tally.as_json(), indent=2)}\n".encode())
    return EXIT_BAD_INPUT if tally.unreadable else EXIT_DONE


def _takes_lines(arguments: argparse.Namespace, options: BatchOptions) -> bool:
    """Whether lines of text are all that is wanted, from threads of our own."""
    beside = arguments.resume or arguments.certify or arguments.columns or arguments.csv_safe
    beside = beside or arguments.keep
    is_ours = asked_executor(arguments) is None and options.threads_suffice
    return _form(arguments) == "line" and is_ours and not beside


def _form(arguments: argparse.Namespace) -> str:
    """The format that was asked for, or that the output's name tells."""
    from ...batch.options import format_for

    return arguments.format or format_for(arguments.output, FORMATS)


def _answer(
    arguments: argparse.Namespace,
    parts: Iterable[Part],
    first: Part,
    options: BatchOptions,
    tally: Tally,
    bar: Bar,
) -> None:
    """Solve all parts and write their lines."""
    from ...batch.plain import answer_parts

    is_small = first.rows < CHUNK_PUZZLES["session"] and arguments.workers in (None, 1)
    workers = 0 if is_small else _workers(arguments, first)
    with (
        open_output(arguments.output, keep=True) as out,
        closing(
            answer_parts(
                parts, options, workers=workers, executor=_processes(first, workers) or "thread"
            )
        ) as answers,
    ):
        for answered in answers:
            for error in answered.errors:
                say(error)
            out.write(answered.lines)
            tally.add(answered.statuses, len(answered.errors))
            bar.update(len(answered.statuses), tally)


def _solve(
    arguments: argparse.Namespace,
    parts: Iterable[Part],
    first: Part,
    options: BatchOptions,
    tally: Tally,
    bar: Bar,
) -> None:
    """Solve all parts and write them in any format."""
    from ...batch.solve import shared_out

    chunks = shared_out(map(_as_chunk, parts))
    with _opened_journal(arguments, options) as journal:
        with (
            certificates(arguments, arguments.output) as certify,
            _opened(arguments, _as_chunk(first), options) as write,
            closing(_results(arguments, chunks, first, options, journal)) as results,
        ):
            for chunk, result in results:
                for _, error in sorted(chunk.errors.items()):
                    say(error)
                write(chunk, result)
                certify.add(chunk, result.statuses)
                tally.add(result.statuses.tobytes(), len(chunk.errors))
                bar.update(chunk.rows, tally)
        if journal is not None:
            journal.remove()
    if arguments.keep and (lost := write.left_out):
        say(f"left out, as the first rows do not have them: {', '.join(lost)}; jsonl keeps them")


def _opened(arguments: argparse.Namespace, first: Chunk, options: BatchOptions) -> Any:
    """What writes the results, with columns of the input where these are asked for."""
    from ...batch.results import open_results
    from ...batch.results.carried import check_kept, open_carried

    form = _form(arguments)
    more = {"keep": not arguments.resume, "csv_safe": arguments.csv_safe}
    if first.beside is None:
        columns = _columns(arguments, form, first)
        return open_results(arguments.output, form, columns, options, **more)
    kept = tuple(name.strip() for name in arguments.keep.split(","))
    check_kept(kept, first.beside)
    columns = _asked_names(arguments) if arguments.columns else _behind(arguments)
    return open_carried(arguments.output, form, kept, columns, options, **more)


def _behind(arguments: argparse.Namespace) -> tuple[str, ...]:
    """The usual results behind columns of the input, which has the puzzle, its id and its rules."""
    names = ("status", "solution", "reason")
    return ("file", *names) if len(arguments.collections) > 1 else names


def _as_chunk(part: Part) -> Chunk:
    return part.chunk() if isinstance(part, Plain) else part


def _journal_path(arguments: argparse.Namespace) -> str:
    return f"{arguments.output}.journal"


def _columns(arguments: argparse.Namespace, form: str, first: Chunk) -> tuple[str, ...]:
    """The columns that were asked for, or the usual ones."""
    from ...batch.results import npz_columns
    from ...batch.results.columns import usual_columns

    if form == "line":
        if arguments.columns:
            raise FileError("the line format has no columns: choose csv, jsonl, parquet or npz")
        return ()  # and no file needs a look ahead
    if arguments.columns:
        return _asked_names(arguments)
    names = usual_columns(first, *_first_rows(arguments), files=len(arguments.collections))
    if form != "npz":
        return names
    kept = npz_columns(names)
    if lost := [name for name in ("file", "id", "rules") if name in names]:
        say(f"npz has no {', '.join(lost)}; csv, jsonl and parquet have")
    return kept


def _asked_names(arguments: argparse.Namespace) -> tuple[str, ...]:
    return tuple(name.strip() for name in arguments.columns.split(","))


def _is_rated(arguments: argparse.Namespace) -> bool:
    """Whether a column is asked for that needs ratings."""
    if not arguments.columns:
        return False
    from ...batch.results.columns import RATED

    return not set(RATED).isdisjoint(_asked_names(arguments))


def _first_rows(arguments: argparse.Namespace) -> Iterator[Chunk]:
    """The first row of each further file, if it can be read: a file may have ids or rules that the
    first does not have."""
    from ...files.collection import read_chunks

    board, columns = asked_board(arguments), asked_columns(arguments)
    for path in filter(os.path.isfile, arguments.collections[1:]):
        with suppress(SatdokuError):
            form = arguments.input_format
            yield from islice(read_chunks(path, board, size=1, format=form, columns=columns), 1)


def _opened_journal(
    arguments: argparse.Namespace, options: BatchOptions
) -> closing[Journal] | nullcontext[None]:
    """The journal of --resume; only the same call of the same program may continue it."""
    if not arguments.resume:
        return nullcontext()
    from ... import engine
    from ...batch.journal import Journal

    settings = [
        __version__,
        engine.active(),
        options,
        options.constraints.board,
        arguments.input_format,
    ]
    settings += ["--ignore-ruleset"] * arguments.ignore_ruleset
    text = repr([*settings, arguments.column, arguments.collections])
    return closing(Journal(_journal_path(arguments), text, _key(arguments)))


def _key(arguments: argparse.Namespace) -> bytes:
    """The key of this user; without one, a warning says what is trusted then."""
    from ...batch.seal import NO_KEY, key_path, own_key

    try:
        return own_key()
    except OSError as error:
        say(
            f"{key_path()}: {error.strerror or error}: no key can be kept here, so the journal "
            f"has no seal; if others can write {_journal_path(arguments)}, its answers 'none' and "
            "'unique' cannot be trusted (set XDG_STATE_HOME to a folder that you can write)"
        )
        return NO_KEY


def _results(
    arguments: argparse.Namespace,
    chunks: Iterable[Chunk],
    first: Part,
    options: BatchOptions,
    journal: Journal | None,
) -> Results:
    from ...batch.solve import check_rules, solve_chunks

    workers = _workers(arguments, first)
    executor = asked_executor(arguments) or _processes(first, workers)

    def solve(some: Iterable[Chunk]) -> Results:
        return solve_chunks(some, options, workers=workers, executor=executor)

    if journal is None:
        return solve(chunks)
    from ...batch.journal import journaled

    return journaled((check_rules(chunk, options) for chunk in chunks), solve, journal, options)


def _options(arguments: argparse.Namespace, first: Part) -> BatchOptions:
    from ...batch.options import BatchOptions

    board = asked_board(arguments) or first.board
    return BatchOptions(
        asked_constraints(arguments, board),
        arguments.limit,
        arguments.solver,
        arguments.conflicts,
        arguments.backend,
        rated=_is_rated(arguments),
    )


def _processes(first: Part, workers: int) -> str | None:
    """The kind of workers for many rows with rules of their own: to read these, threads would wait
    for each other."""
    if isinstance(first, Plain) or workers < 2 or first.rows < MANY_ALONE:
        return None
    from ...batch.solve import are_alone

    return "process" if are_alone(first) else None


def _workers(arguments: argparse.Namespace, first: Part) -> int:
    """The number asked for; by default one if there is only one chunk to solve."""
    few = min(_chunk_size(arguments), CHUNK_PUZZLES["session"])
    return workers_for(arguments, is_small=first.rows < few)


def _chunk_size(arguments: argparse.Namespace) -> int:
    """Puzzles in a chunk; few if they are rated."""
    if not _is_rated(arguments):
        return CHUNK_PUZZLES[arguments.backend]
    from ...ratings.scale import PIECE

    return PIECE
