"""Programs that misbehave, as scripts of the shell: $0 is the file of the puzzle, $1 that of {out}.

The puzzle is `PUZZLE`, which has one solution: that there is none is always a lie. No program may
leave a process or a file, take longer than its time, or have an answer believed but for what the
table says.
"""

from __future__ import annotations

from typing import NamedTuple

PUZZLE = "1.....2....3.4.."
SOLUTION = "1234432121433412"
LATE = "no answer within 0.2 s"
NO, YES = "echo s UNSATISFIABLE", "echo s SATISFIABLE"


class Misbehaving(NamedTuple):
    """A script, the exit code of `solve`, words on standard error, and options."""

    script: str
    code: int
    words: str
    options: tuple[str, ...] = ()

    @property
    def seconds(self) -> float:
        """Its --timeout: time enough on a busy machine, but for what does not end."""
        return 0.2 if self.words == LATE else 30


def values(line: str) -> str:
    """The line `v` of a 4x4 grid in the usual encoding."""
    digits = [int(digit) for digit in line]
    true = [4 * cell + digit for cell, digit in enumerate(digits)]
    return " ".join(["v", *(str(x if x in true else -x) for x in range(1, 65)), "0"])


_HOG = "head -c 150000000 /dev/zero | tail -c 150000000 | sleep 300 &"  # 150 MB in `tail`

