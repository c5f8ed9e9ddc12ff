"""Completion of words by shells, and the manual page."""

import subprocess
import sys
from shutil import which

import pytest

from satdoku.cli.commands import SUMMARIES
from satdoku.cli.shell import COMPLETIONS, completion, manual

COMPLETE = """
_get_comp_words_by_ref() {{ :; }}
{script}
COMP_WORDS=({words}) COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)) COMP_LINE="{words}"
_shtab_satdoku
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


def completed(*words):
    """What bash offers in place of the last word."""
    script = COMPLETE.format(script=completion("bash"), words=" ".join(words))
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


@pytest.mark.skipif(not which("bash"), reason="no bash")
def test_bash_completes_commands_options_and_values():
    pytest.importorskip("shtab")
    assert completed("satdoku", "cou") == {"count"}
    assert {"--rules", "--timeout"} <= completed("satdoku", "count", "--")
    assert completed("satdoku", "solve", "--format", "p") == {"pretty"}


@pytest.mark.parametrize("shell", COMPLETIONS)
def test_every_shell_knows_every_command(run, shell):
    pytest.importorskip("shtab")
    code, out, err = run("--print-completion", shell)
    assert (code, err) == (0, "")
    assert all(name in out for name in SUMMARIES)


@pytest.mark.parametrize("words, said", [(["pdp11"], "'pdp11'"), ([], "''")])
def test_a_shell_that_is_not_known(run, words, said):
    pytest.importorskip("shtab")
    code, out, err = run("--print-completion", *words)
    assert (code, out) == (2, "")
    assert err.startswith(f"satdoku: no completion for shell {said}; there is one for bash, ")


def test_without_the_extra_its_name_is_said(run, monkeypatch):
    monkeypatch.setitem(sys.modules, "shtab", None)
    message = "satdoku: completion needs the extra: pip install 'satdoku[completion]'\n"
    assert run("--print-completion", "bash") == (2, "", message)


def test_the_manual_has_every_command_with_its_example():
    pytest.importorskip("argparse_manpage")
    page = manual()
    assert page.startswith('.TH SATDOKU "1" ')
    for name, summary in SUMMARIES.items():
        assert f"SH COMMAND \\fI\\,'satdoku {name}'\\/\\fR" in page, name
        assert summary.split(",")[0] in page.replace("\\-", "-")
    assert "\n\\&satdoku solve 1.....2....3.4..\n" in page
    if which("groff"):
        done = subprocess.run(
            ["groff", "-man", "-Tutf8", "-wmac"], input=page, capture_output=True, text=True
        )
        assert (done.returncode, done.stderr) == (0, "")
