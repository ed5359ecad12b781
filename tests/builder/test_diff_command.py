"""``kg diff``: a patch that makes the one graph the other, and a summary by class."""

from __future__ import annotations

import bz2
import gzip
import io
import subprocess
import sys
import tempfile
from pathlib import Path

import pyoxigraph as ox
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg import cli
from kg.builder import build
from kg.errors import SourceError
from kg.patches import NO_CLASS, ClassChanges, Summary, write_patch
from kg.snapshot import SnapshotFolder
from tests.builder.making import current, dataset, lines_file, paper

Quads = set[ox.Quad]
NS = "https://w3id.org/paperkg/ns#"
TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"


def read(content: bytes) -> Quads:
    return set(ox.parse(content, ox.RdfFormat.N_QUADS))


def applied(patch: bytes, quads: Quads) -> Quads:
    """Apply an RDF Patch, each line of which must change something."""
    first, *changes, last = patch.splitlines()
    assert (first, last) == (b"TX .", b"TC .")
    quads = set(quads)
    for change in changes:
        (quad,) = read(change[2:])
        if change.startswith(b"A "):
            assert quad not in quads
            quads.add(quad)
        else:
            assert change.startswith(b"D ")
            quads.remove(quad)
    return quads


def patch_of(first: Path, second: Path) -> tuple[bytes, Summary]:
    stream = io.BytesIO()
    summary = write_patch(first, second, stream)
    patch = stream.getvalue()
    signs = [line[:1] for line in patch.splitlines()]
    assert (summary.added, summary.removed) == (signs.count(b"A"), signs.count(b"D"))
    return patch, summary


def of_store(folder: Path) -> Quads:
    """Return all that the product of a store's snapshot says."""
    snapshot = SnapshotFolder(folder).built()
    return read(gzip.decompress(snapshot.triples.read_bytes())) | read(
        gzip.decompress(snapshot.quads.read_bytes())
    )


@pytest.fixture
def two(tmp_path: Path) -> tuple[Path, Path]:
    """Two stores: of papers a and b, and of papers b, with another title, and c."""
    own = tmp_path / "own.trig"
    own.write_text("<e:s> <e:p> 1 , 01 . <e:g> { <e:s> <e:p> 2 }", "utf-8")
    first = lines_file(tmp_path / "1.jsonl", paper("a"), paper("b"), dataset("d"))
    second = lines_file(tmp_path / "2.jsonl", paper("b", title="New"), paper("c"), dataset("d"))
    build([first, own], tmp_path / "s1")
    own.write_text("<e:s> <e:p> 1 . <e:h> { <e:s> <e:p> 2 , 3 }", "utf-8")
    build([second, own], tmp_path / "s2")
    return tmp_path / "s1", tmp_path / "s2"


def test_the_patch_makes_one_store_the_other(two: tuple[Path, Path]) -> None:
    first, second = map(of_store, two)
    assert applied(patch_of(*two)[0], first) == second
    assert applied(patch_of(*two[::-1])[0], second) == first


def test_the_summary_counts_things_by_class(two: tuple[Path, Path]) -> None:
    _, summary = patch_of(*two)
    expected = {
        f"{NS}Paper": ClassChanges(new=1, gone=1, changed=1),
        f"{NS}Record": ClassChanges(new=1, gone=1),
        NO_CLASS: ClassChanges(changed=1),  # the user's own
    }
    assert summary.classes == expected
    _, back = patch_of(*two[::-1])
    assert (back.added, back.removed) == (summary.removed, summary.added)
    assert back.classes == expected


def test_a_thing_counts_for_all_classes_that_either_gives_it(tmp_path: Path) -> None:
    first, second = tmp_path / "1.nt", tmp_path / "2.nt"
    both = f"<e:a> {TYPE} <e:A> .\n<e:same> {TYPE} <e:A> .\n<e:same> <e:p> <e:o> .\n"
    first.write_text(both + f"<e:a> {TYPE} <e:B> .\n<e:b> {TYPE} _:class .\n", "utf-8")
    second.write_text(both + f"<e:a> {TYPE} <e:C> .\n<e:n> <e:p> <e:o> .\n", "utf-8")
    assert patch_of(first, second)[1] == Summary(
        added=2,
        removed=2,
        classes={
            "e:A": ClassChanges(changed=1),
            "e:B": ClassChanges(changed=1),
            "e:C": ClassChanges(changed=1),
            "_:class": ClassChanges(gone=1),
            NO_CLASS: ClassChanges(new=1),
        },
    )


