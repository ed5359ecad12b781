from __future__ import annotations

import csv
import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pyoxigraph as ox
import pytest
import rdflib

from kg import cli, resources
from kg.cli.answers import FORMATS
from kg.formats import GRAPHS

LEADERBOARD = ("leaderboard", "-p", "leaderboard=qa-on-squad")
TITLE = "Größe → ≥ 名前"


@pytest.fixture
def query(
    store_dir: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> Callable[..., tuple[int, bytes, str]]:
    """A function that runs ``kg query`` and returns its exit code and what it wrote."""

    def run(*arguments: str, store: Path = store_dir) -> tuple[int, bytes, str]:
        code = cli.run(["query", *arguments, "--store", str(store)])
        written, said = capfdbinary.readouterr()
        return code, written, said.decode("utf-8")

    return run


Query = Callable[..., tuple[int, bytes, str]]


def test_a_canned_query_is_a_table_that_is_written_whole(query: Query) -> None:
    code, written, said = query("class-counts")
    assert (code, said) == (0, "")
    assert written.decode().splitlines()[:4] == [
        "class           things",
        "--------------  ------",
        "kg:SampleLink        8",
        "kg:Measurement       7",
    ]


def test_csv_tsv_and_json_are_the_results_formats(query: Query) -> None:
    rows = list(csv.reader(io.StringIO(query(*LEADERBOARD, "--format", "csv")[1].decode())))
    assert rows[0][:4] == ["rank", "model", "metricName", "rawValue"]
    assert [row[1] for row in rows[1:]] == ["Ant", "Bee", "Bee", "Dog", "Aardvark", "Aal"]
    tsv = query(*LEADERBOARD, "--format", "tsv")[1].decode().splitlines()
    assert tsv[0].split("\t")[:2] == ["?rank", "?model"]
    assert tsv[1].split("\t")[:2] == ["1", '"Ant"']
    results = json.loads(query(*LEADERBOARD, "--format", "json")[1])
    assert results["head"]["vars"] == rows[0]
    assert len(results["results"]["bindings"]) == 6
    assert results["results"]["bindings"][0]["paper"] == {
        "type": "uri",
        "value": "https://w3id.org/paperkg/paper/two",
    }


@pytest.mark.parametrize("text", ["ASK { ?s a kg:Paper }", "ASK { ?s a kg:Nothing }"])
def test_a_yes_or_no(query: Query, text: str) -> None:
    answer = "false" if "Nothing" in text else "true"
    assert query("--text", text) == (0, f"{answer}\n".encode(), "")
    assert json.loads(query("--text", text, "--format", "json")[1])["boolean"] is (answer == "true")


def test_a_graph_is_turtle_with_the_prefixes_that_it_uses(query: Query) -> None:
    text = "CONSTRUCT WHERE { paper:one dct:title ?title }"
    code, written, said = query("--text", text)
    assert (code, said) == (0, "")
    assert sorted(written.decode().splitlines()) == [
        "@prefix dct: <http://purl.org/dc/terms/> .",
        "@prefix paper: <https://w3id.org/paperkg/paper/> .",
        'paper:one dct:title "One" .',
    ]
    lines = query("--text", text, "--format", "nt")[1]
    assert lines == (
        b"<https://w3id.org/paperkg/paper/one> <http://purl.org/dc/terms/title> \"One\" .\n"
    )  # fmt: skip


def test_a_description_is_a_graph(query: Query) -> None:
    written = query("--text", "DESCRIBE task:qa")[1]
    assert len(rdflib.Graph().parse(data=written, format="turtle")) == 2


@pytest.mark.parametrize(
    ("text", "format_", "what"),
    [
        ("ASK {}", "ttl", "the answer to ASK is a yes or no, which has no format ttl; take one of"),
        ("SELECT * {}", "nt", "the answer to SELECT is a table of solutions, which has no format"),
        (
            "DESCRIBE kg:a",
            "csv",
            "the answer to DESCRIBE is a graph, which has no format csv; take",
        ),
    ],
)
def test_a_format_that_does_not_fit_is_refused(
    query: Query, text: str, format_: str, what: str
) -> None:
    code, written, said = query("--text", text, "--format", format_)
    assert (code, written) == (2, b"")
    assert said.startswith(f"Error: {what}")


@pytest.mark.parametrize("format_", [*FORMATS, None])
def test_no_rows_are_a_head_and_a_note(query: Query, format_: str | None) -> None:
    graph = format_ in [one.name for one in GRAPHS]
    text = "CONSTRUCT WHERE { ?s a kg:No }" if graph else "SELECT ?s ?x { ?s a kg:No }"
    code, written, said = query("--text", text, *(("--format", format_) if format_ else ()))
    assert code == 0
    assert said == ("no triples\n" if graph else "no rows\n")
    assert graph or b"s" in written
    text = text.replace("kg:No", "kg:Paper")
    assert query("--text", text, *(("--format", format_) if format_ else ()))[2] == ""


def test_an_iri_that_the_store_does_not_know_is_named(query: Query) -> None:
    code, written, said = query("leaderboard", "-p", "leaderboard=qa-on-squat")
    assert code == 0
    assert written.startswith(b"rank  model")
    assert said.splitlines() == [
        "no rows",
        "<https://w3id.org/paperkg/leaderboard/qa-on-squat> (the parameter leaderboard) is not in"
        " this store",
        "did you mean qa-on-squad?",
    ]
    said = query("paper-samples", "-p", "paper=one", "-p", "status=ran_honors")[2]
    assert said.splitlines()[-1] == "did you mean ran_honours?"
    assert query("paper-results", "-p", "paper=two", "-p", "task=parsing")[2] == "no rows\n"


def test_quiet_says_nothing_about_no_rows(
    store_dir: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    text = "SELECT ?s { ?s a kg:No }"
    assert cli.run(["--quiet", "query", "--text", text, "--store", str(store_dir)]) == 0
    assert capfdbinary.readouterr() == (b"s\n-\n", b"")


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        ((), "give one query: its NAME, or --file FILE, or --text SPARQL"),
        (("class-counts", "--text", "ASK {}"), "give one query: its NAME"),
        (("leaderbord",), "there is no query 'leaderbord'; did you mean leaderboard"),
        (("leaderboard",), "the parameter leaderboard is missing; it takes an IRI, a CURIE or the"),
        ((*LEADERBOARD, "-p", "metrik=x"), "the query leaderboard has no parameter metrik; did"),
        ((*LEADERBOARD, "-p", "leaderboard=y"), "-p leaderboard: the parameter is given twice"),
        ((*LEADERBOARD, "-p", "metric"), "-p metric: it takes NAME=VALUE"),
        ((*LEADERBOARD, "-p", "limit=10; DROP ALL"), "the parameter limit takes an integer from"),
        (("paper-code", "-p", "paper=https://e/a> ?p ?o . <b"), "the parameter paper takes an IRI"),
        (("--text", "ASK {}", "-p", "a=b"), "-p is for canned queries"),
        (("--text", "ASK { ?s foo:a 1 }"), "prefix foo: is not declared (line 1, column 10)"),
        (("--text", ""), "the query is empty"),
        (("--text", "INSERT DATA { kg:a kg:a kg:a }"), "INSERT begins an update"),
        (("--text", "ASK { SERVICE <urn:x> {} }"), "SERVICE is refused"),
    ],
)
def test_wrong_usage_is_a_sentence_and_exit_2(
    query: Query, arguments: tuple[str, ...], what: str
) -> None:
    code, written, said = query(*arguments)
    assert (code, written) == (2, b"")
    assert said.startswith(f"Error: {what}")