MISBEHAVING = {
    # It does not end.
    "never answers": Misbehaving("sleep 300", 1, LATE),
    "ignores signals": Misbehaving("trap '' TERM INT HUP QUIT USR1; sleep 300", 1, LATE),
    "stops itself": Misbehaving("kill -STOP $$", 1, LATE),
    "closes its output and goes on": Misbehaving(f"{NO}; exec >&- 2>&-; sleep 300", 1, LATE),
    "answers and goes on": Misbehaving(f"{NO}; sleep 300", 1, LATE),
    # It leaves processes.
    "leaves a child": Misbehaving("sleep 300 & echo s UNKNOWN", 1, "says UNKNOWN"),
    "leaves a daemon": Misbehaving("setsid sleep 300 & echo s UNKNOWN", 1, "says UNKNOWN"),
    "forks twice": Misbehaving("(setsid sh -c 'sleep 300 & sleep 300 &' &) & sleep 300", 1, LATE),
    "leaves a daemon that is deaf": Misbehaving(
        "setsid sh -c \"trap '' TERM INT HUP; sleep 300; sleep 300\" & sleep 300", 1, LATE
    ),
    "leaves a daemon that is stopped": Misbehaving(
        "setsid sh -c 'kill -STOP $$' & sleep 300", 1, LATE
    ),
    "leaves many": Misbehaving("for i in 1 2 3 4 5 6; do sleep 300 & done; exit 0", 1, "no answer"),
    "is a bomb": Misbehaving(
        "b() { [ $1 -gt 0 ] || exec sleep 300; b $(($1-1)) & b $(($1-1)) & wait; }; b 5",
        1,
        LATE,
    ),
    "runs from child to child": Misbehaving(
        "run() { [ $1 -gt 0 ] && { setsid sleep 300 & run $(($1-1)) & exit 0; }; }; run 40",
        1,
        "no answer",
    ),
    # It turns against who started it.
    "signals its parent": Misbehaving(
        "for s in TERM INT HUP QUIT USR1 ALRM PIPE; do kill -$s $PPID; done; sleep 300", 1, LATE
    ),
    "stops its parent": Misbehaving("kill -STOP $PPID; setsid sleep 300 & sleep 300", 1, LATE),
    "kills its parent": Misbehaving(
        "kill -KILL $PPID; setsid sleep 300 & sleep 300", 2, "it killed its supervisor"
    ),
    "kills its parent and runs from child to child": Misbehaving(
        'kill -KILL $PPID; export AGAIN=\'sh -c "$AGAIN" &\'; eval "$AGAIN"',
        2,
        "it killed its supervisor",
    ),
    "kills its group": Misbehaving(f"{NO}; kill -TERM 0; sleep 300", 2, "SIGTERM"),
    # It says too much.
    "prints for ever": Misbehaving("yes c nothing", 2, "prints more than 16 MB"),
    "complains for ever": Misbehaving("yes c nothing >&2", 2, "complains more than 16 MB"),
    "writes for ever": Misbehaving('yes > "$1"', 2, "writes more than 16 MB"),
    "prints without a line": Misbehaving("cat /dev/zero", 2, "prints more than 16 MB"),
    "writes 3 GB of holes": Misbehaving('truncate -s 3G "$1"', 2, "writes more than 16 MB"),
    "takes memory in many": Misbehaving(
        f"{_HOG} {_HOG} {_HOG} {_HOG} wait",
        1,
        "no answer within 250 MB",
        ("--memory", "250", "--timeout", "20"),
    ),
    # It says no, and is not to be believed.
    "dies by SIGSEGV": Misbehaving(f"{NO}; kill -SEGV $$", 2, "SIGSEGV"),
    "dies by SIGKILL": Misbehaving(f"{NO}; kill -KILL $$", 2, "SIGKILL"),
    "dies in a shell": Misbehaving(f"{NO}; sh -c 'kill -BUS $$'; exit $?", 2, "SIGBUS"),
    "dumps core": Misbehaving(f"ulimit -c unlimited; {NO}; kill -ABRT $$", 2, "SIGABRT"),
    "says no and means yes": Misbehaving(f"{NO}; exit 10", 2, "not that of its exit code"),
    "says yes and no": Misbehaving(f"{YES}; {NO}", 2, "found 'UNSATISFIABLE' after 'SATISFIABLE'"),
    "says no in a NUL": Misbehaving(r"printf 's UNSATISFIABLE\0\n'", 2, "expected s SATISFIABLE"),
    "says no in no UTF-8": Misbehaving(r"printf '\377s UNSATISFIABLE\n'", 2, "no 's' line"),
    # It says yes, and is wrong.
    "says yes and means no": Misbehaving(
        f"{YES}; echo '{values(SOLUTION)}'; exit 20", 2, "not that of its exit code"
    ),
    "gives half a model": Misbehaving(
        f"{YES}; echo '{values(SOLUTION)[:90]}'", 70, "claims SATISFIABLE"
    ),
    "gives a wrong model": Misbehaving(
        f"{YES}; echo '{values(SOLUTION[::-1])}'", 70, "where the puzzle has 1"
    ),
    "gives values of nothing": Misbehaving(
        f"{YES}; echo v 99999 -77777 0", 70, "claims SATISFIABLE"
    ),
    "gives a number of a thousand digits": Misbehaving(
        f"{YES}; printf 'v %01000d 0\\n' 7", 2, "expected a literal"
    ),
    # What stands for {out} is no file.
    "leaves a pipe": Misbehaving('mkfifo "$1"', 2, "found a pipe at {out}"),
    "writes to a pipe": Misbehaving(f'mkfifo "$1"; {NO} > "$1"', 1, LATE),
    "leaves a link": Misbehaving('ln -s /etc/passwd "$1"', 2, "found a link at {out}"),
    "leaves a link to an answer": Misbehaving(
        f'{NO} > "$0.x"; ln -s "$0.x" "$1"', 2, "found a link at {out}"
    ),
    "leaves a second name": Misbehaving(
        f'{NO} > "$0.x"; ln "$0.x" "$1"', 2, "found a file of others at {out}"
    ),
    "leaves a folder": Misbehaving('mkdir "$1"', 2, "found a folder at {out}"),
    "leaves a device": Misbehaving(
        'mknod "$1" c 1 5 2>&- || ln -s /dev/zero "$1"', 2, "expected a file"
    ),
    # It does something to our folder.
    "leaves temporary files": Misbehaving("mktemp; mktemp -d; echo s UNKNOWN", 1, "says UNKNOWN"),
    "leaves folders without end": Misbehaving(
        'cd "$(dirname "$0")"; for i in $(seq 300); do mkdir d; cd -P d; done', 1, "no answer"
    ),
    "forbids its folder": Misbehaving(
        'cd "$(dirname "$0")"; mkdir -p a/b; chmod 0 a/b a .', 1, "no answer"
    ),
    "puts a link for its folder": Misbehaving(
        'd="$(dirname "$0")"; rm -r "$d"; ln -s nowhere "$d"', 1, "no answer"
    ),
}