@pytest.mark.parametrize("which", [0, 1])
def test_what_is_the_same_has_an_empty_patch(two: tuple[Path, Path], which: int) -> None:
    store = two[which]
    assert patch_of(store, store) == (b"TX .\nTC .\n", Summary())


def test_a_store_and_the_file_of_its_triples_differ_in_the_named_graphs_alone(
    tmp_path: Path, two: tuple[Path, Path]
) -> None:
    triples = current(two[0]).triples
    patch, summary = patch_of(two[0], triples)
    assert summary.added == 0
    assert summary.removed == current(two[0]).lines[1]
    assert applied(patch, of_store(two[0])) == read(gzip.decompress(triples.read_bytes()))


TEXT = (
    '<e:a> <e:p> "x y"@en , 1 , 01 , "\\u00e9\\n" , [] .'
    "<e:a#b> <e:p> <e:a> . _:b <e:p> _:c . _:b-c <e:q> <e:a> ."
)


@pytest.mark.parametrize("ending", [".nt", ".nt.gz", ".ttl.bz2", ".trig", ".nq"])
def test_files_of_any_language_are_compared(tmp_path: Path, ending: str) -> None:
    text = TEXT + (" <e:g> { <e:a> <e:p> <e:b> , _:b }" if "trig" in ending else "")
    quads = set(ox.parse(text, ox.RdfFormat.TRIG))
    content = text.encode()
    if ending.startswith((".nt", ".nq")):
        content = b"".join(f"{quad} .\n".encode() for quad in quads)
    if ending.endswith("gz"):
        content = gzip.compress(content)
    if ending.endswith("bz2"):
        content = bz2.compress(content)
    path, other = tmp_path / f"x[1]{ending}", tmp_path / "other.nq"
    path.write_bytes(content)
    other.write_text("<e:a> <e:p> <e:b> <e:g> .\n<e:a#b> <e:p> <e:a> .\n", "utf-8")
    patch, _ = patch_of(other, path)
    found = applied(patch, read(other.read_bytes()))
    for dataset_ in (found, quads) if "[]" in text else ():
        assert len(dataset_) == len(quads)
    before, after = ox.Dataset(quads), ox.Dataset(found)
    for each in (before, after):
        each.canonicalize(ox.CanonicalizationAlgorithm.RDFC_1_0)
    assert before == after
    assert read(patch.replace(b"A ", b"").replace(b"D ", b"").split(b"\n", 1)[1][:-6])


TERMS = st.sampled_from(["<e:a>", "<e:ab>", "<e:a!b>", "_:a", "_:a-b", "_:b"])
OBJECTS = TERMS | st.sampled_from(['"a b"', '"1"^^<e:t>', '"a"@en', '"\\""', '"> <e:g> ."'])
GRAPHS = st.sampled_from(["", "", "<e:g>", "<e:a>", "_:g"])
PREDICATES = st.sampled_from(["<e:p>", TYPE])
SETS = st.sets(
    st.builds(lambda s, p, o, g: f"{s} {p} {o} {g} .\n", TERMS, PREDICATES, OBJECTS, GRAPHS),
    max_size=12,
)


