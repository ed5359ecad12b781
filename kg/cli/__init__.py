"""The command line: the only part of paperkg that prints.

Exit codes: 0 done; 1 done, with records refused or violations found; 2 wrong usage, or an output
that cannot be written where it was asked for; 3 an input could not be read (wins over 1); 4 the
store, or an endpoint, could not be opened or written; 70 a fault of ours; 130 interrupted.
"""

from __future__ import annotations

import os
import sys
import traceback
from importlib import import_module
from pathlib import Path
from typing import Final

import click

from kg import __version__
from kg.cli.interrupting import INTERRUPTED
from kg.cli.output import complain, silence_stdout
from kg.errors import KgError

COMMANDS: Final = (
    "build",
    "coverage",
    "demo",
    "describe",
    "diff",
    "export",
    "info",
    "map",
    "queries",
    "query",
    "search",
    "serve",
    "validate",
)
FAULT: Final = 70


def _be_quiet(ctx: click.Context, _option: click.Parameter, quiet: bool) -> None:
    root = ctx.find_root()
    root.obj = {"quiet": quiet or bool(root.obj and root.obj["quiet"])}


def _show_version(ctx: click.Context, _option: click.Parameter, show: bool) -> None:
    if show and not ctx.resilient_parsing:
        click.echo(f"kg, version {__version__}")
        ctx.exit()


_QUIET: Final = click.Option(
    ["-q", "--quiet"],
    is_flag=True,
    expose_value=False,
    callback=_be_quiet,
    help="Say nothing but errors and data.",
)
_VERSION: Final = click.Option(
    ["--version"],
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=_show_version,
    help="Show the version and exit.",
)


class _Commands(click.Group):
    """The commands, each in a module of its own that is imported when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of a name."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"kg.cli.{cmd_name}").command
        # What is understood everywhere is added here, so that no command can forget it.
        if _QUIET not in command.params:
            command.params += [_QUIET, _VERSION]
        return command

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; a reader of its output that has gone is no error (click exits 1)."""
        try:
            outcome = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError:
            silence_stdout()
            return 0
        return outcome


@click.command(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
    params=[_QUIET, _VERSION],
)
def kg() -> None:
    """Build, ask and share the knowledge graph of machine-learning papers.

    Exit codes: 0 done; 1 done, with records refused or violations found; 2 wrong usage, or an
    output that cannot be written where it was asked for; 3 an input could not be read; 4 the store,
    or an endpoint, could not be opened or written; 70 a fault of paperkg; 130 interrupted.

    \b
    Example:
      kg demo
      kg build records/ --store mystore
      kg query leaderboard -p leaderboard=question-answering-on-squad11 --store mystore
    """  # noqa: D301 - click wants the character that \b is


def main() -> None:
    """Run the command line and leave with its exit code."""
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by whoever started us
            setattr(sys, name, Path(os.devnull).open("r" if name == "stdin" else "w"))  # noqa: SIM115 - for good
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run one command line and return its exit code; the one place that turns errors into it."""
    try:
        outcome = kg.main(arguments, prog_name="kg", standalone_mode=False)
    except KgError as error:
        complain(f"Error: {error}")
        return error.exit_code
    except click.exceptions.Exit as leaving:
        return leaving.exit_code
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (KeyboardInterrupt, click.Abort):
        complain("Interrupted.")
        return INTERRUPTED
    except Exception as error:
        if os.environ.get("KG_TRACEBACK"):
            traceback.print_exc()
        where = "".join(f", {note}" for note in getattr(error, "__notes__", ()))
        complain(
            f"Error: a fault in paperkg: {type(error).__name__}: {error}{where}"
            " (set KG_TRACEBACK=1 to see more; please report it)"
        )
        return FAULT
    return outcome if isinstance(outcome, int) else 0
