"""What a build tells of its input: by file, once where that is enough, and what it passed over."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from rich.console import Console
from rich.progress import Progress, Task

from kg.builder import build
from kg.cli.telling import _Rate
from tests.builder.making import current, lines_file, paper, report_of


def test_refused_records_are_counted_by_file(tmp_path: Path) -> None:
    one = lines_file(tmp_path / "one.jsonl", paper("a"), "{", "{")
    two = lines_file(tmp_path / "two.jsonl", paper("b"), paper("c", code_links=7))
    build([one, two], tmp_path / "s")
    inputs = current(tmp_path / "s").manifest["inputs"]
    assert isinstance(inputs, list)
    told = {Path(file["name"]).name: (file["records"], file["refused"]) for file in inputs}
    assert told == {"one.jsonl": (3, 2), "two.jsonl": (2, 1)}


def test_a_new_code_is_told_once_however_many_records_use_it(tmp_path: Path) -> None:
    def linked(slug: str, framework: str) -> dict[str, object]:
        link = {"repo_url": "https://github.com/e/r", "framework": framework}
        return paper(slug, code_links=[link])

    frameworks = ["brandnew", "brandnew", "other", "brandnew", "pytorch"]
    records = [linked(f"p{n}", name) for n, name in enumerate(frameworks)]
    report = build([lines_file(tmp_path / "x.jsonl", *records)], tmp_path / "s")
    told = [e for e in report_of(report.snapshot) if e["kind"] == "unknown code"]
    assert [e["record"] for e in told] == ["/paper/p0", "/paper/p2"]


def test_a_store_inside_a_folder_is_passed_over_and_told(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    source = lines_file(folder / "x.jsonl", paper("a"))
    build([source], folder / "store")
    report = build([folder], tmp_path / "s")
    assert report.exit_code == 0
    (told,) = [e for e in report_of(report.snapshot) if e["kind"] == "left out"]
    assert (told["severity"], told["file"]) == ("note", str(folder / "store"))
    assert "store" in str(told["reason"])


@pytest.mark.parametrize(("done", "shown"), [(0, ""), (3000, r"[0-9,]+/s")])
def test_progress_shows_a_rate_once_it_is_known(done: int, shown: str) -> None:
    bar = Progress(console=Console(file=io.StringIO()))
    number = bar.add_task("mapping", total=6000)
    task: Task = bar.tasks[number]
    bar.start_task(number)
    for step in range(0, done, 1000):
        bar.update(number, completed=step + 1000)
    assert re.fullmatch(shown, _Rate().render(task).plain)