def test_a_fault_in_a_query_shows_its_line_with_a_mark(query: Query) -> None:
    said = query("--text", "ASK {\n  ?s foo:a 1 }")[2]
    assert said.splitlines()[1:] == ["    ?s foo:a 1 }", "       ^"]


def test_a_file_with_a_header_is_asked_with_parameters(query: Query, tmp_path: Path) -> None:
    file = tmp_path / "mine.rq"
    file.write_bytes(
        "\ufeff#+ title: By title\n#+ description: Papers of a title.\n#+ parameter title:\n"
        "#+   type: string\n#+   required: yes\n#+   description: The title.\n#+   example: One\n"
        "PREFIX dct: <http://purl.org/dc/terms/>\n"
        'SELECT ?paper { VALUES ?title { "One" } ?paper dct:title ?title }\n'.encode()
    )
    code, _, said = query("--file", str(file))  # its example is none that anybody asked for
    assert (code, "title" in said) == (2, True)
    assert query("--file", str(file), "-p", "title=One")[1] == b"paper\n---------\npaper:one\n"
    near = query("--file", str(file), "-p", "title=Near one")[1]
    assert near == b"paper\n-----------\npaper:one-2\n"
    injected = query("--file", str(file), "-p", 'title=One" . ?x ?y ?z . #')
    assert injected == (0, b"paper\n-----\n", "no rows\n")
    file.write_text("ASK {}", "utf-8")
    code, _, said = query("--file", str(file), "-p", "title=x")
    assert (code, said) == (2, f"Error: {file}: line 1: the header has no description\n")