@settings(max_examples=60, deadline=None)
@given(SETS, SETS)
def test_the_patch_of_any_two_graphs_makes_one_the_other(one: set[str], two: set[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        first, second = Path(folder, "1.nq"), Path(folder, "2.nq")
        first.write_text("".join(one), "utf-8")
        second.write_text("".join(two), "utf-8")
        before, after = read(first.read_bytes()), read(second.read_bytes())
        patch, summary = patch_of(first, second)
        assert applied(patch, before) == after
        assert (summary.added, summary.removed) == (len(after - before), len(before - after))
        assert applied(patch_of(second, first)[0], after) == before


# --- the command -------------------------------------------------------------------------------


def test_the_command_writes_the_patch_and_says_what_it_is(
    tmp_path: Path, two: tuple[Path, Path], capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    first, second = map(str, two)
    assert cli.run(["diff", first, second]) == 0
    out, err = capfdbinary.readouterr()
    assert out == patch_of(*two)[0]
    rows = [line.split() for line in err.decode().splitlines()]
    signs = [line[:1] for line in out.splitlines()]
    added, removed = (str(signs.count(sign)) for sign in (b"A", b"D"))
    assert rows[0] == [added, "statements", "added,", removed, "removed"]
    assert ["class", "new", "gone", "changed"] in rows
    assert ["kg:Paper", "1", "1", "1"] in rows
    assert ["(no", "class)", "0", "0", "1"] in rows
    assert cli.run(["-q", "diff", first, second, "-o", str(tmp_path / "x.rdfp")]) == 0
    assert capfdbinary.readouterr() == (b"", b"")
    assert (tmp_path / "x.rdfp").read_bytes() == out
    assert cli.run(["diff", first, first]) == 0
    assert capfdbinary.readouterr() == (b"TX .\nTC .\n", b"0 statements added, 0 removed\n")


def test_what_cannot_be_compared_is_one_sentence(
    tmp_path: Path, two: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    good = tmp_path / "good.nt"
    good.write_text("<e:a> <e:b> <e:c> .\n", "utf-8")
    output = tmp_path / "x.rdfp"
    output.write_text("before", "utf-8")

    def fails(code: int, said: str, *words: Path) -> None:
        for given_words in (words, words[::-1]):
            assert cli.run(["diff", *map(str, given_words), "-o", str(output)]) == code
            err = capsys.readouterr().err
            assert said in err
            assert "Traceback" not in err
            assert output.read_text("utf-8") == "before"

    fails(2, "does not exist", tmp_path / "missing.nt", good)
    fails(3, "it is neither a store nor an RDF file", tmp_path / "1.jsonl", good)
    fails(4, "there is no store here", tmp_path, good)
    (tmp_path / "bad.ttl").write_text("<e:a> <e:b> 1 .\n<e:c> x:d 2 .", "utf-8")
    fails(3, "bad.ttl: line 2, column 7: ", tmp_path / "bad.ttl", good)
    (tmp_path / "cut.nt.gz").write_bytes(gzip.compress(good.read_bytes())[:-4])
    fails(3, "cut.nt.gz: truncated: ", tmp_path / "cut.nt.gz", good)
    product = current(two[0]).quads
    product.write_bytes(product.read_bytes()[:-9])
    fails(4, f"{product}: it is damaged", two[0], two[1])
    product.write_bytes(b"")
    fails(4, f"{product}: it has 0 lines", two[0], two[1])
    assert cli.run(["diff", str(good), str(good), "-o", str(tmp_path / "no" / "x")]) == 2
    assert "cannot be written" in capsys.readouterr().err


def test_an_empty_file_is_a_graph_without_triples(tmp_path: Path) -> None:
    (tmp_path / "a.nt").write_bytes(b"")
    (tmp_path / "b.nt").write_text("<e:a> <e:b> <e:c> .\n", "utf-8")
    patch, _ = patch_of(tmp_path / "a.nt", tmp_path / "b.nt")
    assert patch == b"TX .\nA <e:a> <e:b> <e:c> .\nTC .\n"
    for content in (b"", b"[]"):  # of records; a patch that removes everything is not meant
        (tmp_path / "c.json").write_bytes(content)
        with pytest.raises(SourceError, match=r"c\.json: it is empty, and no RDF file"):
            patch_of(tmp_path / "b.nt", tmp_path / "c.json")


def test_a_reader_that_has_what_it_wanted_is_no_error(tmp_path: Path) -> None:
    first, second = tmp_path / "1.nt", tmp_path / "2.nt"
    first.write_bytes(b"")
    second.write_text("".join(f"<e:{n}> <e:p> <e:o> .\n" for n in range(40_000)), "utf-8")
    with subprocess.Popen(
        [sys.executable, "-m", "kg", "diff", str(first), str(second)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as running:
        assert running.stdout
        assert running.stderr
        assert running.stdout.read(10) == b"TX .\nA <e:"
        running.stdout.close()
        said = running.stderr.read()
        assert running.wait() == 0
    assert b"Traceback" not in said
    assert b"rror" not in said
