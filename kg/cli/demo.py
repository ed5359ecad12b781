"""``kg demo``: a first look, from nothing to three answers."""

from __future__ import annotations

import shlex
import shutil
import sys
from pathlib import Path
from typing import Final, cast

import click
import pyoxigraph as ox

from kg import demo
from kg.catalogue import Catalogue
from kg.cli.output import data, note
from kg.cli.ports import port_option
from kg.curies import Curies
from kg.demo import Question
from kg.opened import Opened
from kg.server import Application, Settings, serve
from kg.tables import solutions_table

WIDTH: Final = 96
"""The width of the answers where there is no terminal, as in the README."""


@click.command("demo")
@click.option(
    "--store",
    "store_dir",
    metavar="DIR",
    default="paperkg-demo",
    show_default=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder in which the store is made.",
)
@click.option(
    "--serve", "is_served", is_flag=True, help="Serve the graph then, and open it in a browser."
)
@port_option
def command(*, store_dir: Path, is_served: bool, port: int) -> None:
    """Build a graph from packaged sample records and ask it three questions.

    The papers, datasets and scores of the samples are real; the code samples and what is named
    "example" are made up, and say so.

    \b
    Example:
      kg demo
      kg demo --serve
      kg query class-counts --store paperkg-demo
    """  # noqa: D301 - click wants the character that \b is
    report = demo.build(store_dir)
    read = ", ".join(f"{count.read} {kind}s" for kind, count in sorted(report.records.items()))
    note(f"Built {report.triples:,} triples from {read} in {store_dir}.")
    opened = Opened.of(report.snapshot)
    catalogue = Catalogue.load()
    width = min(shutil.get_terminal_size().columns, 200) if sys.stdout.isatty() else WIDTH
    for question in demo.QUESTIONS:
        text = catalogue.get(question.query).bind(question.parameters, opened.base)
        answer = cast("ox.QuerySolutions", opened.query(text))
        columns = [variable.value for variable in answer.variables]
        rows = ([solution[column] for column in columns] for solution in answer)
        table, _ = solutions_table(columns, rows, Curies(opened.prefixes), width=width)
        data(f"\n{question.words}\n$ {_command(question, store_dir)}\n{table}")
    note("\nMore questions: kg queries")
    if is_served:
        application = Application.of(store_dir, catalogue)
        serve(application, host="127.0.0.1", port=port, settings=Settings(), started=_open)


def _open(address: str) -> None:
    note(f"\nserving {address}; Ctrl-C ends it")
    if sys.stdout.isatty():  # else nobody is there to look at it
        click.launch(address)


def _command(question: Question, store_dir: Path) -> str:
    values = [
        part for name, value in question.parameters.items() for part in ("-p", f"{name}={value}")
    ]
    return shlex.join(["kg", "query", question.query, *values, "--store", str(store_dir)])
