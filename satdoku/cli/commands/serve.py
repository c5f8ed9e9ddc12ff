"""The command `serve`: a page to set, study and solve puzzles in the browser."""

from __future__ import annotations

import argparse

from .. import EXIT_DONE
from ..options import Options, flag, option
from ..output import say

EXAMPLE = "satdoku serve --open"


def _port(text: str) -> int:
    if not (text.isdecimal() and int(text[:9]) < 1 << 16):
        raise argparse.ArgumentTypeError(f"{text}: expected a number from 0 to 65535")
    return int(text)


class Arguments(Options):
    port = option(type=_port, default=0, metavar="N", help="port (default: a free one)")
    host = option(
        default="127.0.0.1",
        metavar="H",
        help="address to listen on (default 127.0.0.1: this machine only). With another one, "
        "whoever reaches this machine and knows the page's address can use the page; nothing is "
        "encrypted",
    )
    open = flag(help="open the page in the browser")
    epilog = "The page needs the extra: pip install 'satdoku[web]'. Ctrl-C ends it."


def run(arguments: Arguments) -> int:
    """Print the address of the page and serve it until Ctrl-C."""
    from ...web.server import serve

    def told(address: str) -> None:
        print(address, flush=True)
        say("the page is at this address until Ctrl-C")

    serve(
        port=arguments.port,
        host=arguments.host,
        open_browser=arguments.open,
        on_address=told,
    )
    return EXIT_DONE