def test_a_file_that_cannot_be_read_is_named(query: Query, tmp_path: Path) -> None:
    code, _, said = query("--file", str(tmp_path / "no.rq"))
    assert (code, said) == (3, f"Error: {tmp_path / 'no.rq'}: No such file or directory\n")
    (tmp_path / "bad.rq").write_bytes(b"ASK { \xff }")
    code, _, said = query("--file", str(tmp_path / "bad.rq"))
    assert (code, said) == (3, f"Error: {tmp_path / 'bad.rq'}: it is no UTF-8 at byte 6\n")


def test_an_answer_goes_into_a_file_by_its_ending(query: Query, tmp_path: Path) -> None:
    file = tmp_path / "answer.csv"
    assert query(*LEADERBOARD, "-o", str(file)) == (0, b"", "")
    assert file.read_bytes() == query(*LEADERBOARD, "--format", "csv")[1]
    assert query(*LEADERBOARD, "-o", str(file), "--format", "json") == (0, b"", "")
    assert file.read_bytes() == query(*LEADERBOARD, "--format", "json")[1]
    assert query("class-counts", "-o", str(tmp_path / "x.txt")) == (0, b"", "")
    assert (tmp_path / "x.txt").read_bytes() == query("class-counts")[1]
    assert [path.name for path in sorted(tmp_path.iterdir())] == ["answer.csv", "x.txt"]


def test_a_file_that_cannot_be_written_is_named_and_the_old_one_stays(
    query: Query, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "no" / "answer.csv"
    code, _, said = query(*LEADERBOARD, "-o", str(file))
    assert (code, said) == (2, f"Error: {file}: it cannot be written: No such file or directory\n")
    old = tmp_path / "old.csv"
    old.write_text("old", "utf-8")

    def fail(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", fail)
    assert query(*LEADERBOARD, "-o", str(old))[0] == 130
    assert old.read_text("utf-8") == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["old.csv"]


def test_a_store_that_is_none_is_named(query: Query, tmp_path: Path) -> None:
    code, written, said = query("class-counts", store=tmp_path / "none")
    assert (code, written) == (4, b"")
    assert said.startswith(f"Error: {tmp_path / 'none'}: there is no store here; kg build")


def test_slugs_and_curies_are_below_the_base_of_the_store(
    query: Query, make_store: Callable[..., Path]
) -> None:
    turtle = (
        b"@prefix kg: <https://w3id.org/paperkg/ns#> . @base <https://my.example/> ."
        b"<result/a> kg:leaderboard <leaderboard/b> ; kg:archiveRank 1 ."
    )
    store = make_store(turtle, "https://my.example/")
    row = b"result:a\n"
    assert query("leaderboard", "-p", "leaderboard=b", store=store)[1].endswith(row)
    assert query("leaderboard", "-p", "leaderboard=leaderboard:b", store=store)[1].endswith(row)
    text = "SELECT ?r { ?r kg:leaderboard leaderboard:b }"
    assert query("--text", text, store=store)[1].endswith(row)


# --- In a process of its own: encodings, pipes and terminals -------------------------------------


def arguments(store: Path, *more: str) -> list[str]:
    return [sys.executable, "-m", "kg", "query", *more, "--store", str(store)]


@pytest.fixture(scope="module")
def titled(make_store: Callable[..., Path]) -> Path:
    turtle = f'<https://w3id.org/paperkg/paper/a> <http://purl.org/dc/terms/title> "{TITLE}" .'
    return make_store(turtle.encode())


ONE_TITLE = ("--text", "SELECT ?title { ?paper dct:title ?title }")


# Case CLI-06.
@pytest.mark.parametrize("format_", ["csv", "table", "json"])
@pytest.mark.parametrize(
    "environment", [{"PYTHONIOENCODING": "cp1252"}, {"LC_ALL": "C", "PYTHONUTF8": "0"}]
)
def test_the_bytes_are_utf_8_whatever_the_locale(
    titled: Path, environment: dict[str, str], format_: str
) -> None:
    done = subprocess.run(
        arguments(titled, *ONE_TITLE, "--format", format_),
        capture_output=True,
        check=True,
        env={**os.environ, **environment},
    )
    assert done.stderr == b""
    assert TITLE in done.stdout.decode("utf-8")


@pytest.mark.skipif(os.name == "nt", reason="there are no pseudo-terminals to test with")
def test_a_console_that_cannot_show_a_character_shows_another(titled: Path) -> None:
    for format_ in ("table", "csv"):
        ours, theirs = os.openpty()
        done = subprocess.run(
            arguments(titled, *ONE_TITLE, "--format", format_),
            stdout=theirs,
            stderr=subprocess.PIPE,
            check=False,
            env={**os.environ, "PYTHONIOENCODING": "ascii", "COLUMNS": "40"},
        )
        os.close(theirs)
        shown = os.read(ours, 4096).decode("ascii")
        os.close(ours)
        assert (done.returncode, done.stderr) == (0, b"")
        assert "Gr??e ? ? ??" in shown


@pytest.mark.skipif(os.name == "nt", reason="there are no pseudo-terminals to test with")
def test_a_table_fits_the_terminal(store_dir: Path) -> None:
    ours, theirs = os.openpty()
    subprocess.run(
        arguments(store_dir, *LEADERBOARD),
        stdout=theirs,
        check=True,
        env={**os.environ, "COLUMNS": "80", "PYTHONIOENCODING": "utf-8"},
    )
    os.close(theirs)
    lines = os.read(ours, 8192).decode().splitlines()
    os.close(ours)
    assert len(lines) == 9
    assert lines[-1] == "(2 more columns: paper, result)"
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize("format_", ["csv", "table"])
def test_a_reader_that_goes_away_is_no_error(store_dir: Path, format_: str) -> None:
    text = "SELECT * { ?a ?b ?c . ?d ?e ?f } LIMIT 20000"
    with subprocess.Popen(
        arguments(store_dir, "--text", text, "--format", format_),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        said = process.stderr.read()
    assert (process.returncode, said) == (0, b"")


def test_a_query_comes_from_standard_input(store_dir: Path) -> None:
    done = subprocess.run(
        arguments(store_dir, "--file", "-"),
        input="ASK { ?s a kg:Paper } # größe".encode(),
        capture_output=True,
        check=True,
    )
    assert done.stdout == b"true\n"


def test_an_interrupt_ends_a_query_that_the_engine_is_at(tmp_path: Path) -> None:
    store = tmp_path / "s"
    assert cli.run(["-q", "demo", "--store", str(store)]) == 0
    hopeless = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }"
    with subprocess.Popen(
        [sys.executable, "-m", "kg", "query", "--text", hopeless, "--store", str(store)],
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as running:
        with pytest.raises(subprocess.TimeoutExpired):
            running.wait(3)
        running.send_signal(signal.SIGINT)
        assert running.wait(10) == 130
        assert running.stderr is not None
        assert running.stderr.read() == b"Interrupted.\n"


@pytest.mark.parametrize("format_", ["table", "csv", "tsv"])
def test_an_answer_that_is_cut_at_its_limit_says_so(
    tmp_path: Path, format_: str, capfd: pytest.CaptureFixture[str]
) -> None:
    store = str(tmp_path / "s")
    assert cli.run(["-q", "demo", "--store", store]) == 0
    question = ["query", "leaderboard", "-p", "leaderboard=/sota/question-answering-on-squad11-dev"]
    for limit, said in (("3", True), ("999", False)):
        capfd.readouterr()
        arguments = [*question, "-p", f"limit={limit}", "--store", store, "--format", format_]
        assert cli.run(arguments) == 0
        assert ("these are the first 3 rows" in capfd.readouterr().err) == said


def test_a_file_with_a_header_is_a_canned_query_with_its_required_parameters(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    store = str(tmp_path / "s")
    assert cli.run(["-q", "demo", "--store", store]) == 0
    file = str(resources.queries() / "leaderboard.rq")
    assert cli.run(["query", "--file", file, "--store", store]) == 2
    assert "leaderboard" in capfd.readouterr().err
    assert cli.run(["query", file, "--store", store]) == 2
    assert f"--file {file}" in capfd.readouterr().err


def test_a_graph_in_every_format_is_the_same_graph(query: Query, tmp_path: Path) -> None:
    asked = ("--text", "CONSTRUCT WHERE { ?s a kg:Paper ; ?p ?o }")
    graphs = []
    for format_ in GRAPHS:
        written = query(*asked, "--format", format_.name)[1]
        file = tmp_path / f"graph.{format_.hints[0] if format_.hints else format_.name}"
        assert query(*asked, "-o", str(file)) == (0, b"", "")
        contents = (written, file.read_bytes())
        graphs += [set(ox.parse(content, format=format_.engine)) for content in contents]
    assert graphs[0]
    assert all(graph == graphs[0] for graph in graphs)


def test_what_xml_cannot_carry_is_refused(query: Query, tmp_path: Path) -> None:
    file = tmp_path / "a.srx"
    code, _, said = query("--text", "SELECT ('a\x01' AS ?x) {}", "-o", str(file))
    assert (code, file.exists()) == (2, False)
    assert said.startswith("Error: the answer holds the character U+0001, which XML cannot carry")
    assert query("--text", "SELECT ('a' AS ?x) {}", "-o", str(file))[0] == 0
    assert b"<literal>a</literal>" in file.read_bytes()
    text = "CONSTRUCT { kg:a <http://e/1> 1 } {}"
    code, _, said = query("--text", text, "--format", "rdfxml")
    assert (code, "has no name that XML can carry" in said) == (2, True)
